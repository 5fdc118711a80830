"""Reports of mjai-reviewer: a game with the results of tenhou.net/6, and an engine's answers."""

from __future__ import annotations

from typing import Any

import pytest

from houjuu.cli import main
from houjuu.game.events import DrawnRound, Win
from houjuu.logs import any_format, engine_reports
from houjuu.util.errors import LogError
from tests.kit.events import content, ends
from tests.kit.reports import GAME, data, report


def test_the_game_is_that_of_the_log() -> None:
    """With fu and yaku of split_logs; without them, mjai_log has the events and the points."""
    log = any_format.parse(GAME.read_bytes(), "game")
    whole, without = report(1), report(1)
    del without["split_logs"]
    of_report = any_format.parse(data(whole), "folder/report.json")
    assert list(map(_result, ends(of_report))) == list(map(_result, ends(log)))
    of_messages = any_format.parse(data(without), "report.json")
    assert [end.deltas for end in ends(of_messages)] == [end.deltas for end in ends(log)]
    for game in (of_report, of_messages):
        assert [*map(_play, content(game))] == [*map(_play, content(log))]
    assert of_report.id == "report"
    assert any_format.parse(data({**whole, "log_id": "2024gm-1"}), "x").id == "2024gm-1"
    assert any(event.fu and event.yaku for event in of_report if isinstance(event, Win))


def _result(end: Win | DrawnRound) -> tuple[object, ...]:
    return (end.deltas, end.points, sorted(end.yaku)) if isinstance(end, Win) else (end.deltas,)


def _play(event: tuple[Any, ...]) -> tuple[Any, ...]:
    """An event; of a result its type: other tests compare it."""
    return event[:1] if event[0] in ("Win", "DrawnRound") else event


def test_the_length_is_that_of_mjai_log() -> None:
    """The rule of split_logs may lack it."""
    east = report(0)
    east["mjai_log"][0]["kyoku_first"] = 4
    assert not any_format.parse(data(east), "x").rules.hanchan
    assert any_format.parse(data(report(0)), "x").rules.hanchan


def test_its_seat_is_the_own_seat() -> None:
    text = data(report(2))
    game = any_format.parse(text, "x")
    assert any_format.own_seat(game, [("x", text)]) == 2


def test_answers() -> None:
    read = engine_reports.read(data(report(3)))
    assert (read.engine, read.model, read.seat, read.missing) == ("Mortal", "mortal4", 3, ())
    entry = read.entries[0]
    assert entry.place == (69 - 3, 3, entry.place.tile, None)
    assert len(entry.hand) == 14
    assert entry.expected == entry.options[0].moves
    assert [one[1:] for one in entry.options] == [(-0.5, 0.75), (-1.0, 0.25)]
    assert {one.place.after for one in read.entries} == {None, "call", "riichi"}


def test_ranks_by_absolute_seat() -> None:
    """The first row is the reviewed seat, the next that to its right."""
    ranks = engine_reports.read(data(report(3))).ranks
    assert ranks is not None
    assert [row[0] for row in ranks[0]] == pytest.approx([0.1, 0.2, 0.3, 0.0])


def test_akochan() -> None:
    """A riichi or call is one answer with its discard, and values are points."""
    read = engine_reports.read(data(report(3, "Akochan")))
    assert (read.engine, read.model, read.ranks) == ("Akochan", None, None)
    assert {len(entry.expected) for entry in read.entries} == {1, 2}
    assert read.entries[0].options[0][1:] == (1.5, None)


def test_another_version_is_read_as_far_as_it_goes() -> None:
    changed = report(0)
    entries = changed["review"]["kyokus"][2]["entries"]
    n_entries = len(engine_reports.read(data(changed)).entries)
    del entries[1]["tiles_left"]
    entries[3]["details"][0]["q_value"] = "best"
    entries[4] = None
    changed["review"]["kyokus"][5]["entries"] = None
    n_lost = 3 + len(report(0)["review"]["kyokus"][5]["entries"])
    changed["review"]["relative_phi_matrix"][1][2] = [2, 0, 0, 0]
    read = engine_reports.read(data(changed))
    assert len(read.entries) == n_entries - n_lost
    assert read.ranks is None
    assert read.missing == (
        "review.kyokus[2].entries[1]: has no tiles_left",
        "review.kyokus[2].entries[3]: q_value is 'best', not a number",
        "review.kyokus[2].entries[4]: lacks a field",
        "review.kyokus[5].entries: is not there",
        "review.relative_phi_matrix: is not 4 by 4 probabilities a round",
    )


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"engine": "NAGA"}, "is of the engine 'NAGA', and not of Mortal or akochan"),
        ({"review": None}, "is of the engine 'Mortal', and not of Mortal or akochan"),
        ({"player_id": 4}, "player_id is 4, but seats are 0 to 3"),
    ],
)
def test_reports_without_answers(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(LogError, match=reason):
        engine_reports.read(data(report(0) | changes))


def test_games_that_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    """Cut off, without messages, with rounds that are no logs, and with one round less."""
    whole = report(0)
    for changes, reason in (
        ({"mjai_log": {"1": {"type": "start_kyoku"}}}, "mjai_log is not a list of messages"),
        ({"mjai_log": whole["mjai_log"][:40]}, "is cut off"),
        ({"split_logs": [{}]}, "split_logs is not a list with a log for each round"),
        ({"split_logs": whole["split_logs"][1:]}, "are of different games"),
    ):
        with pytest.raises(LogError, match=reason):
            any_format.parse(data({**whole, **changes}), "report")
    file = tmp_path / "report.json"
    file.write_bytes(data(whole)[:-1])
    assert main(["parse", str(file)]) == 1
    assert "report.json: is not JSON" in capsys.readouterr().out


def test_reports_in_the_kit_are_whole() -> None:
    """Each seat has an entry for each of its discards but those in riichi."""
    for seat in range(4):
        rounds = report(seat)["review"]["kyokus"]
        assert sum(len(one["entries"]) for one in rounds) > 90
