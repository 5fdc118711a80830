"""The code that each stage of dvc.yaml depends on: the closure of the imports of its module.

``python -m pipeline.stage_deps`` writes it into dvc.yaml. A package is followed where it is used
itself: importing one of its modules adds no imports of its ``__init__``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml

from houjuu.util.files import atomic_path

DVC = Path("dvc.yaml")
PACKAGES = ("houjuu", "features", "models", "pipeline")
DATA = {
    "pipeline/pages/__init__.py": ("pipeline/pages",),
    "houjuu/player/hand_value/value.py": ("houjuu/fitted/player/yaku.npz",),
}
"""Files that modules read while they run."""

DYNAMIC = {"houjuu/estimators/__init__.py": "houjuu/estimators"}
"""Modules that import all modules of a folder by name."""


def closure(module: str) -> set[Path]:
    """Files of the project that a module imports, directly or not, itself included."""
    reached: set[Path] = set()
    waiting = [_file(module)]
    while waiting:
        path = waiting.pop()
        if path is None or path in reached:
            continue
        reached.add(path)
        waiting += imports(path)
        if str(path) in DYNAMIC:
            waiting += sorted(Path(DYNAMIC[str(path)]).rglob("*.py"))
    return reached


@cache
def imports(path: Path) -> tuple[Path, ...]:
    """Files of the project that a file imports, anywhere in it."""
    return tuple(dict.fromkeys(_imports(path)))


def _imports(path: Path) -> Iterator[Path]:
    for node in _executed(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            file = _file(name) or _file(name.rpartition(".")[0])
            if file is not None:
                yield file


def _executed(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a syntax tree, but for code that only type checkers read."""
    yield tree
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for other in node.orelse:
                yield from _executed(other)
        else:
            yield from _executed(node)


def _file(module: str) -> Path | None:
    if module.partition(".")[0] not in PACKAGES:
        return None
    base = Path(*module.split("."))
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


def code_deps(stage: str) -> list[str]:
    """The code dependencies of a stage: folders where all their modules are used, else files."""
    files = closure(f"pipeline.stages.{stage}")
    deps = {str(path) for path in files}
    for path in files:
        deps.update(DATA.get(str(path), ()))
    folders = {path.parent for path in files if path.parent.name not in PACKAGES}
    for folder in sorted(folders, key=lambda path: -len(path.parts)):
        modules = set(folder.rglob("*.py"))
        if len(modules) > 1 and modules <= files:
            deps -= {str(path) for path in modules}
            deps.add(str(folder))
    return sorted(dep for dep in deps if not any(_inside(dep, other) for other in deps))


def _inside(path: str, folder: str) -> bool:
    return path.startswith(folder + "/")


def stages() -> dict[str, list[str]]:
    """The stages of dvc.yaml, without the model of a ``foreach``, and their dependencies."""
    declared = yaml.safe_load(DVC.read_text())["stages"]
    return {name: stage.get("do", stage)["deps"] for name, stage in declared.items()}


def is_code(dep: str) -> bool:
    """Whether a dependency is code of the project, not the output of a stage."""
    if dep.startswith("models/") and dep.endswith(".npz"):
        return False
    return dep.partition("/")[0] in PACKAGES


def main() -> None:
    """Write the code dependencies of every stage into dvc.yaml."""
    text = DVC.read_text()
    for name, deps in stages().items():
        data = [dep for dep in deps if not is_code(dep)]
        entries = ", ".join(f'"{dep}"' if "$" in dep else dep for dep in [*data, *code_deps(name)])
        pattern = rf"(\n  {name}:\n(?:    .*\n)*?\s+deps: )\[[^\]]*\]"
        text = re.sub(pattern, rf"\g<1>[{entries}]", text)
    with atomic_path(DVC) as path:
        path.write_text(text)


if __name__ == "__main__":
    main()
