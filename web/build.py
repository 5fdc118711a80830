"""Write the page that needs no server: ``python -m web.build`` makes ``build/site/app/``.

One HTML page, one worker, Pyodide, and the wheels of houjuu and of the packages that it needs.
All files that the worker loads have pinned hashes. Beside the folder lie ``app.zip``, which
contains it, and ``houjuu.html``, the same page as one file that opens by a double click.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from houjuu.serve.pages import front
from houjuu.util.files import write_bytes, write_text
from web.runtime import FOLDER, HERE, fetch, is_complete, pinned

OUTPUT = HERE.parent / "build" / "site" / "app"
PACKAGES = ("jinja2", "markupsafe", "mahjong")
_BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
_BACKEND = HERE / "backend.js"
_SCRIPTS = ("worker.js", "service.js")
_TEXTS = ("worker.js", "settings.json", "NOTICE.txt")
_MAX_LOG = 64 << 20  # unit: bytes, of a file
_COMPILED = (".so", ".pyd", ".c", ".pyi", ".pyc")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same content makes the same file


def build(output: Path, runtime: Path, home: str = "") -> int:
    """Write the page into a folder.

    Parameters
    ----------
    output : Path
        What it contained is removed.
    runtime : Path
        A folder with the files of Pyodide, which are copied beside the page.
    home : str
        The public address of the page, for links from the one file.

    Returns
    -------
    int
        The bytes of a first visit, compressed as servers compress them.
    """
    if not is_complete(runtime):
        raise SystemExit(f"{runtime} has no Pyodide {pinned()['version']}: run make runtime")
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    own = {"houjuu": _own_wheel(), **{name: _pure_wheel(distribution(name)) for name in PACKAGES}}
    files = dict(pinned()["files"])
    lock: dict[str, Any] = {}
    for package, (name, content) in own.items():
        write_bytes(output / name, content)
        files[name] = {"sha256": _sha256(content), "bytes": len(content)}
        lock[package] = _locked(package, name, files[name]["sha256"])
    numpy = next(name for name in files if name.startswith("numpy-"))
    lock["numpy"] = _locked("numpy", numpy, files[numpy]["sha256"])
    info = {"arch": "wasm32", "platform": "emscripten_3_1_58", "python": "3.12.7"}
    info |= {"version": pinned()["version"], "abi_version": "2024_0"}
    for name in pinned()["files"]:
        shutil.copyfile(runtime / name, output / name)
    shutil.copyfile(HERE / "NOTICE.txt", output / "NOTICE.txt")
    for name in _SCRIPTS:
        shutil.copyfile(HERE / name, output / name)
    settings = json.dumps({"files": files, "lock": {"info": info, "packages": lock}})
    write_text(output / "settings.json", settings)
    write_text(output / "index.html", front(_MAX_LOG, _BACKEND))
    texts = {name: (output / name).read_text(encoding="utf-8") for name in _TEXTS}
    packed = {name: _packed((output / name).read_bytes()) for name in files}
    one_file = front(_MAX_LOG, _BACKEND, texts, packed, home)
    write_text(output.parent / "houjuu.html", one_file)
    paths = sorted(path for path in output.rglob("*") if path.is_file())
    members = ((f"houjuu/{path.relative_to(output)}", path.read_bytes()) for path in paths)
    write_bytes(output.parent / "app.zip", _zipped(members))
    return sum(len(gzip.compress(path.read_bytes(), 6)) for path in paths)


def _locked(package: str, file: str, sha256: str) -> dict[str, Any]:
    """An entry of Pyodide's list of packages."""
    return {
        "name": package,
        "version": file.split("-")[1],
        "file_name": file,
        "install_dir": "site",
        "sha256": sha256,
        "package_type": "package",
        "imports": [package],
        "depends": [],
        "unvendored_tests": False,
    }


def _own_wheel() -> tuple[str, bytes]:
    """The wheel of the checkout, built from a copy of its tracked files."""
    root = HERE.parent
    with TemporaryDirectory() as temporary:
        source, output = Path(temporary, "source"), Path(temporary, "wheel")
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            write_bytes(source_file(source, name), (root / name).read_bytes())
        caches = shutil.ignore_patterns("__pycache__")
        shutil.copytree(root / "houjuu", source / "houjuu", ignore=caches)
        output.mkdir()
        command = [sys.executable, "-c", _BUILD, str(output)]
        subprocess.run(command, cwd=source, check=True, capture_output=True)
        (wheel,) = output.glob("*.whl")
        with ZipFile(wheel) as file:
            return wheel.name, _zipped((info.filename, file.read(info)) for info in file.infolist())


def source_file(folder: Path, name: str) -> Path:
    """A path in a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name


def _pure_wheel(package: Distribution) -> tuple[str, bytes]:
    """The wheel of an installed package without what is compiled: it works without that, slower."""
    name = package.metadata["Name"].lower().replace("-", "_")
    paths = [path for path in package.files or () if ".." not in path.parts]
    kept = [path for path in paths if path.suffix not in _COMPILED]
    content = _zipped((path.as_posix(), Path(path.locate()).read_bytes()) for path in kept)
    return f"{name}-{package.version}-py3-none-any.whl", content


def _zipped(members: Iterator[tuple[str, bytes]]) -> bytes:
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in sorted(members):
            archive.writestr(ZipInfo(name, _LONG_AGO), content, ZIP_DEFLATED)
    return file.getvalue()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _packed(content: bytes) -> str:
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def main() -> None:
    """Write the page, and print its size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT, help="folder (%(default)s)")
    options = parser.parse_args()
    fetch()
    home = os.environ.get("HOUJUU_SITE", "")
    size = build(options.output, FOLDER, home and f"{home}app/")
    print(f"{options.output}: a first visit loads {size / 1e6:.1f} MB")
    for name in ("houjuu.html", "app.zip"):
        print(options.output.parent / name)


if __name__ == "__main__":
    main()
