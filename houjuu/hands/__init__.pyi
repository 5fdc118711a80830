from houjuu.hands.claims import legal_discards
from houjuu.hands.hand_cache import HandCache
from houjuu.hands.shanten import after_discard, shanten_of_tiles, useful
from houjuu.hands.shanten import shanten as shanten_of_counts

__all__ = [
    "HandCache",
    "after_discard",
    "legal_discards",
    "shanten_of_counts",
    "shanten_of_tiles",
    "useful",
]
