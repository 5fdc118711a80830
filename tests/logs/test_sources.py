from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from houjuu.logs.sources import MAX_BYTES, Entry, entries
from houjuu.util.errors import LogError
from tests.kit import real
from tests.kit.archives import HOUOU, Row, database, tarred, zipped

LOG = b'<mjloggm ver="2.3"><GO type="9"/></mjloggm>'
OTHER = b'{"log": []}'
LONG = bytes(MAX_BYTES + 1)
ONE = {"a": LOG}


def _special(name: str, kind: bytes) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, "a.xml"
    return info


def _put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _only(path: Path) -> Entry:
    (entry,) = entries(path)
    return entry


def _reasons(items: list[Entry]) -> dict[str, str]:
    for name, data in items:
        assert isinstance(data, bytes) or (type(data) is LogError and data.file == name)
    return {name: data.reason for name, data in items if isinstance(data, LogError)}


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_file_is_unpacked_whatever_its_name(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    path = _put(tmp_path / "2009.mjlog", pack(LOG))
    assert _only(path) == ("2009.mjlog", LOG)
    assert list(entries(str(path))) == list(entries(tmp_path)) == [("2009.mjlog", LOG)]


def test_empty_file_is_an_entry(tmp_path: Path) -> None:
    assert _only(_put(tmp_path / "empty", b"")) == ("empty", b"")


def test_path_must_exist(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="nowhere: cannot be opened"):
        entries(tmp_path / "nowhere")
    with pytest.raises(LogError, match="null byte"):
        entries("a\0b")


def test_fifo_is_neither_file_nor_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LogError, match="neither a file nor a folder"):
        entries(tmp_path / "pipe")
    assert list(entries(tmp_path)) == []


def test_folder_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    _put(tmp_path / "b" / "2.xml", LOG)
    _put(tmp_path / "b" / "10.xml", OTHER)
    _put(tmp_path / "c.zip", zipped({"y.xml": LOG, "x/x.xml": OTHER}))
    _put(tmp_path / "a.xml", LOG)
    _put(tmp_path / ".hidden", LOG)
    _put(tmp_path / ".git" / "x.xml", LOG)
    assert list(entries(tmp_path)) == [
        ("a.xml", LOG),
        ("b/10.xml", OTHER),
        ("b/2.xml", LOG),
        ("c.zip/y.xml", LOG),
        ("c.zip/x/x.xml", OTHER),
    ]


