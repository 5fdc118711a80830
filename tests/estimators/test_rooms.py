"""Factors by room: what they change in an answer, who names the room, and how they are fitted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import houjuu
from features import schema, tenpai_rows
from houjuu.arena.selfplay import play
from houjuu.cli import adapt, main
from houjuu.cli.adapt import WaitRows
from houjuu.estimators.log_linear.model import LogLinear
from houjuu.estimators.log_linear.rooms import (
    UNCHANGED,
    RoomFactors,
    Rows,
    TenpaiRows,
    fitted,
    in_room,
)
from houjuu.game.events import PlayerInfo, Rules
from houjuu.game.view import View
from houjuu.logs import mjlog
from houjuu.logs.mjai import Reader
from houjuu.reading.opponent import opponent_contexts
from houjuu.util import parameters
from houjuu.util.arrays import sigmoid
from houjuu.util.errors import Error, ParameterError
from houjuu.util.parameters import Parameters
from tests.kit.files import shipped
from tests.kit.positions import changed, pon, view_of

LINES = np.array([[0.8, 0.9, -0.5, -0.3], [1.1, 0.5, 0.2, 0.4], *[UNCHANGED] * 2])
FACTORS = {
    "rooms/names": np.array(["general"]),
    "rooms/tenpai": LINES[None],
    "rooms/waits": np.array([[0.8, 1.1]]),
}
HANDS = view_of(
    "9p 3z 1m", "2s 3p 9m 1z 4p* 5p", "1z! 9s 2p 6m! 8p 1p!", "4z 3s 2m! 7p! 1s!", dora="2p"
)
VIEW = changed(HANDS, seats=(*HANDS.seats[:3], replace(HANDS.seats[3], melds=(pon("777z"),))))
"""Opponents in riichi, closed, and open; the last two have discarded after the riichi."""


def in_rules(view: View, rules: Rules) -> View:
    return changed(view, rules=rules)


@pytest.fixture(scope="module")
def raw() -> Parameters:
    return in_room(shipped(), None)


@pytest.fixture(scope="module")
def estimator(raw: Parameters) -> LogLinear:
    return LogLinear(Parameters(raw.header, {**raw.arrays, **FACTORS}))


def test_the_factors_of_a_room_are_in_every_answer(raw: Parameters, estimator: LogLinear) -> None:
    general = in_rules(VIEW, Rules(named_room="general"))
    before, after = LogLinear(raw).deal_in(VIEW), estimator.deal_in(general)
    assert (before.room, after.room) == (None, "general")
    contexts = opponent_contexts(VIEW, VIEW.opponents)
    gam, network = LogLinear(raw).tenpai_model.terms(contexts)
    for i, (line, of_waits) in enumerate(zip(LINES[:2], (0.8, 1.1), strict=True), start=1):
        assert contexts[i].seat.river[-1].others_in_riichi
        logit = line @ [gam[i], network[i], 1.0, 1.0]
        assert after.tenpai[i] == pytest.approx(sigmoid(logit), abs=1e-12)
        waits = [one.by_opponent[i] / one.tenpai[i] for one in (before, after)]
        assert waits[1] == pytest.approx(of_waits * waits[0], abs=1e-9)
        explanation = after.explain("5m")[i]
        parts = sum(part for _, part in explanation.tenpai_reasons)
        assert parts == pytest.approx(after.tenpai[i], abs=1e-9)
        parts = sum(part for _, part in explanation.reasons)
        assert parts == pytest.approx(after.by_opponent[i, 4], abs=1e-9)
    assert np.array_equal(before.by_opponent[0], after.by_opponent[0])


def test_an_unknown_room_is_the_phoenix_room(raw: Parameters, estimator: LogLinear) -> None:
    views = [in_rules(VIEW, one) for one in (Rules(), Rules(named_room="general"), Rules(0xA9))]
    plain = LogLinear(raw).deal_in(VIEW).any
    answers = estimator.deal_in_many(views)
    assert [one.room for one in answers] == ["phoenix", "general", "phoenix"]
    for view, answer in zip(views, answers, strict=True):
        assert answer.any == pytest.approx(estimator.deal_in(view).any, abs=1e-12)
        assert np.allclose(answer.any, plain, atol=1e-12) == (answer.room == "phoenix")


def test_rows_have_the_factors_of_their_room(raw: Parameters, estimator: LogLinear) -> None:
    rows = tenpai_rows.rows([play(3)])
    columns = schema.arrays(rows)
    rooms = np.where(np.arange(len(rows)) % 2, "general", "unknown")
    files = [in_room(Parameters(raw.header, {**raw.arrays, **FACTORS}), "general"), raw]
    general, plain = (LogLinear(file).tenpai_of_rows(columns) for file in files)
    assert not np.allclose(general, plain)
    by_room = estimator.tenpai_of_rows({**columns, "room": rooms})
    assert by_room == pytest.approx(np.where(rooms == "general", general, plain), abs=1e-12)


@pytest.mark.parametrize(
    ("rules", "room"),
    [
        (Rules(), None),
        (Rules(0x09, "0000"), "general"),
        (Rules(0x89), "advanced"),
        (Rules(0x29), "expert"),
        (Rules(0xE1), "phoenix"),
        (Rules(0xA9, stated=False), None),
        (Rules(0xA9, named_room="bots"), "bots"),
        (play(3).rules, "bots"),
        (mjlog.parse(mjlog.write(play(3)), "a").rules, "bots"),
    ],
)
def test_the_flags_tell_the_room(rules: Rules, room: str | None) -> None:
    assert rules.room == room


def test_who_names_a_room() -> None:
    rivers = {"self": "9m", "right": "4z", "across": "1m'", "left": "1z*"}
    view = houjuu.position("123m0678p1199s55z + 4p", rivers, dora="3p", room="expert")
    assert view.rules.room == "expert"
    live = houjuu.Live(0, room="general")
    live.hear({"type": "start_game", "names": []})
    rooms = [live.table.rules.room]
    live.hear({"type": "start_game", "names": [], "room": "bots"})
    assert [*rooms, live.table.rules.room] == ["general", "bots"]
    reader = Reader()
    reader.read({"type": "start_game", "names": [], "room": "attic"})
    assert reader.rules.room is None
    assert [*reader.unread]
    with pytest.raises(Error, match="no room 'attic'; the rooms are phoenix"):
        houjuu.Live(0, room="attic")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [("waits", np.ones((2, 2))), ("tenpai", 9 * LINES[None]), ("waits", np.zeros((1, 2)))],
)
def test_damaged_factors_are_refused(raw: Parameters, name: str, value: np.ndarray) -> None:
    with pytest.raises(ParameterError, match="factors of"):
        LogLinear(Parameters(raw.header, {**raw.arrays, **FACTORS, f"rooms/{name}": value}))


def rows_of_truth(line: tuple[float, ...], factors: tuple[float, float]) -> list[Rows]:
    """300 games by the truth of these factors."""
    rng = np.random.default_rng(4)
    n = 18_000
    game = np.repeat(rng.integers(0, 2**63, 300).astype(np.uint64), n // 300)
    terms = np.column_stack(
        [rng.normal(-1, 1.5, n), rng.normal(0, 1, n), np.ones(n), rng.random(n) < 0.3]
    )
    tenpai = TenpaiRows(terms, rng.integers(0, 4, n), rng.random(n) < sigmoid(terms @ line), game)
    wins, is_open = rng.random((n, 34)) / 10, rng.integers(0, 2, n)
    label = rng.random((n, 34)) < wins * np.array(factors)[is_open, None]
    return [tenpai, WaitRows(wins, is_open, label, game)]


PRIORS = np.tile(UNCHANGED, (4, 1)), np.ones(2)


def test_fits_find_the_factors_or_leave_them() -> None:
    truth = (0.8, 0.7, -0.5, -0.4), (0.8, 1.1)
    for rows, prior, expected in zip(rows_of_truth(*truth), PRIORS, truth, strict=True):
        factors, gain = fitted(rows, prior)
        assert factors == pytest.approx(np.broadcast_to(expected, prior.shape), abs=0.15)
        assert gain.gain > gain.half > 0
    for rows, prior in zip(rows_of_truth(UNCHANGED, (1.0, 1.0)), PRIORS, strict=True):
        factors, gain = fitted(rows, prior)
        assert factors == pytest.approx(prior, abs=0.1)
        assert gain.pull is None or gain.gain < gain.half


def test_rows_are_of_people(raw: Parameters) -> None:
    """Not of the seats of programs; each tenpai hand has its waits."""
    game = play(3)
    named = replace(game, players=tuple(PlayerInfo(name) for name in ("ⓝA", "B", "C", "D")))
    (tenpai, waits), (fewer, _) = (adapt.rows_of([one], raw).values() for one in (game, named))
    assert 0 < len(fewer.game) < len(tenpai.game)
    assert isinstance(tenpai, TenpaiRows)
    assert isinstance(waits, WaitRows)
    assert len(waits.game) == tenpai.label.sum()


def test_the_command_adapts_a_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (logs := tmp_path / "logs").mkdir()
    (logs / "0.mjlog").write_bytes(mjlog.write(play(0)))
    file = tmp_path / "mine.npz"
    command = ["adapt", str(logs), "-o", str(file)]
    assert main(command) == 0
    assert "nothing is gained" in capsys.readouterr().out
    assert houjuu.load(file).model == "houjuu"
    (logs / "1.mjlog").write_bytes(mjlog.write(play(1)))
    made = dict(zip(adapt.MAKERS, rows_of_truth((0.8, 0.7, -0.5, -0.4), (0.8, 1.1)), strict=True))
    monkeypatch.setattr("houjuu.cli.adapt.rows_of", lambda games, model: made)
    assert main([*command, "--room", "general"]) == 0
    assert "general: 2 games" in capsys.readouterr().out
    assert houjuu.load(file).model.startswith("houjuu:mine@")
    tenpai, waits = RoomFactors.from_parameters(parameters.read(file)).of_room("general")
    assert tenpai[0] == pytest.approx([0.8, 0.7, -0.5, -0.4], abs=0.15)
    assert waits == pytest.approx([0.8, 1.1], abs=0.1)
    assert main([*command, "--model", "kurita-hoki-2017"]) == 2
