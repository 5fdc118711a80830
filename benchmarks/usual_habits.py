"""The habits of the players of the phoenix room, to which `houjuu review` compares a player.

The games are evenly spread over an archive. All four seats count; rounds and discards of
disconnected players do not. Deal-ins of discards, actual and estimated, are of fewer games, because
the estimates take a second a game. Decisions and luck, by the values of the default player, are of
fewer still: they take ten.

The quantiles are those of the averages of players with enough of these games.

    python -m benchmarks.usual_habits --write houjuu/review/phoenix.json
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from joblib import Parallel, delayed
from tqdm import tqdm

from benchmarks import output
from houjuu.estimators.loading import EVALUATED_MODEL, load_once
from houjuu.game.events import SEATS, Rules
from houjuu.logs import mjlog
from houjuu.logs.sources import contents
from houjuu.player.protocol import DEFAULT_PLAYER
from houjuu.review.rendering import NO_PLAYER, reviewed
from houjuu.review.site.game_record import GameRecord, game_records, with_review
from houjuu.review.site.habits import OF_CHOICES, OF_DISCARDS, OF_ROUNDS, figures
from houjuu.util.files import write_text

ARCHIVES = {"hanchan": "phoenix-2024", "east_only": "phoenix-tonpuu"}
DIGITS = 6  # significant
LEAST_GAMES = 20  # of a player in the quantiles
N_QUANTILES = 11

_LOST = "choices.all.lost"
_GAME_TYPE = re.compile(rb'<GO type="(\d+)"')

T = TypeVar("T")


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, default=3000, help="of each length (%(default)s)")
    options.add_argument("--estimated", type=int, default=500, help="with estimates (%(default)s)")
    options.add_argument("--valued", type=int, default=100, help="with values (%(default)s)")
    options.add_argument("--model", default=EVALUATED_MODEL, help="as houjuu.load (%(default)s)")
    options.add_argument("--jobs", type=int, default=2, help="processes (%(default)s)")
    options.add_argument("--write", type=Path, help="output file")
    arguments = options.parse_args()
    document: dict[str, Any] = {
        "source": "games of Tenhou's phoenix room, 4 players",
        "command": f"python -m benchmarks.usual_habits --games {arguments.games} "
        f"--estimated {arguments.estimated} --valued {arguments.valued}"
        + (f" --model {arguments.model}" if arguments.model != EVALUATED_MODEL else ""),
        "model": load_once(arguments.model).model,
        "player": DEFAULT_PLAYER,
    }
    for length, name in ARCHIVES.items():
        archive = arguments.shared / "tenhou" / f"{name}.tar.xz"
        document[length] = _measured(arguments, length, archive)
    text = json.dumps(document, indent=1, ensure_ascii=False)
    if arguments.write:
        write_text(arguments.write, text + "\n")
    else:
        print(text)


def _measured(arguments: Any, length: str, archive: Path) -> dict[str, Any]:
    logs = _spread(list(_logs(archive, length == "hanchan")), arguments.games)
    estimated = set(_spread(range(len(logs)), arguments.estimated))
    valued = set(_spread(range(len(logs)), arguments.valued))
    calls = (
        delayed(_records)(log, arguments.model, i in estimated, i in valued)
        for i, log in enumerate(logs)
    )
    done = Parallel(arguments.jobs, return_as="generator")(calls)
    games = list(tqdm(done, length, len(logs)))
    records = [record for game in games for record in game]
    with_estimates = [record for i in sorted(estimated) for record in games[i]]
    distributions = figures(records, OF_ROUNDS) | figures(with_estimates, OF_DISCARDS)
    distributions |= figures(records, OF_CHOICES)
    of_games = [figures([record], OF_CHOICES) for record in records]
    dates = [record.date for record in records if record.date]
    return {
        "dates": [min(dates), max(dates)],
        "games": len(games),
        "games_with_estimates": len(estimated),
        "games_with_values": len(valued),
        "games_with_classes": len(valued),
        "figures": {
            key: [_rounded(figure.mean), _rounded(figure.half), figure.n]
            for key, figure in distributions.items()
        },
        "lost_quantiles": _quantiles([one[_LOST].mean for one in of_games if _LOST in one]),
        "players": _players(records),
    }


def _players(records: Sequence[GameRecord]) -> dict[str, Any]:
    """The quantiles of each figure over the players with at least `LEAST_GAMES` games."""
    of_player: dict[str, list[GameRecord]] = {}
    for record in records:
        of_player.setdefault(record.names[record.seat], []).append(record)
    players = [
        figures(games, OF_ROUNDS) for games in of_player.values() if len(games) >= LEAST_GAMES
    ]
    return {
        "least_games": LEAST_GAMES,
        "players": len(players),
        "quantiles": {
            key: _quantiles([one[key].mean for one in players])
            for key in OF_ROUNDS
            if players and all(key in one for one in players)
        },
    }


def _quantiles(values: Sequence[float]) -> list[float]:
    return [*map(_rounded, np.quantile(values, np.linspace(0, 1, N_QUANTILES)))] if values else []


def _spread(values: Sequence[T], count: int) -> list[T]:
    """At most so many of the values, evenly spread."""
    n = min(count, len(values))
    return [values[i * len(values) // n] for i in range(n)]


def _logs(archive: Path, hanchan: bool) -> Iterator[tuple[str, bytes]]:
    """The logs of an archive that have this length."""
    return (log for log in contents(archive) if _is_hanchan(log[1]) == hanchan)


def _is_hanchan(data: bytes) -> bool:
    """As the parsed game says; to parse the whole archive for it takes minutes."""
    go = _GAME_TYPE.search(data)
    assert go is not None
    return Rules(int(go[1])).hanchan


def _records(log: tuple[str, bytes], model: str, estimated: bool, valued: bool) -> list[GameRecord]:
    """The records of the four seats."""
    name, data = log
    game = mjlog.parse(data, name)
    records = game_records(game, range(SEATS))
    if not (estimated or valued):
        return records
    player = None if valued else NO_PLAYER
    return [with_review(one, reviewed(game, one.seat, player, model)) for one in records]


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


if __name__ == "__main__":
    main()