def test_links_are_followed_but_never_in_a_circle(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    _put(elsewhere / "1.xml", LOG)
    _put(tmp_path / "year.tar", tarred({"2.xml": OTHER}))
    logs = tmp_path / "logs"
    (logs / "sub").mkdir(parents=True)
    (logs / "linked").symlink_to(elsewhere)
    (logs / "year").symlink_to(tmp_path / "year.tar")
    (logs / "sub" / "up").symlink_to(logs)
    (elsewhere / "self").symlink_to(elsewhere)
    (logs / "broken").symlink_to(tmp_path / "nowhere")
    items = list(entries(logs))
    assert [name for name, _ in items] == ["broken", "linked/1.xml", "year/2.xml"]
    assert _reasons(items) == {"broken": "cannot be read (No such file or directory)"}


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_tar_is_streamed(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    members = {"./2018/a.xml": LOG, "b.mjlog": gzip.compress(OTHER), "2018/._a.xml": b"finder"}
    more = _special("2018", tarfile.DIRTYPE), _special("p", tarfile.FIFOTYPE)
    path = _put(tmp_path / "logs", pack(tarred(members, *more)))
    assert list(entries(path)) == [("logs/2018/a.xml", LOG), ("logs/b.mjlog", OTHER)]


def test_zip_members_may_be_gzipped(tmp_path: Path) -> None:
    members = {"2018/": b"", "2018/a.mjlog": gzip.compress(LOG), "__MACOSX/._a": b"", "b": OTHER}
    path = _put(tmp_path / "logs.zip", zipped(members))
    assert list(entries(path)) == [("logs.zip/2018/a.mjlog", LOG), ("logs.zip/b", OTHER)]


PHOENIX = """CREATE TABLE logs (log_id TEXT PRIMARY KEY, date TEXT, is_processed INTEGER NOT NULL,
    was_error INTEGER NOT NULL, log_content BLOB)"""


def _database(path: Path, layout: str) -> Path:
    rows: list[Row] = [
        ("2018b", "2018", 1, 0, gzip.compress(LOG)),
        ("2018a", "2018", 1, 0, gzip.compress(OTHER)),
        ("2018c", "2018", 0, 0, None),
        ("2018d", "2018", 1, 1, None),
        ("2018e", "2018", 1, 1, b"<html>"),
        ("2018f", "2018", 1, 0, gzip.compress(LONG)),
        ("2018g", "2018", 1, 0, LONG),
        ("2018h", "2018", 1, 0, gzip.compress(LOG)[:-9]),
        ("2018i", "2018", 1, 0, LOG),
    ]
    return database(path, rows, layout)


@pytest.mark.parametrize("layout", [PHOENIX, HOUOU], ids=["phoenix-logs", "houou-logs"])
def test_database_gives_the_rows_downloaded_without_error(tmp_path: Path, layout: str) -> None:
    path = _database(tmp_path / "a #1?.db", layout)
    before = path.stat().st_mtime_ns, sorted(os.listdir(tmp_path))
    items = list(entries(path))
    read = {name.removeprefix("a #1?.db/"): data for name, data in items}
    assert [one for one in read.items() if isinstance(one[1], bytes)] == [
        ("2018a", OTHER),
        ("2018b", LOG),
        ("2018i", LOG),
    ]
    assert [
        (name.removeprefix("a #1?.db"), "longer" in reason)
        for name, reason in _reasons(items).items()
    ] == [
        ("/2018f", True),
        ("/2018g", True),
        ("/2018h", False),
    ]
    assert (path.stat().st_mtime_ns, sorted(os.listdir(tmp_path))) == before


def test_other_database_is_refused(tmp_path: Path) -> None:
    path = _database(tmp_path / "logs.db", HOUOU.replace("log BLOB", "content BLOB"))
    _, problem = _only(path)
    assert str(problem) == "logs.db: is a database of neither phoenix-logs nor houou-logs"
    damaged = path.read_bytes()[:100] + b"\xff" * 5000
    assert "cannot be read" in str(_only(_put(tmp_path / "damaged.db", damaged))[1])


@pytest.mark.parametrize(
    "data",
    [
        LONG,
        gzip.compress(LONG),
        lzma.compress(bytes(9 << 20)),
        gzip.compress(gzip.compress(bytes(9 << 20))),
    ],
    ids=["plain", "gzip", "xz", "gzip in gzip"],
)
def test_long_file_is_refused(tmp_path: Path, data: bytes) -> None:
    _, problem = _only(_put(tmp_path / "bomb", data))
    assert str(problem) == "bomb: is longer than 8 MiB, the limit for a log"


@pytest.mark.parametrize("pack", [zipped, lambda m: gzip.compress(tarred(m))], ids=["zip", "tar"])
def test_long_member_does_not_end_the_archive(
    tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    members = {"bomb": bytes(64 << 20), "bomb.gz": gzip.compress(LONG), "a.xml": LOG}
    path = _put(tmp_path / "logs", pack(members))
    tracemalloc.start()
    items = list(entries(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert items[2] == ("logs/a.xml", LOG)
    assert list(_reasons(items)) == ["logs/bomb", "logs/bomb.gz"]
    assert peak < 4 * MAX_BYTES


def test_header_bomb_in_a_tar_is_refused(tmp_path: Path) -> None:
    info = tarfile.TarInfo("a.xml")
    info.pax_headers = {"comment": "x" * (64 << 20)}
    data = gzip.compress(info.tobuf(tarfile.PAX_FORMAT) + bytes(1024), 1)
    path = _put(tmp_path / "logs.tar.gz", data)
    tracemalloc.start()
    _, problem = _only(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "a header that is too long" in str(problem)
    assert peak < 2 * MAX_BYTES


@pytest.mark.parametrize("cut", [700, 1500, 2048])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_tar_that_is_cut_off_is_an_error(
    tmp_path: Path, cut: int, pack: Callable[[bytes], bytes]
) -> None:
    whole = tarred({f"{i}.xml": bytes([65 + i]) * 600 for i in range(3)})
    items = list(entries(_put(tmp_path / "logs", pack(whole[:cut]))))
    assert items[-1][0] == "logs"
    assert "unexpected end" in _reasons(items)["logs"] or cut == 1500
    assert sum(isinstance(data, bytes) for _, data in items) == (cut >= 1500)


def test_compressed_tar_that_is_cut_off_is_an_error(tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(20_000)
    whole = lzma.compress(tarred({"a.xml": LOG, "b.xml": noise, "c.xml": LOG}))
    items = list(entries(_put(tmp_path / "logs", whole[: len(whole) // 2])))
    assert isinstance(items[-1][1], LogError)


def test_damaged_header_is_not_the_end_of_the_archive(tmp_path: Path) -> None:
    whole = bytearray(tarred({"a.xml": LOG, "b.xml": LOG, "c.xml": LOG}))
    whole[1024 + 3] ^= 1
    items = list(entries(_put(tmp_path / "logs.tar", bytes(whole))))
    assert items[0] == ("logs.tar/a.xml", LOG)
    assert "cut off or damaged" in _reasons(items)["logs.tar"]


def test_link_in_a_tar_is_refused(tmp_path: Path) -> None:
    links = [_special("b.xml", tarfile.SYMTYPE), _special("c.xml", tarfile.LNKTYPE)]
    items = list(entries(_put(tmp_path / "logs.tar", tarred({"a.xml": LOG}, *links))))
    assert list(_reasons(items)) == ["logs.tar/b.xml", "logs.tar/c.xml"]


@pytest.mark.parametrize(
    "inner",
    [zipped(ONE), tarred(ONE), gzip.compress(tarred(ONE)), b"7z\xbc\xaf\x27\x1c\0"],
    ids=["zip", "tar", "tar.gz", "7z"],
)
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_archive_in_an_archive_is_refused(
    tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes], inner: bytes
) -> None:
    items = list(entries(_put(tmp_path / "logs", pack({"inner": inner, "a.xml": LOG}))))
    assert "cannot open" in _reasons(items)["logs/inner"]
    assert items[1] == ("logs/a.xml", LOG)


def test_other_archives_are_refused(tmp_path: Path) -> None:
    _, problem = _only(_put(tmp_path / "logs.rar", b"Rar!\x1a\x07\0"))
    assert str(problem) == "logs.rar: is packed by RAR, which houjuu cannot open; unpack it first"


def test_encrypted_member_is_refused(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.xml": LOG, "b.xml": LOG}))
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    items = list(entries(_put(tmp_path / "logs.zip", bytes(data))))
    assert list(_reasons(items)) == ["logs.zip/a.xml"]
    assert "is encrypted" in _reasons(items)["logs.zip/a.xml"]
    assert items[1] == ("logs.zip/b.xml", LOG)


def test_damaged_member_does_not_end_thezipped(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.xml": LOG, "b.xml": LOG}))
    data[data.index(b"a.xml") + 8] ^= 0xFF
    items = list(entries(_put(tmp_path / "logs.zip", bytes(data))))
    assert "cannot be read" in _reasons(items)["logs.zip/a.xml"]
    assert items[1] == ("logs.zip/b.xml", LOG)


@pytest.mark.real_logs
def test_real_archive_is_read_whole() -> None:
    path = real.archive("lower-rooms")
    items = list(entries(path))
    assert len(items) == 275
    with tarfile.open(path) as archive:
        for (name, data), member in zip(items, archive, strict=True):
            file = archive.extractfile(member)
            assert file is not None
            assert name == f"lower-rooms.tar.xz/{member.name}"
            assert data == file.read()


@pytest.mark.real_logs
def test_real_archives_need_little_memory() -> None:
    path = real.archive("phoenix-hanchan")
    tracemalloc.start()
    read = sum(len(data) for _, data in entries(path) if isinstance(data, bytes))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read > 4 * MAX_BYTES
    assert peak < 2.5 * MAX_BYTES
