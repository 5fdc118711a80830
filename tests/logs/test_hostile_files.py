"""Files made to take time or memory: each is refused within bounds, and the next file is read."""

from __future__ import annotations

import gzip
import lzma
import sqlite3
import struct
import subprocess
import sys
import tarfile
import tracemalloc
import zipfile
from pathlib import Path
from typing import IO, cast

import pytest

from houjuu import logs
from houjuu.logs import sources, unpacking
from houjuu.logs.sources import entries, stream_entries
from houjuu.util.errors import Error, LogError
from tests.kit.archives import tarred, zipped

LOG = b'<mjloggm ver="2.3"><GO type="9"/></mjloggm>'
COLUMNS = "log_id, is_processed, was_error, log_content"
TABLE = "CREATE TABLE logs (log_id TEXT, is_processed INT, was_error INT, log_content BLOB)"


def _refusal(path: Path) -> str:
    (*_, (_, problem)) = entries(path)
    assert isinstance(problem, LogError)
    return problem.reason


def test_refused_files_do_not_stay_in_memory(tmp_path: Path) -> None:
    big = b'<mjloggm ver="2.3">' + b"<X/>" * 20_000 + b'<GO type="25"/></mjloggm>'
    for number in range(20):
        (tmp_path / f"{number}.xml").write_bytes(big)
    refused: list[Error] = []
    assert not list(logs.games(tmp_path / "0.xml", lambda _: None))  # imports what a refusal needs
    tracemalloc.start()
    assert not list(logs.games(tmp_path, refused.append))
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(refused) == 20
    assert {problem.__context__ for problem in refused} == {None}
    assert {problem.__traceback__ for problem in refused} == {None}
    assert left < 2 * len(big)


def _database(path: Path, *statements: str) -> Path:
    with sqlite3.connect(path) as database:
        for statement in statements:
            database.execute(statement)
    database.close()
    return path


@pytest.mark.parametrize(
    "query",
    [
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 1, 0, 'a' FROM n"
        " WHERE i < 0",
        "SELECT 'a', 1, 0, zeroblob(1000000000)",
        "SELECT hex(zeroblob(400000000)), 1, 0, 'a'",
    ],
    ids=["endless", "content", "key"],
)
def test_views_are_refused(tmp_path: Path, query: str) -> None:
    view = f"CREATE VIEW logs ({COLUMNS}) AS {query}"
    assert "has a view in place of the table" in _refusal(_database(tmp_path / "a.db", view))


def test_virtual_tables_and_generated_columns_are_refused(tmp_path: Path) -> None:
    virtual = f"CREATE VIRTUAL TABLE logs USING fts5({COLUMNS})"
    assert "view" in _refusal(_database(tmp_path / "a.db", virtual))
    generated = TABLE.replace("log_content BLOB", "log_content AS (zeroblob(1000000000))")
    assert "is a database of neither" in _refusal(_database(tmp_path / "b.db", generated))


def test_a_query_without_an_end_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houjuu.logs.databases._STEPS", 100)
    monkeypatch.setattr("houjuu.logs.databases._MAX_CALLS", 5)
    many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)"
    unprocessed = f"INSERT INTO logs {many} SELECT i, 0, 0, 'a' FROM n"
    assert "interrupted" in _refusal(_database(tmp_path / "a.db", TABLE, unprocessed))


def test_a_long_row_does_not_end_the_database(tmp_path: Path) -> None:
    rows = "INSERT INTO logs VALUES ('a', 1, 0, zeroblob(50000000)), ('b', 1, 0, 'x')"
    items = list(entries(_database(tmp_path / "a.db", TABLE, rows)))
    assert isinstance(items[0][1], LogError)
    assert items[1] == ("a.db/b", b"x")


def test_changes_in_another_file_are_never_ignored(tmp_path: Path) -> None:
    path = _database(tmp_path / "a.db", "PRAGMA journal_mode=WAL", TABLE)
    writer = sqlite3.connect(path)
    with writer:
        writer.execute("INSERT INTO logs VALUES ('a', 1, 0, 'x')")
    assert "has changes in a.db-wal that are not in it yet" in _refusal(path)
    writer.close()
    assert list(entries(path)) == [("a.db/a", b"x")]


def _tar_header(size: bytes) -> bytes:
    header = bytearray(tarfile.TarInfo("a.xml").tobuf(tarfile.GNU_FORMAT))
    header[124:136] = size
    header[148:156] = b"        "
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header)


@pytest.mark.parametrize("size", [b"\x80" + b"\x7f" * 11, b"\x80" + bytes(4) + b"\x7f" * 7])
def test_an_absurd_size_in_a_tar_is_refused(tmp_path: Path, size: bytes) -> None:
    (tmp_path / "a.tar").write_bytes(_tar_header(size) + bytes(10_000))
    assert "unpacks to more than" in _refusal(tmp_path / "a.tar")


