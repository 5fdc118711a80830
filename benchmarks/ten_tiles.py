"""An opponent with one meld: seven concealed tiles, as in the paper, and all ten.

Section 5.2.4 of Kurita & Hoki 2017 treats such a hand as a game of seven tiles. Here the 3,431,439
tenpai hands of ten tiles are summed one by one in their place, in three models: log loss of the
kinds of the deciding hand that are no genbutsu, given that the opponent is tenpai, or of all
opponents with one meld (--all). One decision is drawn of those that face the same hand; with --all
it counts for all of them. "both" is a logistic regression on the logits of both predictions, beside
one on the logit with seven tiles, each fitted to the other half of the games. Run it in the folder
of a run on real logs.

    python -m benchmarks.ten_tiles --games 520
    python -m benchmarks.ten_tiles --games 80 --all
"""

from __future__ import annotations

import time
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import logit
from sklearn.linear_model import LogisticRegression

import houjuu
from benchmarks import output
from features.replay import decisions
from houjuu.game.events import Game
from houjuu.game.table import Seat, View, mask_to_array
from houjuu.game.tiles import COPIES, KIND, KINDS
from houjuu.hands.completions import GOOD_FORMS, completions
from houjuu.hands.enumeration import _Colours
from houjuu.hands.hand_cache import HandCache
from houjuu.hands.hand_grid import HandGrid, ScoringContext
from houjuu.hands.points import CODES, score_code
from houjuu.hands.score import base_codes
from houjuu.hands.set_classes import melded_copies
from houjuu.hands.sets import SET_COUNTS, SETS, Combinations
from houjuu.hands.suit_ways import index_of_ways, suit_ways
from houjuu.hands.tenpai_hands import COLOURS, HAND_CLASSES, HandWeights
from houjuu.player.hand_value.shanten import shanten
from houjuu.truth.true_waits import ron_kinds
from houjuu.util.intervals import clustered_mean
from models.metrics.calibration import bins, row_losses
from pipeline import settings
from pipeline.engine import open_engine
from pipeline.game_shards import accepted_games, map_games, select_games

MODELS = ("kurita-hoki-2017-printed", "kurita-hoki-2017", "houjuu")
EDGES = (0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3, 1)
_ANY_CODE = score_code(1, 30)
_KEYS = np.random.default_rng(1).integers(1, 2**63, KINDS, dtype=np.uint64)


class _Hands(NamedTuple):
    """All tenpai hands of ten tiles, and their completions, sorted by hand."""

    combinations: Combinations
    first: Any  # index of the first completion of each hand
    kind: Any  # of each completion
    code: Any  # its index in the score codes of `_codes`
    copies: Any  # of the winning kind in the hand
    ways: Any  # indices of the ways of each hand, 4 suits of low, then of high ranks
    waits: Any
    good: Any
    suits: Any


@cache
def _hands(n_sets: int = 3) -> _Hands:
    sets = np.array([*combinations_with_replacement(range(SETS), n_sets)], np.intp)
    sets = sets[SET_COUNTS[sets].sum(axis=1).max(axis=1) <= COPIES]
    by_pair = [_completions_with(sets, pair) for pair in range(KINDS)]
    key, kind, code, copies, good, suits, *ways = map(np.concatenate, zip(*by_pair, strict=True))
    order = np.lexsort((kind, key))
    is_first = np.append(True, np.diff(key[order]) != 0)
    first = np.flatnonzero(is_first)
    representative = order[first]
    return _Hands(
        combinations=Combinations.from_rows(sets),
        first=first,
        kind=kind[order],
        code=code[order],
        copies=copies[order],
        ways=[index[representative] for index in ways],
        waits=np.bitwise_or.reduceat(np.uint64(1) << kind[order].astype(np.uint64), first),
        good=np.logical_or.reduceat(good[order], first),
        suits=suits[representative],
    )


