"""A search by deals: its chances are those of the estimator, and of the wall."""

from __future__ import annotations

import numpy as np
import pytest

import houjuu
from examples.search_deals import main, search
from houjuu.game.tiles import KIND
from houjuu.hands.shanten import shanten, useful


def test_it_prints_every_discard(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert lines[0].split()[1] == "0-shanten"


def test_the_shares_are_those_of_the_estimator() -> None:
    rivers = {"self": "9m", "right": "1z 9p", "across": "9s 4z*", "left": "2z 8m"}
    view = houjuu.position("123m067p1199s555z + 4p", seat="N", dora="3p", rivers=rivers)
    estimator = houjuu.load()
    options = search(view, estimator, n=400, draws=1)
    assert {KIND[one.tile] for one in options} == {KIND[tile] for tile in view.hand}
    assert [one.shanten for one in options] == sorted(one.shanten for one in options)
    risk, unseen = estimator.deal_in(view), estimator.unseen(view)
    for one in options:
        rest = [KIND[other] for other in view.hand if other != one.tile]
        assert one.shanten == shanten(rest)
        assert one.deals_in == pytest.approx(risk[one.tile].probability, abs=0.04)
        chance = unseen.next_draw[useful(rest)].sum() * (1 - one.deals_in)
        assert one.advances == pytest.approx(chance, abs=0.1)
    more = {one.tile: one.advances for one in search(view, estimator, n=400, draws=6)}
    assert all(more[one.tile] >= one.advances for one in options)
    assert np.mean([more[one.tile] - one.advances for one in options]) > 0.2
