"""The tables of figures in the docs are those of the files that they are made from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from docs import tables
from houjuu.player import RoundStarts, load_final_ranks
from pipeline import figures

PAGES = [path.relative_to(tables.ROOT).as_posix() for path in tables.PAGES]


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_of_a_page_are_fresh(page: str) -> None:
    text = (tables.ROOT / page).read_text("utf-8")
    assert tables.filled(text) == text, "run python -m docs.tables"


def test_a_stale_cell_is_noticed() -> None:
    fresh = tables.filled("A page\n\n<!-- table: worth -->\n<!-- end -->\n")
    assert tables.filled(fresh) == fresh
    stale = fresh.replace("2.282", "2.283")
    assert stale != fresh == tables.filled(stale)


def test_the_ranks_beside_those_of_mortal() -> None:
    """Ours are those of the model that ships, and the sentence has their differences."""
    numbers = (True, 4, 0, 0, [29_000, 14_200, 27_200, 29_600])
    predicted = load_final_ranks().predict(RoundStarts(*(np.array([n]) for n in numbers)))[0]
    rows = tables.read("tables/final-ranks.json")["mortal"]["rows"]
    cells = [[[*map(float, cell.split("/"))] for cell in row[1:]] for row in rows]
    theirs, ours = np.array(cells).swapaxes(0, 1)
    assert ours == pytest.approx(100 * predicted, abs=0.06)
    off = abs(ours - theirs)
    sentence = f"difference is {off.mean():.1f} points of percent, the largest {off.max():.1f}."
    assert sentence in (tables.ROOT / "docs/final-ranks.md").read_text("utf-8")


def test_every_table_is_on_a_page() -> None:
    pages = "".join((tables.ROOT / page).read_text("utf-8") for page in PAGES)
    files = {path.stem: json.loads(path.read_text()) for path in _files()}
    names = [f"{file}/{key}" for file, content in files.items() for key in content]
    for name in (*tables.TABLES, *names):
        assert f"<!-- table: {name} -->" in pages, name


def _files() -> list[Path]:
    return sorted((tables.RUN / "tables").glob("*.json"))


def test_every_printed_table_names_its_command_and_commit() -> None:
    """But for the rows of the sources, whose page has them, and of the choices, one a row."""
    for path in _files():
        for key, table in json.loads(path.read_text()).items():
            elsewhere = path.stem == "sources" or "commit" in table["head"]
            assert elsewhere or {"command", "commit"} <= table.keys(), (path, key)


def test_a_row_of_another_width_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "tables").mkdir()
    table = {"head": ["a", "b"], "rows": [["1"]]}
    (tmp_path / "tables" / "one.json").write_text(json.dumps({"key": table}))
    monkeypatch.setattr(tables, "RUN", tmp_path)
    with pytest.raises(ValueError, match="shorter"):
        list(tables.table("one/key"))


def test_a_cell_quotes_a_figure() -> None:
    losses = tables.read("houjuu/metrics.json")["tenpai"]["all"]
    quoted = tables.quoted("{houjuu/metrics.json tenpai/all/log_loss} of the rows")
    assert quoted == f"{losses['log_loss']:.4f} of the rows".removeprefix("0")


def test_the_correction_for_several_rows() -> None:
    """Holm's example by hand: .01, .02 and .03 become .03, .04 and .04."""
    half = {0.01: 2.5758, 0.02: 2.3263, 0.03: 2.1701}  # standard errors that give these p
    lines = {
        str(p): {"difference": z, "95%": [z - tables.NORMAL, z + tables.NORMAL]}
        for p, z in half.items()
    }
    assert tables.corrected(lines) == pytest.approx(
        {"0.01": 0.03, "0.02": 0.04, "0.03": 0.04}, abs=1e-4
    )


def test_the_picture_of_the_edges() -> None:
    """It is drawn from the tables beside it, and a shifted slope would move a point."""
    tenpai, deal_in = (
        pd.read_csv(tables.RUN / f"houjuu/evaluation/{question}_edges.csv", dtype={"group": str})
        for question in ("tenpai", "deal_in")
    )
    picture = (tables.ROOT / "docs/edges.svg").read_text()
    assert figures.svg(figures.edges(tenpai, deal_in)) == picture
    tenpai["slope"] *= 1.05
    assert figures.svg(figures.edges(tenpai, deal_in)) != picture


def test_the_picture_of_silent_tenpai() -> None:
    lines = pd.DataFrame(tables.read("peers.json")["houjuu"]["lines"])
    picture = (tables.ROOT / "docs/silent-tenpai.svg").read_text()
    assert figures.svg(figures.silent(lines)) == picture
    assert figures.svg(figures.silent(lines.assign(theirs=0.1))) != picture
