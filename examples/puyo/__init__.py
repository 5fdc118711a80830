"""ぷよぷよ, the game for which this lookahead was designed, on the search of this project."""