def _completions_with(sets: Any, pair: int) -> tuple[Any, ...]:
    counts = SET_COUNTS[sets].sum(axis=1)
    counts[:, pair] += 2
    (possible,) = np.nonzero(counts[:, pair] <= COPIES)
    row, kind, completion_type, form = completions(sets[possible], np.full(len(possible), pair))
    counts = counts[possible[row]]
    index = np.arange(len(row))
    counts[index, kind] -= 1
    by_suit = np.zeros((len(row), 4, 9), np.intp)
    by_suit.reshape(-1, 36)[:, :KINDS] = counts
    no_red = np.zeros(len(row), np.bool_)
    ways = [
        part.astype(np.uint16)
        for suit in range(4)
        for part in index_of_ways(np.full(len(row), suit), by_suit[:, suit], no_red)
    ]
    return (
        counts.astype(np.uint64) @ _KEYS,
        kind.astype(np.uint8),
        ((completion_type * len(sets) + possible[row]) * KINDS + pair).astype(np.int32),
        counts[index, kind].astype(np.uint8),
        (form & GOOD_FORMS) != 0,
        (by_suit.any(axis=2) @ (1 << np.arange(4))).astype(np.uint8),
        *ways,
    )


@lru_cache(maxsize=16)
def _codes(context: ScoringContext) -> Any:
    return base_codes(HandGrid.from_sets(context, _hands().combinations, np.arange(KINDS))).ravel()


@dataclass(frozen=True)
class TenTileHands:
    """In place of `houjuu.hands.tenpai_hands.TenpaiHands`; every win has the same score code."""

    context: ScoringContext

    def weights(
        self, unseen: Any, _reds: object, furiten: int = 0, other_forms: float = 1.0
    ) -> HandWeights:
        """As `TenpaiHands.weights`."""
        hands = _hands()
        low, high = suit_ways(unseen, (False, False, False))
        weight = ((hands.waits & np.uint64(furiten)) == 0) * np.where(hands.good, 1.0, other_forms)
        for number, index in enumerate(hands.ways):
            weight *= (high if number % 2 else low).take(index)
        is_live = melded_copies(self.context)[hands.kind] + hands.copies < COPIES
        is_win = is_live & (_codes(replace(self.context, dora=()))[hands.code] > 0)
        weight *= np.logical_or.reduceat(is_live, hands.first)
        has_yaku = np.logical_or.reduceat(is_win, hands.first)
        colours = _Colours.from_context(self.context)
        colour = np.array(colours.colours)[colours.index_of_suits[hands.suits]]
        class_ = colour * HAND_CLASSES + 2 * ~hands.good + ~has_yaku
        by_class = np.bincount(class_, weight, COLOURS * HAND_CLASSES).reshape(COLOURS, -1)
        hand = np.repeat(np.arange(len(hands.first)), np.diff(hands.first, append=len(is_win)))
        # The completions of a hand on one kind are one win.
        new = np.append(True, (np.diff(hand) != 0) | (np.diff(hands.kind) != 0))
        wins = np.flatnonzero(np.logical_or.reduceat(is_win, np.flatnonzero(new)))
        wins = np.flatnonzero(new)[wins]
        cell = colour[hand[wins]] * KINDS + hands.kind[wins]
        by_score = np.zeros((COLOURS, KINDS, CODES))
        by_score[..., _ANY_CODE] = np.bincount(cell, weight[hand[wins]], COLOURS * KINDS).reshape(
            COLOURS, KINDS
        )
        return HandWeights(by_class, colours.colours, by_score[colours.colours])


class TenTileCache(HandCache):
    """Has the hands of ten tiles of the opponents with one meld."""

    def hands(self, view: View, seat: int) -> Any:
        """As `HandCache.hands`."""
        if len(view.seats[seat].melds) == 1:
            return TenTileHands(ScoringContext.from_view(view, seat))
        return super().hands(view, seat)


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, default=520, help="number of held-out games")
    options.add_argument("--all", action="store_true", help="all opponents, tenpai or not: D")
    arguments = options.parse_args()
    wanted = select_games(accepted_games(), held_out=arguments.games)
    with open_engine(settings.load().run) as engine:
        function = partial(_rows, not arguments.all)
        rows = pd.concat(map_games(function, wanted, engine, "ten tiles"), ignore_index=True)
    print(f"{len(rows):,} kinds, {rows['win'].mean():.2%} win")
    print(f"seven tiles {rows['seven_ms'].mean():.1f} ms, ten {rows['ten_ms'].mean():.0f} ms")
    for model in MODELS:
        seven, ten = (rows[f"{model} {tiles}"].to_numpy() for tiles in (7, 10))
        _show(model, rows, seven, ten)
        for tiles, predicted in ((7, seven), (10, ten)):
            print(f"  {tiles} tiles: {_calibration(rows, predicted)}")
        if not arguments.all:
            logits = logit(np.clip(np.stack([seven, ten], axis=1), 1e-6, 1 - 1e-6))
            _show(f"{model}, both", rows, _fitted(rows, logits[:, :1]), _fitted(rows, logits))


