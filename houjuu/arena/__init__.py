"""Games played on riichienv: self-play for training, matches between players, and their reports."""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
