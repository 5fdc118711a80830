"""The data for overlays follow their schema and equal the answer of the estimator."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import houjuu
from houjuu.game.events import Game
from houjuu.game.rules import Rules
from houjuu.game.tiles import MJAI_NAMES, RED_FIVES, mjai_name, parse_kind
from houjuu.live.overlay import SCHEMA, meta, with_card
from houjuu.logs import mjai
from houjuu.risk.texts import DANGEROUS, RISKY, SAFE, best_discard
from houjuu.util.errors import Error
from houjuu.util.languages import LANGUAGES, translate
from houjuu.util.languages.names import tile_names
from tests.kit.messages import HAND, discard, draw, start, told

JSON_SCHEMA = json.loads((Path(__file__).parents[1] / "docs" / "meta.schema.json").read_text())
START = start(seat=2, dora_marker="5m", honba=1)


def checked(live: houjuu.Live, *, unseen: bool = False, deals: int = 0) -> Any:
    """`meta` after JSON, if it follows its schema."""
    answer = json.loads(json.dumps(meta(live, unseen=unseen, deals=deals), allow_nan=False))
    jsonschema.validate(answer, JSON_SCHEMA)
    return answer


def test_deals_have_the_names_of_mjai() -> None:
    live = houjuu.Live(seat=2)
    live.hear(START)
    answer = checked(live, deals=3)
    assert answer["deals"] == checked(live, deals=3)["deals"]
    assert "deals" not in checked(live)
    names = [mjai_name(tile) for tile in set(range(136)) - set(live.view.visible())]
    for deal in answer["deals"]:
        assert sorted([*deal["wall"], *(t for hand in deal["hands"] for t in hand)]) == sorted(
            names
        )
        assert [len(hand) for hand in deal["hands"]] == live.unseen().sizes[:3].tolist()


def test_the_schema_refuses_what_is_wrong() -> None:
    live = houjuu.Live(seat=2)
    live.hear(START)
    answer = checked(live, unseen=True)
    east = answer["unseen"]["E"]
    wrong: list[Any] = [
        {**answer, "schema": "houjuu/1"},
        {**answer, "seat": 4},
        {**answer, "in_step": False},
        {**answer, "opponents": answer["opponents"][:2]},
        {**answer, "tiles": {"0s": answer["tiles"]["5sr"]}},
        {**answer, "tiles": {"5s": {**answer["tiles"]["5s"], "deal_in": 1.01}}},
        {**answer, "tiles": {"5s": {**answer["tiles"]["5s"], "by_opponent": [0.1] * 4}}},
        {key: value for key, value in answer.items() if key != "tiles"},
        {**answer, "unseen": None},
        {**answer, "unseen": {"1z": east}},
        {**answer, "unseen": {"5mr": east}},
        *(
            {**answer, "unseen": {"E": {**east, key: value}}}
            for key, value in (("unseen", 0), ("wall", 4.1), ("hands", [0.1] * 4), ("none", 1.1))
        ),
        {**answer, "unseen": {"E": {key: east[key] for key in ("unseen", "wall", "hands")}}},
    ]
    for changed in wrong:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(changed, JSON_SCHEMA)
    jsonschema.validate({**answer, "new": 1}, JSON_SCHEMA)


def test_every_number_of_whole_rounds(own_games: list[Game]) -> None:
    """With open hands in the stream, so that melds and riichi occur in every seat."""
    live = houjuu.Live(seat=2)
    n_tiles = n_reds = 0
    for message in list(mjai.messages(own_games[0]))[:400]:
        live.hear(message)
        if live.decision is None:
            continue
        answer = checked(live)
        view, risk = live.view, live.risk()
        assert (answer["schema"], answer["model"], answer["seat"]) == (SCHEMA, "houjuu", 2)
        assert answer["in_step"] is True
        assert "problem" not in answer
        opponents = answer["opponents"]
        assert [(one["name"], one["seat"]) for one in opponents] == [
            ("right", 3),
            ("across", 0),
            ("left", 1),
        ]
        assert opponents == json.loads(json.dumps(risk.to_dict()["opponents"]))
        assert answer["tiles"] == {mjai_name(tile): risk[tile].to_dict() for tile in view.hand}
        n_tiles += len(view.hand)
        n_reds += len({*view.hand} & {*RED_FIVES})
    assert n_tiles > 300
    assert n_reds > 5


def test_the_unseen_tiles_of_a_whole_round(own_games: list[Game]) -> None:
    """After every message of it, in step: those of the estimator, all of them, under mjai names."""
    live, own_estimator = houjuu.Live(seat=2), houjuu.load()
    before: Any = None
    for message in list(mjai.messages(own_games[0]))[:100]:
        live.hear(message)
        if not live.table.events:
            continue
        answer = checked(live, unseen=True)
        copies = answer.pop("unseen")
        assert answer == checked(live)
        expected = own_estimator.unseen(live.view)
        by_name = json.loads(json.dumps(expected.to_dict()))
        assert copies == {MJAI_NAMES[parse_kind(name)]: one for name, one in by_name.items()}
        assert message["type"] != "dahai" or copies != before
        before = copies


def test_tiles_are_in_order_and_digits_are_few() -> None:
    live = houjuu.Live(seat=2)
    live.hear(START)
    live.hear(draw(0))
    answer = checked(live, unseen=True)
    names = sorted(set(HAND) - {"5sr", "5s"}, key=HAND.index)
    assert list(answer["tiles"]) == [*names[:6], "5sr", "5s", *names[6:]]
    numbers = list(_numbers(answer))
    assert len(numbers) > 100
    for number in numbers:
        assert number == round(number, 6)


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _numbers(item)
    elif not isinstance(value, str):
        yield value


def test_without_red_fives_the_names_are_plain() -> None:
    live = houjuu.Live(seat=2)
    hands = [
        hand if hand[0] == "?" else ["5s"] * 2 + HAND[:6] + HAND[8:] for hand in START["tehais"]
    ]
    live.hear({"type": "start_game", "aka_flag": False})
    live.hear({**START, "tehais": hands})
    live.hear([draw(0)])
    live.hear(discard(0, "5s"))
    answer = checked(live)
    assert "5s" in answer["tiles"]
    assert "5sr" not in answer["tiles"]


def test_an_assumed_length_is_named() -> None:
    """Until the caller or a message states it, or a round is one that no East-only game has."""
    south = {**START, "bakaze": "S", "scores": [30000, 20000, 25000, 25000]}
    level = {**south, "scores": [29900, 20100, 25000, 25000]}
    east = Rules.from_site("mahjong-soul", east_only=True)
    first: dict[str, object] = {"type": "start_game", "id": 2}
    for rules, stream, assumed, hanchan in (
        (None, [first, START], True, True),
        (None, [level], True, True),  # East-only games go on like this, too
        (None, [south, level], False, True),
        (None, [south, first, START], True, True),
        (None, [{**first, "kyoku_first": 4}, START], False, False),
        (Rules.from_site("mahjong-soul"), [first, START], True, True),
        (Rules.from_site(east_only=False), [first, START], False, True),
        (east, [first, START], False, False),
        (east, [{**first, "gametype": "tonnan", "rules": "tenhou"}, START], False, True),
    ):
        live = houjuu.Live(2, rules=rules)
        live.hear(stream)
        assert checked(live).get("assumed") == ("hanchan" if assumed else None), stream
        named = stream[0].get("rules") or (rules or Rules()).profile.name
        assert (live.view.rules.hanchan, live.view.rules.profile.name) == (hanchan, named)
    with pytest.raises(Error, match="the rules are 'east': pass"):
        houjuu.Live(2, rules="east")  # type: ignore[arg-type]
    with pytest.raises(Error, match="no rules 'riichi-city'; there are tenhou, mahjong-soul"):
        Rules.from_site("riichi-city")


def test_out_of_step_the_reason_replaces_the_numbers() -> None:
    live = houjuu.Live(seat=2)
    live.hear(START)
    with pytest.raises(houjuu.Error):
        live.hear(draw(3))
    answer = checked(live, unseen=True)
    assert answer == checked(live)
    assert answer["in_step"] is False
    assert answer["problem"] == live.problem
    live.hear(START)
    assert meta(live)["in_step"] is True


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_best_discard_in_a_sentence(language: str) -> None:
    """Every number and name is that of the answer."""
    answer: Any = checked(facing_riichi())
    best, following = sorted(answer["tiles"].items(), key=lambda tile: tile[1]["points"])[:2]
    assert answer["best"]["tile"] == best[0]
    text = answer["best"]["why"][language]
    position_names = {"E": "1z", "N": "4z", "P": "5z", "5sr": "0s"}
    for name, risk in (best, following):
        assert tile_names(translate(language), position_names.get(name, name)) in text
        assert risk["points"] == 0 or str(risk["points"]) in text
    assert f"{100 * best[1]['deal_in']:.1f}%" in text


def test_the_best_discard_names_the_opponent() -> None:
    tile: Any = {"deal_in": 0.031, "points": 160}
    opponents: Any = [{"type": kind} for kind in ("riichi", "2 melds", "closed")]
    tiles: Any = {
        "9p": {**tile, "points_by_opponent": [20, 140, 0]},
        "0s": {**tile, "points": 1234, "points_by_opponent": [1234, 0, 0]},
    }
    best = best_discard({"room": None, "opponents": opponents, "tiles": tiles})
    assert best == {
        "tile": "9p",
        "why": {
            "en": "9p costs least: it deals in 3.1% of the time, for 160 expected points, "
            "most of it to the open hand across; next is red 5s with 1,234 points.",
            "ja": "最も損失が小さいのは打9p（放銃率3.1%、期待失点160点）で、主な相手は"
            "対面の仕掛け、次は打赤5sの1,234点。",
            "zh": "打9p损失最小（放铳率3.1%，期望失点160点），主要是放铳给副露的对家，"
            "其次是打赤5s，1,234点。",
        },
    }
    one: Any = {"9p": {**tile, "points": 0, "points_by_opponent": [0, 0, 0]}}
    alone = best_discard({"room": None, "opponents": opponents, "tiles": one})
    assert alone is not None
    assert alone["why"]["en"].endswith("for no points to speak of.")


def test_a_hidden_hand_has_no_tiles() -> None:
    live = houjuu.Live(seat=1)
    live.hear(START)
    assert checked(live)["tiles"] == {}
    assert checked(live)["best"] is None
    copies = checked(live, unseen=True)["unseen"]
    assert sum(entry["unseen"] for entry in copies.values()) == 34 * 4 - 1
    assert len(checked(live)["opponents"]) == 3


def test_without_a_seat_the_reason_stands_alone() -> None:
    live = houjuu.Live()
    with pytest.raises(houjuu.Error):
        live.hear("{")
    assert checked(live)["seat"] is None


def test_without_a_round_there_is_nothing() -> None:
    with pytest.raises(houjuu.Error):
        meta(houjuu.Live(seat=1))
    with pytest.raises(houjuu.Error):
        meta(houjuu.Live())


def facing_riichi() -> houjuu.Live:
    """Seat 2 has drawn 5p, and seat 0, across from it, is in riichi."""
    live = houjuu.Live(seat=2)
    live.hear(START)
    for seat, tile in ((0, "9m"), (1, "W"), (2, "1m"), (3, "W")):
        live.hear(draw(seat, tile if seat == 2 else "?"))
        live.hear(discard(seat, tile))
    live.hear(draw(0))
    live.hear(told("reach", 0))
    live.hear(discard(0, "9s"))
    live.hear([told("reach_accepted", 0), draw(1)])
    live.hear(discard(1, "W"))
    live.hear(draw(2, "5p"))
    return live


def test_a_card_has_the_numbers_of_the_answer() -> None:
    answer = meta(facing_riichi())
    assert answer["in_step"]
    shown = json.loads(json.dumps(with_card(answer)))
    jsonschema.validate(shown, JSON_SCHEMA)
    card = shown.pop("show")
    assert shown == answer
    right, across, left, *tiles = card["items"]
    assert across == {"label": "across", "note": "riichi", "value": "tenpai 100%"}
    assert [row["label"] for row in (right, left)] == ["right", "left"]
    assert {row["pais"][0] for row in tiles} == answer["tiles"].keys()
    losses = [answer["tiles"][row["pais"][0]]["points"] for row in tiles]
    assert losses == sorted(losses)
    for row in tiles:
        risk = answer["tiles"][row["pais"][0]]
        assert row["label"] == f"expected loss {risk['points']:,} points"
        assert row["value"] == f"{100 * risk['deal_in']:.1f}%"
        by_opponent = [f"{100 * p:.1f}" for p in risk["by_opponent"]]
        assert re.findall(r"[\d.]+(?=%)", row["note"]) == by_opponent
        edges = (risk["deal_in"] >= 0.02) + (risk["deal_in"] >= 0.06)
        assert row["color"] == (SAFE, RISKY, DANGEROUS)[edges]
    assert {row["color"] for row in tiles} == {SAFE, RISKY, DANGEROUS}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_in_each_language(language: str) -> None:
    shown: Any = with_card(meta(facing_riichi()), language)["show"]
    catalogue = translate(language)
    room = catalogue("page.room.phoenix")
    model = catalogue("card.of_room", model="houjuu", room=room)
    assert shown["title"] == catalogue("card.title", model=model)
    assert shown["items"][1]["label"] == catalogue("seat.across")
    assert shown["items"][1]["note"] == catalogue("term.riichi")


def test_out_of_step_the_card_is_the_reason() -> None:
    """A program shows the last card that it got: an old one would show old risks."""
    live = facing_riichi()
    with pytest.raises(houjuu.Error):
        live.hear(draw(3))
    answer = meta(live)
    shown: Any = with_card(answer)
    jsonschema.validate(shown, JSON_SCHEMA)
    (row,) = shown["show"]["items"]
    assert row == {"label": "out of step until the next round", "note": live.problem}
