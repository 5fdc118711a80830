"""Matches of the yaku evaluation (docs/yaku.md): at every shanten, plain and linear, and none.

All variants are the player "relative" with other discards while nobody is in riichi. Among the
discards that leave the lowest shanten they take the highest number of unseen tiles that lower it,
times an evaluation. Calls, riichi and all discards after a riichi are those of "relative".

- "relative" itself: the yaku model from shanten 3 up, below it the value of the hand (評価値).
- "no-yaku": from shanten 3 up the tiles alone.
- "linear-yaku": from shanten 3 up the plain evaluation of the source, Σ isYaku · Han · (y · n) with
  the 21 classes alone. A weight vector y is the least squares fit to "the hand won with Y".
- "yaku-everywhere", "linear-yaku-everywhere": the evaluation at every shanten.

Run it in the folder of `make train`: the linear weights are fitted to the rows of data/yaku, and
stored in FOLDER.

    python -m benchmarks.yaku_matches FOLDER --deals 1000 --seed 2
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from joblib import parallel_config

from benchmarks import output, sweep
from features.yaku_rows import YAKU as YAKU_COLUMNS
from houjuu.game.yaku import DORA, YAKU
from houjuu.player.hand_value import hand_decomposition, yaku_model, yaku_targets
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.player.hand_value.value import FAR, HandValuer
from houjuu.player.hand_value.yaku_model import MEMBERS, OF_FORM, target_flags
from houjuu.player.hand_value.yaku_targets import (
    FOUR_SETS,
    GROUPS,
    HAND_NUMBERS,
    KOKUSHI,
    SEVEN_PAIRS,
    SURE,
    TARGET_YAKU,
    TARGETS,
    WIN,
    YAKUHAI,
    HandSummary,
    YakuTarget,
)
from houjuu.player.players import PLAYERS
from houjuu.player.rules.hand_value_player import HandValuePlayer
from houjuu.player.rules.policies import DiscardOption, DiscardOptions, RelativeDanger
from houjuu.util.arrays import Floats
from models.player.yaku import split_counts
from pipeline import settings
from pipeline.paths import YAKU_ROWS
from pipeline.tables import read_rows

LINEAR = "linear-yaku.npz"
_N_DORA = [name for name, _ in HAND_NUMBERS].index("dora")

Evaluation = Callable[[HandSummary], float]


class LinearYaku:
    """The evaluation of the source with y · n itself, without a link and further inputs.

    Parameters
    ----------
    weights : (2, targets, 1 + 21) array
        For closed and for open hands: a constant and the weights of the classes.
    """

    def __init__(self, weights: Floats) -> None:
        self.weights = weights
        model = yaku_model.load()
        self._yakuhai, self._dora = model.yakuhai, model.dora

    def total(self, hand: HandSummary) -> float:
        """The highest sum over forms, groups of yaku and splits, in han."""
        forms = (FOUR_SETS,) if any(hand.melds) else range(len(GROUPS))
        return max(self._total(hand, form) for form in forms)

    def _total(self, hand: HandSummary, form: int) -> float:
        targets = TARGETS[OF_FORM[form]]
        weights = self.weights[int(not hand.closed), OF_FORM[form]]
        splits = _splits(hand, form).astype(np.float64)
        linear = weights[:, 0] + splits @ weights[:, 1:].T
        possible = target_flags(hand.possible)[OF_FORM[form]]
        chances = possible * np.clip(linear, 0.0, 1.0)
        sure = [target.yaku in SURE for target in targets]
        chances[:, sure] = chances[:, [targets.index(YakuTarget(form, WIN))]]
        han = np.array([self._han(hand, target) for target in targets])
        return float(((chances * han) @ MEMBERS[form].T).max())

    def _han(self, hand: HandSummary, target: YakuTarget) -> float:
        """Han(Y, closed), as `houjuu.player.hand_value.yaku_model` counts them."""
        is_open = int(not hand.closed)
        if target.yaku == WIN:
            return 0.0
        if target.yaku == YAKUHAI:
            return float(self._yakuhai[is_open])
        if target.yaku == DORA:
            row = 2 if target.form == SEVEN_PAIRS else is_open
            without, per_dora = self._dora[row].tolist()
            return float(without + per_dora * hand.numbers[_N_DORA])
        return float(YAKU[TARGET_YAKU[target.yaku][0]].han(closed=hand.closed))


def _splits(hand: HandSummary, form: int) -> Floats:
    """The counts of the classes in every split of a hand, (n, 21)."""
    if form == FOUR_SETS:
        suits = hand_decomposition.hand_splits(hand.counts, hand.yakuhai)
        return hand_decomposition.sums([*suits, np.array([hand.melds])])
    counts = {
        SEVEN_PAIRS: hand_decomposition.seven_pairs_counts,
        KOKUSHI: hand_decomposition.kokushi_counts,
    }
    return np.asarray(counts[form](hand.counts, hand.yakuhai)[None], np.float64)


def fit_linear(n_games: int) -> Floats:
    """Fit the linear weights to the rows of some games, in the splits of the shipped model."""
    rows = read_rows(YAKU_ROWS, YAKU_COLUMNS, held_out=False)
    rows = rows[rows["game"].isin(rows["game"].drop_duplicates()[:n_games])]
    with parallel_config(n_jobs=settings.load().run.jobs):
        counts = split_counts(rows, yaku_model.load().split)
    won, possible = target_flags(rows["won_targets"]), target_flags(rows["possible_targets"])
    weights = np.zeros((2, len(TARGETS), 1 + len(CLASSES)))
    for is_open in (0, 1):
        for index, target in enumerate(TARGETS):
            mask = possible[:, index] & (rows["closed"].to_numpy() != is_open)
            inputs = np.column_stack([np.ones(mask.sum()), counts[target.form][mask]])
            weights[is_open, index] = np.linalg.lstsq(inputs, won[mask, index], rcond=None)[0]
    return weights


@dataclass(frozen=True)
class YakuDiscards(RelativeDanger):
    """`RelativeDanger` that discards by tiles times an evaluation while nobody is in riichi.

    Attributes
    ----------
    evaluation : callable
    lowest : int
        The shanten from which it does so.
    """

    evaluation: Evaluation = lambda _: 1.0
    lowest: int = FAR

    def choose(self, discards: DiscardOptions) -> DiscardOption:
        """The discard with the highest product, or that of "relative"."""
        view, nearest = discards.view, discards.nearest()
        shanten = discards.shanten[nearest[0]]
        if shanten < self.lowest or any(seat.declared for seat in view.opponents):
            return super().choose(discards)
        hands = {tile: [other for other in view.hand if other != tile] for tile in nearest}
        tiles = HandValuer(view).useful_tiles(list(hands.values()))
        product = {
            tile: count * self.evaluation(yaku_targets.summarize_view(view, hand, shanten))
            for (tile, hand), count in zip(hands.items(), tiles, strict=True)
        }
        (chosen,) = discards.valued([max(reversed(nearest), key=product.__getitem__)])
        return chosen


@cache
def _linear(path: Path) -> LinearYaku:
    with np.load(path) as file:
        return LinearYaku(file["weights"])


def _player(evaluation: Callable[[], Evaluation], lowest: int) -> HandValuePlayer:
    return HandValuePlayer(YakuDiscards(evaluation=evaluation(), lowest=lowest))


def players(linear_weights: Path) -> dict[str, Callable[[], HandValuePlayer]]:
    """Constructors of the variants by name."""
    model = cache(yaku_model.load)
    return {
        "no-yaku": partial(_player, lambda: lambda _: 1.0, FAR),
        "linear-yaku": partial(_player, lambda: _linear(linear_weights).total, FAR),
        "yaku-everywhere": partial(_player, lambda: model().total, 0),
        "linear-yaku-everywhere": partial(_player, lambda: _linear(linear_weights).total, 0),
    }


def main() -> None:
    options = output.parser(__doc__)
    sweep.add_arguments(options)
    options.add_argument("--games", type=int, default=1000, help="training games of the linear fit")
    arguments = options.parse_args()
    path = arguments.folder / LINEAR
    if not path.exists():
        arguments.folder.mkdir(parents=True, exist_ok=True)
        np.savez(path, weights=fit_linear(arguments.games))
    PLAYERS.update(players(path))
    records = sweep.play(["relative", *players(path)], arguments, others="relative")
    print("\n\n".join(table.text() for table in sweep.tables(records)))


if __name__ == "__main__":
    main()
