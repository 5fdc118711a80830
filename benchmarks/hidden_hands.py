"""Whole hidden hands on games of a log that no fit has seen: likelihood, agreement, time.

Trees try to tell true from drawn hands (AUC; .5 is perfect). "Exact" is the share of pools whose
P(wins on each kind), of kinds on which a hand can win, and copies are those of the other answers to
1e-9. "Either" is P(an opponent in riichi wins on one of two kinds three apart).

    python -m benchmarks.hidden_hands phoenix.tar.xz --first 2900 --views 240
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

from benchmarks import output
from features.hidden_hand_rows import HandSample, HandView, views
from houjuu.estimators.loading import EVALUATED_MODEL, load
from houjuu.estimators.seen_games import are_seen
from houjuu.logs import mjlog
from houjuu.logs.sources import contents
from houjuu.util.arrays import Floats
from models.metrics import hidden_hand_metrics
from models.metrics.hidden_hand_metrics import GROUPS, group_of, suji, told

_EXACT = 1e-9
_DRAWS = 4  # of each hand beside the true one
_LEAST = 40  # unit: hands; fewer have no AUC


class _Case(NamedTuple):
    """An opponent."""

    sample: HandSample
    pool: Any  # as of `HiddenHands.pools`
    agreement: Any


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("log", help="an archive of mjlog")
    options.add_argument("--first", type=int, default=0, help="the first game (%(default)s)")
    options.add_argument("--views", type=int, default=240, help="views (%(default)s)")
    options.add_argument("--model", default=EVALUATED_MODEL, help="as houjuu.load (%(default)s)")
    options.add_argument("--seed", type=int, default=11, help="of the choice (%(default)s)")
    arguments = options.parse_args()
    estimator: Any = load(arguments.model)
    every = list(_views(arguments.log, arguments.first, arguments.model))
    order = np.random.default_rng(arguments.seed).permutation(len(every)).tolist()
    chosen = islice((every[i] for i in order if _is_whole(every[i])), arguments.views)
    cases: list[_Case] = []
    times, impossible = [], 0
    for view in chosen:
        queries, hands = estimator.hand_queries(view.view), estimator.hands(view.view)
        start = process_time()
        hands.deals  # noqa: B018
        times.append(process_time() - start)
        impossible += int((hands.deals.wall < 0).any(axis=1).sum())
        for case in zip(queries, view.hands, hands.pools, hands.agreement, strict=True):
            query, hand, pool, agreement = case
            cases.append(_Case(HandSample(view.game, query, hand), pool, agreement))
    model = estimator._hand_model()
    for name, row in hidden_hand_metrics.measured(model, [case.sample for case in cases]).items():
        print(name, row)
    print(f"512 deals: {1e3 * np.median(times):.0f} ms; impossible: {impossible}")
    start, sums = process_time(), model.hands(queries[0]).sums
    sums.draw(np.full(20_000, sums.mass.argmax()), np.random.default_rng(0))
    print(f"20,000 hands: {1e3 * (process_time() - start):.0f} ms")
    for name in ("wins", "copies"):
        gaps = np.array([getattr(case.agreement, name) for case in cases])
        share = np.mean(gaps < _EXACT)
        print(f"exact {name}: {share:.3f} of {len(gaps)} pools, else {gaps.max():.4f}")
    lacking = Counter(why for case in cases for why in case.agreement.impossible.values())
    print("kinds:", dict(lacking), "unheld:", sum(bool(case.agreement.unheld) for case in cases))
    print("either in riichi, true and predicted:", _either(cases))
    for name in ("all", *GROUPS):
        group = [case for case in cases if name in ("all", group_of(case.sample.query))]
        if len(group) >= _LEAST:
            print(f"AUC {name}: {_auc(group)}")


def _views(log: str, first: int, model: str) -> Any:
    """Yield the views of hanchan that the model has not seen."""
    for name, content in islice(contents(log), first, None):
        game = mjlog.parse(content, name)
        if game.rules.hanchan and not are_seen([game.id], model)[0]:
            yield from views(game)


def _is_whole(view: HandView) -> bool:
    sizes = view.hands.sum(axis=1)
    return bool((sizes % 3 == 1).all()) and not any(o.was_away for o in view.view.opponents)


def _either(cases: list[_Case]) -> str:
    pairs = [suji(case.sample, case.pool) for case in cases]
    true, predicted = np.concatenate(pairs).mean(axis=0)
    return f"{true:.3f}, {predicted:.3f} of {sum(map(len, pairs))} pairs"


def _auc(cases: list[_Case]) -> str:
    """The mean and the spread over several draws."""
    rng = np.random.default_rng(3)
    scores = []
    for _ in range(_DRAWS):
        rows = [_told(case, rng) for case in cases]
        data = np.concatenate(rows)
        label = np.tile([True, False], len(rows))
        games = np.repeat([case.sample.game for case in cases], 2)
        trees = HistGradientBoostingClassifier(
            max_iter=120, learning_rate=0.05, max_leaf_nodes=12, min_samples_leaf=20
        )
        folds = GroupKFold(5)
        predicted = cross_val_predict(
            trees, data, label, groups=games, cv=folds, method="predict_proba"
        )
        scores.append(roc_auc_score(label, predicted[:, 1]))
    return f"{np.mean(scores):.3f} ± {np.std(scores):.3f} ({len(cases)} hands)"


def _told(case: _Case, rng: np.random.Generator) -> Floats:
    """What trees see of the true hand and of a drawn one, (2, k)."""
    query, pool = case.sample.query, case.pool
    drawn = pool.hands[rng.choice(len(pool.weights), p=pool.weights)]
    return told(query, np.stack([case.sample.hand, drawn]))


if __name__ == "__main__":
    main()
