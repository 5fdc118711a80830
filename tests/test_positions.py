"""Positions in the docs: the output and the JSON of a page are those of its command or code."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from houjuu import cli
from tests.kit.printed import is_same

ROOT = Path(__file__).parents[1]


def _page(name: str) -> str:
    return (ROOT / name).read_text()


def _assert_shown(shown: str, printed: str) -> None:
    """The position and the table are shown in full, and the reasons in order, as far as shown."""
    shown, printed = (text.replace("\n> ", "\n  ") for text in (shown, printed))
    position, table, *reasons = shown.rstrip("\n").split("\n\n")
    lines = printed.splitlines()
    lines = lines[lines.index(position.splitlines()[0]) :]
    for line in f"{position}\n\n{table}".splitlines():
        assert is_same(line, lines[0])
        del lines[0]
    for line in "\n".join(reasons).splitlines():
        if line.strip() != "…":
            position_of_line = next(
                (n for n, other in enumerate(lines) if is_same(line, other)), None
            )
            assert position_of_line is not None, line
            del lines[: position_of_line + 1]


def _outputs(name: str) -> list[tuple[str, str]]:
    """The command and the output in each block of a page that shows a position."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", _page(name), re.DOTALL | re.MULTILINE)
    pairs = [text.removeprefix("$ houjuu ").partition("\n") for text in blocks]
    return [
        (first, rest) if text.startswith("$") else ("", text)
        for text, (first, _, rest) in zip(blocks, pairs, strict=True)
        if "tiles left, indicator" in text
    ]


def _printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    cli.main(arguments)
    return capsys.readouterr().out


def test_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The decision of the game beside the page."""
    monkeypatch.chdir(ROOT)
    [(command, shown)] = _outputs("docs/game.md")
    _assert_shown(shown, _printed(shlex.split(command), capsys))


OPTIONS = (["--model", "kurita-hoki-2017"],)
"""Those of the position of docs/danger.md."""


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_danger(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The positions of the page, whose games are not shipped, written by hand.

    A position by hand has no discard, whose hand the page shows before that of the best one.
    """
    shown = _outputs("docs/danger.md")[number][1]
    shown = re.sub("own hand after .*\n(?=own hand after )", "", shown)
    _assert_shown(shown, _printed(["danger", *_by_hand(shown), *OPTIONS[number]], capsys))


def _by_hand(shown: str) -> list[str]:
    """The options of `houjuu danger` for a printed position."""
    first, *lines = shown.split("\n\n", maxsplit=1)[0].splitlines()
    header = re.match(r"(\w+ (\d).*), (\d) riichi stick", first)
    assert header
    round, number, sticks = header.groups()
    options = ["--round", round, "--sticks", sticks]
    options += ["--dora", first.split()[-1], "--hand", lines.pop()[8:]]
    own = ("ESWN".index(lines[0].split()[1]) + int(number) - 1) % 4
    scores = [0, 0, 0, 0]
    for offset, line in enumerate(lines):
        side, _, score, *rest = line.split()
        river, *melds = " ".join(rest).split(" [")
        scores[(own + offset) % 4] = int(score)
        options += ["--river", f"{side}={river}"]
        options += [option for meld in melds for option in ("--meld", f"{side}=[{meld}")]
    return [*options, "--seat", str(own), "--scores", ",".join(map(str, scores))]


def test_a_changed_output_is_noticed() -> None:
    printed = "a position\n\n9m 1.24%\n\nleft\n  +0.51 one\n  +0.40 two\n  +0.30 three\n"
    _assert_shown("a position\n\n9m 1.25%\n\nleft\n  +0.51 one\n  …\n  +0.30 three\n", printed)
    for wrong in ("a position\n\n9m 1.27%\n", "a position\n\n9m 1.24%\n\nleft\n  +0.30 two\n"):
        with pytest.raises(AssertionError):
            _assert_shown(wrong, printed)


def test_meta() -> None:
    """The JSON of the page is that of the position above it."""
    page = _page("docs/meta.md")
    names: dict[str, Any] = {}
    blocks = [
        re.search(rf"^```{kind}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE) for kind in KINDS
    ]
    code, shown = (block[1] for block in blocks if block)
    exec(code, names)
    answer = names["answer"]
    for name, entry in json.loads(shown)["tiles"].items():
        assert answer["tiles"][name]["points"] == pytest.approx(entry["points"], abs=1)
        by_opponent = answer["tiles"][name]["by_opponent"]
        assert by_opponent == pytest.approx(entry["by_opponent"], abs=2e-6)
        lost = answer["tiles"][name]["points_by_opponent"]
        assert lost == pytest.approx(entry["points_by_opponent"], abs=1)
        assert answer["tiles"][name]["deal_in"] == pytest.approx(entry["deal_in"], abs=2e-6)
    for opponent, entry in zip(answer["opponents"], json.loads(shown)["opponents"], strict=True):
        assert opponent == entry | {"tenpai": pytest.approx(entry["tenpai"], abs=2e-6)}
    best, shown_best = answer["best"], json.loads(shown)["best"]
    assert best["tile"] == shown_best["tile"]
    assert best["why"].keys() == shown_best["why"].keys()
    assert all(is_same(shown_best["why"][one], text) for one, text in best["why"].items())


KINDS = ("python", "json")
