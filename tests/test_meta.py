"""The data for overlays equal the answer of the estimator, by absolute seat and by tile."""

from __future__ import annotations

import json
from typing import Any

import pytest

import houjuu
from houjuu.game.events import Game
from houjuu.game.tiles import KIND, RED_FIVES, mjai_name
from houjuu.logs import mjai
from houjuu.meta import SCHEMA, meta

HAND = ["1m", "6m", "7m", "1p", "8p", "9p", "5sr", "5s", "7s", "9s", "E", "N", "P"]
START: dict[str, Any] = {
    "type": "start_kyoku",
    "bakaze": "E",
    "dora_marker": "5m",
    "honba": 1,
    "kyoku": 1,
    "kyotaku": 0,
    "oya": 0,
    "scores": [25000] * 4,
    "tehais": [[["?"] * 13, HAND][seat == 2] for seat in range(4)],
}


def test_every_number_of_whole_rounds(own_games: list[Game]) -> None:
    """With open hands in the stream, so that melds and riichi occur in every seat."""
    live = houjuu.Live(seat=2)
    n_tiles = n_reds = 0
    for message in list(mjai.messages(own_games[0]))[:400]:
        live.hear(message)
        if live.decision is None:
            continue
        answer = json.loads(json.dumps(meta(live)))
        view, risk = live.view, live.risk()
        assert (answer["schema"], answer["model"], answer["seat"]) == (SCHEMA, "houjuu", 2)
        assert answer["in_step"] is True
        assert "problem" not in answer
        own, right, across, left = (answer["tenpai"][seat] for seat in (2, 3, 0, 1))
        assert own is None
        assert [right, across, left] == pytest.approx(risk.tenpai, abs=1e-6)
        assert set(answer["tiles"]) == {mjai_name(tile) for tile in view.hand}
        for tile in view.hand:
            entry = answer["tiles"][mjai_name(tile)]
            assert entry["deal_in"] == pytest.approx(risk.any[KIND[tile]], abs=1e-6)
            assert entry["points"] == round(risk.points_of(tile))
            seats = [entry["by_seat"][seat] for seat in (3, 0, 1)]
            assert seats == pytest.approx(risk.by_opponent[:, KIND[tile]], abs=1e-6)
            assert entry["by_seat"][2] is None
            n_tiles += 1
            n_reds += tile in RED_FIVES
    assert n_tiles > 300
    assert n_reds > 5


def test_tiles_are_in_order_and_digits_are_few() -> None:
    live = houjuu.Live(seat=2)
    live.hear(START)
    live.hear({"type": "tsumo", "actor": 0, "pai": "?"})
    answer = meta(live)
    names = sorted(set(HAND) - {"5sr", "5s"}, key=HAND.index)
    assert list(answer["tiles"]) == [*names[:6], "5sr", "5s", *names[6:]]
    for number in [*_numbers(answer["tenpai"]), *_numbers(list(answer["tiles"].values()))]:
        assert number == round(number, 6)


def _numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [number for item in value for number in _numbers(item)]
    return [] if value is None else [value]


def test_without_red_fives_the_names_are_plain() -> None:
    live = houjuu.Live(seat=2)
    hands = [
        hand if hand[0] == "?" else ["5s"] * 2 + HAND[:6] + HAND[8:] for hand in START["tehais"]
    ]
    live.hear({"type": "start_game", "aka_flag": False})
    live.hear({**START, "tehais": hands})
    live.hear([{"type": "tsumo", "actor": 0, "pai": "?"}])
    live.hear({"type": "dahai", "actor": 0, "pai": "5s", "tsumogiri": True})
    assert "5s" in meta(live)["tiles"]
    assert "5sr" not in meta(live)["tiles"]


def test_out_of_step_the_reason_replaces_the_numbers() -> None:
    live = houjuu.Live(seat=2)
    live.hear(START)
    with pytest.raises(houjuu.Error):
        live.hear({"type": "tsumo", "actor": 3, "pai": "?"})
    answer = meta(live)
    assert set(answer) == {"schema", "model", "seat", "in_step", "problem"}
    assert answer["in_step"] is False
    assert answer["problem"] == live.problem
    live.hear(START)
    assert meta(live)["in_step"] is True


def test_a_hidden_hand_has_no_tiles() -> None:
    live = houjuu.Live(seat=1)
    live.hear(START)
    assert meta(live)["tiles"] == {}
    assert len(meta(live)["tenpai"]) == 4


def test_without_a_round_there_is_nothing() -> None:
    with pytest.raises(houjuu.Error):
        meta(houjuu.Live(seat=1))
    with pytest.raises(houjuu.Error):
        meta(houjuu.Live())
