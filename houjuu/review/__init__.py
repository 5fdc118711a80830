"""A game as a page: every decision of a seat with its dangers."""
