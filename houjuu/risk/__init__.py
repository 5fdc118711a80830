"""The answer to one query: risks of every tile, by opponent, with reasons."""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
