"""Files: what is not a regular one is refused, and a write is complete or leaves nothing."""

from __future__ import annotations

import errno
import os
import resource
import socket
import stat
import subprocess
import sys
import threading
import time
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import houjuu
from houjuu.logs.sources import file_entries, slices
from houjuu.util import files
from houjuu.util.errors import Error, ParameterError
from houjuu.util.files import (
    atomic_file,
    atomic_path,
    bounded_lines,
    open_regular,
    read_file,
    read_json,
    require_regular_files,
    sole_use,
    write_bytes,
    write_text,
)

HEADER = b'{"format": 2, "model": "a"}'


@pytest.fixture
def irregular(tmp_path: Path) -> dict[str, Path]:
    """A path of each kind that is not a regular file, also behind links."""
    folder = tmp_path / "irregular"
    folder.mkdir()
    paths = {name: folder / f"{name}.npz" for name in ("folder", "pipe", "socket", "zero", "link")}
    paths["folder"].mkdir()
    os.mkfifo(paths["pipe"])
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(paths["socket"]))
    listener.close()
    paths["zero"].symlink_to("/dev/zero")
    paths["link"].symlink_to(paths["pipe"])
    return paths


WORDS = {"folder": "folder", "pipe": "pipe", "socket": "socket", "zero": "device", "link": "pipe"}


@pytest.mark.parametrize("name", WORDS)
def test_only_regular_files_are_opened(irregular: dict[str, Path], name: str) -> None:
    path, reason = irregular[name], f"is a {WORDS[name]}, not a regular file"
    started = time.monotonic()
    with pytest.raises(Error, match=reason), open_regular(path):
        pass
    with pytest.raises(ParameterError, match=reason):
        houjuu.load(path)
    ((_, problem),) = file_entries(path, "a")
    assert isinstance(problem, Error)
    assert problem.reason == reason
    assert not slices(path, 1).is_sequential
    with pytest.raises(Error, match=reason):
        read_json(path, 100)
    assert time.monotonic() - started < 2


def test_a_file_that_is_swapped_before_it_is_opened_is_refused(
    irregular: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"a")
    regular = os.stat(path)
    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", lambda *_, **__: regular)
        with pytest.raises(Error, match="is a pipe"), open_regular(irregular["pipe"]):
            pass


def test_the_size_is_limited_while_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    assert read_file(path, 3) == b"abc"
    with pytest.raises(Error, match="is longer than 2 bytes"):
        read_file(path, 2)
    with open_regular(path) as file:
        assert file.read(1) == b"a"
    maps = Path("/proc/self/maps")
    if maps.exists():  # it has content, but its size is 0
        assert maps.stat().st_size == 0
        with pytest.raises(Error, match="is longer than 10 bytes"):
            read_file(maps, 10)


def test_json_has_no_depth_that_ends_the_process(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text in ("[" * 100_000, "{", "\udcff"):
        path.write_bytes(text.encode(errors="surrogateescape"))
        with pytest.raises(Error, match="is not JSON"):
            read_json(path, 1 << 20)
    with pytest.raises(Error, match="cannot be opened"):
        read_json(tmp_path / "none", 10)


def test_a_line_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"abc\nd")
    with path.open("rb") as file:
        assert [*bounded_lines(file, 4)] == [b"abc\n", b"d"]
    with path.open("rb") as file, pytest.raises(Error, match="a line is longer than 3 bytes"):
        [*bounded_lines(file, 3)]


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    target = tmp_path / "out" / "review.html"
    target.parent.mkdir()
    for name in ("review.html", "review.html.part", ".houjuu-0123456789abcdef.part"):
        (target.parent / name).symlink_to(victim)
    write_text(target, "new")
    assert victim.read_text() == "mine"
    assert target.read_text() == "new"
    assert not target.is_symlink()


def test_a_name_that_is_taken_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / ".houjuu-0.part").symlink_to(victim)
    monkeypatch.setattr(files, "token_hex", lambda _: "0")
    with pytest.raises(Error, match="cannot be written: File exists"):
        write_text(tmp_path / "a", "new")
    assert victim.read_text() == "mine"


def test_the_umask_holds(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "a", "a")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


def test_streams_are_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_text(pipe, "through")
    reader.join(10)
    assert received == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_the_names_of_streams(tmp_path: Path) -> None:
    """Nothing is written: a fault of the code would replace the devices of the machine."""
    for name in ("/dev/null", "/dev/stdout", "/dev/fd/1"):
        assert files._is_stream(Path(name))
    (tmp_path / "link").symlink_to("/dev/null")
    for path in (tmp_path / "link", tmp_path, tmp_path / "none"):
        assert not files._is_stream(path)


