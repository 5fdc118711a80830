"""The rules of the game: tiles, events, the table and the view of each seat."""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
