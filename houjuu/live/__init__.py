"""A seat at a running game, and the risks beside the answers of a bot."""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
