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
from houjuu.game.tiles import COPIES, EAST, KINDS, RANKS
from houjuu.hands.whole_hands import count_weights
from houjuu.reading.hand_features import HAND_TYPES, RIICHI, features, useful
from houjuu.risk.hidden_hands import HandPool
from houjuu.util.arrays import Floats, Int8s
from houjuu.util.intervals import clustered_mean

GROUPS = "closed", "riichi", "melded"
_NEVER = 1e-9


def group_of(query: HandQuery) -> str:
    """Which of `GROUPS` an opponent belongs to."""
    return GROUPS[np.sign(query.reading.hand_type - RIICHI) + 1]


def told(query: HandQuery, hands: Int8s) -> Floats:
    """What a judge of true and drawn hands sees of them, (n, k): river, sets, suits."""
    suits = np.stack([hands[:, s : s + RANKS].sum(axis=1) for s in range(0, EAST, RANKS)], axis=1)
    more = [
        *(hands @ query.copy_logits, useful(hands, query.reading.sets).shanten),
        *((hands >= n).sum(axis=1) for n in (1, 2, 3)),
        *(suits.max(axis=1), suits.min(axis=1), hands[:, EAST:].sum(axis=1)),
        hands[:, [0, 8, 9, 17, 18, 26]].sum(axis=1),
        np.full(len(hands), query.reading.hand_type),
    ]
    return np.column_stack([features(hands, query.reading, query.wait_shares), *more])


def suji(sample: HandSample, pool: HandPool) -> Floats:
    """Of pairs three apart, (n, 2): whether a hand in riichi waits for either, and P(it does)."""
    _, query, hand = sample
    waits = useful(hand[None], query.reading.sets).waits[0]
    low = np.array([kind for kind in range(EAST - 3) if kind % RANKS < RANKS - 3])
    if group_of(query) != "riichi":
        low = low[:0]
    low = low[~(query.reading.furiten[low] | query.reading.furiten[low + 3])]
    either = pool.wins[:, low] | pool.wins[:, low + 3]
    return np.column_stack([waits[low] | waits[low + 3], pool.weights @ either])


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
