"""Matches of the yaku evaluation: the plain linear evaluation by hand, and the discards."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="matches are played on it")
pytest.importorskip("joblib", reason="fits need the train extra")
from benchmarks import yaku_matches
from benchmarks.yaku_matches import LinearYaku, YakuDiscards
from houjuu.arena.matches import Match
from houjuu.game import yaku
from houjuu.game.tiles import format_tiles, parse_tiles
from houjuu.player.hand_value import yaku_targets
from houjuu.player.hand_value.hand_decomposition import CLASSES
from houjuu.player.hand_value.yaku_targets import TARGETS, YakuTarget, summarize
from houjuu.player.players import PLAYERS
from houjuu.player.rules.policies import DiscardOptions, RelativeDanger
from tests.player.hand_value.test_value import seen

PINFU, TANYAO, WIN = (
    TARGETS.index(YakuTarget(0, number)) for number in (yaku.PINFU, yaku.TANYAO, yaku_targets.WIN)
)


def weights() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.zeros((2, len(TARGETS), 1 + len(CLASSES)))


def total(hand: str, model: LinearYaku) -> float:
    tiles = parse_tiles(hand)
    context = {"melds": (), "round_wind": 27, "seat_wind": 28, "dora": [], "tiles_left": 60}
    return model.total(summarize(tiles, shanten=3, **context))  # type: ignore[arg-type]


def test_the_linear_evaluation_is_the_inner_product_times_han() -> None:
    """平和 (1 han) with .2, and .1 for a run of simples; the group adds タンヤオ."""
    y = weights()
    y[0, PINFU, 0], y[0, PINFU, 1 + CLASSES.index("run of simples")] = 0.2, 0.1
    hand = "234m19p19s1234567z"
    assert total(hand, LinearYaku(y)) == pytest.approx(0.3)
    y[0, TANYAO, 0] = 0.05
    assert total(hand, LinearYaku(y)) == pytest.approx(0.35)
    y[0, PINFU, 0] = -1.0
    assert total(hand, LinearYaku(y)) == pytest.approx(0.05)  # no probability below 0
    assert total(hand, LinearYaku(weights())) == 0.0


def test_dora_count_for_every_win() -> None:
    y = weights()
    y[0, WIN, 0] = 0.5
    plain, red = (total(f"2346m{five}8p3588s257z", LinearYaku(y)) for five in "50")
    assert red > plain > 0.0


def test_the_discard_has_most_tiles_times_the_evaluation() -> None:
    """Without an evaluation the useful tiles alone count, as for v3; below the limit 評価値."""
    view = seen("1389m2257p46s1357z", tiles_left=60)
    options = DiscardOptions(view, view.hand)
    assert min(options.shanten.values()) >= 3
    hands = {tile: tuple(t for t in view.hand if t != tile) for tile in options.nearest()}
    kept = parse_tiles("3z")[0]

    def only_without(summary: object) -> float:
        return float(summary.counts[kept // 4] == 0)  # type: ignore[attr-defined]

    chosen = YakuDiscards(evaluation=only_without).choose(options)
    assert kept // 4 in {tile // 4 for tile in hands}
    assert format_tiles([chosen.tile]) == "3z"
    far = YakuDiscards(evaluation=only_without, lowest=7).choose(options)
    assert far == RelativeDanger().choose(options)


@pytest.mark.slow
def test_every_variant_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "linear.npz"
    np.savez(path, weights=weights())
    for name, constructor in yaku_matches.players(path).items():
        monkeypatch.setitem(PLAYERS, name, constructor)
        assert Match((name, "v3", "v3", "v3")).play(0, 0).final is not None
