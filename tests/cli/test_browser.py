"""What the page that needs no server shows of the files that a user drops."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from houjuu.cli import browser
from houjuu.game.events import Game
from houjuu.logs import mjlog

WORKER = Path(__file__).parents[2] / "web" / "worker.js"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the worker of the page writes the logs, by its script."""
    (written,) = re.findall(r"const folder = `(.*)`;", WORKER.read_text())
    made = Path(written.replace("${number}", "987654").replace("${index}", "0"))
    made.mkdir(parents=True)
    yield made
    shutil.rmtree(made.parent)


def test_a_refusal_names_the_dropped_file(folder: Path, own_games: list[Game]) -> None:
    """Not the memory of the page: alone, in an archive, and among those left out of an index."""
    bad = folder / "bad.zip"
    bad.write_bytes(b"PK\x03\x04 nothing")
    for name in ("players", "review"):
        shown = browser.answer(name, json.dumps({"paths": [str(bad)]}), lambda _: None)
        assert json.loads(shown)["error"].startswith("bad.zip: ")
    good = folder / "good.mjlog"
    good.write_bytes(mjlog.write(own_games[0]))
    options = {"paths": [str(bad), str(good)], "player": "none", "seat": "0"}
    shown = browser.answer("review", json.dumps(options), lambda _: None, "ja")
    (problem,) = json.loads(shown)["result"]["left_out"]
    assert problem.startswith("bad.zip: ")
    assert str(folder) not in shown
