"""``houjuu adapt``: the model for the players of one's own games, in seconds."""

from __future__ import annotations

import argparse
import logging
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from houjuu.cli.common import Commands, games, model_option, room_option
from houjuu.estimators.adaptation import rows_of, with_factors
from houjuu.estimators.loading import parameter_file
from houjuu.estimators.log_linear.rooms import DEFAULT_ROOM
from houjuu.estimators.seen_games import are_seen, sentence
from houjuu.game.events import Game
from houjuu.util import parameters
from houjuu.util.errors import Error
from houjuu.util.intervals import with_interval
from houjuu.util.parameters import Parameters

_LOG = logging.getLogger(__name__)
_MAX_NAME = 40


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "adapt",
        help="adapt a model to the players of games",
        description="Fit the factors of the rooms of some games: P(tenpai), waits, han. A part "
        "that gains nothing on kept games stays as it is.",
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
    all_games = [game for path in options.logs for game in _games(path, problems)]
    seen = are_seen((game.id for game in all_games), options.model)
    if seen.any():
        print(sentence(int(seen.sum()), len(all_games)))
    by_room = defaultdict[str, list[Game]](list)
    for game, is_seen in zip(all_games, seen, strict=True):
        if not is_seen:
            by_room[options.room or game.rules.room or DEFAULT_ROOM].append(game)
    adapted = model
    for room, its_games in sorted(by_room.items()):
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


def _games(path: str, problems: list[Error]) -> Iterator[Game]:
    def left_out(problem: Error) -> None:
        problems.append(problem)
        _LOG.warning("%s", problem)

    return games(path, left_out)
