"""The notebooks. `make docs` executes them; here they are only read."""

from __future__ import annotations

import ast
import json
from importlib import import_module
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_complete(path: Path) -> None:
    """A title and a figure, names that exist, and no outputs."""
    cells = json.loads(path.read_text())["cells"]
    assert cells[0]["source"][0].startswith(f"# {path.stem[0]}. ")
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
    lines = [line for cell in code for line in (*cell["source"], "\n")]
    assert lines[0] == "%matplotlib inline\n"
    text = "".join(line for line in lines if not line.startswith("%"))
    assert "plot" in text or "figures." in text
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                import_module(alias.name)
        elif isinstance(node, ast.ImportFrom):
            module = import_module(node.module or "")
            for alias in node.names:
                assert hasattr(module, alias.name) or import_module(
                    f"{module.__name__}.{alias.name}"
                )
