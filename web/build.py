"""Write the page that needs no server: ``python -m web.build`` makes ``build/site/app/``.

One HTML page, one worker, and the wheels of houjuu and of the packages that it needs there. Pyodide
comes from its public address, or lies beside the page with ``--runtime FOLDER``. All files that
the worker loads have pinned hashes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from houjuu.serve.pages import STATIC, front
from houjuu.util.files import write_bytes, write_text
from web.runtime import HERE, is_complete, pinned

OUTPUT = HERE.parent / "build" / "site" / "app"
PACKAGES = ("jinja2", "markupsafe", "mahjong")
_BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
_SCRIPTS = ("worker.js", "service.js")
_MAX_LOG = 64 << 20  # unit: bytes, of a file
_COMPILED = (".so", ".pyd", ".c", ".pyi", ".pyc")
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same content makes the same file


def build(output: Path, runtime: Path | None = None, address: str | None = None) -> int:
    """Write the page into a folder.

    Parameters
    ----------
    output : Path
        What it contained is removed.
    runtime : Path, optional
        A folder with the files of Pyodide, which are copied beside the page.
    address : str, optional
        Where else the page finds these files; the default is their public address.

    Returns
    -------
    int
        The bytes of a first visit, compressed as servers compress them.
    """
    if runtime is not None and not is_complete(runtime):
        raise SystemExit(f"{runtime} has no Pyodide {pinned()['version']}: run make runtime")
    shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True)
    own = {"houjuu": _own_wheel(), **{name: _pure_wheel(distribution(name)) for name in PACKAGES}}
    files = dict(pinned()["files"])
    lock: dict[str, Any] = {}
    for package, (name, content) in own.items():
        write_bytes(output / name, content)
        files[name] = {"sha256": _sha256(content), "bytes": len(content), "own": True}
        lock[package] = _locked(package, name, files[name]["sha256"])
    numpy = next(name for name in files if name.startswith("numpy-"))
    lock["numpy"] = _locked("numpy", numpy, files[numpy]["sha256"])
    info = {"arch": "wasm32", "platform": "emscripten_3_1_58", "python": "3.12.7"}
    info |= {"version": pinned()["version"], "abi_version": "2024_0"}
    if runtime is not None:
        for name in pinned()["files"]:
            shutil.copyfile(runtime / name, output / name)
        shutil.copyfile(HERE / "NOTICE.txt", output / "NOTICE.txt")
    address = "" if runtime is not None else address or pinned()["address"]
    settings = {"address": address, "files": files, "lock": {"info": info, "packages": lock}}
    for name in _SCRIPTS:
        shutil.copyfile(HERE / name, output / name)
    (output / "static").mkdir()
    for script in (STATIC / "app.js", STATIC / "drop.js", HERE / "backend.js"):
        shutil.copyfile(script, output / "static" / script.name)
    write_text(output / "settings.json", json.dumps(settings, separators=(",", ":")))
    write_text(output / "index.html", front(_MAX_LOG, address))
    return _visit(output, runtime)


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


def _visit(output: Path, runtime: Path | None) -> int:
    """The bytes of a first visit; without a folder of Pyodide, its files count uncompressed."""
    own = sum(len(gzip.compress(path.read_bytes(), 6)) for path in output.glob("**/*.*"))
    return own if runtime else own + sum(file["bytes"] for file in pinned()["files"].values())


def main() -> None:
    """Write the page, and print its size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT, help="folder (%(default)s)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--runtime", type=Path, help="folder with Pyodide, which is copied")
    where.add_argument("--address", help="address of Pyodide (default: its public one)")
    options = parser.parse_args()
    size = build(options.output, options.runtime, options.address)
    print(f"{options.output}: a first visit loads {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
