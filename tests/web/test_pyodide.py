"""The package in Pyodide, a 32-bit Python 3.12 without riichienv and lxml: the same numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.browser import in_node, natively
from houjuu.arena.selfplay import play
from houjuu.logs import mjai, mjlog
from tests.kit.absent import program
from tests.kit.tenhou6 import CALLED_TWICE, log_of
from web.runtime import pinned

pytestmark = pytest.mark.slow

JOB = """
import json
from hashlib import sha256
import houjuu
from houjuu.cli import browser
from houjuu import logs
from houjuu.review import rendering
view = houjuu.position("123m067p1199s555z + 4p", seat=3, dora="3p",
    rivers={"self": "9m", "right": "1z 9p", "across": "9s 4z*", "left": "2z 8m"})
print(houjuu.load().deal_in(view)["4p"])
deals = houjuu.load().hands(view).sample(64, 1)
print(sha256(deals.hands.tobytes() + deals.wall.tobytes()).hexdigest())
for path, player in zip(paths, ("none", None, "none")):
    game = logs.parse(open(path, "rb").read(), "game", unfinished=True)
    review = rendering.reviewed(game, 0, player)
    data = json.loads(json.dumps(review["rounds"]), parse_float=lambda text: round(float(text), 4))
    n = sum(len(one["decisions"]) for one in review["rounds"])
    print(n, sha256(json.dumps(data).encode()).hexdigest())
    shares = []
    options = json.dumps({"paths": [path], "player": "none", "one_seat": True})
    page = json.loads(browser.answer("review", options, shares.append, "ja"))["result"]
    assert list(page["pages"]) == ["review.html"] and shares[-1] == 1
print(browser.answer("players", json.dumps({"paths": paths[:1]}), print))
print(browser.answer("players", json.dumps({"paths": ["/nowhere"]}), print))
"""


def test_the_same_review(page: Path, tmp_path: Path) -> None:
    """A query, deals to the byte, and reviews of three formats, one with all values."""
    program("node")
    assert f"Pyodide {pinned()['version']}, unchanged" in (page / "NOTICE.txt").read_text()
    lines = mjai.write(play(1)).splitlines(keepends=True)
    logs = {
        "a.mjson": "".join(lines[:120]).encode(),
        "b.mjlog": mjlog.write(play(0))[:6000].rpartition(b"<")[0] + b"</mjloggm>",
        "c.json": json.dumps(log_of(CALLED_TWICE)).encode(),
    }
    paths = [tmp_path / name for name in logs]
    for path in paths:
        path.write_bytes(logs[path.name])
    job = tmp_path / "job.py"
    job.write_text(JOB)
    printed = in_node(page, job, *paths)
    assert printed.startswith("4p: 8.6%, 713 points")
    assert printed == natively(job, *paths)
    assert len(printed.splitlines()) == 7
