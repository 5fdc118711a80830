"""Tools that every room uses: errors, arrays, files, languages."""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
