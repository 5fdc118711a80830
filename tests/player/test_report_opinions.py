"""The answers of a report at the decisions of its game."""

from __future__ import annotations

import pytest

from houjuu.game.actions import ActionKind
from houjuu.game.decisions import Follower
from houjuu.game.events import Riichi
from houjuu.logs import any_format, engine_reports
from houjuu.player import report_opinions
from houjuu.player.foreign import EngineAnswer
from houjuu.player.second_opinion import Opinions
from houjuu.scoring.legality import legal_actions
from houjuu.util.errors import LogError
from tests.kit.reports import GAME, Message, data, report


def _opinions(report: Message) -> Opinions:
    content = data(report)
    return report_opinions.opinions(engine_reports.read(content), any_format.parse(content, "x"))


def _only_discards_of_riichi(seat: int) -> int:
    """The entries of the kit where only one action was legal: mjai-reviewer has none there."""
    game = any_format.parse(GAME.read_bytes(), "game")
    follower = Follower(game, [seat], legal_actions)
    return sum(
        isinstance(game.events[one.event], Riichi) and not one.is_free
        for one in follower.decisions()
    )


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("engine", ["Mortal", "Akochan"])
def test_every_entry_is_found(seat: int, engine: str) -> None:
    """The engine of the kit does as the seat did, so that each answer is the choice of the log."""
    opinions = _opinions(report(seat, engine))
    assert opinions.record is not None
    n_entries = opinions.record.asked - (
        _only_discards_of_riichi(seat) if engine == "Mortal" else 0
    )
    assert opinions.record.answered == n_entries
    answered = [
        (answer.action, decision.chosen)
        for answer, decision in zip(opinions.answers, opinions.decisions, strict=True)
        if answer != EngineAnswer()
    ]
    assert len(answered) >= n_entries
    assert all(action == chosen for action, chosen in answered)
    kinds = {action.kind for action, _ in answered if action}
    assert {ActionKind.DISCARD, ActionKind.RIICHI} <= kinds


def test_options_are_legal_actions() -> None:
    """A pass among own draws is none; the value and the probability stay with their action."""
    opinions = _opinions(report(3))
    first = next(one for one in opinions.answers if one.action)
    assert [(one.action, *one[1:]) for one in first.options] == [(first.action, -0.5, 0.75)]
    with_pass = [one.options for one in opinions.answers if len(one.options) == 2]
    assert with_pass
    assert all(options[1].action.kind is ActionKind.PASS for options in with_pass)


def test_an_illegal_answer_is_absent() -> None:
    """The entry stands at its decision, and the reason names the message."""
    changed = report(3)
    for one in changed["review"]["kyokus"][0]["entries"][:1]:
        one["expected"] = {"type": "hora", "actor": 3, "target": 3}
    opinions = _opinions(changed)
    absent = [one for one in opinions.answers if one.absent]
    assert [one.absent for one in absent] == [opinions.record and opinions.record.absent]
    assert "'hora'" in str(absent[0].absent)
    assert opinions.record
    assert opinions.record.answered == opinions.record.asked - 1 - _only_discards_of_riichi(3)


def test_another_hand_is_no_entry() -> None:
    changed = report(3)
    lost = changed["review"]["kyokus"][0]["entries"][0]
    lost["state"]["tehai"][0] = "9m" if lost["state"]["tehai"][0] != "9m" else "1m"
    record = _opinions(changed).record
    assert record
    assert record.answered == record.asked - 1 - _only_discards_of_riichi(3)


def test_a_report_of_another_game() -> None:
    read = engine_reports.read(data(report(2) | {"player_id": 1}))
    game = any_format.parse(GAME.read_bytes(), "game")
    with pytest.raises(LogError, match="no entry of the report stands at a decision"):
        report_opinions.opinions(read, game)
