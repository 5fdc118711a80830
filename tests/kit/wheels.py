"""Wheels without a network: of the project, and of the packages that are installed."""

from __future__ import annotations

import subprocess
import sys
from email.parser import Parser
from importlib.metadata import Distribution
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
_BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


def checkout(folder: Path) -> Path:
    """A copy of the project without ignored files: building leaves folders behind."""
    copy = folder / "source"
    tracked = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True
    )
    for name in tracked.stdout.decode().splitlines():
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    return copy


def built(folder: Path) -> Path:
    """The wheel of the project, in a folder."""
    output = folder / "wheel"
    output.mkdir()
    command = [sys.executable, "-c", _BUILD, str(output)]
    subprocess.run(command, cwd=checkout(folder), check=True, capture_output=True)
    (wheel,) = output.glob("houjuu-*.whl")
    return wheel


def repacked(package: Distribution, folder: Path) -> None:
    """Write the wheel of an installed package into a folder; without its scripts."""
    tags = Parser().parsestr(package.read_text("WHEEL") or "").get_all("Tag", [])
    pythons_abis_platforms = zip(*(tag.split("-") for tag in tags), strict=True)
    parts = [".".join(dict.fromkeys(names)) for names in pythons_abis_platforms]
    stem = "-".join([package.metadata["Name"].replace("-", "_"), package.version, *parts])
    with ZipFile(folder / f"{stem}.whl", "w") as file:
        for path in package.files or ():
            if ".." not in path.parts and "__pycache__" not in path.parts:
                content = Path(path.locate()).read_bytes()
                file.writestr(str(path), b"" if path.name == "RECORD" else content)
