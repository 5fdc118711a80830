"""A report of mjai-reviewer as a review: the engine beside the values, without an option."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from houjuu.cli import main
from houjuu.cli.browser import answer
from houjuu.logs import any_format
from houjuu.review import rendering
from houjuu.review.export import short
from houjuu.review.page_types import Review
from houjuu.review.review_data import agree
from houjuu.review.verdict import advised_action, chosen_action
from houjuu.util.languages import LANGUAGES
from tests.kit.reports import Message, data, report

SEAT = 2
ENGINE = "Mortal mortal4"


def _changed() -> Message:
    """The engine passes where the seat calls, which is a mistake at one decision at least."""
    changed = report(SEAT)
    for one in (entry for round in changed["review"]["kyokus"] for entry in round["entries"]):
        if one["actual"]["type"] in ("chi", "pon"):
            one["expected"] = {"type": "none"}
            one["details"] = [
                {"action": {"type": "none"}, "q_value": 0.5, "prob": 0.75},
                {"action": one["actual"], "q_value": -0.25, "prob": 0.25},
            ]
    return changed


@pytest.fixture(scope="module")
def reviewed() -> Review:
    return rendering.reviewed(any_format.parse(data(_changed()), "report"), SEAT)


def test_the_engine_stands_beside(reviewed: Review) -> None:
    (engine,) = reviewed["beside"]
    shared = [
        choice
        for choice in reviewed["choices"]
        if choice["value_lost"]
        and not agree(choice["beside"][0]["action"], chosen_action(choice))
        and agree(choice["beside"][0]["action"], advised_action(choice))
    ]
    assert (engine["name"], engine["absent"], engine["shared"]) == (ENGINE, None, len(shared))
    assert engine["answered"] == engine["choices"] > engine["played"] > 90
    assert shared
    for choice in shared:
        (beside,) = choice["beside"]
        assert beside["gives"] == {"value": 0.5, "probability": 0.75}
        assert beside["gives_chosen"] == {"value": -0.25, "probability": 0.25}
        assert choice["why"]
        assert choice["why"]["en"].endswith(f"; {ENGINE} prefers passing.")
        assert all(ENGINE in choice["why"][language] for language in LANGUAGES)
    listed = {one["address"]: one["beside"] for one in short(reviewed)["mistakes"]}
    assert all(
        listed[f"{SEAT}.{one['round']}.{one['step'] + 1}"] == one["beside"] for one in shared
    )


def test_the_other_seats_have_none() -> None:
    game = any_format.parse(data(report(SEAT)), "report")
    assert rendering.reviewed(game, 0)["beside"] == []
    assert rendering.reviewed(game, SEAT, "none")["beside"] == []


def test_missing_entries_are_a_reason() -> None:
    changed = _changed()
    del changed["review"]["kyokus"][0]["entries"][0]["state"]
    (engine,) = rendering.reviewed(any_format.parse(data(changed), "report"), SEAT)["beside"]
    assert engine["absent"]
    assert engine["absent"]["en"] == "review.kyokus[0].entries[0]: lacks a field"
    assert engine["answered"] < engine["choices"]


@pytest.mark.slow
def test_the_command_names_the_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "report.json").write_bytes(data(_changed()))
    monkeypatch.chdir(tmp_path)
    assert main(["review", "report.json", "--one-seat", "--lang", "en"]) == 0
    assert f"{ENGINE}: " in capsys.readouterr().out


def test_a_file_is_a_game_or_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the command, and in the browser, whose page hands in the file."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "report.json"
    file.write_bytes(data(_changed()))
    shown = json.loads(answer("players", json.dumps({"paths": [str(file)]}), print))
    assert shown["result"]["seats"][0] == shown["result"]["own"] == SEAT
    text = file.read_bytes()
    for bad, reason in (
        (text[:-9], "is not JSON"),
        (text.replace(b'"engine": "Mortal"', b'"engine": "NAGA"'), "is of the engine 'NAGA'"),
        (text.replace(b'"player_id": 2', b'"player_id": 1'), "no entry of the report stands"),
    ):
        file.write_bytes(bad)
        assert main(["review", str(file), "--one-seat", "--lang", "en"]) == 2
        assert reason in capsys.readouterr().err
        wrong = json.loads(answer("review", json.dumps({"paths": [str(file)]}), lambda _: None))
        assert reason in wrong["error"]
