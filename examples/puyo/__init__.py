"""ぷよぷよ, the game for which reading ahead was written, on the engine of this project."""