def _overlapping_zip(members: int, size: int) -> bytes:
    """A zip whose directory names the same compressed bytes again and again."""
    whole = zipped({"a": bytes(size)})
    start, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    directory = whole[start:end] * members
    tail = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, members, members, len(directory), start, 0)
    return whole[:start] + directory + tail


@pytest.mark.parametrize("kind", ["overlapping zip", "tar.gz", "tar.xz"])
def test_an_archive_has_a_limit_as_a_whole(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "FREE_BYTES", 1 << 20)
    tar = tarred({name: bytes(4 << 20) for name in "0123"})
    path = tmp_path / "a"
    path.write_bytes(
        {
            "overlapping zip": lambda: _overlapping_zip(1000, 4 << 20),
            "tar.gz": lambda: gzip.compress(tar),
            "tar.xz": lambda: lzma.compress(tar),
        }[kind]()
    )
    reason = _refusal(path)  # Debian's Python 3.11.2 sees itself that entries overlap
    overlap = kind == "overlapping zip" and "Overlapped entries" in reason
    assert overlap or "unpacks to more than 100 times its size" in reason


def test_lzma_in_a_zip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zipped({"a.xml": LOG}, zipfile.ZIP_LZMA))
    assert "is packed by LZMA in a zip" in _refusal(tmp_path / "a.zip")


def test_the_memory_of_xz_is_limited(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 30}]
    whole = lzma.compress(LOG, lzma.FORMAT_ALONE, filters=[*filters])
    (tmp_path / "a.lzma").write_bytes(whole[:1] + struct.pack("<L", 0xC0000000) + whole[5:])
    assert "Memory usage limit" in _refusal(tmp_path / "a.lzma")


def test_streams_of_xz_follow_each_other(tmp_path: Path) -> None:
    halves = lzma.compress(LOG[:20]), lzma.compress(LOG[20:])
    (tmp_path / "a.xz").write_bytes(halves[0] + bytes(8) + halves[1] + bytes(4))
    assert list(entries(tmp_path / "a.xz")) == [("a.xz", LOG)]
    (tmp_path / "a.xz").write_bytes(halves[0] + b"no stream")
    assert "cannot be read" in _refusal(tmp_path / "a.xz")


class _Endless:
    """A stream that begins with some bytes and never ends."""

    def __init__(self, head: bytes) -> None:
        self._head = head
        self.n_read = 0

    def read(self, size: int) -> bytes:
        data = (self._head + bytes(size))[:size]
        self._head = self._head[size:]
        self.n_read += size
        return data


def test_an_endless_stream_is_read_as_far_as_its_kind_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = _Endless(b"")
    ((_, problem),) = stream_entries(cast(IO[bytes], log), "-")
    assert isinstance(problem, LogError)
    assert problem.reason == "is longer than 8 MiB, the limit for a log"
    assert 8 << 20 < log.n_read < 10 << 20
    monkeypatch.setattr(sources, "MAX_STREAM", 16 << 20)
    for head in (b"PK\x03\x04", gzip.compress(LOG), _tar_header(b"00000000000\0")):
        archive = _Endless(head)
        with pytest.raises(LogError, match="is longer than 16 MiB, the limit for a stream"):
            list(stream_entries(cast(IO[bytes], archive), "-"))
        assert 16 << 20 < archive.n_read < 18 << 20


def test_names_are_safe_to_print(tmp_path: Path) -> None:
    names = "a\x1b[31m\n\x07.xml", "日本\u202e.xml", "x" * 5000
    (tmp_path / "a.tar").write_bytes(tarred(dict.fromkeys(names, b"")))
    first, second, third = (name for name, _ in entries(tmp_path / "a.tar"))
    assert [first, second] == ["a.tar/a�[31m �.xml", "a.tar/日本�.xml"]
    assert len(third) < 600


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_one_bad_file_does_not_end_the_command(tmp_path: Path, locale: str) -> None:
    (tmp_path / "a.jsonl").write_text('{"type":"tsumo","actor":"\\ud800","pai":"1m"}')
    (tmp_path / "b.xml").write_text('<mjloggm><東 who="1"/><GO type="東"/></mjloggm>', "utf-8")
    (tmp_path / "c.xml").write_bytes(LOG)
    environment = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    program = "import sys; from houjuu import cli; sys.exit(cli.main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "parse", str(tmp_path)],
        check=False,
        env=environment,
        capture_output=True,
        cwd=Path(__file__).parents[2],
    )
    assert b"Traceback" not in done.stderr
    assert done.stdout.splitlines()[-1].endswith(b"3 files are rejected")
    assert done.returncode == 1
