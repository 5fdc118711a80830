"""Dockerfile and compose.yaml, without Docker: the files make a wheel, and the commands run."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from houjuu.util.extras import EXTRAS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
SERVICE = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["houjuu"]


def instructions(name: str) -> list[str]:
    """The arguments of all instructions of this name."""
    return re.findall(rf"^{name} +(.*)$", TEXT, re.MULTILINE)


def copied() -> list[str]:
    """Files and folders that the first stage copies."""
    into_build = [line.split() for line in instructions("COPY") if not line.startswith("--from")]
    return [source for *sources, _ in into_build for source in sources]


def test_the_copied_files_make_a_wheel(tmp_path: Path) -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert ignored[0] == "*"
    assert {f"!{name}" for name in copied()} <= set(ignored)
    for name in copied():
        source, target = ROOT / name, tmp_path / name
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    script = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", script, "wheel"], cwd=tmp_path, check=False, capture_output=True
    )
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "wheel").glob("houjuu-*.whl"))) == 1
    (extras,) = re.findall(r"\.whl\)\[(.*?)\]", TEXT)
    assert {"serve", "arena"} == set(extras.split(",")) <= set(EXTRAS)


@contextmanager
def container(folder: Path, options: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Port of the server as the image starts it, and the command of its health check."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    (entrypoint,), (health,) = (instructions(name) for name in ("ENTRYPOINT", "HEALTHCHECK"))
    program, *arguments = json.loads(entrypoint)
    checked = json.loads(re.findall(r"CMD (\[.*\])", health)[0])
    assert (program, checked[0]) == ("houjuu", "python")
    assert "8000" in arguments
    assert "127.0.0.1:8000/health" in checked[-1]
    arguments = [port if argument == "8000" else argument for argument in arguments]
    process = subprocess.Popen(
        [sys.executable, "-m", "houjuu", *arguments, *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("houjuu serve: http://0.0.0.0:")
        yield int(port), [sys.executable, *checked[1:-1], checked[-1].replace("8000", port)]
    finally:
        process.terminate()
        process.wait(30)


def test_the_server_of_the_image_is_healthy(tmp_path: Path) -> None:
    """It answers for the names of the machine and for HOUJUU_HOST alone."""
    host = "mahjong.example.org"
    options = [re.sub(r"\$\{HOUJUU_HOST:-.*?\}", host, text) for text in SERVICE["command"]]
    assert host in options
    with container(tmp_path, options) as (port, health):
        subprocess.run(health, check=True, timeout=60)
        for name in (host, "localhost", "127.0.0.1"):
            assert status(port, name) == 200
        assert status(port, "example.org") == 400
    assert subprocess.run(health, check=False, capture_output=True, timeout=60).returncode != 0


def status(port: int, host: str) -> int:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/health", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return int(response.status)
    except urllib.error.HTTPError as refusal:
        return refusal.code


def test_the_user_and_the_file_system() -> None:
    final = TEXT.rpartition("FROM ")[2]
    assert re.findall(r"^USER (\d+):(\d+)$", final, re.MULTILINE) == [("10001", "10001")]
    assert SERVICE["read_only"] is True
    assert SERVICE["cap_drop"] == ["ALL"]
    assert SERVICE["ports"] == ["127.0.0.1:8000:8000"]
    workdir = re.findall(r"^WORKDIR (.*)$", final, re.MULTILINE)
    assert [mount.partition(":")[0] for mount in SERVICE["tmpfs"]] == workdir
