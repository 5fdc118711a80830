"""Tenpai shapes, what each wins on, and for how much."""
