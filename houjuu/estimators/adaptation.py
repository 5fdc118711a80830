"""Factors of a room from its games, in seconds: `houjuu adapt` and the stage of the same name.

Each part of `houjuu.estimators.log_linear.rooms` starts from the factors of the model
(`houjuu.estimators.log_linear.factor_fits`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from houjuu.estimators.log_linear.conditional_logit import CERTAIN
from houjuu.estimators.log_linear.factor_fits import Gain, Rows, TenpaiRows, fitted
from houjuu.estimators.log_linear.model import LogLinear
from houjuu.estimators.log_linear.rooms import PART, RoomFactors, in_room
from houjuu.game.decisions import Follower
from houjuu.game.events import Game
from houjuu.game.table import mask_to_array
from houjuu.hands.shanten import shanten_of_tiles
from houjuu.reading.opponent import OpponentContext, opponent_contexts
from houjuu.risk.answers import OPPONENTS
from houjuu.util.arrays import Bools, Floats, Ints
from houjuu.util.extras import MissingPackageError, import_extra
from houjuu.util.game_hashes import OF_ROOMS, Hashes, hashes
from houjuu.util.parameters import Parameters

_PROGRAM = "ⓝ"  # how Tenhou marks the name of a program
_SMALLEST = np.finfo(float).tiny


class WaitRows(NamedTuple):
    """Tenpai opponents without riichi.

    Attributes
    ----------
    wins : (m, 34) array
        P(wins on the kind | tenpai) without factors.
    is_open : (m,) array
    label : (m, 34) array
        Whether the hand wins on the kind.
    game : (m,) array
    """

    wins: Floats
    is_open: Ints
    label: Bools
    game: Hashes

    def fit(self, chosen: Bools, prior: Floats, pull: float) -> Floats:
        """`RoomFactors.waits` of a room: wins / predicted, with 10 `pull` more of both."""
        predicted, true = (
            np.bincount(self.is_open[chosen], values[chosen].sum(axis=1), 2)
            for values in (self.wins, self.label)
        )
        return np.asarray((true + 10 * pull * prior) / (predicted + 10 * pull))

    def losses(self, factors: Floats) -> Floats:
        """See `Rows.losses`."""
        wins = np.minimum(self.wins * factors[self.is_open, None], CERTAIN)
        likelihood = np.maximum(np.where(self.label, wins, 1 - wins), _SMALLEST)
        return np.asarray(-np.log(likelihood).sum(axis=1))


MAKERS: dict[str, type[TenpaiRows] | type[WaitRows]] = {"tenpai": TenpaiRows, "waits": WaitRows}
"""The rows of each part, by its name in `RoomFactors`."""


def rows_of(games: Iterable[Game], parameters: Parameters) -> dict[str, Rows]:
    """Rows of P(tenpai) and of waits, by the name of the part in `RoomFactors`.

    Without an engine that knows the yaku there are none of waits. Programs among people are left
    out.
    """
    model = LogLinear(in_room(parameters, None))
    columns: dict[str, list[Any]] = {name: [] for name in MAKERS}
    for game in games:
        for name, rows in zip(columns, _game_rows(game, model), strict=True):
            if len(rows[-1]):
                columns[name].append(rows)
    return {
        name: MAKERS[name](*map(np.concatenate, zip(*of_part, strict=True)))
        for name, of_part in columns.items()
        if of_part
    }


def _game_rows(game: Game, model: LogLinear) -> tuple[tuple[Any, ...], ...]:
    """The columns of the three tables of rows."""
    contexts: list[OpponentContext] = []
    tenpai: list[bool] = []
    hands: list[tuple[OpponentContext, Any]] = []
    follower = Follower(game)
    is_person = [not player.name.startswith(_PROGRAM) for player in game.players] or [True] * 4
    for number, decision in enumerate(follower.decisions()):
        view = decision.view
        opponents = [one for one in view.opponents if is_person[one.seat] and not one.was_away]
        opponent = view.opponents[number % len(OPPONENTS)]
        state = follower.table.round_state
        is_left_out = opponent not in opponents or opponent.in_riichi or len(opponent.melds) > 3
        if decision.forced or is_left_out or state.n_unknown[opponent.seat]:
            continue
        (context,) = opponent_contexts(view, [opponent])
        contexts.append(context)
        tenpai.append(shanten_of_tiles(tuple(state.hands[opponent.seat])) == 0)
        if tenpai[-1] and (ron_kinds := _ron_kinds()) is not None:
            hands.append((context, mask_to_array(ron_kinds(follower.table, view, opponent))))
    return (
        _tenpai_columns(model, contexts, tenpai, game),
        _wait_columns(model, hands, game),
    )


@cache
def _ron_kinds() -> Any:
    """`houjuu.scoring.true_waits.ron_kinds`; None without an engine."""
    try:
        return import_extra("arena", "scoring.true_waits").ron_kinds
    except MissingPackageError:
        return None


def _tenpai_columns(
    model: LogLinear, contexts: list[OpponentContext], tenpai: list[bool], game: Game
) -> tuple[Any, ...]:
    if not contexts:
        return ((),)
    rivers = [context.seat.river for context in contexts]
    faced = [bool(river) and river[-1].others_in_riichi > 0 for river in rivers]
    terms = np.column_stack([*model.tenpai_model.terms(contexts), np.ones(len(contexts)), faced])
    melds = np.array([context.seat.n_open_melds for context in contexts])
    return terms, melds, np.array(tenpai), _hashes(game, len(contexts))


def _wait_columns(
    model: LogLinear, hands: list[tuple[OpponentContext, Any]], game: Game
) -> tuple[Any, ...]:
    risks = model.deal_in_many([context.view for context, _ in hands])
    opponents = [
        next(one for one in risk.opponents if one.seat == context.seat.seat)
        for risk, (context, _) in zip(risks, hands, strict=True)
    ]
    wins = np.array([one.p_win / max(one.tenpai, _SMALLEST) for one in opponents])
    is_open = np.array([one.opponent_type.is_melded for one in opponents], np.intp)
    return wins, is_open, np.array([label for _, label in hands]), _hashes(game, len(hands))


def _hashes(game: Game, rows: int) -> Hashes:
    return np.repeat(hashes([game.id]), rows)


def with_factors(
    parameters: Parameters, room: str, rows: Mapping[str, Rows], start: str | None = None
) -> tuple[Parameters, dict[str, Gain]]:
    """The parameters with the factors of a room that rows of its games give.

    They are pulled to those of the room `start`, by default to those that the room has.

    Returns
    -------
    (Parameters, dict of str to Gain)
        The parameters themselves where no part gains and there is no `start`; the gain of each
        part by name.
    """
    factors = RoomFactors.from_parameters(parameters)
    of_room = dict(zip(MAKERS, factors.of_room(start or room), strict=True))
    gains: dict[str, Gain] = {}
    for name, of_part in rows.items():
        of_room[name], gains[name] = fitted(of_part, of_room[name])
    if start is None and not any(gain.pull for gain in gains.values()):
        return parameters, gains
    old = parameters.arrays.get(OF_ROOMS, np.zeros(0, np.uint64))
    seen = [old, *(part.game for name, part in rows.items() if gains[name].pull)]
    others = factors.names != room
    arrays = {
        f"{PART}/names": np.append(factors.names[others], room),
        OF_ROOMS: np.unique(np.concatenate(seen)),
    }
    for name in MAKERS:
        kept = getattr(factors, name)[others]
        arrays[f"{PART}/{name}"] = np.concatenate([kept, of_room[name][None]])
    return Parameters(parameters.header, {**parameters.arrays, **arrays}), gains
