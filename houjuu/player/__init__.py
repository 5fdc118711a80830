"""A rule-based player: discards, calls, hand values, push or fold, and an mjai bot."""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
