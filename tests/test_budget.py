"""`budget.toml` holds: what a number grows by, another of its kind or an allowance has paid."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path, PurePosixPath
from types import SimpleNamespace

import pytest

from tests.kit import absent
from tools import house, seconds

TEXT = house.BUDGET.read_text(encoding="utf-8")
BUDGET = house.budgets(TEXT)
FREE = {
    "tokens": 300,
    "tests": 300,
    "scripts": 300,
    "words": 100,
    "imports.modules": 2,
    "bytes": 300,
}
"""By table or key, how far a count may stand above its number: a contributor edits no budget."""

SLACK = {"tokens": 0.01, "tests": 0.01, "scripts": 0.01, "words": 0.01, "bytes": 0.03}
"""By table, how far a number may stand above its count, as a share of the count."""

VERSIONS = 20
"""Earlier versions of the budget that are compared, each with the one before."""


def _table(key: str) -> str:
    return key.partition(".")[0]


def test_no_number_is_above_its_budget_or_far_below() -> None:
    """And each is counted, or measured by `tools.seconds`."""
    counted = house.counted()
    assert sorted(counted) == sorted(key for key in BUDGET if not key.startswith("seconds."))
    numbers = {key: (number, BUDGET[key]) for key, number in counted.items()}
    above = {
        key: (number, budget)
        for key, (number, budget) in numbers.items()
        if number > budget + FREE.get(key, FREE.get(_table(key), 0))
    }
    assert not above, "count and budget: make it smaller, or pay for it (budget.toml)"
    below = {
        key: (number, budget)
        for key, (number, budget) in numbers.items()
        if budget > number * (1 + SLACK.get(_table(key), 0)) + FREE.get(key, 0)
    }
    assert not below, "count and budget: run `python -m tools.house --lower`"


def test_each_version_of_the_budget_paid_for_its_rises() -> None:
    git = ("git", "-C", str(house.ROOT))
    log = (*git, "log", f"-n{VERSIONS}", "--first-parent", "--format=%h", "--", "budget.toml")
    commits = subprocess.run(log, check=False, capture_output=True, text=True)
    if commits.returncode:
        pytest.skip("this folder is no repository")
    versions = [("this one", TEXT)]
    for commit in commits.stdout.split():
        show = (*git, "show", f"{commit}:budget.toml")
        text = subprocess.run(show, check=True, capture_output=True, encoding="utf-8").stdout
        if "[products]" not in text:
            break  # the numbers before were of folders
        versions.append((commit, text))
    for (name, text), (_, earlier) in pairwise(versions):
        assert not house.unpaid(text, earlier), f"version {name} of budget.toml"


GRANT = '[allowance."A new room"]\ntokens = {{ granted = {}, spent = {} }}\n'


@pytest.mark.parametrize(
    ("text", "n_debts"),
    [
        ("tokens.play = 5\ntokens.show = 9\n", 0),
        ("tokens.play = 2\ntokens.show = 12\n", 0),  # an exchange
        ("tokens.play = 5\ntokens.show = 10\n", 1),
        ("tokens.play = 5\ntokens.show = 8\ntests.play = 1\n", 1),  # of another kind
        ("tokens.play = 5\ntokens.show = 9\ntokens.new = 1\n", 1),
        ("tokens.play = 7\ntokens.show = 11\n" + GRANT.format(10, 4), 0),
        ("tokens.play = 7\ntokens.show = 11\n" + GRANT.format(10, 3), 1),
        ("tokens.play = 9\ntokens.show = 9\n" + GRANT.format(3, 4), 1),  # overspent
        ("tokens.play = 5\ntokens.show = 9\nimports.rooms = 3\nimports.arrows = 1\n", 1),
    ],
)
def test_a_rise_is_paid_by_its_kind_or_by_an_allowance(text: str, n_debts: int) -> None:
    earlier = "tokens.play = 5\ntokens.show = 9\n"
    imports = "imports.rooms = 2\nimports.arrows = 2\n" if "imports" in text else ""
    assert len(house.unpaid(text, earlier + imports)) == n_debts


@pytest.mark.parametrize(
    ("granted", "spent", "n_debts"), [(10, 4, 0), (10, 7, 0), (20, 4, 1), (10, 3, 1), (10, 11, 1)]
)
def test_an_allowance_is_granted_and_spent_once(granted: int, spent: int, n_debts: int) -> None:
    assert len(house.unpaid(GRANT.format(granted, spent), GRANT.format(10, 4))) == n_debts
    assert house.unpaid("", GRANT.format(10, 4)) == ["the allowance 'A new room' of tokens is gone"]


def test_lower_settles_unless_a_kind_grew() -> None:
    """A contributor's tokens are paid by what fell elsewhere; else all numbers only fall."""
    text = "# tokens.a = 9\ntokens.a = 1_005\ntokens.b = 90\ntests.a = 3\nseconds.d = 8\n"
    settled = house.lowered(text, {"tokens.a": 1_000, "tokens.b": 95, "tests.a": 2})
    assert settled.splitlines()[1:4] == ["tokens.a = 1_000", "tokens.b = 95", "tests.a = 2"]
    grown = house.lowered(text, {"tokens.a": 1_000, "tokens.b": 96, "tests.a": 4})
    assert grown.splitlines()[1:4] == ["tokens.a = 1_000", "tokens.b = 90", "tests.a = 3"]
    assert {settled.splitlines()[0], grown.splitlines()[0]} == {"# tokens.a = 9"}
    assert "seconds.d = 8" in settled
    assert house.lowered(text, {"tokens.a": 9}).count("tokens.b") == 0  # its product is gone


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("houjuu/cli/danger.py", "estimator"),
        ("houjuu/cli/bot.py", "play"),
        ("houjuu/live/__init__.py", "estimator"),
        ("web/build.py", "show"),
        ("tests/cli/test_bot.py", "play"),
        ("tests/pipeline/test_code.py", "workshop"),
        ("tests/fuzz/test_logs.py", "estimator"),
        ("tests/test_budget.py", "tools"),
    ],
)
def test_the_product_of_a_path(path: str, name: str) -> None:
    assert house.product(PurePosixPath(path), house.products(TEXT)) == name


def test_a_path_in_no_product_is_an_error() -> None:
    with pytest.raises(LookupError, match=r"houjuu/tea/pot\.py is in no product"):
        house.product(PurePosixPath("houjuu/tea/pot.py"), house.products(TEXT))


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
    assert house.imports(tmp_path) == expected
    write(tmp_path, ring)
    with_ring = {"rooms": 6, "floors": 3, "arrows": 6, "circles": 1, "modules": 8}
    assert house.imports(tmp_path) == with_ring


def test_circles_of_modules_in_a_room(tmp_path: Path) -> None:
    """One by a name in a call, as of a plug-in; a chain into it and out of it is no part."""
    by_name = 'from importlib import import_module\nimport_module("pipeline.b")\n'
    files = {"pipeline/a.py": by_name, "pipeline/b.py": "from pipeline import a, c"}
    write(tmp_path, {**files, "pipeline/c.py": "", "pipeline/d.py": "import pipeline.a"})
    expected = {"rooms": 1, "floors": 1, "arrows": 0, "circles": 1, "modules": 4}
    assert house.imports(tmp_path) == expected
    chain = {"d": {"a"}, "a": {"b"}, "b": {"a", "c"}, "c": set(), "e": {"f"}, "f": {"e"}}
    assert house.circles(chain) == {frozenset("ab"), frozenset("ef")}


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
