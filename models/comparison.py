"""What each idea of "houjuu" is worth: fits to fewer games, or without some of the evidence.

And a yardstick: scikit-learn's gradient-boosted trees on the same numbers, which say how much they
hold that the regressions do not say. Every question is asked of the same held-out rows:

| question | of an opponent | |
|---|---|---|
| tenpai | not in riichi | is it tenpai |
| riichi, closed, melded | that is tenpai | does it win on a kind of the hand, genbutsu left out |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

from features import schema
from features.signs import numbers
from houjuu import evidence, river_kinds, river_waits, signs
from houjuu.choice import Floats
from houjuu.river_kinds import RiverKinds
from houjuu.river_waits import RiverWaits
from houjuu.tiles import KINDS
from houjuu.waits import WIN_WAIT
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
    fit : callable
        From rows to what answers for other rows.
    yardstick : callable
        The same with gradient-boosted trees.
    """

    ideas: Mapping[str, list[str]]
    fit: Callable[[pd.DataFrame], Callable[[pd.DataFrame], Answers]]
    yardstick: Callable[[pd.DataFrame], Callable[[pd.DataFrame], Answers]]


def tenpai(params: Mapping[str, Any]) -> Question:
    """Is an opponent tenpai; rows of `features.schema.SIGNS`."""

    def fit(rows: pd.DataFrame) -> Callable[[pd.DataFrame], Answers]:
        model = SignsRegression(**params).fit(rows).model()

        def answer(of: pd.DataFrame) -> Answers:
            predicted = model.read(of["melds"].to_numpy(np.int64), numbers(of))
            return predicted, of["tenpai"].to_numpy(), _games(of)

        return answer

    def yardstick(rows: pd.DataFrame) -> Callable[[pd.DataFrame], Answers]:
        trees = _trees(_with_melds(rows), rows["tenpai"])

        def answer(of: pd.DataFrame) -> Answers:
            predicted = trees.predict_proba(_with_melds(of))[:, 1]
            return predicted, of["tenpai"].to_numpy(), _games(of)

        return answer

    ideas = {name: [read.__name__ for read in of] for name, of in signs.SECTIONS.items()}
    return Question(ideas, fit, yardstick)


def waits(params: Mapping[str, Any]) -> Question:
    """On what does a tenpai closed hand win; rows of `features.schema.SITUATIONS`."""
    plain = RiverWaits(
        np.zeros(river_waits.TABLES.size),
        np.ones(len(WIN_WAIT)),
        np.full(KINDS, CLIP),
    )
    return _of_hands(lambda rows: WaitChoice(**params).fit(rows).model(), plain)


def kinds(params: Mapping[str, Any]) -> Question:
    """On what does a tenpai melded hand win; rows of `features.schema.SITUATIONS`."""
    sets = evidence.LAYOUT.size["sets"]
    plain = RiverKinds(np.zeros(river_kinds.TABLES.size), np.ones(sets))
    return _of_hands(lambda rows: KindChoice(**params).fit(rows).model(), plain)


def _of_hands(
    fitted: Callable[[pd.DataFrame], RiverWaits | RiverKinds], plain: RiverWaits | RiverKinds
) -> Question:
    """`plain` is the model without weights, whose answers the trees are told."""

    def fit(rows: pd.DataFrame) -> Callable[[pd.DataFrame], Answers]:
        model = fitted(rows)
        return lambda of: _answers(*rivers.kinds_asked(model, of), of)

    def yardstick(rows: pd.DataFrame) -> Callable[[pd.DataFrame], Answers]:
        base, won, asked = rivers.kinds_asked(plain, rows)
        trees = _trees(_of_kinds(rows, base, asked), won[asked])

        def answer(of: pd.DataFrame) -> Answers:
            base, won, asked = rivers.kinds_asked(plain, of)
            predicted = np.zeros(won.shape)
            predicted[asked] = trees.predict_proba(_of_kinds(of, base, asked))[:, 1]
            return _answers(predicted, won, asked, of)

        return answer

    columns = evidence.columns()
    ideas = {
        name: [c for c in columns if c in entries or c.rpartition("_")[0] in entries]
        for name, entries in OF_RIVERS.items()
    }
    return Question(ideas, fit, yardstick)


def _answers(predicted: Floats, won: Array, asked: Array, rows: pd.DataFrame) -> Answers:
    games = np.repeat(_games(rows)[:, None], KINDS, axis=1)
    return predicted[asked], won[asked], games[asked]


def _of_kinds(rows: pd.DataFrame, base: Floats, asked: Array) -> Array:
    """What the tables of `river_kinds` look at for each kind asked, and log odds without them."""
    places = np.unique(river_kinds.TABLES.places, axis=0).reshape(-1, KINDS + 1)[:, :KINDS]
    read = rivers.evidence_of(rows)
    held = np.clip(base[asked], CLIP, 1 - CLIP)
    looked = [read[:, place][asked] for place in places]
    sort = np.broadcast_to(river_kinds.SORT[:KINDS], asked.shape)[asked]
    return np.column_stack([np.log(held / (1 - held)), sort, *looked]).astype(np.float32)


def _trees(features: Any, happened: Any) -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(
        max_iter=300,
        learning_rate=0.06,
        min_samples_leaf=200,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=0,
    ).fit(features, happened)


def _with_melds(rows: pd.DataFrame) -> Array:
    return np.column_stack([rows["melds"], numbers(rows)]).astype(np.float32)


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


def rows_read_as(rows: pd.DataFrame, question: str) -> pd.DataFrame:
    """The rows of `features.schema.SITUATIONS` that a question is about."""
    melded = ~rows["read_as"].isin(schema.READ_AS[:2])
    return rows[melded if question == "melded" else rows["read_as"] == question]
