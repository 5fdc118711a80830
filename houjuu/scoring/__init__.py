"""Checks of a log against the rules, and the points of a win."""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
