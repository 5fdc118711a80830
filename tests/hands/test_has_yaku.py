"""Whether a winning hand has a yaku, against the engine that judges logs."""

from __future__ import annotations

import numpy as np
import pytest

from houjuu.game.events import Meld, MeldKind
from houjuu.game.tiles import COPIES, KIND, KINDS
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.score import has_yaku
from houjuu.hands.whole_hands import WholeHands, count_weights
from houjuu.reading.hand_features import useful
from tests.kit.positions import melds

hand_calculating = pytest.importorskip("mahjong.hand_calculating.hand")
config = pytest.importorskip("mahjong.hand_calculating.hand_config")
mahjong_meld = pytest.importorskip("mahjong.meld")

KINDS_OF_MELDS = {MeldKind.CHI: "chi", MeldKind.PON: "pon"}


def oracle(hand: np.ndarray, kind: int, shown: tuple[Meld, ...]) -> bool:
    """As `mahjong` sees it: south in an east round."""
    copies = np.zeros(KINDS, np.intp)
    open_melds = []
    for meld in shown:
        ids = []
        for tile in meld.tiles:
            ids.append(COPIES * KIND[tile] + copies[KIND[tile]])
            copies[KIND[tile]] += 1
        name = KINDS_OF_MELDS.get(meld.kind, "kan")
        open_melds.append(mahjong_meld.Meld(name, ids, opened=meld.is_open))
    whole = copies + hand
    whole[kind] += 1
    tiles = [COPIES * k + i for k in range(KINDS) for i in range(whole[k])]
    options = config.OptionalRules(has_open_tanyao=True)
    rules = config.HandConfig(player_wind=28, round_wind=27, options=options)
    calculator = hand_calculating.HandCalculator()
    win = COPIES * kind + whole[kind] - 1
    return calculator.estimate_hand_value(tiles, win, melds=open_melds, config=rules).error is None


@pytest.mark.parametrize(
    "shown", ["", "123m", "234s", "111z", "333z", "789p 123m", "555s 999m", "(8888p)", "567m 567p"]
)
def test_against_mahjong(shown: str) -> None:
    opened = melds(shown)
    rng = np.random.default_rng(len(shown))
    copies = np.full(KINDS, 4)
    for meld in opened:
        for tile in meld.tiles:
            copies[KIND[tile]] -= 1
    weights = count_weights(copies) * np.exp(rng.normal(size=(KINDS, 1)) * np.arange(5) / 2)
    n_tiles = 13 - 3 * len(opened)
    n = 90 if opened else 900  # pinfu is of closed hands alone
    hands = WholeHands(weights, n_tiles).draw(np.ones(n, np.intp), rng)
    waits = useful(hands, n_tiles // 3).waits & (hands < copies)
    rows, kinds = np.nonzero(waits)
    context = ScoringContext(tuple(opened), round_wind=27, seat_wind=28)
    found = has_yaku(hands[rows], kinds, context)
    assert 0 < found.sum() < len(found) or shown in ("111z", "(8888p)")
    for row, kind, has in zip(rows.tolist(), kinds.tolist(), found, strict=True):
        assert has == oracle(hands[row], kind, opened), (hands[row].tolist(), kind, shown)
