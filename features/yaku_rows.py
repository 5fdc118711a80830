"""Rows for the yaku model: the hand after a discard, and the yaku that it won with.

A row is a discard of a seat (`houjuu.game.decisions`), with the hand after the discard. Only one of
several decisions of a seat is used; which one depends on the round, the seat and the turn, so that
all turns occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import pandas as pd

from features import schema
from features.columns import whole_numbers
from features.schema import Column
from houjuu.game import yaku
from houjuu.game.decisions import Follower
from houjuu.game.events import Deal, Game, Win
from houjuu.game.tiles import EAST, HAKU, KIND, KINDS
from houjuu.hands.shanten import shanten
from houjuu.player.hand_value import yaku_targets
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.player.hand_value.yaku_targets import (
    FOUR_SETS,
    HAND_NUMBERS,
    KOKUSHI,
    SEVEN_PAIRS,
    SURE,
    TARGET_YAKU,
    TARGETS,
    YAKUHAI,
    HandSummary,
)

_SET_CLASSES = 4
"""The first classes are those of sets."""

_TARGETS_SOURCE = "houjuu/player/hand_value/yaku_targets.py"
_CLASSES_SOURCE = "houjuu/player/hand_value/hand_decomposition.py"

YAKU = (
    *schema.KEY,
    Column("closed", "bool", "no open meld", "the table"),
    *(
        Column(f"copies_{kind}", "int8", "0–4 concealed tiles of the kind", "the table")
        for kind in range(KINDS)
    ),
    Column("yakuhai_winds", "int8", "bit i for wind i, 0–3: a triplet is a yaku", "the table"),
    *(
        Column(f"melds_{index}", "int8", f"0–4 melds: {CLASSES[index]}", _CLASSES_SOURCE)
        for index in range(_SET_CLASSES)
    ),
    Column("possible_targets", "int32", "bit i: the melds allow target i", _TARGETS_SOURCE),
    *(Column(name, "int8", unit, _TARGETS_SOURCE) for name, unit in HAND_NUMBERS),
    Column("won_targets", "int32", "bit i: the hand won with target i", "label: the log"),
    Column("won_form", "int8", "form of the win, 0–2; -1: the seat did not win", "label: the log"),
    Column("won_yakuhai_han", "int8", "han of yakuhai in the win", "label: the log"),
    Column("won_dora_han", "int8", "dora and red fives in the win", "label: the log"),
    Column("won_han", "int8", "han of all yaku of the targets in the win", "label: the log"),
)
"""A row per decision that is used."""

_COPIES = schema.names(YAKU, "copies_")
_MELDS = schema.names(YAKU, "melds_")
_NUMBERS = [name for name, _ in HAND_NUMBERS]


def rows(games: Iterable[Game], decision_stride: int) -> pd.DataFrame:
    """Rows of some games, as `YAKU`.

    Parameters
    ----------
    games : iterable of Game
    decision_stride : int
        Every n-th decision of a seat is used.
    """
    rows_of = partial(_game_rows, decision_stride=decision_stride)
    return schema.check(whole_numbers(games, rows_of, schema.names(YAKU)[1:]), YAKU)


class WinLabel(NamedTuple):
    """The win of a seat in a round: the last five columns of `YAKU`."""

    targets: int = 0
    form: int = -1
    yakuhai_han: int = 0
    dora_han: int = 0
    han: int = 0


def _game_rows(game: Game, decision_stride: int) -> Iterator[tuple[int, ...]]:
    labels = _win_labels(game)
    follower = Follower(game)
    for round, seat, turn, discard in follower.turns():
        label = labels.get((round, seat), WinLabel())
        if label is None or (round + seat + turn) % decision_stride:
            continue
        view = follower.table.view(seat)
        tiles = [tile for tile in view.hand if tile != discard]
        hand = yaku_targets.summarize_view(view, tiles, shanten([KIND[tile] for tile in tiles]))
        yield (
            *(round, seat, turn, hand.closed),
            *hand.counts,
            sum(1 << kind - EAST for kind in hand.yakuhai if kind - EAST < 4),
            *hand.melds[:_SET_CLASSES],
            *(hand.possible, *hand.numbers),
            *label,
        )


def _win_labels(game: Game) -> dict[tuple[int, int], WinLabel | None]:
    """The wins of a game by index of the deal and seat; None where the yaku are unknown."""
    labels: dict[tuple[int, int], WinLabel | None] = {}
    index = -1
    for event in game:
        if isinstance(event, Deal):
            index += 1
        elif isinstance(event, Win):
            has_yaku = event.yaku or event.yakuman
            labels[index, event.seat] = win_label(event) if has_yaku else None
    return labels


def win_label(win: Win) -> WinLabel:
    """The targets and han of a win; kokushi is the only yakuman that counts."""
    han = dict(win.yaku) | dict.fromkeys(win.yakuman, yaku.YAKU[yaku.KOKUSHI_MUSOU].han_closed)
    counts = {
        target: sum(han.get(number, 0) for number in numbers)
        for target, numbers in TARGET_YAKU.items()
    }
    form = FOUR_SETS
    if counts[yaku.KOKUSHI_MUSOU]:
        form = KOKUSHI
    elif counts[yaku.CHIITOITSU]:
        form = SEVEN_PAIRS
    targets = sum(
        1 << index
        for index, target in enumerate(TARGETS)
        if target.form == form and (target.yaku in SURE or counts[target.yaku])
    )
    return WinLabel(
        targets=targets,
        form=form,
        yakuhai_han=counts[YAKUHAI],
        dora_han=counts[yaku.DORA],
        han=sum(counts.values()),
    )


def hands(rows: pd.DataFrame) -> Iterator[HandSummary]:
    """Yield the hands of rows as the yaku model takes them."""
    yakuhai_of_winds = [
        (*(EAST + wind for wind in range(4) if bits >> wind & 1), *range(HAKU, KINDS))
        for bits in range(16)
    ]
    no_other_groups = (0,) * (len(CLASSES) - _SET_CLASSES)
    columns = zip(
        rows[_COPIES].to_numpy().tolist(),
        rows["yakuhai_winds"],
        rows[_MELDS].to_numpy().tolist(),
        rows["closed"],
        rows["possible_targets"],
        rows[_NUMBERS].to_numpy().tolist(),
        strict=True,
    )
    for counts, winds, melds, closed, possible, numbers in columns:
        yield HandSummary(
            counts=tuple(counts),
            yakuhai=yakuhai_of_winds[winds],
            melds=(*melds, *no_other_groups),
            closed=bool(closed),
            possible=int(possible),
            numbers=tuple(numbers),
        )