def _rows(tenpai_only: bool, games: list[Game]) -> pd.DataFrame:
    estimators = [houjuu.load(model) for model in MODELS]
    rows = []
    for game in games:
        for drawn, n_decisions in _draw(game, tenpai_only):
            view, opponent, wins = drawn
            columns: dict[str, Any] = {}
            for tiles, hand_cache in ((7, HandCache()), (10, TenTileCache())):
                start = time.process_time()
                hand_cache.hands(view, opponent.seat).weights(view.unseen(), (True,) * 3)
                columns["seven_ms" if tiles == 7 else "ten_ms"] = 1e3 * (
                    time.process_time() - start
                )
                for model, estimator in zip(MODELS, estimators, strict=True):
                    risk = estimator.deal_in(view, hand_cache)
                    number = [seat.seat for seat in risk.opponents].index(opponent.seat)
                    given = risk.tenpai[number] if tenpai_only else 1.0
                    columns[f"{model} {tiles}"] = risk.by_opponent[number] / given
            frame = pd.DataFrame(columns | {"win": mask_to_array(wins)})
            held = np.bincount([KIND[tile] for tile in view.hand], minlength=KINDS) > 0
            frame = frame[held & ~view.genbutsu(opponent.seat)]
            weight = 1 if tenpai_only else n_decisions
            rows.append(frame.assign(game=game.id, weight=weight))
    return pd.concat(rows, ignore_index=True) if rows else pd.DataFrame()


def _draw(game: Game, tenpai_only: bool) -> Iterator[tuple[tuple[View, Seat, int], int]]:
    """Yield one decision that faces each hand with one meld, and the number of such decisions."""
    drawn: dict[tuple[int, int], tuple[View, Seat, int]] = {}
    n_decisions: Counter[tuple[int, int]] = Counter()
    rng = np.random.default_rng(zlib.crc32(game.id.encode()))
    for table, index, discard in decisions(game):
        for seat in table.seats:
            melds = (seat.n_open_melds, len(seat.melds))
            if seat.seat == discard.seat or melds != (1, 1) or seat.was_away:
                continue
            hand = table.round_state.hands[seat.seat]
            is_tenpai = shanten([KIND[tile] for tile in hand]) == 0
            if tenpai_only and not is_tenpai:
                continue
            key = index, seat.seat
            n_decisions[key] += 1
            if rng.random() * n_decisions[key] < 1:
                view = table.view(discard.seat)
                drawn[key] = view, seat, ron_kinds(table, view, seat) if is_tenpai else 0
    yield from ((decision, n_decisions[key]) for key, decision in drawn.items())


def _show(name: str, rows: pd.DataFrame, before: Any, after: Any) -> None:
    weight = rows["weight"].to_numpy() / rows["weight"].mean()
    label = rows["win"].to_numpy()
    losses = [row_losses(predicted, label) * weight for predicted in (before, after)]
    difference, half = clustered_mean(losses[1] - losses[0], rows["game"].to_numpy(object))
    means = " ".join(f"{loss.mean():.4f}" for loss in losses)
    print(f"{name}: {means}, difference {difference:+.4f} ± {half:.4f}")


def _fitted(rows: pd.DataFrame, logits: Any) -> Any:
    """Predictions of a logistic regression that was fitted to the other half of the games."""
    half = np.array([zlib.crc32(game.encode()) % 2 for game in rows["game"]])
    predicted = np.zeros(len(rows))
    for one in range(2):
        fit = LogisticRegression(C=np.inf).fit(logits[half != one], rows["win"][half != one])
        predicted[half == one] = fit.predict_proba(logits[half == one])[:, 1]
    return predicted


def _calibration(rows: pd.DataFrame, predicted: Any) -> str:
    """Mean prediction and measured share of each bin, percent."""
    cells = []
    for _, group in rows.assign(predicted=predicted).groupby(bins(predicted, EDGES)):
        measured, half = clustered_mean(
            group["win"].to_numpy(float), group["game"].to_numpy(object)
        )
        cells.append(
            f"{100 * group['predicted'].mean():.1f}: {100 * measured:.1f} ± {100 * half:.1f}"
        )
    return ", ".join(cells)


if __name__ == "__main__":
    main()
