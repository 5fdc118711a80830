"""Players that others wrote: they play as they answer, and no misconduct stops a match."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("riichienv", reason="it is the referee")
from houjuu.arena import hanchan
from houjuu.arena.matches import Match, answers, play_matches, read_match
from houjuu.cli import main
from houjuu.game.actions import Action, ActionKind
from houjuu.game.events import SEATS, Deal, Game
from houjuu.game.rules import Rules
from houjuu.game.view import View
from houjuu.live.live import Live
from houjuu.logs.mjai_writer import messages
from houjuu.player import foreign, players
from houjuu.player.foreign import MAX_STARTS, Command, Problem
from houjuu.player.names import short
from houjuu.player.second_opinion import opinions
from houjuu.review import rendering
from houjuu.scoring.legality import default_action
from houjuu.util.errors import Error
from houjuu.util.line_process import LineProcess, end_all
from tests.kit.absent import program

ROOT = Path(__file__).parents[2]
PYTHON = shlex.quote(sys.executable)
OURS = f"mjai:{PYTHON} -m houjuu bot --player v1"
BOT = f"mjai:{PYTHON} {shlex.quote(str(Path(__file__).with_name('foreign_bot.py')))}"
AKOCHAN = BOT.replace("foreign_bot.py", "akochan_like.py")
OTHERS = ("v1", "v1", "v1")


class Tsumogiri:
    """Passes, and discards what it draws."""

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Act."""
        return default_action(view, actions)


@pytest.fixture(scope="module")
def game() -> Game:
    """Two rounds without calls, in which the bot of these tests is right."""
    whole = hanchan.play("quiet", 1, [Tsumogiri()] * SEATS, list("ABCD"))
    third = [index for index, event in enumerate(whole) if isinstance(event, Deal)][2]
    return replace(whole, events=whole.events[:third])


@pytest.fixture(autouse=True)
def before() -> Iterator[list[str]]:
    """The processes of the tests before; none else may stay."""
    others = _children()
    yield others
    end_all()
    assert processes(others) == []


def processes(before: list[str]) -> list[str]:
    """The commands that a test has started and that still run, or were not waited for."""
    return [line for line in _children() if line not in before]


