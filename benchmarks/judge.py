"""How often engines would have done what was played, over many games: a share and its interval.

An engine is a player, or a program that speaks mjai. It is asked at every decision of every seat
with more than one legal action, and agrees if it answers the action of the log. Decisions that
another seat came before are left out. Shares are of the decisions with a legal answer, and those of
the other engines are compared with the first by game. Intervals have 95% and count a game once. The
exit status is 1 if an engine never answered.

    python -m benchmarks.judge games.zip rank "mjai:node benchmarks/majiang/bot.js,keep"
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from joblib import Parallel, delayed
from tqdm import tqdm

from benchmarks import output
from houjuu.game.actions import ActionKind
from houjuu.game.events import SEATS, Game
from houjuu.logs import any_format as logs
from houjuu.player import foreign
from houjuu.player.second_opinion import opinions
from houjuu.util.intervals import clustered_difference, clustered_mean


class Answer(NamedTuple):
    """An answer of an engine.

    Attributes
    ----------
    game : int
        Number of the game.
    kind : str
        "call" where a tile can be claimed, else "riichi" where it is legal, else "discard".
    agrees : bool
    absent : str or None
        Why there is no legal answer.
    """

    game: int
    kind: str
    agrees: bool
    absent: str | None = None


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("logs", help="log, folder or archive")
    options.add_argument("engines", nargs="+", help="players, or mjai:COMMAND")
    options.add_argument("--games", type=int, default=100, help="at most (%(default)s)")
    options.add_argument("--jobs", type=int, default=1, help="processes (%(default)s)")
    arguments = options.parse_args()
    for engine in arguments.engines:
        foreign.player(engine)  # raises its Error before anything is read
    games = islice(logs.games(arguments.logs), arguments.games)
    calls = (delayed(partial(judge, arguments.engines))(*one) for one in enumerate(games))
    done = Parallel(arguments.jobs, return_as="generator")(calls)
    answers: list[list[Answer]] = [[] for _ in arguments.engines]
    for of_game in tqdm(done, "games", disable=None):
        for of_engine, further in zip(answers, of_game, strict=True):
            of_engine.extend(further)
    output.show([*table(arguments.engines, answers)], as_json=arguments.json)
    for engine, of_engine in zip(arguments.engines, answers, strict=True):
        absent = [one.absent for one in of_engine if one.absent]
        if absent:
            n = len(of_engine)
            print(foreign.absence(engine, n - len(absent), n, absent[0]), file=sys.stderr)
    raise SystemExit(any(all(one.absent for one in some) for some in answers))


def judge(engines: Sequence[str], number: int, game: Game) -> list[list[Answer]]:
    """The answers of each engine in a game; the number is that of the game."""
    return [
        [answer for seat in range(SEATS) for answer in _answers(engine, number, game, seat)]
        for engine in engines
    ]


def _answers(engine: str, number: int, game: Game, seat: int) -> Iterator[Answer]:
    found = opinions(engine, game, seat)
    for decision, (action, absent, _) in zip(found.decisions, found.answers, strict=True):
        if decision.chosen is not None:
            kinds = {one.kind for one in decision.legal}
            kind = "riichi" if ActionKind.RIICHI in kinds else "discard"
            yield Answer(
                number,
                "call" if ActionKind.PASS in kinds else kind,
                action == decision.chosen,
                absent,
            )


def table(engines: Sequence[str], answers: Sequence[Sequence[Answer]]) -> Iterator[dict[str, Any]]:
    """Yield a row for each engine and kind of decision, and for all kinds."""
    for engine, of_engine in zip(engines, answers, strict=True):
        for kind in ("all", "discard", "riichi", "call"):
            asked = sum(kind in ("all", one.kind) for one in of_engine)
            ours, first = (
                [one for one in some if kind in ("all", one.kind) and not one.absent]
                for some in (of_engine, answers[0])
            )
            sample, other = (
                ([one.agrees for one in some], [one.game for one in some]) for some in (ours, first)
            )
            share, half = clustered_mean(*sample)
            less, less_half = clustered_difference(*sample, *other)
            yield {
                "engine": engine,
                "decisions": kind,
                "n": asked,
                "answered": len(ours) / max(asked, 1),
                "as played": float(share),
                "±": float(half),
                "less the first": float(less),
                "± less": float(less_half),
            }


if __name__ == "__main__":
    main()
