"""mjai: streams with hidden hands give the same views, and bad messages are named."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from houjuu import logs
from houjuu.game.events import Deal, Discard, Draw, Game, RoundEnd, Win
from houjuu.game.rules import PROFILES, Rules
from houjuu.game.table import Table
from houjuu.logs import mjai
from houjuu.util.errors import LogError
from tests.kit.dialects import DIALECTS, hanchan, masked
from tests.kit.live_truth import differences, views_before_actions, views_of
from tests.kit.messages import call, discard, dora, draw, start, told


def test_a_live_stream_and_the_finished_log_read_alike(games: list[Game]) -> None:
    """The views of one seat are equal for a live stream and for the log of the same game."""
    compared = 0
    for seat, game in enumerate(games[:8]):
        messages = list(mjai.messages(game))
        live = Table(game.rules)
        stream = mjai.events(masked(message, seat % 4) for message in messages)
        log = Table(game.rules)
        for event, streamed in zip(mjai.events(messages), stream, strict=True):
            if isinstance(event, Discard):
                assert not differences(live.view(seat % 4), log.view(seat % 4))
                compared += 1
            log.apply(event)
            live.apply(streamed)
    assert compared > 200


def test_hidden_tiles_stay_unknown(own_games: list[Game]) -> None:
    messages = mjai.messages(own_games[0])
    events = list(mjai.events(masked(message, 1) for message in messages))
    deals = [event for event in events if isinstance(event, Deal)]
    assert deals
    assert all([hand is None for hand in deal.hands] == [True, False, True, True] for deal in deals)
    assert all((e.tile is None) == (e.seat != 1) for e in events if isinstance(e, Draw))
    wins = [event for event in events if isinstance(event, Win)]
    assert wins
    assert all((win.hand == ()) == (win.seat != 1) for win in wins)


START = start("1m 2m 3m 4m 5mr 6m 7m 8m 9m E E S S", dora_marker="1m")
DRAWN = draw(0, "P")
FALSE_TSUMOGIRI = discard(0, "E")
PON = [
    START,
    DRAWN,
    discard(0, "P"),
    call("pon", 3, 0, "P", "P P"),
    discard(3, "N", tsumogiri=False),
]


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        (["not json"], "is not JSON"),
        (["[1, 2]"], "is not a message"),
        (
            [json.dumps({"type": "start_kyoku", "honba": float("inf")})],
            "honba is inf, not a whole number",
        ),
        ([{"actor": 1}], "has no type"),
        ([START | {"oya": 4}], "oya is 4, but seats are 0 to 3"),
        ([START | {"dora_marker": "0m"}], "no tile of mjai"),
        ([START | {"tehais": [["1m"] * 13] + [["?"] * 13] * 3}], "all copies of 1m"),
        ([START | {"tehais": [["1m"] * 3 + ["?"] * 10] * 4}], "only some tiles are hidden"),
        ([START, draw(1)], "out of turn"),
        ([*PON[:3], told("hora", 1, target=1)], "that it did not draw"),
        ([START, DRAWN, discard(0, "9s", tsumogiri=False)], "hold 9s"),
        ([*PON, draw(0, "C"), FALSE_TSUMOGIRI], "drew C, not E"),
        ([START, call("pon", 1, 0, "E", "")], "not just"),
        ([START, DRAWN, told("hora", 1, target=0)], "did not just discard"),
        ([{"type": "start_game", "names": ["a", "b", "c"]}], "is a three-player game"),
    ],
)
def test_invalid_messages_are_rejected(messages: list[Any], reason: str) -> None:
    with pytest.raises(LogError, match=reason) as caught:
        list(mjai.events(messages))
    assert f"line {len(messages)}" in str(caught.value)


ABSURD: list[Any] = [None, {}, 1.5, -7, 10**30, "?x", [[]], ["1m", 2]]
CHI = call("chi", 1, 0, "P", "? ?")
KAKAN = told("kakan", 0, pai="P", consumed=["P", "P", "P"])
ANKAN = told("ankan", 0, consumed=["E", "E", "E", "E"])
DISCARD = discard(0, "P")


@pytest.mark.parametrize(
    ("before", "message", "optional"),
    [
        ([], START, ("scores",)),
        ([START], DRAWN, ()),
        ([START, DRAWN], DISCARD, ()),
        ([START, DRAWN, DISCARD], CHI, ()),
        ([START, DRAWN, DISCARD], CHI | {"type": "pon"}, ()),
        ([START, DRAWN], ANKAN, ()),
        ([START, DRAWN], KAKAN, ("consumed",)),
        ([START, DRAWN], told("reach", 0), ()),
        ([START, DRAWN], told("reach_accepted", 0), ()),
        ([START, DRAWN], dora("1p"), ()),
        ([START, DRAWN], told("hora", 0, target=0), ()),
    ],
)
def test_a_missing_or_absurd_field_is_named(
    before: list[Any], message: dict[str, Any], optional: tuple[str, ...]
) -> None:
    """In one sentence, without the name of an exception of Python."""
    for key in set(message) - {"type", *optional}:
        rest = {other: message[other] for other in message if other != key}
        with pytest.raises(LogError, match=f"has no {key}$"):
            list(mjai.events([*before, rest]))
        for value in ABSURD:
            with pytest.raises(LogError) as caught:
                list(mjai.events([*before, message | {key: value}]))
            assert "Error" not in caught.value.reason
            assert len(caught.value.reason) < 100


def test_a_game_in_progress(own_games: list[Game]) -> None:
    lines = mjai.write(own_games[0]).splitlines()
    whole = mjai.parse("\n".join(lines).encode())
    for cut in (5, len(lines) // 2, len(lines) - 1):
        data = "\n".join(lines[:cut]).encode()
        game = logs.parse(data, "game.mjson", unfinished=True)
        assert game.events == whole.events[: len(game.events)]
        assert game.rounds == sum("start_kyoku" in line for line in lines[:cut])
        assert game.final is None
    with pytest.raises(LogError, match="no start_kyoku"):
        logs.parse(b'{"type":"start_game"}', "game.mjson", unfinished=True)


@pytest.mark.parametrize("name", [*DIALECTS])
def test_files_in_every_dialect(name: str) -> None:
    """The views are those of the log of the server."""
    seat = 2
    data = "\n\n".join(json.dumps(message) for message in DIALECTS[name](hanchan(1)[0], seat))
    game = logs.parse(data.encode(), "game.json")
    views, truths = views_of(game, seat), views_before_actions(1, seat)
    assert len(views) == len(truths) > 50
    for view, truth in zip(views, truths, strict=True):
        assert not differences(view, truth)


def test_a_hidden_win_is_written_and_read() -> None:
    turns = [START, DRAWN, DISCARD, draw(1)]
    end = told("hora", 1, target=1, deltas=[-1000, 3000, -1000, -1000])
    game = mjai.parse(json.dumps([*turns, end]).encode())
    assert game.events[-1] == RoundEnd(winner=1, deltas=(-1000, 3000, -1000, -1000))
    assert mjai.parse(mjai.write(game).encode()).events == game.events
    hidden_end = mjai.parse(json.dumps([*turns, {"type": "end_kyoku"}]).encode())
    assert hidden_end.events[-1] == RoundEnd()
    assert mjai.parse(mjai.write(hidden_end).encode()).events == hidden_end.events


def test_the_next_round_ends_a_round_without_a_result() -> None:
    following = START | {"kyoku": 2, "oya": 1, "scores": [24000, 26000, 25000, 25000]}
    events = list(mjai.events([START, DRAWN, following]))
    assert [type(event) for event in events] == [Deal, Draw, RoundEnd, Deal]


def test_a_game_must_be_whole(own_games: list[Game]) -> None:
    lines = mjai.write(own_games[0]).splitlines()
    cut = [json.loads(line)["type"] for line in lines].index("end_kyoku") - 1
    with pytest.raises(LogError, match=r"game\.mjson: is cut off"):
        mjai.parse("\n".join(lines[:cut]).encode(), "game.mjson")
    with pytest.raises(LogError, match="no start_kyoku"):
        mjai.parse(b"", "game.mjson")


@pytest.mark.parametrize("name", ["m-league", "tenhou"])
def test_start_game_names_the_rules(own_games: list[Game], name: str) -> None:
    game = replace(own_games[0], rules=Rules(profile=PROFILES[name]), final=None)
    again = mjai.parse(mjai.write(game).encode(), "game.mjson")
    assert again.rules == game.rules
    lines = mjai.write(game).replace('"m-league"', '"another"').encode()
    unread = mjai.parse(lines, "game.mjson").unread
    assert [text for text in unread if "rules" in text] == (
        ["rules 'another' of round 0"] if name == "m-league" else []
    )
