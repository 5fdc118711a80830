"""The players, which differ in how they weigh what they read, and the games they play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from examples.puyo import field
from examples.puyo.game import Piece, Position, Puyo
from houjuu.player.lookahead import FORMULAS, Danger, Formula, Row, rank

KNOWN = 3
"""Pieces that a player sees: NEXT, NEXT2, NEXT3."""

_NOW, _FIRED = Row(max, (1,), ("optimistic",)), Row(max, (1,), ("realistic",))
GREEDY: Formula = {danger: _NOW if danger is Danger.NORMAL else _FIRED for danger in Danger}
"""n1 alone, read as `rensa-yomi-6` reads it: no reading ahead."""

PLAYERS: Mapping[str, Formula] = {"greedy": GREEDY, **FORMULAS}


class Game(NamedTuple):
    """What came of a game: the links fired by each piece, and counts of what was gone through."""

    player: str
    number: int
    fired: tuple[int, ...]
    choked: bool
