"""What is installed, and which way imports point."""

from __future__ import annotations

import ast
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from houjuu.logs import mjlog

ROOT = Path(__file__).parents[1]
PAGE = (
    "page.html.j2",
    "page.css",
    "tiles.svg",
    "common.js",
    "table.js",
    "panels.js",
    "navigation.js",
)
WORKSHOP = ("pipeline", "models", "features")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Names in the wheel; built from a copy, for building leaves a folder behind."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "source"
    tracked = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
    )
    for name in tracked.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    script = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", script, str(folder)], cwd=copy, check=True, capture_output=True
    )
    (built,) = folder.glob("houjuu-*.whl")
    return zipfile.ZipFile(built).namelist()


def test_the_wheel_holds_houjuu_alone(wheel: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"houjuu"}
    assert "houjuu/py.typed" in wheel
    assert "houjuu/fitted/kurita-hoki-2017.npz" in wheel
    assert "houjuu/fitted/player/yaku.npz" in wheel
    assert {f"houjuu/review/{name}" for name in PAGE} <= set(wheel)
    assert not [name for name in wheel if name.endswith((".xml", ".mjlog", ".pkl", ".joblib"))]


def test_numpy_is_all_that_is_required() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert [name.split(">")[0] for name in project["dependencies"]] == ["numpy"]


def imports(path: Path) -> set[str]:
    """Modules that a file imports anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def files(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("houjuu", ("features", "models", "pipeline")),
        ("features", ("models", "pipeline")),
        ("models", ("pipeline",)),
    ],
)
def test_imports_point_one_way(folder: str, forbidden: tuple[str, ...]) -> None:
    for path in files(folder):
        tops = {name.split(".")[0] for name in imports(path)}
        assert not tops & set(forbidden), path


def test_what_a_thing_is_imports_nothing_done_with_it() -> None:
    done = ("estimator", "player", "arena", "review", "cli")
    for name in ("tiles", "events", "ledger", "table", "reading", "yaku"):
        found = imports(ROOT / "houjuu" / f"{name}.py")
        assert not [module for module in found if module.split(".")[1:2] in [[d] for d in done]]


def test_nothing_of_the_logs_is_tracked() -> None:
    """But a game that the project's own players played."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True)
    names = tracked.stdout.decode().splitlines()
    logs = [name for name in names if name.endswith((".xml", ".mjlog", ".gz", ".xz", ".zip"))]
    assert logs == ["docs/game.mjlog"]
    (game,) = mjlog.read(ROOT / logs[0])
    assert {player.name for player in game.players} <= {"estimator", "relative"}
