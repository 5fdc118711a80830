"""Do values keep? The points that a chosen action expects, against the next own decision of them.

A value is the mean of the value at the next own decision of the round, or of the points that the
round brings if there is none. So the differences have a mean of 0 in every bin, over the actions
that the players of real games took: by shanten and useful tiles, and by the kind of the action. The
values are those of reviews, in points of the round: without the place and the preference. A chi or
pon is valued with a discard, so it is compared with that discard, whichever the player made.

The games must be held out from the fits of the player: by default those that a run on the same logs
holds out. "claimed" is the mean of the values, "next less now" that of the differences, with half
of its 95% interval, by game. "own wins" is what own wins were expected to bring, P(win) times the
points of the hand, over what they brought; its groups are those of dealers and others by hand.

    python -m benchmarks.martingale phoenix-2024.tar.xz --games 300
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice, zip_longest
from math import nan
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from tqdm import tqdm

from benchmarks import output
from houjuu.game.events import SEATS
from houjuu.logs import any_format as logs
from houjuu.logs.sources import contents
from houjuu.review.luck import expected_points
from houjuu.review.page_types import ReviewedChoice, ReviewedRound, ValuedAction
from houjuu.review.rendering import reviewed
from houjuu.util.intervals import clustered_mean
from pipeline import settings
from pipeline.stages.parse import held_out

Row = TypeVar("Row")
OfRound: TypeAlias = Callable[[str, list[ReviewedChoice], ReviewedRound], Iterator[Row]]
"""Maps the id of a game, the choices of a round and the round to rows."""

_USEFUL = (0, 1, 7, 13, 21, 36, 61)
"""The least useful tiles of each bin."""
_LATE = 12
"""Turn after which there are no bins: few draws are left."""


class Step(NamedTuple):
    """A decision, and what its action expected and what it expects at the next decision."""

    game: str
    bin: str
    verb: str
    claimed: float
    difference: float
    hand: str
    expected: float
    won: float


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("logs", help="an archive of tenhou/, or a path")
    options.add_argument("--games", type=int, default=300, help="(%(default)s)")
    options.add_argument("--skip", type=int, default=0, help="games before the first (%(default)s)")
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    arguments = options.parse_args()
    last = arguments.skip + arguments.games
    games = held_out_games([arguments.logs], arguments.shared, last)[arguments.skip :]
    steps = rows(games, _of_round, arguments.jobs)
    output.show(summary(pd.DataFrame(steps, columns=Step._fields)), as_json=arguments.json)


def held_out_games(names: Sequence[str], shared: Path, count: int) -> list[tuple[str, bytes]]:
    """Names and contents of the first logs that a run holds out, of archives or other paths."""
    params = settings.load().parse
    archives = (shared / "tenhou" / name for name in names)
    paths = [one if one.exists() else Path(name) for one, name in zip(archives, names, strict=True)]
    found = (log for path in paths for log in contents(path))
    return [*islice((log for log in found if held_out(Path(log[0]).stem, params)), count)]


def summary(steps: pd.DataFrame) -> list[dict[str, object]]:
    """A row for all steps, for each bin and for each kind of action."""
    groups: list[tuple[object, pd.DataFrame]] = [("all", steps)]
    for column in ("bin", "verb", "hand"):
        groups += steps[steps[column] != ""].groupby(column)
    rows: list[dict[str, object]] = []
    for name, group in groups:
        mean, half = clustered_mean(group["difference"].to_numpy(), group["game"].to_numpy())
        row = {"group": str(name), "decisions": len(group)}
        row |= {"claimed": round(float(group["claimed"].mean()), 1)}
        row |= {"next less now": round(mean, 1), "±": round(half, 1)}
        won, games = group["won"].mean(), group["game"].to_numpy()
        ratio = group["expected"].mean() / won if won else nan
        _, half = clustered_mean((group["expected"] - ratio * group["won"]).to_numpy(), games)
        wins = {"own wins": round(ratio, 3), "± own wins": round(half / won, 3) if won else nan}
        rows.append(row | wins)
    return rows


def rows(games: Sequence[tuple[str, bytes]], of_round: OfRound[Row], jobs: int) -> list[Row]:
    """The rows of all rounds of games, each reviewed for one seat."""
    reviews = Parallel(jobs, return_as="generator")(
        delayed(_rows)(of_round, name, text, number % SEATS)
        for number, (name, text) in enumerate(games)
    )
    return [row for of_game in tqdm(reviews, "games", len(games)) for row in of_game]


def _rows(of_round: OfRound[Row], name: str, text: bytes, seat: int) -> list[Row]:
    review = reviewed(logs.parse(text, name), seat)
    by_round = groupby(review["choices"], lambda choice: choice["round"])
    return [
        row
        for index, choices in by_round
        for row in of_round(review["id"], [*choices], review["rounds"][index])
    ]


def _of_round(game: str, choices: list[ReviewedChoice], of_round: ReviewedRound) -> Iterator[Step]:
    if of_round["balance"] is None:
        return
    results: list[Any] = [*of_round["results"]]
    won = sum(one["points"] for one in results if one.get("winner") == 0)
    for choice, after in zip_longest(choices, choices[1:]):
        action = choice["actions"][choice["chosen"]]
        now = expected_points(action)
        then = (
            float(of_round["balance"]) if after is None else expected_points(_next(action, after))
        )
        turn = of_round["decisions"][choice["step"]]["turn"]
        expected = action.get("win", 0.0) * (action.get("hand_points") or 0)
        hand = _hand(action, of_round, choice["step"])
        yield Step(
            game,
            _bin(action, turn),
            action["verb"],
            now,
            then - now,
            hand,
            expected,
            won * bool(hand),
        )


def _hand(action: ValuedAction, of_round: ReviewedRound, step: int) -> str:
    """The hand that an action leaves: dealer or other, and in tenpai riichi, dama or open."""
    shanten = action.get("shanten")
    if shanten is None or action.get("hand_points") is None:
        return ""
    seat = of_round["decisions"][step]["seats"][0]
    is_open = action["verb"] in ("chi", "pon") or any(
        meld["kind"] != "ankan" for meld in seat["melds"]
    )
    in_riichi = action["verb"] == "riichi" or seat["riichi"]
    tenpai = "riichi" if in_riichi else "open tenpai" if is_open else "dama"
    who = "dealer" if of_round["dealer"] == 0 else "other"
    return f"{who}, {tenpai if shanten == 0 else f'shanten {shanten}'}"


def _next(action: ValuedAction, after: ReviewedChoice) -> ValuedAction:
    """The action after another: the discard that it names, or the player's."""
    named = (one for one in after["actions"] if one["tiles"] == [action.get("discard")])
    return next(named, after["actions"][after["chosen"]])


def _bin(action: ValuedAction, turn: int) -> str:
    """The bin of the hand that the action leaves; none late in the round."""
    shanten, useful = action.get("shanten"), action.get("useful_tiles")
    if shanten is None or useful is None or turn > _LATE:
        return ""
    number = int(np.searchsorted(_USEFUL, useful, side="right")) - 1
    last = f"–{_USEFUL[number + 1] - 1}" if number + 1 < len(_USEFUL) else " or more"
    return f"shanten {shanten}, useful tiles {_USEFUL[number]}{last}"


if __name__ == "__main__":
    main()
