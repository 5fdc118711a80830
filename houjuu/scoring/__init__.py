"""Checks of a log against the rules, and the points of a win."""
