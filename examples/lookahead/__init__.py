"""Mahjong as a game of `houjuu.player.lookahead`: players that search for their discards."""
