"""A reviewed game as an HTML page: the risk of every discard that a seat could make."""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
