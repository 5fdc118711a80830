"""Reasons: their names, and that they add up to the attributions of the model."""

from __future__ import annotations

import numpy as np
import pytest

import houjuu
from houjuu import load
from houjuu.cli.danger import decisions
from houjuu.game.events import Game
from houjuu.game.tiles import KIND, kind_name, parse_kind, yakuhai_han
from houjuu.game.view import View
from houjuu.reading.opponent import OpponentType
from houjuu.risk import reasons
from houjuu.risk.opponent_risk import Explanation, Term
from houjuu.util.languages import translate
from houjuu.util.languages.glossary import message


def explained(game: Game, seat: int) -> list[tuple[View, int, Explanation]]:
    estimator = load()
    return [
        (one.view, kind, explanation)
        for one in list(decisions(game, seat))[::9]
        for kind in sorted({KIND[tile] for tile in one.view.hand})
        for explanation in estimator.deal_in(one.view).explain(kind_name(kind))
    ]


def test_reasons_of_real_positions(own_games: list[Game]) -> None:
    """They add up, each has an entry in the glossary, and dora is a reason of dora alone."""
    seen: set[str] = set()
    for view, kind, explanation in explained(own_games[0], 1):
        waits = reasons.wait_reasons(explanation, view, kind)
        tenpai = reasons.tenpai_reasons(explanation)
        if waits:
            total = sum(term.probability for term in waits)
            assert total == pytest.approx(explanation.probability, abs=1e-9)
        else:
            assert explanation.probability == 0 or explanation.genbutsu
        if tenpai:
            total = sum(term.probability for term in tenpai)
            assert total == pytest.approx(explanation.tenpai, abs=1e-9)
        names = [term.name for term in (*waits, *tenpai)]
        assert all((text := message(name)) and text[0].startswith("reason.") for name in names)
        assert ("dora" in names) <= (kind in view.dora)
        own_yakuhai = yakuhai_han(view.round_wind, view.seat_wind(explanation.seat))[kind]
        assert ("yakuhai" in names) <= bool(own_yakuhai)
        assert len(names) == len(waits) + len(tenpai)
        seen |= set(names)
    assert {"counts", "dora", "near_dora", "other_waits", "melds_nearby", "pushing"} <= seen


def explanation_of(
    parts: dict[str, float],
    tenpai: dict[str, float],
    opponent_type: OpponentType = OpponentType.ONE_MELD,
) -> Explanation:
    return Explanation(
        seat=1,
        opponent_type=opponent_type,
        genbutsu=False,
        tenpai=sum(tenpai.values()),
        colour=np.full(4, 0.25),
        probability=sum(parts.values()),
        terms=(),
        reasons=tuple(Term(*part) for part in parts.items()),
        tenpai_reasons=tuple(Term(*part) for part in tenpai.items()),
    )


@pytest.mark.parametrize(
    ("river", "melds", "merged"), [(-0.43, 0.41, True), (-0.1, 0.4, False), (0.2, 0.1, False)]
)
def test_parts_that_cancel_are_one_reason(river: float, melds: float, merged: bool) -> None:
    parts = {"1 open meld": 0.47, "its river": river, "its melds": melds}
    terms = {
        term.name: term.probability for term in reasons.tenpai_reasons(explanation_of({}, parts))
    }
    assert ("river_melds" in terms) == merged
    assert ("river" in terms) != merged
    assert sum(terms.values()) == pytest.approx(sum(parts.values()))
    if merged:
        assert terms["river_melds"] == pytest.approx(river + melds)


def test_a_closed_hand_has_no_reason_of_melds() -> None:
    parts = {"0 open melds": 0.12, "its melds": -0.02, "its river": 0.1}
    terms = reasons.tenpai_reasons(explanation_of({}, parts, OpponentType.CLOSED))
    assert {term.name: round(term.probability, 9) for term in terms} == {
        "0 open melds": 0.1,
        "river": 0.1,
    }


@pytest.mark.parametrize(
    ("tile", "name"),
    [
        ("6p", "dora"),
        ("3p", "near_dora"),
        ("2p", "other_waits"),
        ("6s", "other_waits"),
        ("1z", "other_waits"),
    ],
)
def test_dora_is_a_reason_of_dora(tile: str, name: str) -> None:

    view = houjuu.position("123m0678p1199s55z + 4p", dora="5p")
    parts = {"dora": 0.01, "tiles unseen": 0.02, "seen tiles": 0.01}
    terms = reasons.wait_reasons(explanation_of(parts, {}), view, parse_kind(tile))
    assert {term.name for term in terms} == {name, "counts"}
    assert sum(term.probability for term in terms) == pytest.approx(0.04)


def test_the_glossary_explains_every_reason() -> None:
    english = translate("en")
    entries = {key for key in english.messages if key.startswith("glossary.")}
    assert {f"glossary.{name}" for name in reasons.names()} == entries
