"""The command line: output, exit status and error messages."""

from __future__ import annotations

import argparse
import inspect
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

import houjuu
from houjuu.cli import main, parser
from houjuu.cli.danger import decisions, find_decisions
from houjuu.game.decisions import Decision
from houjuu.game.events import Deal, Discard, Game
from houjuu.game.notation import format_round
from houjuu.game.tiles import format_tiles
from houjuu.logs import mjai, mjlog
from houjuu.util.errors import Error
from houjuu.util.languages import translate
from houjuu.util.languages.names import round_name
from tests.kit.dialects import masked
from tests.message_texts import NOTATION

ROOT = Path(__file__).parents[2]
BY_HAND = ["danger", "--hand", "123m0678p1199s55z + 4p", "--river", "self=9m", "--dora", "3p"]
BY_HAND += ["--river", "right=4z", "--river", "across=1m'", "--river", "left=1z*"]


@pytest.fixture
def path(own_games: list[Game], tmp_path: Path) -> Path:
    (tmp_path / "game.mjlog").write_bytes(mjlog.write(own_games[0]))
    return tmp_path / "game.mjlog"


def round_of(decision: Decision) -> str:
    return format_round(decision.view.round, decision.view.honba)


def round_names(game: Game) -> list[str]:
    return [format_round(event.round, event.honba) for event in game if isinstance(event, Deal)]


def output(arguments: list[str], capsys: pytest.CaptureFixture[str], status: int = 0) -> str:
    """The text that a command prints: its errors if its exit status is 2, else its output."""
    assert main(arguments) == status
    printed = capsys.readouterr()
    return printed.err if status == 2 else printed.out


