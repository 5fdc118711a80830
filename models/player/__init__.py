"""Fits of the models that the players query."""
