"""How good promises are: each yaku and the han, on hands of games that no fit has seen.

Beside what the model says stands what is said by who knows of a hand but whether it is closed and
how far it is from tenpai. Intervals are of 95% and count a game once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import Parallel, delayed

from features.prospects import hands
from houjuu.player.aims import AIMS, SURE, WIN
from houjuu.player.prospects import Prospects, bits
from models import calibration, comparison

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

FAR = 3
"""The shanten from which `houjuu.player.value` reaches no value."""

PLACES = ("all", *map(str, range(6)), "far")
"""What is told apart: all hands, those of each shanten, those that are far."""

_CHUNK = 10_000  # unit: rows
TOLD = [i for i, aim in enumerate(AIMS) if aim.yaku == WIN or aim.yaku not in SURE]
"""Places in `AIMS` of what is scored: dora and 七対子 are had by who wins."""


def said(model: Prospects, rows: pd.DataFrame) -> pd.DataFrame:
    """What the model says of rows of `features.prospects`: total, expected, win, and P by aim."""
    parts = (rows.iloc[first : first + _CHUNK] for first in range(0, len(rows), _CHUNK))
    found = Parallel(return_as="generator")(delayed(_said)(model, part) for part in parts)
    columns = ["total", "expected", "win", *range(len(AIMS))]
    return pd.DataFrame(np.concatenate(list(found)), columns=columns, index=rows.index)


def _said(model: Prospects, rows: pd.DataFrame) -> Floats:
    told = []
    for hand in hands(rows):
        of = model.evaluate(hand)
        told.append([of.total, of.expected, of.win, *of.chances.values()])
    return np.array(told).reshape(len(rows), -1)


def guessed(fitted: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """What the guesser says of rows: han where the hand wins, on average, and P by aim."""
    known = pd.DataFrame(bits(fitted["won"]).astype(float), index=fitted.index)
    known["han"] = fitted["han"].astype(float)
    means = known.groupby(_cell(fitted)).mean()
    found = means.reindex(_cell(rows)).fillna(known.mean())
    anywhere = known["han"].sum() / known[_wins()].to_numpy().sum()
    found["han"] = (found["han"] / found[_wins()].sum(axis=1)).fillna(anywhere)
    return found.set_axis(rows.index)


def _wins() -> list[int]:
    return [place for place, aim in enumerate(AIMS) if aim.yaku == WIN]


def _cell(rows: pd.DataFrame) -> pd.Series[str]:
    return rows["closed"].map({True: "closed ", False: "open "}) + rows["shanten"].astype(str)


def of_yaku(
    rows: pd.DataFrame, told: pd.DataFrame, guess: pd.DataFrame, rates: Floats
) -> dict[str, dict[str, Any]]:
    """Scores of P(wins so), of all hands and of those that are far, by aim.

    Parameters
    ----------
    rows : DataFrame
        `features.prospects.PROSPECTS`.
    told, guess : DataFrame
        What `said` and `guessed` give.
    rates : (aims,) array
        How often hands won so, of those that were fitted to.

    Returns
    -------
    dict
        By place and aim, where both outcomes occur: those of `calibration.scores`, the log loss,
        Brier score and AUC of the guesser, and by how much the log loss is better than its.
    """
    won, games = bits(rows["won"]), rows["game"].to_numpy(object)
    return {
        place: {
            AIMS[i].name: _scores(
                _floats(told[i])[of], _floats(guess[i])[of], won[of, i], games[of], rates[i]
            )
            for i in TOLD
            if won[of, i].any() and not won[of, i].all()
        }
        for place, of in _places(rows)
        if place in ("all", "far")
    }


def _scores(
    ours: Floats, guess: Floats, won: Bools, games: npt.NDArray[np.object_], rate: float
) -> dict[str, Any]:
    guesser = calibration.scores(guess, won, rate)
    losses = comparison.loss(guess, won), comparison.loss(ours, won)
    better, half = comparison.difference(*losses, games)
    return {
        **calibration.scores(ours, won, rate),
        "mean": float(ours.mean()),
        "wins": int(won.sum()),
        **{f"{name}_guess": guesser[name] for name in ("log_loss", "brier", "auc")},
        "better_by": better,
        "half_interval": half,
    }


def of_han(
    rows: pd.DataFrame, told: pd.DataFrame, guess: pd.DataFrame
) -> dict[str, dict[str, Any]]:
    """Han said against han won with, by place.

    Returns
    -------
    dict
        Of `won`, hands that won: han said for that case, and measured; of `every` hand: han said
        on average, nothing where the hand did not win, and measured, and what the source's best
        group says. Each with the error and half its interval, and correlations with what is
        measured.
    """
    wins = rows["form"].to_numpy() >= 0
    if_won = told["expected"] / told["win"]
    all_ = {"group": told["total"], "guess": guess["han"] * guess[_wins()].sum(axis=1)}
    found: dict[str, dict[str, Any]] = {}
    for place, of in _places(rows):
        if not (of & wins).any():
            continue
        found[place] = {
            "won": _beside(rows, of & wins, if_won, {"guess": guess["han"]}),
            "every": _beside(rows, of, told["expected"], all_),
        }
    return found


def _beside(
    rows: pd.DataFrame,
    of: Bools,
    expected: pd.Series[float],
    others: dict[str, pd.Series[float]],
) -> dict[str, Any]:
    han, ours = _floats(rows["han"])[of], _floats(expected)[of]
    error, half = comparison.difference(ours, han, rows["game"].to_numpy(object)[of])
    found = {
        "rows": len(han),
        "measured": float(han.mean()),
        "said": float(ours.mean()),
        "error": error,
        "half_interval": half,
        "correlation": _correlation(ours, han),
    }
    for name, other in others.items():
        found[name] = float(_floats(other)[of].mean())
        found[f"correlation_{name}"] = _correlation(_floats(other)[of], han)
    return found


def _floats(column: pd.Series[Any]) -> Floats:
    return column.to_numpy(np.float64)


def _correlation(one: Floats, other: Floats) -> float | None:
    if len(one) < 3 or not one.std() or not other.std():
        return None
    return float(np.corrcoef(one, other)[0, 1])


def _places(rows: pd.DataFrame) -> Iterator[tuple[str, Bools]]:
    shanten = rows["shanten"].to_numpy()
    yield PLACES[0], np.full(len(rows), True)
    yield from ((str(away), shanten == away) for away in range(6))
    yield PLACES[-1], shanten >= FAR
