from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import matplotlib as mpl
import pytest

from houjuu.arena import selfplay

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))

played_once = cache(selfplay.play)
"""Two notebooks use the same games."""


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cells run in order, and they are committed without outputs."""
    mpl.use("Agg")
    monkeypatch.setattr(selfplay, "play", played_once)
    names: dict[str, object] = {}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]
            exec("".join(cell["source"]), names)