def set_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_parse_reports_rejected_files(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "1 game with" in output(["parse", str(path)], capsys)
    (path.parent / "bad.xml").write_text("<html/>")
    (path.parent / "other.mjson").write_text(mjai.write(own_games[1]))
    printed = output(["parse", str(path.parent)], capsys, 1)
    assert "bad.xml: is not mjlog" in printed
    assert "2 games with" in printed
    assert "1 file is rejected" in printed


def test_parse_goes_on_after_a_path_that_cannot_be_opened(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["parse", str(path), "/nowhere", str(path)]) == 2
    printed = capsys.readouterr()
    assert "houjuu: /nowhere: cannot be opened" in printed.err
    assert "2 games with" in printed.out


@pytest.mark.parametrize("compressed", [False, True])
def test_parse_reads_standard_input(
    compressed: bool,
    path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import gzip

    data = path.read_bytes()
    set_stdin(monkeypatch, gzip.compress(data) if compressed else data)
    assert "1 game with" in output(["parse", "-"], capsys)
    set_stdin(monkeypatch, b"")
    assert "standard input: is empty" in output(["parse", "-"], capsys, 1)


def test_danger_shows_a_position(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    name = round_names(own_games[0])[2]
    printed = output(["danger", str(path), "--seat", "1", "--round", name, "--turn", "5"], capsys)
    (decision,) = find_decisions(own_games[0], 1, name, 5)
    assert len(decision.view.seats[1].river) == 4
    tiles = {format_tiles([tile]) for tile in decision.view.hand}  # a red five has its own line
    assert sum(line.count("%") == 4 for line in printed.splitlines()) == len(tiles)
    assert sum(line.startswith(">") for line in printed.splitlines()) == 1
    assert re.search(
        r"^own hand after .*-shanten; .*; in the wall [\d.]+ of \d+ unseen \(none: \d+%\)$",
        printed,
        re.MULTILINE,
    )
    assert decision.tile in decision.view.hand
    risk = houjuu.load().deal_in(decision.view)
    least = min(risk.either(pair) for pair in combinations(decision.view.hand, 2))
    assert f": {100 * least:.2f}% together.\n" in printed
    for seat in ("self", "right", "across", "left", "hand"):
        assert f"\n{seat} " in printed


def test_danger_explains_a_tile(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    name = round_names(own_games[0])[2]
    arguments = ["danger", str(path), "--seat", "1", "--round", name, "--turn", "5"]
    arguments += ["--room", "phoenix"]  # bots are hardly ever tenpai in silence
    printed = output([*arguments, "--explain", "5p"], capsys)
    for seat in ("right", "across", "left"):
        assert re.search(rf"^{seat} \(.*\): \d+\.\d\d% for 5p$", printed, re.MULTILINE)
    assert "  wait: ryanmen 34p" in printed
    assert "  reason: " in printed
    for same in ("0p", "5pr", "25"):
        assert output([*arguments, "--explain", same], capsys) == printed
    east = output([*arguments, "--explain", "1z"], capsys)
    for same in ("E", "東"):
        assert output([*arguments, "--explain", same], capsys) == east
    assert "'5x' is not one tile" in output([*arguments, "--explain", "5x"], capsys, 2)


def test_danger_lists_rounds(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = output(["danger", str(path), "--list"], capsys).splitlines()
    assert [line.split()[0] for line in lines] == round_names(own_games[0])
    n_discards = sum(isinstance(event, Discard) for event in own_games[0])
    assert sum(int(n) for line in lines for n in line.split("discards ")[1].split()) == n_discards


def test_danger_as_json(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    name = round_names(own_games[0])[1]
    arguments = ["danger", str(path), "--seat", "2", "--all", "--json"]
    printed = output([*arguments, "--round", name], capsys)
    answers = [json.loads(line) for line in printed.splitlines()]
    expected = [one for one in decisions(own_games[0], 2) if round_of(one) == name]
    assert len(answers) == len(expected) > 5
    estimator = houjuu.load()
    for answer, decision in list(zip(answers, expected, strict=True))[::4]:
        assert (answer["round"], answer["turn"]) == (round_of(decision), decision.turn + 1)
        assert answer["seat"] == 2
        assert decision.tile is not None
        assert answer["discard"] == format_tiles([decision.tile])
        risk = estimator.deal_in(decision.view)
        assert answer["unseen"] == estimator.unseen(decision.view).to_dict()
        again = estimator.deal_in(houjuu.position(**answer["position"]))
        assert again["5p"].probability == pytest.approx(risk["5p"].probability, abs=1e-3)


def test_danger_explains_as_json(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["danger", str(path), "--seat", "1", "--json", "--explain", "5p"]
    answer = json.loads(output(arguments, capsys))
    assert [one["opponent"] for one in answer["explanation"]] == ["right", "across", "left"]
    most = max(answer["explanation"], key=lambda one: one["deal_in"])
    assert set(most["terms"][0]) == {"name", "probability"}
    reasons = sum(part["probability"] for part in most["reasons"])
    assert reasons == pytest.approx(most["deal_in"], abs=1e-4)


def test_danger_shows_hidden_hands(capsys: pytest.CaptureFixture[str]) -> None:
    text = output([*BY_HAND, "--hands", "2"], capsys)
    for seat in ("right", "across", "left"):
        assert len(re.findall(rf"^{seat}\b", text, re.MULTILINE)) == 4  # table, shapes, two deals
    assert re.search(r"^  +\d+\.\d%  \d-shanten$", text, re.MULTILINE)
    answer = json.loads(output([*BY_HAND, "--json", "--hands", "2"], capsys))["hands"]
    assert len(answer["deals"]) == 2
    assert [len(hand) for hand in answer["deals"][0]["hands"]] == [13, 13, 13]


def test_danger_all_as_text(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    name = round_names(own_games[0])[1]
    printed = output(["danger", str(path), "--seat", "3", "--all", "--round", name], capsys)
    decisions_of_round = find_decisions(own_games[0], 3, name, None)
    view = decisions_of_round[0].view
    shown = round_name(translate("en"), view.round, view.honba)
    titles = re.findall(rf"^{shown}, seat 3, discard (\d+)$", printed, re.MULTILINE)
    n_turns = len(decisions_of_round)
    assert titles == [str(turn + 1) for turn in range(n_turns)]


def until_a_draw(game: Game, seat: int) -> str:
    """The game as mjai, up to a draw of a seat in its second round that a discard follows."""
    lines = mjai.write(game).splitlines(keepends=True)
    kinds = [(message["type"], message.get("actor")) for message in map(json.loads, lines)]
    starts = [i for i, (kind, _) in enumerate(kinds) if kind == "start_kyoku"]
    pairs = list(pairwise(kinds))
    return "".join(lines[: pairs.index((("tsumo", seat), ("dahai", seat)), starts[1] + 20) + 1])


def test_danger_of_a_game_in_progress_on_standard_input(
    own_games: list[Game], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    set_stdin(monkeypatch, until_a_draw(own_games[1], 1).encode())
    answer: dict[str, Any] = json.loads(output(["danger", "-", "--seat", "1", "--json"], capsys))
    assert answer["round"] == round_names(own_games[1])[1]
    assert answer["discard"] is None
    assert "+" in answer["position"]["hand"]


def test_danger_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    printed = output([*BY_HAND, "--json"], capsys)
    assert json.loads(printed)["position"]["rivers"]["left"] == "1z*"
    text = output([*BY_HAND, "--round", "E1.2", "--sticks", "3"], capsys)
    assert "East 1, 2 honba, 3 riichi sticks, 65 tiles left, indicator 3p" in text
    assert "\nleft    N  24000  1z*\n" in text
    assert text.isascii()
    assert ">" not in text
    numbered = [word.replace("1z*", "1z") for word in BY_HAND] + ["--riichi", "left=1", "--json"]
    assert output(numbered, capsys) == printed


def test_a_printed_position_can_be_read(
    path: Path, own_games: list[Game], capsys: pytest.CaptureFixture[str]
) -> None:
    """The lines of the text, given back as options, print the same text.

    They do not contain the discard, whose hand comes first.
    """
    n_melds = 0
    for decision in list(decisions(own_games[0], 1))[10::25]:
        name, turn = round_of(decision), str(decision.turn + 1)
        arguments = ["danger", str(path), "--seat", "1", "--round", name, "--turn", turn]
        printed = output(arguments, capsys)
        first, *lines = printed.split("\n\n")[0].splitlines()
        shown, sticks = re.findall(r"^(.*), (\d+) riichi stick", first)[0]
        again = ["danger", "--seat", "1", "--round", shown, "--hand", lines.pop()[8:]]
        again += ["--dora", first.split()[-1], "--sticks", sticks, "--room", "bots"]
        scores = [0, 0, 0, 0]
        for number, line in enumerate(lines):
            seat, _, score, *rest = line.split()
            river, *melds = " ".join(rest).split(" [")
            scores[(1 + number) % 4] = int(score)
            again += ["--river", f"{seat}={river}"]
            for meld in melds:
                again += ["--meld", f"{seat}=[{meld}"]
                n_melds += 1
        again += ["--scores", ",".join(map(str, scores))]
        title, *same = output(again, capsys).split("\n\n")
        assert title == f"{shown}, seat 1, discard {turn}"
        unchosen = re.sub("own hand after .*\n(?=own hand after )", "", printed)
        assert "\n\n".join(same) == unchosen.replace("\n> ", "\n  ")
    assert n_melds


ERRORS = [
    (["danger", "GAME", "--seat", "0", "--round", "N4"], "has no round N4; its rounds are E1.0"),
    (["danger", "GAME", "--seat", "0", "--round", "99"], "'99' is not a round"),
    (["danger", "GAME", "--seat", "0", "--turn", "99"], "has no discard 99, but"),
    (["danger", "GAME", "--seat", "4"], "takes the seat that discards"),
    (["danger", "/nowhere", "--seat", "0"], "/nowhere"),
    (["danger", "GAME", "--seat", "0", "--model", "nobody"], "no model 'nobody'"),
    (
        ["danger", "GAME", "--seat", "0", "--dora", "3p"],
        "--dora is an option of a position by hand",
    ),
    (["danger"], "needs a game, or a position by hand"),
    ([*BY_HAND, "--list"], "--list is an option of a game"),
    ([*BY_HAND, "--turn", "3"], "--turn is an option of a game"),
    ([*BY_HAND, "--river", "self=8m"], "--river has a seat twice"),
    ([*BY_HAND, "--river", "9m"], "--river '9m' has no seat"),
    ([*BY_HAND, "--scores", "1,x"], "'x' is not a whole number"),
    ([*BY_HAND, "--meld", "left=pon 777z"], "no discard is called for 'pon 777z' of left"),
    (["danger", "--hand", "123m"], "needs the dora indicators"),
]


@pytest.mark.parametrize(("arguments", "problem"), ERRORS, ids=[text for _, text in ERRORS])
def test_errors_are_one_sentence(
    arguments: list[str], problem: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(path) if word == "GAME" else word for word in arguments]
    message = output(words, capsys, 2)
    assert problem in message
    assert message.count("\n") == 1
    assert message.startswith("houjuu: ")


def test_a_round_with_several_honba_needs_its_honba(own_games: list[Game]) -> None:
    for game in own_games:
        names = round_names(game)
        twice = [name for name in names if sum(n[:2] == name[:2] for n in names) > 1]
        for name in twice[:1]:
            with pytest.raises(Error, match=f"rounds {name[:2]}: {name}, "):
                find_decisions(game, 0, name[:2], None)
            assert {round_of(one) for one in find_decisions(game, 0, name, None)} == {name}
        for name in names:
            if name not in twice:
                assert {round_of(one) for one in find_decisions(game, 0, name[:2], None)} == {name}
    assert twice or len(own_games) > 1


def test_decisions_are_the_discards(own_games: list[Game]) -> None:
    game = own_games[1]
    first = list(game.events)[: [type(event) for event in game.events].index(Deal, 1)]
    discards = [event.tile for event in first if isinstance(event, Discard) and event.seat == 3]
    decisions_of_round = find_decisions(game, 3, round_names(game)[0], None)
    assert len(discards) > 5
    assert [decision.tile for decision in decisions_of_round] == discards
    assert [decision.turn for decision in decisions_of_round] == list(range(len(discards)))


def test_the_first_1m_is_shown_when_it_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    view = houjuu.position("23m0678p11999s55z + 1m", dora="3p")
    assert view.drawn == 0
    printed = output(["danger", "--hand", "23m0678p11999s55z + 1m", "--dora", "3p"], capsys)
    assert "hand    23m0678p11999s55z + 1m\n" in printed


@pytest.mark.parametrize("deals", ["0", "-5", "x"])
def test_the_arena_refuses_a_number_of_deals(
    deals: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["arena", str(tmp_path), "a", "a", "a", "a", f"--deals={deals}"])
    assert "is not a whole number from 1" in capsys.readouterr().err


def test_the_arena_refuses_files_that_it_cannot_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "match"
    players = ["relative"] * 4
    arguments = ["arena", str(folder), *players, "--deals", "1", "--write", "tables.json"]
    assert "tables.json: cannot be written" in output(arguments, capsys, 2)
    assert not folder.exists()


def test_danger_takes_the_seat_of_the_log(
    own_games: list[Game],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The id of an mjai log, the seat whose hand is shown, else seat 0."""
    game = mjai.write(own_games[1])
    path = tmp_path / "game.mjson"

    def seat(text: str, log: str) -> int:
        path.write_text(text)
        set_stdin(monkeypatch, text.encode())
        return int(json.loads(output(["danger", log, "--json"], capsys))["seat"])

    assert seat(game, str(path)) == 0
    assert seat(game.replace('"start_game"', '"start_game", "id": 3', 1), str(path)) == 3
    live = "".join(json.dumps(masked(json.loads(line), 2)) + "\n" for line in game.splitlines())
    assert seat(live, str(path)) == seat(live, "-") == 2


COMMAND_NAMES = (
    *("parse", "convert", "danger", "adapt", "review"),
    *("risks", "report", "serve", "arena", "bot"),
)


def command_parsers() -> dict[str, argparse.ArgumentParser]:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_help_is_plain_text_with_the_true_defaults(name: str) -> None:
    assert set(command_parsers()) == set(COMMAND_NAMES)
    assert not re.search(r"`|:\w+:|\*\*", parser().format_help())
    command_parser = command_parsers()[name]
    shown = command_parser.format_help()
    assert not re.search(r"`|:\w+:|\*\*", shown)
    for action in command_parser._actions:
        help = (action.help or "").replace("%(default)s", str(action.default))
        stated = re.search(r"\(default: ([^);,]+)", help)
        if action.default not in (None, False, [], argparse.SUPPRESS):
            assert stated, action.dest
            assert stated[1] == str(action.default), action.dest


def finish(*arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    words = command(*arguments)
    return subprocess.run(
        words, cwd=ROOT, input=input, check=False, capture_output=True, text=True, encoding="utf-8"
    )


def test_notes_and_progress_are_on_standard_error(own_games: list[Game], tmp_path: Path) -> None:
    """Standard output is the same; --quiet leaves errors alone, --verbose adds notes."""
    played = {}
    events = own_games[0].events
    first = events[: [type(event) for event in events].index(Deal, 1)]
    path = tmp_path / "round.mjlog"
    path.write_bytes(mjlog.write(replace(own_games[0], events=first)))
    for option in ("--quiet", "--verbose"):
        table = tmp_path / f"risks{option}.csv"
        words = ["risks", str(path), "-o", str(table), "--jobs", "1", option]
        finished = finish(*words)
        played[option] = finished.stderr
        assert (finished.returncode, finished.stdout) == (0, "")
    assert played["--quiet"] == ""
    assert "risks: 100%" in played["--verbose"]
    assert re.search(r"^\d+\.\d s, exit status 0$", played["--verbose"], re.MULTILINE)


@pytest.mark.parametrize("name", COMMAND_NAMES)
def test_every_command_has_quiet_and_verbose(name: str) -> None:
    options = command_parsers()[name].format_usage()
    assert "[-q | -v]" in options


@pytest.mark.parametrize("option", ["-q", "-v"])
def test_warnings_are_not_shown_to_who_wants_quiet(option: str) -> None:
    finished = finish("bot", "--advise", "--seat", "0", option, input="{\n")
    assert finished.stdout == '{"type": "none"}\n'
    assert ("is not JSON" in finished.stderr) == (option == "-v")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"houjuu {houjuu.__version__}\n"


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "houjuu", *arguments]


def started(*arguments: str) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    return subprocess.Popen(command(*arguments), stdout=pipe, stderr=pipe, cwd=ROOT)


def test_a_closed_pipe_ends_a_command_without_a_traceback(path: Path) -> None:
    process = started("danger", str(path), "--seat", "0", "--all")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b"East 1, seat 0")
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 141
    process.stderr.close()


def test_ctrl_c_ends_a_command_without_a_traceback(path: Path) -> None:
    process = started("danger", str(path), "--seat", "0", "--all")
    assert process.stdout is not None
    process.stdout.readline()  # it is at work, and stops when the pipe is full
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors == b""
    assert process.returncode == 130


@pytest.mark.parametrize("command", ["bot", "review"])
def test_help_names_the_default_player(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    printed = " ".join(capsys.readouterr().out.split())
    named = re.search(r"player of the arena.*?\(default: (\w+)\)", printed)
    bot = pytest.importorskip("houjuu.player.bot", exc_type=ImportError)
    assert named
    assert named[1] == inspect.signature(bot.Bot).parameters["player"].default == "rank"


@pytest.mark.parametrize(("language", "names"), [("en", "South|red 5p"), ("ja", "南|赤5p")])
def test_danger_names_the_tiles_below_the_position(
    language: str, names: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The position itself is in the notation that the options read."""
    words = ["danger", "--hand", "123m0678p1199s22z + 4p", "--dora", "3p", "--explain", "2z"]
    printed = output([*words, "--lang", language], capsys)
    position, *below = printed.split("\n\n")[1:]
    assert position.endswith("123m0678p1199s22z + 4p")
    assert set(re.findall(rf"^  ({names}) ", below[0], re.MULTILINE)) == set(names.split("|"))
    assert not NOTATION.search("\n".join(below))
