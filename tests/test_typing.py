"""Type checkers know the public face: a misspelt name is an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SNIPPET = """
import houjuu

view = houjuu.position("123m", dora="3p")
reveal_type(view)
reveal_type(houjuu.load().deal_in(view)["5p"].points)
reveal_type(houjuu.logs.mjai.read("path"))
houjuu.logs.mjai.reed("path")
houjuu.logs.mjay
houjuu.positon

from houjuu.live.overlay import meta
answer = meta(houjuu.Live("0"))
if answer["in_step"]:
    reveal_type(answer["tiles"]["5mr"]["points"])
answer["tenpai"]
houjuu.load().deal_in(view).explain(5.5)
"""


@pytest.mark.slow
def test_mypy_reports_a_misspelt_name(tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(SNIPPET)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "snippet.py"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        env={"MYPYPATH": str(ROOT)},
    )
    assert 'Revealed type is "houjuu.game.view.View"' in done.stdout
    assert 'snippet.py:6: note: Revealed type is "float"' in done.stdout.replace("builtins.", "")
    assert "snippet.py:7: note: Revealed type is" in done.stdout
    assert "houjuu.game.events.Game]" in done.stdout
    errors = [line for line in done.stdout.splitlines() if line.startswith("snippet.py")]
    errors = [line for line in errors if ": error: " in line]
    assert [line.split(":")[1] for line in errors] == ["8", "9", "10", "16", "16", "17"]
    assert all("has no attribute" in line for line in errors[:3])
    assert all('has no key "tenpai"' in line for line in errors[3:5])
    assert 'expected "str | int"' in errors[5]
    assert 'snippet.py:15: note: Revealed type is "int"' in done.stdout.replace("builtins.", "")
