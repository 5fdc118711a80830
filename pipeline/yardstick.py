"""Stage ``yardstick``: what gradient-boosted trees make of the rows that ``regress`` fits to.

data/yardstick.json has the scores that data/houjuu.json has, of the same held-out rows, and how
many games were fitted to; what they differ by is what the regressions leave in the numbers.
"""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
from joblib import Parallel, delayed
from tqdm import tqdm

from features.signs import numbers
from models import evaluation
from models.questions import QUESTIONS, win_scores
from models.yardstick import TenpaiTrees, WinTrees
from pipeline import questions, settings, stage
from pipeline.files import keep, replacing
from pipeline.questions import Asked, of_games

YARDSTICK = "data/yardstick.joblib"
METRICS = "data/yardstick.json"

Trees = TenpaiTrees | WinTrees


class Fit(NamedTuple):
    """The trees of a question, pickled, how many games they were fitted to, and their scores.

    Pickled where they were fitted, and kept so: pickled once more, in another process, the same
    trees are other bytes.
    """

    trees: bytes
    games: int
    scores: dict[str, Any]


def main() -> None:
    """Fit the trees of every question, and measure them on held-out rows."""
    params = settings.load()
    fits = Parallel(n_jobs=params.run.jobs, return_as="generator", pre_dispatch="n_jobs")(
        delayed(_fitted)(params.yardstick, _some(asked, params.yardstick.games))
        for asked in questions.each()
    )
    made = dict(zip(QUESTIONS, tqdm(fits, "yardstick", total=len(QUESTIONS)), strict=True))
    scores: dict[str, Any] = {"games": {}, "tenpai": {}, "waits": {}}
    for question, fit in made.items():
        scores["games"][question] = fit.games
        scores["tenpai" if question == "tenpai" else "waits"] |= fit.scores
    with replacing(METRICS) as path:
        path.write_text(json.dumps(scores, indent=1, allow_nan=False) + "\n")
    keep({question: fit.trees for question, fit in made.items()}, YARDSTICK)


def read(path: str | Path) -> dict[str, Trees]:
    """The trees by question, from the stage's file, which is to be trusted: it holds pickles."""
    return {question: pickle.loads(trees) for question, trees in joblib.load(path).items()}


def _some(asked: Asked, games: dict[str, int]) -> Asked:
    return asked._replace(fitted=of_games(asked.fitted, games[asked.question]))


def _fitted(params: settings.Yardstick, asked: Asked) -> Fit:
    boosting = params.trees | {"max_iter": params.iterations[asked.question]}
    trees: Trees = WinTrees(boosting)
    if asked.question == "tenpai":
        trees = TenpaiTrees(boosting, params.every)
    trees.fit(asked.fitted)
    return Fit(pickle.dumps(trees), int(asked.fitted["game"].nunique()), _scores(trees, asked))


def _scores(trees: Trees, asked: Asked) -> dict[str, Any]:
    rows = asked.held_out
    if isinstance(trees, WinTrees):
        return win_scores(rows, asked.question, trees.kinds_of)
    predicted = trees.read(rows["melds"].to_numpy(np.int64), numbers(rows))
    return evaluation.tenpai_scores(rows.assign(predicted=predicted), trees.rates_)


if __name__ == "__main__":
    stage.run(main)
