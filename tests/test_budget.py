"""`budget.toml` holds: no number grows without a reason, and one that fell is written down."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import absent
from tools import house, seconds

TEXT = house.BUDGET.read_text(encoding="utf-8")
BUDGET = house.budgets(TEXT)
SLACK = {"tokens": 0.01, "words": 0.01}
"""By table, how far a number may stand above its count, as a share of the count."""

VERSIONS = 20
"""Earlier versions of the budget that it is compared with."""


def raised(text: str) -> list[dict[str, Any]]:
    """The reasons of a budget, each with its numbers before and after by key."""
    entries: list[dict[str, Any]] = tomllib.loads(text).get("raised", [])
    return entries


def unexplained(text: str, earlier: str) -> list[str]:
    """The keys of the numbers above those of an earlier version, without a reason since then."""
    before = house.budgets(earlier)
    reasons = [entry for entry in raised(text) if entry not in raised(earlier)]
    return [
        key
        for key, number in house.budgets(text).items()
        if number > before.get(key, number)
        and not any(key in entry and entry[key][1] >= number for entry in reasons)
    ]


def faults(entry: dict[str, Any]) -> list[str]:
    """The faults of a reason: it needs a sentence, and numbers that rise."""
    numbers = {key: value for key, value in entry.items() if key != "given"}
    found = [] if len(str(entry.get("given", "")).split()) > 2 else ["no sentence 'given'"]
    found += [] if numbers else ["no number"]
    for key, value in numbers.items():
        rises = isinstance(value, list) and [type(n) for n in value] == [int, int]
        if key not in BUDGET or not (rises and value[0] < value[1]):
            found.append(f"{key} = {value}")
    return found


def test_no_number_is_above_its_budget_or_far_below() -> None:
    """And each is counted, or measured by `tools.seconds`."""
    counted = house.counted()
    assert sorted(counted) == sorted(key for key in BUDGET if not key.startswith("seconds."))
    numbers = {key: (number, BUDGET[key]) for key, number in counted.items()}
    above = {key: pair for key, pair in numbers.items() if pair[0] > pair[1]}
    assert not above, "count and budget: make it smaller, or say in budget.toml what was given"
    below = {key: pair for key, pair in numbers.items() if pair[1] > _most(key, pair[0])}
    assert not below, "count and budget: run `python -m tools.house --lower`"


def _most(key: str, number: int) -> float:
    return number * (1 + SLACK.get(key.partition(".")[0], 0))


@pytest.mark.parametrize("entry", raised(TEXT))
def test_a_reason_is_complete(entry: dict[str, Any]) -> None:
    assert not faults(entry)


def test_an_incomplete_reason_is_refused() -> None:
    key, given = "tokens.tests", "It shows something new."
    assert not faults({"given": given, key: [1, 2]})
    for entry in (
        {key: [1, 2]},
        {"given": " ", key: [1, 2]},
        {"given": given},
        {"given": given, key: [2, 2]},
        {"given": given, key: 2},
        {"given": given, "tokens.unknown": [1, 2]},
    ):
        assert len(faults(entry)) == 1


def test_a_number_above_an_earlier_one_has_a_reason() -> None:
    git = ("git", "-C", str(house.ROOT))
    log = (*git, "log", f"-n{VERSIONS}", "--first-parent", "--format=%h", "--", "budget.toml")
    commits = subprocess.run(log, check=False, capture_output=True, text=True)
    if commits.returncode:
        pytest.skip("this folder is no repository")
    for commit in commits.stdout.split():
        show = (*git, "show", f"{commit}:budget.toml")
        earlier = subprocess.run(show, check=True, capture_output=True, encoding="utf-8").stdout
        assert not unexplained(TEXT, earlier), f"above their numbers of commit {commit}"


def test_a_reason_is_for_one_rise() -> None:
    first = "tokens.tests = 5\n"
    reason = '[[raised]]\ngiven = "It shows something new."\n"tokens.tests" = [5, 7]\n'
    second, third = f"tokens.tests = 7\n{reason}", f"tokens.tests = 6\n{reason}"
    assert unexplained("tokens.tests = 7\n", first) == ["tokens.tests"]
    assert unexplained(second, first) == unexplained(third, second) == []
    assert unexplained(second, third) == ["tokens.tests"]  # it fell after the reason


def test_lower_only_lowers() -> None:
    text = "# a.b = 9\na.b = 1_005 # why\na.b = 1_005\na.c = 3\nseconds.d = 8\n"
    assert house.lowered(text, {"a.b": 1_001, "a.c": 4}) == text.replace(
        "\na.b = 1_005\n", "\na.b = 1_001\n"
    )


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def test_rooms_floors_arrows_and_circles(tmp_path: Path) -> None:
    """The tile is of the ground, two rooms need each other, and the table stands on both."""
    files = {
        "houjuu/__init__.py": "from houjuu.game import tile\n",
        "houjuu/game/__init__.py": "import numpy\n",
        "houjuu/game/tile.py": "from . import names\n",
        "houjuu/game/names.py": "",
        "houjuu/live.py": "import houjuu\ndef f():\n    from .game.tile import X, Y\n",
        "features/rows.py": "from houjuu import live, load\nimport houjuu.game.names\n",
    }
    write(tmp_path, files)
    ring = {"models/a.py": "import pipeline.b", "pipeline/b.py": "from models.a import c"}
    # houjuu itself, game, live, features; live and houjuu → game, features → live and game
    expected = {"rooms": 4, "floors": 3, "arrows": 4, "circles": 0, "modules": 6}
    assert house.house(tmp_path) == expected
    write(tmp_path, ring)
    with_ring = {"rooms": 6, "floors": 3, "arrows": 6, "circles": 1, "modules": 8}
    assert house.house(tmp_path) == with_ring


def test_tokens_of_python_and_of_scripts(tmp_path: Path) -> None:
    """Comments, docstrings and layout do not count; an f-string counts one in every version."""
    code = '"""Docstring."""\n# a comment\ndef f(x):\n    return f"{x + 1} of {x:{2}}"\n'
    write(tmp_path, {"a.py": code})
    assert house.tokens_of(tmp_path / "a.py") == 8
    script = "// no\nconst a$ = `b ${c} // d`; /* no\n no */ f('it\\'s', 12)\n"
    assert house.script_tokens(script) == 11


@pytest.mark.parametrize(
    ("used", "start", "failed"),
    [(1_090, "make", False), (1_100, "warning", False), (1_500, "FAILURE", True)],
)
def test_seconds_beside_their_budget(used: int, start: str, failed: bool) -> None:
    text, fails = seconds.verdict("make_test", used, 1_000)
    assert text.startswith(start)
    assert fails == failed
    assert f"{used} s" in text
    assert "1000 s" in text


@pytest.mark.parametrize("check", [[], ["--check"]])
@pytest.mark.parametrize("status", [0, 3])
def test_only_a_check_fails_on_seconds(
    check: list[str],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Else the status is the command's, which a failure keeps, too."""
    used = SimpleNamespace(children_user=900_000, children_system=100_000)
    monkeypatch.setattr(seconds, "os", SimpleNamespace(times=lambda: used))
    command = [sys.executable, "-c", f"raise SystemExit({status})"]
    assert seconds.main([*check, "make_test", *command]) == (status or len(check))
    assert "make_test: 1000000 s of processor time" in capsys.readouterr().out


def test_a_shell_passes_its_seconds_on() -> None:
    """As .ci/run does at its end."""
    busy = "import time\nwhile time.process_time() < 0.6: pass"
    script = '"$0" -c "$1"; exec "$0" -m tools.seconds ci_run'
    command = [absent.program("bash"), "-c", script, sys.executable, busy]
    done = subprocess.run(command, cwd=house.ROOT, check=True, capture_output=True, text=True)
    assert "ci_run: 0 s" not in done.stdout
