"""Fits of the model of Kurita and Hoki (2017)."""
