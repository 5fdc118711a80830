"""Damaged archives and databases: every entry is content or an Error, within the limits."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from houjuu.logs.sources import entries
from houjuu.util.errors import LogError, printable
from tests.fuzz.budget import budget
from tests.kit.archives import database, tarred, zipped

LOG = b'<mjloggm ver="2.3"><GO type="9"/></mjloggm>' * 20
KINDS = ("zip", "tar", "tar.gz", "tar.xz", "gz", "bz2", "xz", "lzma", "db")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    whole = tarred({"a.xml": LOG, "b" * 150: LOG})
    rows = [(str(number), "", 1, 0, LOG) for number in range(20)]
    return {
        "zip": zipped({"a.xml": LOG, "b.xml": gzip.compress(LOG)}),
        "tar": whole,
        "tar.gz": gzip.compress(whole),
        "tar.xz": lzma.compress(whole),
        "gz": gzip.compress(LOG),
        "bz2": bz2.compress(LOG),
        "xz": lzma.compress(LOG),
        "lzma": lzma.compress(LOG, lzma.FORMAT_ALONE),
        "db": database(tmp_path_factory.mktemp("db") / "logs.db", rows).read_bytes(),
    }


@budget(400)
@example(kind="zip", seed=449007)  # a no-break space in a name, which is shown as it is
@given(kind=st.sampled_from(KINDS), seed=st.integers(0))
def test_damaged_archives(
    archives: dict[str, bytes], kind: str, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    dice = random.Random(seed)
    data = bytearray(archives[kind])
    for _ in range(dice.randrange(1, 8)):
        data[dice.randrange(min(len(data), dice.choice((40, 600, len(data)))))] = dice.randrange(
            256
        )
    path = Path(tmp_path_factory.getbasetemp(), "damaged")
    path.write_bytes(data[: dice.choice((len(data), dice.randrange(len(data))))])
    for name, content in entries(path):
        assert printable(name) == name
        assert isinstance(content, bytes) or (type(content) is LogError and content.file == name)
