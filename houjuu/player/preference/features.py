"""The features of the preferences of strong players: what an action is like beside its value.

A feature is one number for each action of a decision. The groups are those of the value itself, the
effect on the ranks beyond the points, the hand that the action leaves, the discarded tile, calls,
and kans with the ends of a round. Riichi is no action here: the values alone choose it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log2
from typing import Any

import numpy as np

from houjuu.game.actions import CALLS, ENDS, OWN_KANS, WINS, ActionKind
from houjuu.game.tiles import COPIES, KIND
from houjuu.player.preference import discard_features
from houjuu.player.preference.decision import Actions, DecisionContext, Discards, OneAction
from houjuu.player.values.outcome import Outcome, ValuePart
from houjuu.util.arrays import Floats
from houjuu.util.features import Columns, Feature, feature, together

UNIT = 1000.0
"""Unit of the values in the logit, points."""

_MAX_VALUE = 4.0
"""A larger difference to the best action of a decision counts as this one, in `UNIT`."""

_FAR = 3  # shanten
_LATE = 18  # tiles left
_TILES = 70
_MOST_DORA = 4
_LEAST_POINTS = 500.0
_SHANTEN = ("tenpai", "1 from tenpai", "2 from tenpai", "3 from tenpai", "farther")
_INTO = ("0", "1", "2", "3 or more")


_row = Feature[OneAction].row
_actions_row = Feature[Actions].row

facing_riichi = _actions_row(
    "facing a riichi",
    "0/1, an opponent is in riichi",
    lambda actions: actions.context.facing_riichi,
)
last_round = _actions_row("last round", "0/1", lambda actions: actions.context.last_round)
likeliest_tenpai = _actions_row(
    "P(tenpai)", "0–1, of the likeliest opponent", lambda actions: actions.context.tenpai
)
nearest = Feature[Actions](
    _SHANTEN,
    "0/1, by the least shanten of the decision",
    lambda actions: min(actions.nearest, len(_SHANTEN) - 1) == np.arange(len(_SHANTEN)),
)
is_closed = _row("closed", "0/1, the hand is closed", lambda action: action.context.closed)
is_pon = _row("pon", "0/1", lambda action: action.outcome.kind is ActionKind.PON)
formal_tenpai = _row(
    "call into tenpai without a yaku",
    "0/1",
    lambda action: action.outcome.left.tenpai_shanten == 0 and action.outcome.left.shanten > 0,
)
call_of_a_yakuhai = _row(
    "call of a yakuhai", "0/1", lambda action: _called_kind(action) in action.context.yakuhai
)
tiles_left = _row("tiles left", "0–1, of 70", lambda action: action.context.tiles_left / _TILES)


@feature()
def value(actions: Actions) -> Floats:
    """−4 to 0 `UNIT`, less than the best action has."""
    values = actions.values / UNIT
    return np.asarray(np.maximum(values - values.max(), -_MAX_VALUE))


@feature()
def score_situation(actions: Actions) -> Floats:
    """−4 to 4 `UNIT`, the score situation less that of the best action."""
    parts = (
        np.array([outcome.parts[ValuePart.SCORE_SITUATION] for outcome in actions.outcomes]) / UNIT
    )
    difference = parts - parts[actions.values.argmax()]
    return np.asarray(difference.clip(-_MAX_VALUE, _MAX_VALUE))


@feature("log P(win)")
def win(actions: Actions) -> Floats:
    """The log of P(win) plus 0.01."""
    return np.array([log(outcome.win + 0.01) for outcome in actions.outcomes])


@feature("dealing in now")
def dealt_in(actions: Actions) -> Floats:
    """At most 0, the part of the value that is lost by dealing in now, unit: `UNIT`."""
    return np.array([outcome.dealt_in for outcome in actions.outcomes]) / UNIT


@feature("farther from tenpai")
def farther(actions: Actions) -> Floats:
    """Shanten beyond the least of the decision."""
    return np.array([outcome.left.shanten for outcome in actions.outcomes]) - actions.nearest


@feature("dora given up")
def dora_given_up(actions: Actions) -> Floats:
    """Dora of the discarded tile."""
    tiles = [outcome.discard for outcome in actions.outcomes]
    return np.array([0 if tile is None else actions.context.dora_of(tile) for tile in tiles])


@feature("log of dealing in now")
def quiet_loss(actions: Actions) -> Floats:
    """The log of 1 plus a tenth of the points that are lost by dealing in now; 0 in riichi."""
    return actions.log_loss * (not actions.context.facing_riichi)


@feature("log of dealing in now, facing a riichi")
def loss_facing_riichi(actions: Actions) -> Floats:
    """As `quiet_loss`, with an opponent in riichi alone."""
    return actions.log_loss * actions.context.facing_riichi


@feature("log of useful tiles")
def log_ways(actions: Actions) -> Floats:
    """The log of the ways plus a half."""
    return np.array([log(outcome.left.ways + 0.5) for outcome in actions.outcomes])


@feature("log of points of a win")
def log_points(actions: Actions) -> Floats:
    """Log2 of the mean points of a win, from 500."""
    return np.array([_log_points(outcome.win_points) for outcome in actions.outcomes])


@feature("farther from tenpai by shape, late")
def late_farther(actions: Actions) -> Floats:
    """Shanten by shape beyond the least of the decision, with fewer than 18 tiles left."""
    left = [one.left.tenpai_shanten for one in actions.outcomes if one.kind not in ENDS]
    away = np.array([outcome.left.tenpai_shanten for outcome in actions.outcomes])
    return (away - min(left, default=0.0)) * (actions.context.tiles_left < _LATE)


def _log_points(points: float) -> float:
    return log2(max(points, _LEAST_POINTS) / _LEAST_POINTS)


def _call_into(shanten: int, name: str) -> Feature[OneAction]:
    return _row(
        f"call into shanten {name}",
        "0/1; the last is 3 or more",
        lambda action: float(min(action.outcome.left.shanten, _FAR) == shanten),
    )


def _called_kind(action: OneAction) -> int:
    assert action.outcome.action.claimed is not None
    return KIND[action.outcome.action.claimed]


@feature()
def no_copy_left(action: OneAction) -> bool:
    """0/1, the seat sees all copies of the kind but the called one."""
    kind = _called_kind(action)
    return COPIES - action.context.hand[kind] - action.context.elsewhere[kind] == 0


@feature("pon of another kind")
def pon_of_another_kind(action: OneAction) -> bool:
    """0/1, a pon of no yakuhai."""
    kind = _called_kind(action)
    return action.outcome.kind is ActionKind.PON and kind not in action.context.yakuhai


@feature("call, useful tiles, far")
def useful_tiles_far(action: OneAction) -> float:
    """The log of the ways plus a half; 0 below shanten 3."""
    return log(action.outcome.left.ways + 0.5) * (action.outcome.left.shanten >= _FAR)


@feature("call, dora")
def call_dora(action: OneAction) -> int:
    """0–4, with the called tile."""
    return min(_dora(action), _MOST_DORA)


def _dora(action: OneAction) -> int:
    assert action.outcome.action.claimed is not None
    return action.context.own_dora + action.context.dora_of(action.outcome.action.claimed)


_VALUE = Columns(value, value & facing_riichi, value & last_round)
VALUES = _VALUE.names
_CALL_INTO = [_call_into(*item) for item in enumerate(_INTO)]

TABLES: dict[str, Columns[Any]] = {
    "value": _VALUE,
    "ranks": Columns(score_situation),
    "hand": Columns(
        *(
            phase
            for one in (win, dealt_in, farther, dora_given_up)
            for phase in (one, one & facing_riichi)
        ),
        quiet_loss,
        quiet_loss * likeliest_tenpai,
        together(loss_facing_riichi, log_ways, log_points) & nearest,
        late_farther,
    ),
    **discard_features.TABLES,
    "call": Columns(
        *_CALL_INTO,
        *(into & is_closed for into in _CALL_INTO),
        _row("chi", "0/1", lambda action: action.outcome.kind is ActionKind.CHI),
        _row("open kan", "0/1", lambda action: action.outcome.kind is ActionKind.DAIMINKAN),
        _row(
            "call that keeps the shanten",
            "0/1, passing leaves no higher shanten",
            lambda action: action.outcome.left.shanten >= action.pass_shanten,
        ),
        _row(
            "pon that keeps the shanten",
            "0/1",
            lambda action: (
                action.outcome.kind is ActionKind.PON
                and action.outcome.left.shanten >= action.pass_shanten
            ),
        ),
        formal_tenpai,
        formal_tenpai & tiles_left,
        call_of_a_yakuhai,
        call_of_a_yakuhai & tiles_left,
        call_of_a_yakuhai & no_copy_left,
        is_pon & tiles_left,
        pon_of_another_kind & no_copy_left,
        useful_tiles_far,
        call_dora,
        call_dora & is_closed,
        _row("call without dora", "0/1", lambda action: _dora(action) == 0),
        (tiles_left & is_closed).named("call, tiles left, closed"),
        _row(
            "call, terminals and honours",
            "0–14, in hand and melds",
            lambda action: action.context.yaochu,
        ),
        _row("call, pairs", "0–7", lambda action: action.context.pairs),
        _row(
            "call, flush",
            "tiles of one suit and honours beyond nine",
            lambda action: action.context.flush,
        ),
        _row("call by the dealer", "0/1", lambda action: action.context.dealer),
    ),
    "other": Columns(
        _row("closed or added kan", "0/1", lambda action: action.outcome.kind in OWN_KANS),
        _row(
            "kan facing a riichi",
            "0/1",
            lambda action: action.outcome.kind in OWN_KANS and action.context.facing_riichi,
        ),
        _row("win", "0/1", lambda action: action.outcome.kind in WINS),
        _row("abort", "0/1", lambda action: action.outcome.kind is ActionKind.NINE_TERMINALS),
    ),
}
"""The features in groups. The first three compare all actions; those of the hand are 0 where one
ends the round. The others are features of some actions (`_group`), and 0 for the rest.
"""

_COMPARING = ("value", "ranks", "hand")


def _group(outcome: Outcome) -> str | None:
    """The group of features that an action has besides those of its discard."""
    if outcome.action.claimed is not None and outcome.kind in CALLS:
        return "call"
    return "other" if outcome.kind in (*ENDS, *OWN_KANS) else None


def feature_names() -> tuple[str, ...]:
    """The names of all features: those of the value, then the preferences."""
    return tuple(name for table in TABLES.values() for name in table.names)


FEATURES = feature_names()
PREFERENCES = FEATURES[len(VALUES) :]
"""Names of the features: all of them, and the preferences."""


def features(context: DecisionContext, outcomes: Sequence[Outcome]) -> Floats:
    """The features of the actions of one decision, (n, features)."""
    actions = Actions(context, outcomes)
    place = {}
    stop = 0
    for group, table in TABLES.items():
        start, stop = stop, stop + len(table.names)
        place[group] = slice(start, stop)
    rows = np.zeros((len(outcomes), stop))
    for group in _COMPARING:
        rows[:, place[group]] = _matrix(group, actions, len(outcomes))
    rows[:, place["hand"]] *= np.array([[outcome.kind not in ENDS] for outcome in outcomes])
    if kinds := [kind for kind in actions.kinds.tolist() if kind >= 0]:
        discards = Discards(context, kinds, far=actions.nearest >= _FAR)
        is_discard = actions.kinds >= 0
        for group in discard_features.groups(facing_riichi=context.facing_riichi):
            rows[is_discard, place[group]] = _matrix(group, discards, len(kinds))
    for row, outcome in zip(rows, outcomes, strict=True):
        own_group = _group(outcome)
        if own_group is not None:
            action = OneAction(context, outcome, actions.pass_shanten)
            row[place[own_group]] = _matrix(own_group, action)
    return rows


def _matrix(group: str, source: Actions | Discards | OneAction, *shape: int) -> Floats:
    table = TABLES[group]
    return table.matrix({one: one.compute(source) for one in table.inputs}, shape)
