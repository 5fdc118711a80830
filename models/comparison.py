"""What each idea of "houjuu" is worth: fits to fewer games, or without some of the evidence.

Every question of `models.questions` is asked of the same held-out rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import clone

from features.signs import numbers
from houjuu import evidence, signs
from houjuu.choice import Floats
from houjuu.tiles import KINDS
from models import rivers
from models.calibration import CLIP, Z95
from models.rivers import KindChoice, WaitChoice
from models.signs import SignsRegression

Array = npt.NDArray[Any]
Answers = tuple[Floats, npt.NDArray[np.bool_], npt.NDArray[np.object_]]
"""What is predicted, what is so, and the game, row by row."""

OF_RIVERS: Mapping[str, tuple[str, ...]] = {
    "its discards": ("discarded",),
    "what has passed": ("passed",),
    "tiles lying open": ("public",),
    "dora and yakuhai": ("dora", "yakuhai"),
    "discards by suit": ("in_suit", "early_in_suit"),
    "its melds": ("melded", "sets_in_suit", "chis", "open_yaku", "dora_shown", "since_call"),
    "the riichi tile": ("riichi_tile",),
    "its honours and terminals": ("honours", "since_honour", "yaochu"),
    "the turn and its pace": ("turn", "since", "wall", "tedashi", "streak", "live_suji"),
}
"""Ideas about a wait, and the entries of the evidence that each stands on."""


@dataclass(frozen=True)
class Question:
    """A question and how it is answered.

    Attributes
    ----------
    ideas : mapping
        Names of what can be left out, and the columns of the rows that go with it.
    answered : callable
        Of rows to fit to and of others, the answers for these.
    """

    ideas: Mapping[str, list[str]]
    answered: Callable[[pd.DataFrame, pd.DataFrame], Answers]


def question(name: str, params: Mapping[str, Any]) -> Question:
    """One of `models.questions.QUESTIONS`, with what params.yaml has for ``regress``."""
    if name == "tenpai":
        ideas = {idea: [read.__name__ for read in of] for idea, of in signs.SECTIONS.items()}
        return Question(ideas, partial(_tenpai, SignsRegression(**params["signs"])))
    columns = evidence.columns()
    ideas = {
        idea: [c for c in columns if c in entries or c.rpartition("_")[0] in entries]
        for idea, entries in OF_RIVERS.items()
    }
    melded = name == "melded"
    river = KindChoice(**params["melded_river"]) if melded else WaitChoice(**params[name])
    return Question(ideas, partial(_wins, river))


def _tenpai(to_fit: SignsRegression, fitted: pd.DataFrame, held_out: pd.DataFrame) -> Answers:
    model = clone(to_fit).fit(fitted).model()
    predicted = model.read(held_out["melds"].to_numpy(np.int64), numbers(held_out))
    return predicted, held_out["tenpai"].to_numpy(), _games(held_out)


def _wins(to_fit: WaitChoice | KindChoice, fitted: pd.DataFrame, held_out: pd.DataFrame) -> Answers:
    model = clone(to_fit).fit(fitted).model()
    predicted, won, asked = rivers.kinds_asked(model, held_out)
    games = np.repeat(_games(held_out)[:, None], KINDS, axis=1)
    return predicted[asked], won[asked], games[asked]


def _games(rows: pd.DataFrame) -> npt.NDArray[np.object_]:
    return rows["game"].to_numpy(dtype=object)


def without(rows: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """The rows with nothing in some columns."""
    return rows.assign(**dict.fromkeys(columns, 0)).astype(dict(rows[columns].dtypes))


def loss(predicted: Floats, happened: Array) -> Floats:
    """Log loss of each row, nats."""
    held = np.clip(predicted, CLIP, 1 - CLIP)
    return np.asarray(-np.log(np.where(happened, held, 1 - held)))


def difference(losses: Floats, others: Floats, games: Array) -> tuple[float, float]:
    """By how much the mean of losses exceeds that of others, and half its 95% interval.

    A game counts once, as in `models.calibration`.
    """
    codes, _ = pd.factorize(games)
    apart, rows = np.bincount(codes, losses - others), np.bincount(codes)
    mean = float(apart.sum() / rows.sum())
    spread = np.sqrt(((apart - mean * rows) ** 2).sum()) / rows.sum()
    return mean, float(Z95 * spread)
