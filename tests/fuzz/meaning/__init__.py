"""Damage to the meaning of a game: correct syntax, but the game cannot have happened.

A mutator takes the elements of an mjlog and a random generator. It returns False if the game has no
place for this kind of damage.
"""

from __future__ import annotations

import random

from lxml import etree

from tests.fuzz.meaning import course, game_end, hands, points, yaku
from tests.fuzz.meaning.elements import KINDS

__all__ = ["KINDS", "course", "damaged", "game_end", "hands", "points", "yaku"]


def damaged(data: bytes, kind: str, seed: int) -> bytes | None:
    """The log with one damage of that kind, or None."""
    root = etree.fromstring(data)
    if not KINDS[kind](root, random.Random(f"{kind} {seed}")):
        return None
    return bytes(etree.tostring(root))
