"""The answer to one query: risks of every tile, by opponent, with reasons."""
