"""Example programs on top of this project."""
