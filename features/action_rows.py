"""Rows for the preferences of strong players: the actions of a decision, and the one they took.

A row is an action; a discard and the riichi with it are one. Only one of several decisions of a
seat is used; which one depends on the place
of the decision in the game. Calls, riichi and kans are rarer than discards, so that more of them
are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from features import schema
from features.schema import Column
from houjuu.game.actions import CALLS, OWN_KANS, ActionKind
from houjuu.game.decisions import Decision, Follower
from houjuu.game.events import Game
from houjuu.player.preference.features import FEATURES, features, phase, value
from houjuu.player.value_player import ValuePlayer
from houjuu.scoring.legality import legal_actions
from houjuu.util.arrays import Floats

_SOURCE = "houjuu/player/preference/features.py"
_RARE = (*CALLS, ActionKind.RIICHI, *OWN_KANS)

ACTIONS = (
    schema.KEY[0],
    Column("decision", "int32", "number of the decision in the game", "the log"),
    Column("type", "category", "type of the action", "the log"),
    Column("facing_riichi", "bool", "whether an opponent is in riichi", "the table"),
    Column(
        "last_round",
        "bool",
        "South 4 of a hanchan, East 4 of an East-only game, or later",
        "the log",
    ),
    Column("value", "float32", "less than the best of the decision, thousands", _SOURCE),
    *(Column(f"term_{index}", "float32", name, _SOURCE) for index, name in enumerate(FEATURES)),
    Column("chosen", "bool", "whether the player took it", "label: the log"),
)
"""A row per action of the decisions that are used."""

_COLUMNS = schema.names(ACTIONS)
TERM_COLUMNS = schema.names(ACTIONS, "term_")
_NUMBERS = ("value", *TERM_COLUMNS)


def rows(games: Iterable[Game], player: ValuePlayer, stride: int, rare_stride: int) -> pd.DataFrame:
    """Rows of some games, as `ACTIONS`.

    Parameters
    ----------
    games : iterable of Game
    player : ValuePlayer
        Its values are those of the actions.
    stride : int
        Every n-th decision between discards is used.
    rare_stride : int
        Every n-th decision about a call, riichi or kan is used.
    """
    keys: list[tuple[object, ...]] = []
    tables = [np.zeros((0, len(_NUMBERS)), np.float32)]
    for game in games:
        for number, decision in _decisions(game, (stride, rare_stride)):
            actions, numbers = _actions(decision, player)
            keys += [(game.id, number, *action) for action in actions]
            tables.append(numbers.astype(np.float32))
    columns = [name for name in _COLUMNS if name not in _NUMBERS]
    of_actions = pd.DataFrame(np.concatenate(tables), columns=_NUMBERS)
    return schema.check(pd.DataFrame(keys, columns=columns).join(of_actions), ACTIONS)


def _decisions(game: Game, strides: tuple[int, int]) -> Iterator[tuple[int, Decision]]:
    """Yield the decisions that are used, with their numbers in the game."""
    free = (one for one in Follower(game, legal=legal_actions).decisions() if one.is_free)
    for number, decision in enumerate(sorted(free, key=lambda one: one.seat), 1):
        is_rare = any(action.kind in _RARE for action in decision.legal)
        if decision.chosen is not None and number % strides[is_rare] == 0:
            yield number, decision


def _actions(decision: Decision, player: ValuePlayer) -> tuple[list[tuple[object, ...]], Floats]:
    """The other columns and the numbers of the actions; none if the choice is not one of some."""
    valued = player.valued(decision.view, decision.legal)
    chosen = [
        index
        for index, one in zip(valued.row.tolist(), valued.every, strict=True)
        if one.action == decision.chosen
    ]
    if not chosen or len(valued.outcomes) < 2:
        return [], np.zeros((0, len(_NUMBERS)))
    _, facing_riichi, last_round = phase(valued).astype(bool).tolist()
    return (
        [
            (one.action.kind.value, facing_riichi, last_round, index == chosen[0])
            for index, one in enumerate(valued.outcomes)
        ],
        np.column_stack((value(valued), features(valued))),
    )
