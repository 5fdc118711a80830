"""``houjuu adapt``: the model for the players of one's own games, in seconds."""

from __future__ import annotations

import argparse
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from houjuu.cli.common import Commands, games, model_option, room_option
from houjuu.estimators.loading import parameter_file
from houjuu.estimators.log_linear.conditional_logit import CERTAIN
from houjuu.estimators.log_linear.model import LogLinear
from houjuu.estimators.log_linear.rooms import (
    DEFAULT_ROOM,
    PART,
    Gain,
    RoomFactors,
    Rows,
    TenpaiRows,
    fitted,
    in_room,
)
from houjuu.estimators.seen_games import are_seen, sentence
from houjuu.game.decisions import Follower
from houjuu.game.events import Game
from houjuu.game.rules import ROOMS
from houjuu.game.seat import Seat
from houjuu.game.table import mask_to_array
from houjuu.game.view import View
from houjuu.hands.shanten import shanten_of_tiles
from houjuu.util import parameters
from houjuu.util.arrays import Bools, Floats, Ints
from houjuu.util.errors import Error
from houjuu.util.extras import MissingPackageError, import_extra
from houjuu.util.game_hashes import OF_ROOMS, Hashes, hashes
from houjuu.util.intervals import with_interval
from houjuu.util.parameters import Parameters

_LOG = logging.getLogger(__name__)
_MAX_NAME = 40
_PROGRAM = "ⓝ"  # how Tenhou marks the name of a program
_SMALLEST = np.finfo(float).tiny


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "adapt",
        help="adapt a model to the players of games",
        description="Fit the factors of the rooms of some games: P(tenpai) and waits. A part that "
        "gains nothing on kept games stays as it is.",
    )
    parser.add_argument(
        "logs", nargs="+", metavar="LOGS", help="logs in any format, folders or archives"
    )
    parser.add_argument(
        *("-o", "--output"), type=Path, required=True, metavar="FILE", help="the parameter file"
    )
    room_option(parser)
    model_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print what each part gains, and write the model; 1 if a log is left out."""
    model = parameters.from_bytes(parameter_file(options.model), str(options.model))
    if model.header.get("family") != "log_linear":
        raise Error("has no factors by room: adapt a model like houjuu", file=str(options.model))
    problems: list[Error] = []

    def left_out(problem: Error) -> None:
        problems.append(problem)
        _LOG.warning("%s", problem)

    all_games = [game for path in options.logs for game in games(path, left_out)]
    seen = are_seen((game.id for game in all_games), options.model)
    if seen.any():
        print(sentence(int(seen.sum()), len(all_games)))
    by_room = defaultdict[str, list[Game]](list)
    for game, is_seen in zip(all_games, seen, strict=True):
        if not is_seen:
            by_room[options.room or game.rules.room or DEFAULT_ROOM].append(game)
    adapted = model
    for room in filter(by_room.__contains__, ROOMS.values()):  # from above
        its_games = by_room[room]
        adapted, gains = with_factors(adapted, room, rows_of(its_games, model))
        print(f"{room}: {len(its_games)} games; log loss gained on kept games, 95%")
        for part, (gain, half, pull) in gains.items():
            text = "stays as it is" if pull is None else with_interval(gain, half, "+.5f", ".5f")
            print(f"  {part:8} {text}")
    if adapted is model:
        print("nothing is gained: the file is the model itself")
    else:
        name = options.output.stem[:_MAX_NAME]
        adapted = Parameters({**adapted.header, "name": name}, adapted.arrays)
    parameters.write(options.output, adapted)
    return int(bool(problems))


class WaitRows(NamedTuple):
    """Tenpai opponents without riichi.

    Attributes
    ----------
    wins : (m, 34) array
        P(wins on the kind | tenpai) without factors.
    is_open : (m,) array
        1 of an open hand, 0 of a silent one.
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
    shards = [rows for game in games for rows in _game_rows(game, model)]
    found: dict[str, Rows] = {}
    for name, maker in MAKERS.items():
        if of_part := [rows for rows in shards if isinstance(rows, maker)]:
            columns: Any = zip(*of_part, strict=True)
            found[name] = maker(*map(np.concatenate, columns))
    return found


def _game_rows(game: Game, model: LogLinear) -> Iterator[TenpaiRows | WaitRows]:
    opponents: list[tuple[View, Seat]] = []
    tenpai: list[bool] = []
    waits: list[tuple[View, int, Bools]] = []
    programs = {seat for seat, name in enumerate(game.names) if name.startswith(_PROGRAM)}
    try:
        ron_kinds = import_extra("arena", "scoring.true_waits").ron_kinds
    except MissingPackageError:
        ron_kinds = None
    follower = Follower(game)
    for number, decision in enumerate(follower.decisions()):
        view, state = decision.view, follower.table.round_state
        place = number % 3
        opponent = view.opponents[place]
        is_hidden = opponent.was_away or opponent.in_riichi or state.n_unknown[opponent.seat]
        if decision.forced or is_hidden or opponent.seat in programs or len(opponent.melds) > 3:
            continue
        tenpai.append(shanten_of_tiles(tuple(state.hands[opponent.seat])) == 0)
        if ron_kinds and tenpai[-1]:
            mask = mask_to_array(ron_kinds(follower.table, view, opponent))
            waits.append((view, place, mask))
        opponents.append((view, opponent))
    if not opponents:
        return
    game_hash = hashes([game.id])
    melds = np.array([opponent.n_open_melds for _, opponent in opponents])
    terms = model.tenpai_terms(opponents)
    yield TenpaiRows(terms, melds, np.array(tenpai), game_hash.repeat(len(opponents)))
    if waits:
        views, places, labels = zip(*waits, strict=True)
        risks = zip(model.deal_in_many(views), places, strict=True)
        answers = [risk.opponents[place] for risk, place in risks]
        wins = np.array([one.p_win / max(one.tenpai, _SMALLEST) for one in answers])
        is_open = np.array([one.opponent_type.is_melded for one in answers], np.intp)
        yield WaitRows(wins, is_open, np.array(labels), game_hash.repeat(len(waits)))


def with_factors(
    parameters: Parameters, room: str, rows: Mapping[str, Rows]
) -> tuple[Parameters, dict[str, Gain]]:
    """The parameters with the factors of a room that rows of its games give.

    They are pulled to those that the room has.

    Returns
    -------
    (Parameters, dict of str to Gain)
        The parameters themselves where no part gains; the gain of each part by name.
    """
    factors = RoomFactors.from_parameters(parameters)
    of_room = dict(zip(MAKERS, factors.of_room(room), strict=True))
    gains: dict[str, Gain] = {}
    for name, of_part in rows.items():
        of_room[name], gains[name] = fitted(of_part, of_room[name])
    used = [part.game for name, part in rows.items() if gains[name].pull]
    if not used:
        return parameters, gains
    others = factors.names != room
    arrays = {f"{PART}/names": np.append(factors.names[others], room)}
    for name, of_one in of_room.items():
        arrays[f"{PART}/{name}"] = np.append(getattr(factors, name)[others], of_one[None], axis=0)
    seen = np.concatenate([parameters.arrays.get(OF_ROOMS, used[0][:0]), *used])
    arrays[OF_ROOMS] = np.unique(seen)
    return Parameters(parameters.header, {**parameters.arrays, **arrays}), gains
