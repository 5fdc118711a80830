"""The face: the names that each room exports are few, lazy, documented, and all that pages use."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import houjuu
from docs.hooks import FACES, attribute_docstrings
from houjuu.util import extras, face
from houjuu.util.extras import MissingPackageError

ROOT = Path(__file__).parents[1]
MODULES = ("houjuu.game.events", "houjuu.estimators.testing")
"""The modules that a face offers: all their names are public."""


def members(package: str) -> dict[str, object]:
    """The values of a face by name."""
    module = import_module(package)
    return {name: getattr(module, name) for name in module.__all__}


def public_names(module: str) -> list[str]:
    """The names that a module defines."""
    body = ast.parse(Path(str(import_module(module).__file__)).read_text()).body
    defined = [node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    names = [*defined, *attribute_docstrings(module)]
    return [name for name in names if not name.startswith("_")]


def test_the_face_is_small() -> None:
    """A name that two packages offer counts once."""
    assert {*FACES} == {
        ".".join(stub.parent.relative_to(ROOT).parts) for stub in ROOT.glob("houjuu/**/*.pyi")
    }
    assert len(FACES) + 1 <= 15
    offered = {origin for package in FACES for origin in face.origins(package).values()}
    defined = {origin for origin in offered if origin[0] not in FACES}
    public = [name for module in MODULES for name in public_names(module)]
    assert 100 < len(defined) + len(public) <= 160


@pytest.mark.parametrize("package", FACES)
def test_every_name_is_documented_and_no_module(package: str) -> None:
    """A submodule of the same name would replace it as soon as somebody imports that."""
    folder = Path(str(import_module(package).__file__)).parent
    for name, value in members(package).items():
        is_module = isinstance(value, ModuleType)
        assert is_module or not {folder / f"{name}.py", folder / name} & {*folder.iterdir()}, name
        module, own_name = face.origins(package)[name]
        documented = (callable(value) or isinstance(value, ModuleType)) and value.__doc__
        assert documented or own_name in attribute_docstrings(module), name


LOADED = """
import sys
def modules():
    return {name for name in sys.modules if name.partition(".")[0] in ("houjuu", "numpy")}
import FACES
faces = {"houjuu.util.face", "houjuu.util.extras", "houjuu.util.errors", *"FACES".split(", ")}
assert modules() == faces, modules() ^ faces
assert {*houjuu.__all__} == {*dir(houjuu)}
houjuu.Table
rooms = {name.split(".")[1] for name in modules() - faces if name.startswith("houjuu")}
assert rooms == {"game", "util"}, rooms
houjuu.load
rooms = {name.split(".")[1] for name in modules() - faces if name.startswith("houjuu")}
assert rooms == {"estimators", "game", "hands", "reading", "risk", "util"}, rooms
"""


def test_a_face_imports_a_module_when_its_name_is_used() -> None:
    code = LOADED.replace("FACES", ", ".join(FACES))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_an_unknown_name_and_a_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AttributeError, match="no attribute 'positon'"):
        houjuu.positon  # type: ignore[attr-defined] # noqa: B018

    def without_riichienv(module: str) -> ModuleType:
        raise ModuleNotFoundError(module, name="riichienv")

    monkeypatch.setattr(face, "import_module", without_riichienv)
    monkeypatch.setattr(extras, "import_module", without_riichienv)
    import_name, names, every_name = face.attach("houjuu")
    with pytest.raises(MissingPackageError, match=r"riichienv.*arena"):
        import_name("Bot")
    with pytest.raises(ModuleNotFoundError):
        import_name("load")  # no extra: the cause is another
    monkeypatch.setattr(face, "is_installed", lambda _: False)
    assert {*every_name} - {*names()} == {"Bot"}


def imports() -> Iterator[tuple[str, str, str]]:
    """The file, the module and the name of each import in pages, notebooks and examples."""
    for path in [*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md")]:
        for code in re.findall(
            r"^```python\n(.*?)^```", path.read_text(), re.DOTALL | re.MULTILINE
        ):
            yield from _imports(path.name, code)
    for path in ROOT.glob("notebooks/*.ipynb"):
        for cell in json.loads(path.read_text())["cells"]:
            if cell["cell_type"] == "code":
                lines = [line for line in cell["source"] if not line.startswith(("%", "!"))]
                yield from _imports(path.name, "".join(lines))
    for path in ROOT.glob("examples/**/*.py"):
        yield from _imports(path.name, path.read_text())


def _imports(file: str, code: str) -> Iterator[tuple[str, str, str]]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from ((file, alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((file, str(node.module), alias.name) for alias in node.names)


def test_pages_notebooks_and_examples_import_from_faces_alone() -> None:
    """The workshop, which notebooks show, has no face."""
    found = [entry for entry in imports() if entry[1].partition(".")[0] == "houjuu"]
    assert len({file for file, _, _ in found}) > 10
    public = {package: [*members(package), "__version__", ""] for package in FACES}
    public |= {module: public_names(module) for module in MODULES}
    inside = [entry for entry in found if entry[2] not in public.get(entry[1], ())]
    assert not inside