@pytest.mark.parametrize("name", ["/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="Linux has /proc")
def test_the_own_output_goes_on(name: str, tmp_path: Path) -> None:
    program = (
        "from houjuu.util.files import write_text\n"
        f"print('before'); write_text({name!r}, 'page\\n'); print('after')"
    )
    piped = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert piped.stdout == b"before\npage\nafter\n"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", program], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == piped.stdout
    assert os.listdir(tmp_path) == ["out"]


def test_a_reader_may_close_a_stream(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    threading.Timer(0.2, os.close, [reader]).start()
    with pytest.raises(BrokenPipeError):
        write_bytes(pipe, bytes(1 << 20))


WRITER = """
import sys
from houjuu.util.files import write_bytes
for number in range(300):
    write_bytes(sys.argv[1], sys.argv[2].encode() * 200_000)
"""


def test_two_writers_never_tear_a_file(tmp_path: Path) -> None:
    target = tmp_path / "a"
    write_bytes(target, b"0" * 200_000)
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, target, letter], stderr=subprocess.PIPE)
        for letter in "12"
    ]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        content = target.read_bytes()
        assert len(content) == 200_000
        seen.add(bytes(sorted({*content})))
    assert [(writer.communicate()[1], writer.returncode) for writer in writers] == [(b"", 0)] * 2
    assert seen <= {b"0", b"1", b"2"}
    assert os.listdir(tmp_path) == ["a"]


def test_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    write_bytes(tmp_path / "a", b"old")
    program = "from houjuu.util.files import write_bytes; write_bytes('a', bytes(10_000_000))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        preexec_fn=limit,
        capture_output=True,
        check=False,
    )
    assert b"a: cannot be written: File too large" in done.stderr
    assert os.listdir(tmp_path) == ["a"]
    assert (tmp_path / "a").read_bytes() == b"old"


def test_an_error_leaves_nothing(tmp_path: Path) -> None:
    for atomic in (atomic_file, atomic_path):
        with pytest.raises(KeyError), atomic(tmp_path / "a"):
            raise KeyError
    for target in (tmp_path, tmp_path / "none" / "a"):
        with pytest.raises(Error, match="cannot be written"):
            write_bytes(target, b"a")
    assert os.listdir(tmp_path) == []


def test_files_of_a_killed_process_are_removed_and_those_of_a_living_one_stay(
    tmp_path: Path,
) -> None:
    (tmp_path / ".houjuu-0000000000000000.part").write_bytes(b"half")
    (tmp_path / "mine.part").write_bytes(b"mine")
    with atomic_path(tmp_path / "a") as first:
        program = "from houjuu.util.files import write_bytes; write_bytes('b', b'b')"
        subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
        assert first.exists()
        first.write_bytes(b"a")
    assert sorted(os.listdir(tmp_path)) == ["a", "b", "mine.part"]
    assert (tmp_path / "a").read_bytes() == b"a"


def test_a_parameter_file_that_grows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, header=np.frombuffer(HEADER, np.uint8))
    os.truncate(path, (64 << 20) + 1)
    with pytest.raises(ParameterError, match="is longer than 67,108,864 bytes"):
        houjuu.load(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_the_workers_of_a_killed_command_do_not_keep_a_folder(tmp_path: Path) -> None:
    runs, ends = get_context("fork").Event(), get_context("fork").Event()

    def work() -> None:
        runs.set()
        ends.wait()

    with sole_use(tmp_path):
        worker = get_context("fork").Process(target=work)
        worker.start()
        runs.wait()
        with pytest.raises(Error, match="is being written"), sole_use(tmp_path):
            pass
    try:
        with sole_use(tmp_path):
            pass
    finally:
        ends.set()
        worker.join()


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", unknown)
    with sole_use(tmp_path):
        pass


def test_links_in_a_circle_are_looked_through_once(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).symlink_to(tmp_path)
    require_regular_files(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Error, match="pipe: is a pipe"):
        require_regular_files(tmp_path)


def test_one_command_at_a_time_writes_to_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "parts"
    with sole_use(folder):
        with pytest.raises(Error, match="is being written by another command"), sole_use(folder):
            pass
        folder.rmdir()
    with sole_use(folder):
        assert folder.is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(Error, match="cannot be made a folder"), sole_use(tmp_path / "file"):
        pass
