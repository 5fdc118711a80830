"""Rows for the yaku that hands end with: a hand after a discard, and what became of it.

A row is a decision of a seat that is neither in riichi nor away, as the hand is once the tile has
left it: one of several, so that the rows of a hand tell of all its turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from riichienv import calculate_shanten

from features import schema
from features.replay import decisions
from features.schema import Column
from houjuu.events import Deal, Game, Win
from houjuu.player import aims
from houjuu.player.aims import (
    AIMS,
    DORA,
    FOUR_SETS,
    KOKUSHI,
    NUMBERS,
    SEVEN_PAIRS,
    SURE,
    YAKU,
    YAKUHAI,
    Hand,
)
from houjuu.player.splits import CLASSES
from houjuu.tiles import EAST, HAKU, KINDS

_MELDS = 4
"""The first classes are those of sets."""

PROSPECTS = (
    *schema.KEY,
    Column("closed", "bool", "nothing called", "the table"),
    *(
        Column(f"held_{kind}", "int8", "0–4 concealed tiles of the kind", "the table")
        for kind in range(KINDS)
    ),
    Column("yakuhai", "int8", "bit i for wind i, 0–3: a triplet is a yaku", "the table"),
    *(
        Column(
            f"set_{i}", "int8", f"0–4 sets on the table: {CLASSES[i]}", "houjuu/player/splits.py"
        )
        for i in range(_MELDS)
    ),
    Column("possible", "int32", "bit i: aim i is possible", "houjuu/player/aims.py"),
    *(Column(name, "int8", unit, "houjuu/player/aims.py") for name, unit in NUMBERS),
    Column("won", "int32", "bit i: the hand won so, in this round", "label: the log"),
    Column("form", "int8", "of the win, 0–2; -1 where the seat did not win", "label: the log"),
    Column("yakuhai_han", "int8", "han of 飜牌 that it won with", "label: the log"),
    Column("dora_han", "int8", "dora and red fives that it won with", "label: the log"),
    Column("han", "int8", "han of all that is counted here", "label: the log"),
)
"""A row per decision that is looked at."""

_COLUMNS = schema.names(PROSPECTS)


def rows(games: Iterable[Game], every: int) -> pd.DataFrame:
    """The rows of some games, as `PROSPECTS`.

    Parameters
    ----------
    games : iterable of Game
    every : int
        Of so many decisions of a seat one is taken.
    """
    numbers: list[tuple[int, ...]] = []
    ids: list[str] = []
    for game in games:
        numbers.extend(_game(game, every))
        ids += [game.id] * (len(numbers) - len(ids))
    table = np.array(numbers, np.int32).reshape(-1, len(_COLUMNS) - 1)
    frame = pd.DataFrame(table, columns=_COLUMNS[1:])
    frame["game"] = pd.Categorical(ids)
    return schema.check(frame, PROSPECTS)


class Won(NamedTuple):
    """What a seat won with; the last five columns of `PROSPECTS`."""

    won: int = 0
    form: int = -1
    yakuhai_han: int = 0
    dora_han: int = 0
    han: int = 0


def _game(game: Game, every: int) -> Iterator[tuple[int, ...]]:
    wins = _wins(game)
    for table, index, discard in decisions(game):
        seat = table.seats[discard.seat]
        turn = len(seat.river)
        if (index + discard.seat + turn) % every:
            continue
        view = table.view(discard.seat)
        tiles = [tile for tile in view.hand if tile != discard.tile]
        hand = aims.of_view(view, tiles, int(calculate_shanten(tiles)))
        yield (
            *(index, discard.seat, turn, hand.closed),
            *hand.counts,
            sum(1 << kind - EAST for kind in hand.yakuhai if kind - EAST < 4),
            *hand.melds[:_MELDS],
            *(hand.possible, *hand.numbers),
            *wins.get((index, discard.seat), Won()),
        )


def _wins(game: Game) -> dict[tuple[int, int], Won]:
    """What was won with, by index of the deal and seat."""
    found, index = {}, -1
    for event in game:
        if isinstance(event, Deal):
            index += 1
        elif isinstance(event, Win):
            found[index, event.seat] = won(event)
    return found


def won(win: Win) -> Won:
    """What a win counts for; of 役満 only 国士無双 is counted."""
    han = dict(win.yaku) | dict.fromkeys(win.yakuman, YAKU["国士無双"].closed)
    counts = {name: sum(han.get(number, 0) for number in YAKU[name].numbers) for name in YAKU}
    form = FOUR_SETS
    if counts["国士無双"]:
        form = KOKUSHI
    elif counts["七対子"]:
        form = SEVEN_PAIRS
    bits = sum(
        1 << place
        for place, aim in enumerate(AIMS)
        if aim.form == form and (aim.yaku in SURE or counts[aim.yaku])
    )
    return Won(bits, form, counts[YAKUHAI], counts[DORA], sum(counts.values()))


def hands(rows: pd.DataFrame) -> Iterator[Hand]:
    """Yield the hands of rows as the evaluation reads them."""
    winds = [
        (*(EAST + i for i in range(4) if bits >> i & 1), *range(HAKU, KINDS)) for bits in range(16)
    ]
    nothing = (0,) * (len(CLASSES) - _MELDS)
    held = rows[schema.names(PROSPECTS, "held_")].to_numpy().tolist()
    sets = rows[schema.names(PROSPECTS, "set_")].to_numpy().tolist()
    numbers = rows[[name for name, _ in NUMBERS]].to_numpy().tolist()
    told = zip(held, rows["yakuhai"], sets, rows["closed"], rows["possible"], numbers, strict=True)
    for counts, yakuhai, melds, closed, possible, known in told:
        yield Hand(
            tuple(counts),
            winds[yakuhai],
            (*melds, *nothing),
            bool(closed),
            int(possible),
            tuple(known),
        )
