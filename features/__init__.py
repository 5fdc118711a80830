"""Replayed logs become tables of rows, for fitting and for measuring."""
