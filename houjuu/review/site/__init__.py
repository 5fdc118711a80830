"""Reviews of many games: a page for each, and an index with the habits of one player."""
