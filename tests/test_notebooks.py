"""The notebooks. `make docs` executes them; here they are only read."""

from __future__ import annotations

import ast
import json
import pkgutil
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
    names: dict[str, object] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            _import(node, names)
    assert names
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert hasattr(names.get(node.value.id, _Anything()), node.attr), ast.unparse(node)


class _Anything:
    """Has every attribute; it stands for a variable."""

    def __getattr__(self, name: str) -> None:
        return None


def _import(node: ast.Import | ast.ImportFrom, names: dict[str, object]) -> None:
    """Import the names of a statement."""
    for alias in node.names:
        name = alias.name if isinstance(node, ast.Import) else f"{node.module}.{alias.name}"
        names[alias.asname or alias.name] = pkgutil.resolve_name(name)
