"""Preferences of recorded players beyond the values: a conditional logit with a network."""
