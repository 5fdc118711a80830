"""Games played on riichienv: self-play for training, matches between players, and their reports."""
