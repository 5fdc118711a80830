"""Mahjong as a game of `reading_ahead`: players that search for their discards."""
