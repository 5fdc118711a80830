"""Measuring predictions: scores, calibration tables, and comparisons with intervals."""
