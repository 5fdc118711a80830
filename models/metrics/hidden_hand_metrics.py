"""How likely true hidden hands are, by type of opponent.

Beside the model stand counting, where all hands of the unseen tiles are equally likely, and the
chances of each copy alone. A hand that a model excludes is counted, and left out of all means.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from features.hidden_hand_rows import HandSample
from houjuu.estimators.hand_model import HandModel, HandQuery
from houjuu.game.tiles import COPIES, KINDS
from houjuu.hands.whole_hands import count_weights
from houjuu.reading.hand_features import HAND_TYPES, RIICHI, useful
from houjuu.util.arrays import Floats, Int8s
from houjuu.util.intervals import clustered_mean

_NEVER = 1e-9


def measured(model: HandModel, samples: Sequence[HandSample]) -> dict[str, Any]:
    """Scores of all opponents and by type: nats a hand, with the half widths of 95% intervals."""
    table = np.array([[*_scores(model, sample)] for sample in samples]).reshape(-1, 6)
    games = np.array([sample.game for sample in samples], dtype=object)
    types = np.array([sample.query.reading.hand_type for sample in samples], np.intp)
    groups = {"all": np.ones(len(types), bool)}
    groups |= {name: types == i for i, name in enumerate(HAND_TYPES)}
    return {
        name: _group(table[mask], types[mask], games[mask])
        for name, mask in groups.items()
        if mask.any()
    }


def _group(table: Floats, types: Any, games: Any) -> dict[str, Any]:
    possible = np.isfinite(table).all(axis=1)
    likelihood, counting, chances, shanten, sureness, tenpai = table[possible].T
    closed = types[possible] != RIICHI
    gains = {}
    for name, baseline in (("counting", counting), ("chances", chances)):
        mean, half = clustered_mean(likelihood - baseline, games[possible])
        gains[name] = {"gain": mean, "half_width": half}
    return {
        "hands": int(possible.sum()),
        "excluded": int((~possible).sum()),
        "log_likelihood": float(likelihood.mean()),
        "over": gains,
        "shanten_log_loss": float(shanten[closed].mean()) if closed.any() else None,
        "sureness": float(sureness.mean()),
        "tenpai": float(tenpai.mean()),
    }


def _scores(model: HandModel, sample: HandSample) -> Iterator[float]:
    """Log likelihoods of the model, counting and chances; loss of shanten; sureness; P(tenpai)."""
    query, hand = sample.query, sample.hand
    hands = model.hands(query)
    pool = hands.pool(64, np.random.default_rng(1))
    drawn = hands.log_likelihood(pool.hands)
    likelihood = float(hands.log_likelihood(hand[None])[0])
    yield likelihood
    yield _independent(query, hand, np.zeros(KINDS))
    yield _independent(query, hand, query.copy_logits)
    shanten = int(useful(hand[None], query.reading.sets).shanten[0])
    yield -float(np.log(max(hands.shanten[shanten], _NEVER)))
    yield likelihood - float(pool.weights @ drawn)
    yield float(hands.shanten[0])


def _independent(query: HandQuery, hand: Int8s, logits: Floats) -> float:
    """Log likelihood of a hand whose tiles lie independently of each other, given their number."""
    counts = np.arange(COPIES + 1)
    weights = count_weights(query.reading.copies) * np.exp(logits[:, None] * counts)
    n_tiles = query.reading.n_tiles
    total = np.zeros(n_tiles + 1)
    total[0] = 1.0
    for of_kind in weights:
        total = np.convolve(total, of_kind)[: n_tiles + 1]
    with np.errstate(divide="ignore"):
        return float(np.log(weights[np.arange(KINDS), hand]).sum() - np.log(total[n_tiles]))
