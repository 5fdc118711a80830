"""The command ``houjuu bot``: exit status, standard output and standard error."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("riichienv", reason="it is the referee")
from houjuu.cli import main
from houjuu.game.rules import Rules
from houjuu.live.live import Live
from houjuu.logs.mjai_messages import Messages
from tests.player.test_bot import DRAW, START

ROOT = Path(__file__).parents[2]
GAME = [{"type": "start_game", "id": 0}, START, DRAW]
COMMAND = [sys.executable, "-m", "houjuu", "bot", "--player", "v1"]


def run(monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    return main(["bot", *arguments])


def lines(*messages: object) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)


@pytest.mark.parametrize("player", [(), ("--player", "relative")])
def test_an_answer_a_line(
    player: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, lines(*GAME), *player) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["type"] for answer in answers] == ["none", "none", "dahai"]
    assert run(monkeypatch, lines(GAME), *player) == 0
    (answer,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert answer == answers[-1]


@pytest.mark.parametrize("advise", [(), ("--advise",)])
def test_a_card_and_the_unseen_tiles_are_added(
    advise: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for option in ((), ("--card", "ja"), ("--unseen",)):
        assert run(monkeypatch, lines(*GAME), *advise, *option) == 0
        shown.append(json.loads(capsys.readouterr().out.splitlines()[-1]))
    without, card, unseen = shown
    assert card["meta"].pop("show")["items"][0]["label"] == "下家"
    live = Live()
    live.hear(GAME)
    copies = unseen["meta"].pop("unseen")
    assert [*copies.values()] == [*live.unseen().to_dict().values()]
    assert {"E", "P"} <= copies.keys()
    assert card == unseen == without


def test_damage_goes_to_stderr(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    text = lines(*GAME[:2]) + "{\n\n" + lines(DRAW, {"type": "chat"})
    assert run(monkeypatch, text) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["type"] for answer in answers] == ["none", "none", "none", "dahai", "none"]
    assert "is not JSON" in caplog.text


def test_errors_end_it_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "", "--player", "nobody") == 2
    assert "no player 'nobody'" in capsys.readouterr().err
    assert run(monkeypatch, "", "--player", "v1", "--advise") == 2
    assert "omit --player" in capsys.readouterr().err
    for advise in ((), ("--advise",)):
        assert run(monkeypatch, lines({"type": "start_game"}), *advise) == 2
        captured = capsys.readouterr()
        assert "the own seat is unknown" in captured.err
        assert captured.out == ""


def test_null_does_not_override_the_seat(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = lines({"type": "start_game", "id": None}, START, DRAW)
    assert run(monkeypatch, game, "--player", "v1", "--seat", "0") == 0
    assert '"dahai"' in capsys.readouterr().out


@pytest.mark.parametrize("advise", [(), ("--advise",)])
def test_rules_and_length_are_options(
    advise: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = Rules()
    following = Live.hear

    def hear(live: Live, message: Messages) -> None:
        nonlocal rules
        following(live, message)
        rules = live.table.rules

    monkeypatch.setattr(Live, "hear", hear)
    for option, expected in (
        ((), ("tenhou", True, False)),
        (("--rules", "mahjong-soul", "--east-only"), ("mahjong-soul", False, True)),
        (("--no-east-only",), ("tenhou", True, True)),
    ):
        assert run(monkeypatch, lines(*GAME), *advise, *option) == 0
        assert (rules.profile.name, rules.hanchan, rules.stated) == expected
        answer = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert ("assumed" in answer["meta"]) == (not rules.stated)


def test_ctrl_c_and_a_closed_pipe_end_it_quietly() -> None:
    pipe = subprocess.PIPE
    process = subprocess.Popen(COMMAND, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines(GAME[0]))
    process.stdin.flush()
    assert json.loads(process.stdout.readline()) == {"type": "none"}
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")

    read, write = os.pipe()
    process = subprocess.Popen(COMMAND, cwd=ROOT, stdin=pipe, stdout=write, stderr=pipe, text=True)
    os.close(write)
    os.close(read)
    _, errors = process.communicate(lines(*GAME), timeout=60)
    assert (process.returncode, errors) == (141, "")


BESIDE = ROOT / "tests" / "player" / "foreign_bot.py"


def beside(text: str, conduct: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command beside a bot of tests."""
    other = f"{sys.executable} {BESIDE} {conduct}"
    command = [sys.executable, "-m", "houjuu", "bot", "--beside", other, *arguments]
    return subprocess.run(command, cwd=ROOT, input=text.encode(), capture_output=True, check=False)


def test_the_risks_ride_on_the_answers_of_another_bot(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its answers are there to the byte, and `meta` is that of advice."""
    text = lines(*GAME) + "\n" + lines([*GAME])
    assert run(monkeypatch, text, "--advise", "--card", "en") == 0
    advice = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    done = beside(text, "good", "--card", "en")
    alone = subprocess.run(
        [sys.executable, BESIDE, "good"],
        input=text.replace("\n\n", "\n").encode(),
        capture_output=True,
        check=True,
    ).stdout.splitlines()
    assert done.returncode == 0
    answers = done.stdout.splitlines()
    assert len(answers) == len(alone) == len(advice) == 4
    for answer, other, ours in zip(answers, alone, advice, strict=True):
        added = b", " + json.dumps({"meta": ours["meta"]}).encode()[1:-1] if "meta" in ours else b""
        assert answer == other[:-1] + added + b"}"
    assert [b"meta" in answer for answer in answers] == [False, False, True, True]


@pytest.mark.parametrize(
    ("conduct", "garbage", "says"),
    [("latin", b"\xff\xfe\n", b"not text in UTF-8"), ("list", b"[1]\n", b"is a JSON object")],
)
def test_garbage_of_another_bot_is_reported_once(conduct: str, garbage: bytes, says: bytes) -> None:
    """And passed on to the byte."""
    done = beside(lines(*GAME, *GAME), conduct)
    assert (done.returncode, done.stdout) == (0, 6 * garbage)
    (line,) = (one for one in done.stderr.splitlines() if b"answers without meta: " in one)
    assert says in line


def test_the_answers_stop_with_the_other_bot(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And a sentence says why."""
    done = beside(lines(*GAME), "dies")
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 2
    assert b"answers no more: it ended with 7" in done.stderr
    for arguments, says in (
        (("--beside", "no-such-bot"), "'no-such-bot' cannot be started"),
        (("--beside", "cat", "--player", "v1"), "omit --player"),
    ):
        assert run(monkeypatch, "", *arguments) == 2
        assert says in capsys.readouterr().err
