"""How likely true hidden hands are, by type of opponent, and whether shanten and waits happen.

Beside the model stand counting, where all hands of the unseen tiles are equally likely, and the
chances of each copy alone. A hand that a model excludes is counted, and left out of all means.
Waits are those of hands that are drawn before they agree with the other answers of an estimator.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from features.hidden_hand_rows import HandSample
from houjuu.estimators.hand_model import HandModel, HandQuery
from houjuu.game.tiles import COPIES, KINDS
from houjuu.hands.whole_hands import count_weights
from houjuu.reading.hand_features import HAND_TYPES, RIICHI
from houjuu.risk.hidden_hands import POOL
from houjuu.util.arrays import Bools, Floats, Int8s, Ints
from houjuu.util.intervals import clustered_mean
from models.metrics.calibration import bins

WAIT_EDGES = (0.0, 0.01, 0.05, 0.1, 0.2, 1.0)
"""Bins of P(a kind completes the hand)."""
FAR = 3
"""The shanten from which on hands are one class."""
_NEVER = 1e-9


class _Scored(NamedTuple):
    scores: list[float]
    shanten: Floats
    is_shanten: Floats
    waits: Floats
    is_wait: Floats


def measured(model: HandModel, samples: Sequence[HandSample]) -> dict[str, Any]:
    """Scores of all opponents and by type: nats a hand, with the half widths of 95% intervals.

    ``calibration`` has P(shanten) without riichi, and P(a kind completes the hand) by bin.
    """
    scored = [_scored(model, sample) for sample in samples]
    games = np.array([sample.game for sample in samples], dtype=object)
    types = np.array([sample.query.reading.hand_type for sample in samples], np.intp)
    groups = {"all": np.ones(len(types), bool)}
    groups |= {name: types == i for i, name in enumerate(HAND_TYPES)}
    return {
        name: _group([scored[i] for i in np.flatnonzero(mask)], types[mask], games[mask])
        for name, mask in groups.items()
        if mask.any()
    }


def _group(scored: Sequence[_Scored], types: Ints, games: Any) -> dict[str, Any]:
    table = np.array([one.scores for one in scored])
    possible = np.isfinite(table).all(axis=1)
    likelihood, counting, independent, shanten, sureness, tenpai = table[possible].T
    closed = types[possible] != RIICHI
    gains = {}
    for name, baseline in (("counting", counting), ("chances", independent)):
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
        "calibration": _calibration(scored, games, types != RIICHI),
    }


def _calibration(scored: Sequence[_Scored], games: Any, closed: Bools) -> list[dict[str, Any]]:
    """A line of each shanten and each bin of waits that has rows."""
    _, shanten, is_shanten, waits, is_wait = map(np.array, zip(*scored, strict=True))
    lines = [
        _line(f"{n}-shanten", shanten[closed, n], is_shanten[closed, n], games[closed])
        for n in range(FAR + 1)
    ]
    of_kind = np.repeat(games, KINDS).reshape(waits.shape)
    in_bin = bins(waits, WAIT_EDGES)
    for n, (low, high) in enumerate(pairwise(WAIT_EDGES)):
        rows = in_bin == n
        lines.append(_line(f"{low:.0%}–{high:.0%}", waits[rows], is_wait[rows], of_kind[rows]))
    return [line for line in lines if line["rows"]]


def _line(group: str, predicted: Floats, happened: Floats, games: Any) -> dict[str, Any]:
    rate, half = clustered_mean(happened - predicted, games)
    mean = float(predicted.mean()) if len(predicted) else 0.0
    return {
        "group": group,
        "rows": len(predicted),
        "predicted": mean,
        "measured": mean + rate,
        "half_width": half,
    }


def _scored(model: HandModel, sample: HandSample) -> _Scored:
    """Log likelihoods of the model, counting and chances; loss of shanten; sureness; P(tenpai)."""
    query, hand = sample.query, sample.hand
    hands = model.hands(query)
    pool = hands.pool(POOL, np.random.default_rng(1))
    drawn = hands.log_likelihood(pool.hands)
    likelihood = float(hands.log_likelihood(hand[None])[0])
    true = hands.judged(hand[None])
    shanten = int(true.shanten[0])
    scores = [
        likelihood,
        _independent(query, hand, np.zeros(KINDS)),
        _independent(query, hand, query.copy_logits),
        -float(np.log(max(hands.shanten[shanten], _NEVER))),
        likelihood - float(pool.weights @ drawn),
        float(hands.shanten[0]),
    ]
    return _Scored(
        scores=scores,
        shanten=np.append(hands.shanten[:FAR], hands.shanten[FAR:].sum()),
        is_shanten=np.eye(FAR + 1)[min(shanten, FAR)],
        waits=pool.weights @ pool.waits,
        is_wait=true.waits[0].astype(np.float64),
    )


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
