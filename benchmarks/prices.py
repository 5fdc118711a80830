"""The slopes of prices: what was left of a difference of values that was claimed, by class.

Of each decision of real games the chosen action is compared with the advised one, or the advised
one, where it was chosen, with the next best. What was left is the value at the next own decision of
the round, or the points that the round brought if there is none: mostly the model's own word, one
decision later. Its difference from the value of the chosen action is regressed on the claimed
difference on both sides: "declined" where the advice was declined, "taken" where it was taken. A
slope of 1 keeps what it claims. An advised action that is priced too high shows where it is taken,
a chosen one that is priced too low where the advice is declined; "slope" is what both leave of a
claim, 1 − (1 − declined) − (1 − taken). "round" is the same by the points that the round brought,
whatever the model thinks of it: a class has prices only where this is certainly above 0, too. For
riichi, rounds that are played both ways give "slope": no habit decides there which hands are
compared.

The games must be held out from the fits of the player, as in `benchmarks.martingale`. All with half
of the 95% interval, by game. "spread" is half of the interval of a single price: if claims of the
root mean square of the class are true by the slope, the rest is noise. No price is more than its
claim: a slope above 1 counts as 1.

    python -m benchmarks.prices phoenix-2024.tar.xz --games 800 --replays riichi.csv --write FILE
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import pairwise
from math import isnan, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmarks import martingale, output
from benchmarks.martingale import held_out_games
from houjuu.review.luck import expected_points
from houjuu.review.page_types import ReviewedChoice, ReviewedRound
from houjuu.review.prices import decision_class
from houjuu.review.verdict import advised_action, chosen_action, with_preference
from houjuu.util.arrays import Floats, Ints
from houjuu.util.files import write_text
from houjuu.util.intervals import Z95, half_width


class Row(NamedTuple):
    """A decision: its class, the two claimed differences, and what came less the value."""

    game: str
    decision: str
    declined: float
    taken: float
    next: float
    round: float


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("logs", nargs="+", help="archives of tenhou/, or paths")
    options.add_argument("--games", type=int, default=800, help="(%(default)s)")
    options.add_argument("--replays", type=Path, help="the pairs of `benchmarks.replay riichi`")
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    options.add_argument("--write", type=Path, help="the file of the slopes")
    arguments = options.parse_args()
    games = held_out_games(arguments.logs, arguments.shared, arguments.games)
    rows = martingale.rows(games, _of_round, arguments.jobs)
    table = pd.DataFrame(rows, columns=Row._fields)
    report(table, arguments.replays, arguments.write, as_json=arguments.json)


def report(table: pd.DataFrame, replays: Path | None, file: Path | None, *, as_json: bool) -> None:
    """Print the slopes of a table of `Row`, and write them to a file."""
    classes = summary(table)
    if replays is not None:
        classes["riichi"] |= replayed(pd.read_csv(replays), classes["riichi"]["rms"] or 0.0)
    if file is not None:
        content = {"games": int(table["game"].nunique()), "classes": classes}
        write_text(file, json.dumps(content, indent=1) + "\n")
    shown = [{"class": name, **row} for name, row in classes.items()]
    output.show(shown, as_json=as_json)


def summary(table: pd.DataFrame) -> dict[str, dict[str, float | int | None]]:
    """The slopes of every class."""
    return {str(name): _summary(rows) for name, rows in table.groupby("decision")}


def _summary(rows: pd.DataFrame) -> dict[str, float | int | None]:
    games = pd.factorize(rows["game"])[0]
    sides = rows[["declined", "taken"]].to_numpy(dtype=float)
    slope, half, (declined, taken) = _slope(sides, rows["next"].to_numpy(dtype=float), games)
    by_round, half_by_round, _ = _slope(sides, rows["round"].to_numpy(dtype=float), games)
    claims = sides[:, 0][sides[:, 0] != 0]
    rms = float(np.sqrt((claims**2).mean())) if len(claims) else 0.0
    figures = {
        "slope": slope,
        "half": half,
        "spread": _spread(slope, half, rms),
        "declined": declined,
        "taken": taken,
        "round": by_round,
        "half_round": half_by_round,
        "rms": rms,
    }
    counts: dict[str, float | int | None] = {"decisions": len(rows), "n_declined": len(claims)}
    return counts | {name: _rounded(value) for name, value in figures.items()}


def _slope(sides: Floats, errors: Floats, games: Ints) -> tuple[float, float, tuple[float, ...]]:
    """The slope by both sides, half of its interval, and that of each; a side may be missing."""
    is_there = sides.any(axis=0)
    design = np.column_stack([np.ones(len(sides)), sides[:, is_there]])
    inverse = np.linalg.pinv(design.T @ design)
    weights = inverse @ design.T @ errors
    scores = design * (errors - design @ weights)[:, None]
    by_game = np.zeros((games.max() + 1, design.shape[1]))
    np.add.at(by_game, games, scores)
    influence = (by_game @ inverse)[:, 1:].sum(axis=1)
    sums = np.full(2, np.nan)
    sums[is_there] = 1 + weights[1:]
    half = half_width(float((influence**2).sum()), len(by_game))
    return 1 + float(weights[1:].sum()), half, tuple(sums.tolist())


def replayed(pairs: pd.DataFrame, rms: float) -> dict[str, float | int | None]:
    """The slope of the effect of both ways on the claimed difference, by deal."""
    claimed, effect = (pairs[name].to_numpy(dtype=float) for name in ("claimed", "effect"))
    squares = (claimed**2).sum()
    slope = float(claimed @ effect / squares)
    sums = np.bincount(pd.factorize(pairs["deal"])[0], claimed * (effect - slope * claimed))
    half = half_width(float((sums**2).sum() / squares**2), len(sums))
    figures = {"slope": slope, "half": half, "spread": _spread(slope, half, rms)}
    return {"replays": len(pairs), **{name: _rounded(value) for name, value in figures.items()}}


def _spread(slope: float, half: float, rms: float) -> float:
    """Half of the interval of a price by the slopes between 0 and 1, as likely as measured."""
    slopes = np.linspace(0, 1, 101)
    weights = np.exp(-(((slopes - slope) * Z95 / half) ** 2) / 2) if half > 0 else slopes * 0
    if not weights.any():
        return 0.0
    return Z95 * sqrt(float((slopes * (1 - slopes)) @ weights / weights.sum())) * rms


def _rounded(value: float) -> float | None:
    return None if isnan(value) else float(f"{value:.3g}")


def _of_round(game: str, choices: list[ReviewedChoice], of_round: ReviewedRound) -> Iterator[Row]:
    balance = of_round["balance"]
    if balance is None:
        return
    points = [*(expected_points(chosen_action(choice)) for choice in choices), float(balance)]
    for choice, (now, then) in zip(choices, pairwise(points), strict=True):
        made, advised = chosen_action(choice), advised_action(choice)
        others = (one for one in choice["actions"] if one is not made)
        other = max(others, key=with_preference) if made is advised else advised
        seats = of_round["decisions"][choice["step"]]["seats"]
        facing = any(seat["riichi"] for seat in seats[1:])
        difference = expected_points(made) - expected_points(other)
        yield Row(
            game=game,
            decision=decision_class(made, other, facing_riichi=facing),
            declined=0.0 if made is advised else difference,
            taken=difference if made is advised else 0.0,
            next=then - now,
            round=balance - now,
        )


if __name__ == "__main__":
    main()