def _children() -> list[str]:
    listed = subprocess.run(
        ["ps", "-o", "args=", "--ppid", str(os.getpid())],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    return [line for line in listed.splitlines() if not line.startswith("ps ")]


@pytest.mark.parametrize(
    ("options", "rotations"),
    [(",keep", (0, 0)), (",dialect=mjai", (0,)), (" --seat,dialect=mjai.app", (0,))],
)
def test_a_command_plays_as_the_player_that_it_runs(
    options: str, rotations: tuple[int, ...], tmp_path: Path
) -> None:
    """In every dialect, and in a second game."""
    played: list[object] = []
    for line_up in ((OURS + options, *OTHERS), ("v1", *OTHERS)):
        match = Match(line_up, errors=tmp_path)
        games = [match.play_with((), 0, rotation) for rotation in rotations]
        assert not any(record.problems for game in games for record in game.answers.values())
        if line_up[0] == "v1":
            assert [[*messages(game.game)][1:] for game in games] == played
        played = [[*messages(game.game)][1:] for game in games]
    assert [file.read_text() for file in tmp_path.iterdir()] in ([], [""])


@pytest.mark.parametrize("dialect", ["mortal", "mjai.app", "mjai"])
def test_a_command_hears_what_its_seat_sees(dialect: str, game: Game, tmp_path: Path) -> None:
    """And it hears all of it: a table that follows the messages is in step at the end."""
    seat = 2
    heard = tmp_path / "heard"
    found = opinions(f"{BOT} good,dialect={dialect}", game, seat, heard)
    assert found.record is not None
    assert found.record.asked == found.record.answered == len(found.decisions) > 30
    assert found.record.problems == []
    lines = [json.loads(json.loads(line)["line"]) for line in heard.read_text().splitlines()]
    heard_messages = [one for line in lines for one in (line if isinstance(line, list) else [line])]
    assert all(isinstance(line, dict) == (dialect == "mjai") for line in lines)
    start, *_, end = heard_messages
    assert (start["id"], start["kyoku_first"], start["aka_flag"]) == (seat, 0, True)
    assert start["names"] == [player.name for player in game.players]
    assert end == {"type": "end_game", "scores": [score for score, _ in game.final or ()]}
    for message in heard_messages:
        if message["type"] == "start_kyoku":
            hidden = [hand for other, hand in enumerate(message["tehais"]) if other != seat]
            assert {name for hand in hidden for name in hand} == {"?"}
        assert message["type"] != "tsumo" or (message["pai"] == "?") == (message["actor"] != seat)
    live = Live()
    live.hear(heard_messages)
    assert (live.seat, live.in_step) == (seat, True)


def test_akochan_answers_a_turn_at_once(tmp_path: Path) -> None:
    """The match is that of the player itself, with riichi, calls and a second game."""
    (tmp_path / "here").touch()
    bot = f"{AKOCHAN} {{seat}},dialect=akochan,cwd={tmp_path},keep"
    played = []
    for line_up in ((bot, *OTHERS), ("relative", *OTHERS)):
        match = Match(line_up)
        games = [match.play_with((), deal, 0) for deal in (0, 1)]
        assert not any(record.problems for game in games for record in game.answers.values())
        heard = [[*messages(game.game)][1:] for game in games]
        played.append([one | {"tsumogiri": None} for game in heard for one in game])
    assert played[0] == played[1]  # of two equal tiles the bot discards the drawn one
    own = {one["type"] for one in played[0] if one.get("actor") == 0}
    assert own >= {"reach", "chi", "pon", "dahai"}


def test_the_moves_of_akochan_are_dropped_if_another_seat_is_first(tmp_path: Path) -> None:
    """It answers a discard with a chi and its discard; a pon of another seat comes first."""
    program = "import sys\nfor line in sys.stdin:\n if 'true' in line: print(sys.argv[1], flush=1)"
    chi = {"type": "chi", "actor": 2, "target": 1, "pai": "3m", "consumed": ["1m", "2m"]}
    answer = json.dumps([chi, {"type": "dahai", "actor": 2, "pai": "9s", "tsumogiri": False}])
    name = f"mjai:{PYTHON} -c {shlex.quote(program)} {shlex.quote(answer)},dialect=akochan"
    player = foreign.MjaiPlayer(name)
    player.sit(2, [], Rules())
    process = LineProcess(Command.from_name(name).of_seat(2))
    player._heard = [{"type": "dahai", "actor": 1, "pai": "3m", "tsumogiri": False}]
    assert json.loads(player._ask(process)) == chi
    player._heard.append({"type": "pon", "actor": 0, "target": 1, "pai": "3m"})
    player._heard.append({"type": "dahai", "actor": 0, "pai": "1z", "tsumogiri": False})
    assert json.loads(player._ask(process)) == chi
    player._heard.append({**chi, "actor": 2})
    assert json.loads(player._ask(process))["type"] == "dahai"
    assert json.loads(player._ask(process))["type"] == "none"
    process.close()


def test_a_bot_plays_by_the_possible_actions_alone() -> None:
    """It declares and calls whatever it may, and each answer is legal."""
    bot = f"mjai:{program('node')} {ROOT}/examples/offered.js,dialect=mjai"
    match = Match((bot, *OTHERS))
    found = match.play_with((), 0, 0)
    (record,) = found.answers.values()
    assert record.asked == record.answered > 30
    assert not record.problems
    own = {one["type"] for one in messages(found.game) if one.get("actor") == 0}
    assert own >= {"pon", "chi", "dahai"}


CONDUCTS: dict[str, tuple[str, bool, int | None]] = {
    "illegal": ("no action|illegal", False, 0),
    "another": ("is no action of seat 0", False, 0),
    "garbage": ("is no action", False, 0),
    "list": ("is no message of mjai", False, 0),
    "latin": ("is not JSON", False, 0),
    "twice": ("is one answer too many", False, None),
    "dies": ("it ended with 7", True, 2 * MAX_STARTS),
    "floods": ("floods its output|one answer too many|illegal", True, None),
    "long": ("more than 1,048,576 bytes", True, 0),
    "slow": ("no answer within 0.4 s", True, MAX_STARTS),
    "silent": ("no answer within 1 s", True, 0),
    "deaf": ("no answer within 1 s", True, 0),
}
"""What is wrong, whether the process fails, and the legal answers if their number is certain."""


@pytest.mark.parametrize("conduct", CONDUCTS)
def test_no_misconduct_stops_a_game(
    conduct: str, game: Game, before: list[str], tmp_path: Path
) -> None:
    """Each is recorded where it happened, and processes that failed are started a few times.

    What has no legal answer is absent, with the reason, and the record counts the others.
    """
    pattern, fails, answered = CONDUCTS[conduct]
    errors = tmp_path / "errors"
    found = opinions(f"{BOT} {conduct},start=1,limit=0.4", game, 0, errors)
    assert found.record is not None
    problems = found.record.problems
    assert problems
    assert matching(problems, pattern) > 0
    assert set(Problem.__annotations__) == set(problems[0])
    assert problems[0]["round"] == "E1.0"
    assert problems[0]["message"] is not None
    absent = [one.absent for one in found.answers if one.action is None]
    assert all(absent)
    assert found.record.absent == next(iter(absent), None)
    assert all(one.absent is None for one in found.answers if one.action is not None)
    assert found.record.answered == len(found.answers) - len(absent)
    assert answered in (None, found.record.answered)
    if conduct == "twice":
        assert len(absent) < 0.5 * len(found.answers)
    else:
        assert len(absent) > 0.5 * len(found.answers)
    if fails:
        assert matching(problems, "not asked any more in this game") > 10
        if conduct != "deaf":
            started = {json.loads(line)["process"] for line in errors.read_text().splitlines()}
            assert len(started) == (MAX_STARTS if conduct in ("dies", "slow", "floods") else 1)
    assert processes(before) == []


def matching(problems: list[Problem], pattern: str) -> int:
    """The number of problems with one of the texts."""
    return sum(any(text in one["problem"] for text in pattern.split("|")) for one in problems)


def test_the_seat_passes_and_discards_what_it_drew_without_an_answer() -> None:
    """The game is that of a bot that does so."""
    bots = [f"{BOT} {conduct},start=1" for conduct in ("good", "silent")]
    games = [Match((bot, *OTHERS)).play(0, 0) for bot in bots]
    assert games[0].events == games[1].events


def test_a_process_is_kept_for_the_next_game_or_not(game: Game, tmp_path: Path) -> None:
    """One that ends with its game is started again, and that is no problem."""
    for conduct, option, number in (("good", ",keep", 1), ("good", "", 2), ("leaves", ",keep", 2)):
        errors = tmp_path / f"{conduct}{option}"
        for _ in range(2):
            found = opinions(f"{BOT} {conduct}{option}", game, 0, errors)
            assert found.record is not None
            assert found.record.problems == []
        started = {json.loads(line)["process"] for line in errors.read_text().splitlines()}
        assert len(started) == number


def test_each_seat_of_one_command_keeps_a_process(before: list[str]) -> None:
    match = Match((f"{BOT} good,keep", f"{BOT} good,keep", "v1", "v1"))
    for deal in range(3):
        match.play(deal, 0)
        assert len(processes(before)) == 2


def test_many_seats_leave_no_process(before: list[str]) -> None:
    """Each ends in order, or is killed."""
    for number in range(1, 101):
        process = LineProcess(["cat"] if number % 2 else ["sh", "-c", "cat; sleep 600"])
        assert process.ask(b"x" * number, 10) == (b"x" * number + b"\n", [])
        process.close()
    assert processes(before) == []


def test_ctrl_c_ends_the_commands(tmp_path: Path) -> None:
    line_up = [f"{BOT} slow,start=60,limit=60", *OTHERS]
    match = [sys.executable, "-m", "houjuu", "arena", str(tmp_path / "match"), *line_up]
    process = subprocess.Popen([*match, "-q", "--jobs", "1"], cwd=ROOT, start_new_session=True)
    errors = tmp_path / "match" / "stderr-1.txt"
    while not errors.exists() or len(errors.read_text().splitlines()) < 2:
        time.sleep(0.05)
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to each process of its group
    assert process.wait(30) == 130
    (bot,) = {json.loads(line)["process"] for line in errors.read_text().splitlines()}
    with pytest.raises(ProcessLookupError):
        os.kill(bot, 0)


def test_a_match_with_a_bot_goes_on_and_counts_its_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of its command that changes makes another match."""
    monkeypatch.chdir(tmp_path)
    bot = Path("bot.py")
    bot.write_text(Path(__file__).with_name("foreign_bot.py").read_text())
    line_up = (f"mjai:{PYTHON} bot.py third", *OTHERS)
    folder = Path("match")
    for deals in (1, 2):
        play_matches([(Match(line_up), folder)], deals, jobs=1)
    records = answers(folder)
    assert [*records] == ["deal-000000-0", "deal-000001-0"]
    n_asked = sum(seats[0].asked for seats in records.values())
    n_answered = sum(seats[0].answered for seats in records.values())
    n_problems = sum(len(seats[0].problems) for seats in records.values())
    command = ["arena", "match", *line_up, "--deals", "2", "--lang", "en", "-q"]
    assert main(command) == 0
    shown = capsys.readouterr()
    table = shown.out.partition("Answers of players that others wrote")[2]
    rows = {line[:24].strip(): line.split()[-1] for line in table.splitlines()[3:8] if line}
    assert rows["decisions"] == f"{n_asked:,}"
    assert rows["answered"] == f"{n_answered / n_asked:.1%}"
    assert rows["illegal, late or absent"] == f"{n_problems:,}"
    assert n_problems > 0.5 * n_asked > n_answered > 0
    absent = f"gave no legal answer at {n_asked - n_answered} of {n_asked} decisions; first: "
    assert shown.err.count(absent) == shown.err.count("is illegal") == 1
    assert main([*command, "--strict"]) == 0  # there is nothing left to play
    capsys.readouterr()
    (folder / "answers.jsonl").write_text("")
    assert main(command) == 2
    assert "lacks the answers of deal-000000-0: remove" in capsys.readouterr().err
    bot.write_text("print()")
    assert main(command) == 2
    assert "contains another match" in capsys.readouterr().err


@pytest.mark.parametrize(("conduct", "says"), [("exits", "it ended with 3"), ("latin", "JSON")])
def test_a_seat_that_never_answers_plays_no_match(
    conduct: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ends with the first game, of which nothing is kept, and names the reason."""
    line_up = ["v1", f"{BOT} {conduct},start=5", *OTHERS[1:]]
    command = ["arena", str(tmp_path / "m"), *line_up, "--deals", "9", "-q", "--jobs", "1"]
    assert main([*command, "--lang", "en"]) == 2
    error = capsys.readouterr().err
    assert f"{short(line_up[1])}: gave no legal answer at " in error
    assert says in error
    assert [file.name for file in tmp_path.rglob("*.*l*")] == []


def test_strict_ends_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line_up = [f"{BOT} latin", *OTHERS]
    assert main(["arena", str(tmp_path / "m"), *line_up, "--strict", "-q", "--jobs", "1"]) == 2
    error = capsys.readouterr().err
    assert "deal-000000-0" in error
    assert "seat 0, E1.0, turn 1" in error
    assert "is not JSON" in error
    assert not [*tmp_path.rglob("*.mjlog")]


def test_a_class_is_a_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = f"own_player_{os.getpid()}"
    Path(f"{module}.py").write_text(
        "from houjuu.player.players import player\n"
        "class Own:\n"
        "    def __init__(self): self.player = player('v1')\n"
        "    def act(self, view, actions): return self.player.act(view, actions)\n"
        "class Raises(Own):\n"
        "    def act(self, view, actions): return 1 / 0\n"
        "class Odd(Own):\n"
        "    def act(self, view, actions): return 'pass'\n"
    )
    monkeypatch.setattr(sys, "path", [*sys.path])
    played = Match((f"{module}:Own", *OTHERS)).play_with((), 0, 0)
    assert played.game.events == Match(("v1", *OTHERS)).play(0, 0).events
    assert played.answers[0].problems == []
    assert foreign.digests([f"{module}:Own"]).keys() == {f"{module}:Own"}
    for name, text in (("Raises", "it raises ZeroDivisionError"), ("Odd", "'pass' is no Action")):
        record = Match((f"{module}:{name}", *OTHERS)).play_with((), 0, 0).answers[0]
        assert (len(record.problems), record.answered) == (record.asked, 0)
        assert text in record.problems[0]["problem"]
    with pytest.raises(Error, match="has no attribute 'No'"):
        foreign.player(f"{module}:No")
    with pytest.raises(Error, match="No module named 'nowhere'"):
        foreign.player("nowhere:No")
    with pytest.raises(Error, match="has no method act"):
        foreign.player("collections:Counter")


def test_opinions_are_those_of_the_player_in_the_game(own_games: list[Game]) -> None:
    """Of a command and of the player that it runs, also in riichi, at claims and after kans."""
    for game in own_games[:1]:
        ours = opinions("v1", game, 1)
        theirs = opinions(OURS, game, 1)
        assert theirs.record is not None
        assert theirs.record.problems == []
        assert theirs.answers == ours.answers
        kinds = {one.action.kind for one in ours.answers if one.action}
        assert {ActionKind.DISCARD, ActionKind.PASS} < kinds


def test_names_of_commands() -> None:
    command = Command.from_name("mjai:python bot.py --x=1,2 'a b',dialect=mjai,limit=2.5,keep")
    assert command.words == ("python", "bot.py", "--x=1,2", "a b")
    assert (command.dialect, command.limit, command.keep) == ("mjai", 2.5, True)
    assert Command.from_name("mjai:bot --as {seat}").of_seat(3) == ("bot", "--as", "3")
    for name, says in (
        ("mjai:", "there is no command"),
        ("mjai:bot,dialect=x", "a dialect is mortal, mjai.app, mjai, akochan"),
        ("mjai:bot,cwd=no-such-folder", "there is no folder 'no-such-folder'"),
        ("mjai:bot,limit=0", "limit is a number of seconds"),
        ("mjai:bot,keep,keep", "'keep' occurs twice"),
        ("mjai:bot 'a", "No closing quotation"),
    ):
        with pytest.raises(Error, match=says):
            foreign.check(name)
    with pytest.raises(Error, match="there is no program 'no-such-program'"):
        foreign.player("mjai:no-such-program x")


def test_names_of_strangers_start_nothing(tmp_path: Path) -> None:
    """A client of the server and the header of a match name players, too."""
    touched = tmp_path / "touched"
    for name, says in ((f"mjai:touch {touched}", "no player"), ("own:Player", "has no value")):
        for check in (players.player, rendering.check):
            with pytest.raises(Error, match=says):
                check(name, None)
    (tmp_path / "match.json").write_text(
        json.dumps({"line_up": [f"mjai:touch {touched}", "own:Player", "v1", "v1"], "seed": 1})
    )
    with pytest.raises(Error, match="lacks the game"):
        read_match(tmp_path, 1, 1, 1)
    assert not touched.exists()
