"""The paper's model on the han without dora, in positions by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import houjuu
from features import prediction_rows
from features.dora_free import paper_without_dora, view_without_dora
from features.paper_wait_counts import WaitCounts, count
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.game.events import Game, Meld
from houjuu.game.table import View
from houjuu.game.tiles import RED_FIVES, parse_tiles
from houjuu.hands.points import han_of
from tests.kit.positions import changed, chi, pon, view_of

PAPER = "kurita-hoki-2017"


def without_dora(han: int) -> KuritaHoki:
    """The paper's model, whose counted riichi had so many han without dora."""
    counts = WaitCounts.zeros()
    counts.han_without_dora[han - 1] = 10_000
    model = paper_without_dora(houjuu.load(PAPER), counts)
    assert model is not None
    return model


def likely_han(model: KuritaHoki, view: View, tile: str) -> int:
    """The most probable han of a ron by the seat to the right."""
    scores = model.deal_in(view).tile_scores(*parse_tiles(tile))[0]
    by_han = np.bincount(han_of(np.arange(len(scores), dtype=np.uint8)), scores)
    return int(by_han[1:].argmax()) + 1


def with_melds(*melds: Meld) -> View:
    """Seat 1 has these melds; 1p is the indicator, so that 2p is dora."""
    view = view_of("9s", "9m", dora="1p")
    right = dataclasses.replace(view.seats[1], melds=melds)
    return changed(view, seats=(view.seats[0], right, *view.seats[2:]))


def test_no_tile_is_seen_or_hidden_by_leaving_out_the_dora() -> None:
    view = changed(with_melds(pon("555z")), hand=parse_tiles("19m"))
    changed_view = view_without_dora(view)
    assert changed_view.dora == ()
    assert changed_view.unseen().tolist() == view.unseen().tolist()
    assert changed_view.rules == view.rules


def test_an_open_hand_without_its_dora() -> None:
    """Haku and a red five are two han; three dora in a meld make five."""
    view = with_melds(pon("555z"), pon("222p"), chi("067s"))
    assert set(RED_FIVES) & {tile for meld in view.seats[1].melds for tile in meld.tiles}
    model = without_dora(1)
    assert likely_han(model, view, "4m") == 5
    assert likely_han(model, view_without_dora(view), "4m") == 2


@pytest.mark.parametrize("han", [1, 2, 3])
def test_a_riichi_has_the_frequencies_without_dora(han: int) -> None:
    """Also on a dora, whose ron has more han with it."""
    view = view_of("", "9s 8s*", dora="1p")
    assert likely_han(without_dora(han), view, "2p") > han
    assert likely_han(without_dora(han), view_without_dora(view), "2p") == han


def test_other_models_do_not_predict_it(own_games: list[Game]) -> None:
    counts = count(own_games)
    estimators = [houjuu.load(), houjuu.load(PAPER)]
    models = [paper_without_dora(estimator, counts) for estimator in estimators]
    assert models[0] is None
    ours, papers = prediction_rows.rows(own_games[:2], estimators, 10, models)
    assert (ours.rons["likely_han_without_dora"] == 0).all()
    likely = papers.rons["likely_han_without_dora"]
    assert likely.between(1, 13).all()
    assert likely.mean() < papers.rons["likely_han"].mean()
    by_default = prediction_rows.rows(own_games[:1], estimators[1:], 10)[0].rons
    assert (by_default["likely_han_without_dora"] == 0).all()
