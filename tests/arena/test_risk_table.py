"""The table of risks: its values beside the game, and the command that writes it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import houjuu
from features import prediction_rows
from houjuu.arena import risk_files, risk_table
from houjuu.cli import main
from houjuu.game.events import Deal, Discard, Draw, Game
from houjuu.game.tiles import KIND, kind_name, parse_tiles
from houjuu.logs import mjai, mjlog
from houjuu.util.files import sole_use
from tests.kit.dialects import masked
from tests.kit.programs import lines

N_GAMES = 2
MODEL = "kurita-hoki-2017-printed"  # the fastest
KEY = ["round", "seat", "turn", "opponent"]


@pytest.fixture(scope="module")
def logs(own_games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for number, game in enumerate(own_games[:N_GAMES]):
        (folder / f"game{number}.mjlog").write_bytes(mjlog.write(game))
    return folder


def frame_of(game: Game) -> pd.DataFrame:
    """The rows of a game."""
    names = risk_table.names()
    rows = risk_table.rows(game, houjuu.load(MODEL))
    return pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows])


@pytest.fixture(scope="module")
def table(own_games: list[Game]) -> pd.DataFrame:
    return frame_of(own_games[0])


def test_it_has_the_rows_and_labels_of_the_evaluation(
    own_games: list[Game], table: pd.DataFrame
) -> None:
    """Every kind in the hand has the probability and the label of `features.prediction_rows`."""
    ((predictions, rons),) = prediction_rows.rows(own_games[:1], [houjuu.load(MODEL)])
    values = predictions[[*KEY, "kind", "predicted", "label"]]
    expected = {row[:5]: row[5:] for row in values.itertuples(index=False, name=None)}
    for row in table.to_dict("records"):
        wins = [] if row["wins"] == "none" else [KIND[tile] for tile in parse_tiles(row["wins"])]
        for kind in {KIND[tile] for tile in parse_tiles(row["hand"])}:
            predicted, label = expected.pop((*(row[name] for name in KEY), kind))
            name = risk_table.KIND_NAMES[kind]
            assert float(row[name]) == pytest.approx(predicted, rel=1e-4, abs=1e-9)
            assert label == (kind in wins)
    assert not expected
    ronned = table[table["ronned"] == 1]
    assert ronned["paid"].astype(int).tolist() == rons["points"].tolist()
    assert ronned["points"].astype(float).to_numpy() == pytest.approx(
        rons["expected_points"].to_numpy(), rel=1e-4
    )
    for row in ronned.to_dict("records"):
        assert row["discard"].replace("0", "5") in {
            risk_table.KIND_NAMES[KIND[tile]] for tile in parse_tiles(row["wins"])
        }
        assert row["is_tenpai"] == 1


def test_the_next_draw_is_that_of_the_log(own_games: list[Game], table: pd.DataFrame) -> None:
    """The printed model counts. The last discard of a round has no next draw."""
    draws = table[table["drawn"] != ""]
    assert (draws["next_draw"] == draws["counted_draw"]).all()
    rounds = table[table["round"] == 0].drop_duplicates(KEY[:-1])
    events = [*own_games[0]]
    start, end = [i for i, event in enumerate(events) if isinstance(event, Deal)][:2]
    drawn = dict.fromkeys(range(4), 0)
    checked = 0
    for number, event in enumerate(events[start:end], start):
        if not isinstance(event, Discard):
            continue
        key = (event.seat, drawn[event.seat])
        drawn[event.seat] += 1
        row = rounds[(rounds["seat"] == key[0]) & (rounds["turn"] == key[1])]
        following = [one for one in events[number:end] if isinstance(one, Draw)]
        if len(row):
            expected = kind_name(KIND[following[0].tile or 0]) if following else ""
            assert row["drawn"].item() == expected
            checked += 1
    assert checked == len(rounds) > 20
    assert set(draws["next_draw"].astype(float) < 0.1) == {True}


def test_hidden_hands_have_no_labels(own_games: list[Game]) -> None:
    """A log from the view of one seat: its own decisions alone, and no truth but the wins."""
    written = map(json.loads, mjai.write(own_games[0]).splitlines())
    frame = frame_of(mjai.parse(lines([masked(message, 0) for message in written]), "hidden"))
    assert set(frame["seat"]) == {0}
    assert (frame[["is_tenpai", "wins"]] == "").all().all()
    assert (frame["drawn"] != "").any() == (frame["next_draw"] != "").any()
    assert (frame["drawn"] == "").mean() > 0.9  # the draws of the others are hidden
    assert (frame["ronned"] == 1).any() == (frame["paid"] != "").any()


def test_any_number_of_processes_writes_the_same_bytes(logs: Path, tmp_path: Path) -> None:
    for jobs in (1, 2):
        arguments = ["risks", str(logs), "-o", str(tmp_path / f"{jobs}.csv"), "--model", MODEL]
        assert main([*arguments, "--jobs", str(jobs)]) == 0
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()
    with (tmp_path / "1.csv").open() as file:
        head, *rows = csv.reader(file)
    assert head == risk_table.names()
    assert {row[1] for row in rows} == {"game0", "game1"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["1.csv", "2.csv"]


def test_parquet_has_the_same_values(logs: Path, tmp_path: Path) -> None:
    for name in ("risks.csv", "risks.parquet"):
        assert main(["risks", str(logs), "-o", str(tmp_path / name), "--model", MODEL]) == 0
    stored = pq.read_table(tmp_path / "risks.parquet").to_pandas()
    text = pd.read_csv(tmp_path / "risks.csv", keep_default_na=False, na_values=[""])
    assert list(stored.columns) == list(text.columns)
    for name in stored:
        if stored[name].dtype == np.float32:
            assert stored[name].to_numpy() == pytest.approx(
                text[name].to_numpy(dtype=np.float32), nan_ok=True
            )
        else:
            assert stored[name].equals(text[name].astype(stored[name].dtype))


def test_an_interrupted_run_continues(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parts that exist are not made again; one that was half written does not count."""
    output = tmp_path / "risks.csv"
    arguments = ["risks", str(logs), "-o", str(output), "--model", MODEL, "--jobs", "1"]

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(risk_files, "_different_games", interrupted)
        assert main(arguments) == 130
    parts = sorted((tmp_path / "risks.csv.parts").iterdir())
    assert len(parts) == N_GAMES
    assert not output.exists()
    parts[0].rename(parts[0].with_name(".houjuu-0123.part"))
    kept = parts[1].stat().st_mtime_ns
    made: list[str] = []
    tasks = risk_files._tasks

    def counted(*arguments: Any) -> Any:
        for part in tasks(*arguments):
            made.append(part.log)
            yield part

    with monkeypatch.context() as patch:
        patch.setattr(risk_files, "_tasks", counted)
        patch.setattr(risk_files, "_different_games", interrupted)
        assert main(arguments) == 130
    assert len(made) == 1
    assert parts[1].stat().st_mtime_ns == kept
    assert main(arguments) == 0
    whole = tmp_path / "whole.csv"
    assert main([*arguments[:3], str(whole), *arguments[4:]]) == 0
    assert whole.read_bytes() == output.read_bytes()


def test_a_lost_part_is_an_error_and_so_is_a_second_command(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A complete table is never replaced by a part of it."""
    output = tmp_path / "risks.csv"
    output.write_text("complete")
    arguments = ["risks", str(logs), "-o", str(output), "--model", MODEL, "--jobs", "1"]
    with sole_use(tmp_path / "risks.csv.parts"):
        assert main(arguments) == 2
    assert "is being written by another command" in capsys.readouterr().err
    make_parts = risk_files._make

    def losing(paths: Any, parts: dict[str, Path], *more: Any) -> Any:
        left_out = make_parts(paths, parts, *more)
        next(iter(parts.values())).unlink()
        return left_out

    monkeypatch.setattr(risk_files, "_make", losing)
    assert main(arguments) == 2
    assert "cannot be read (No such file" in capsys.readouterr().err
    assert output.read_text() == "complete"


def test_games_without_a_row_have_no_id(tmp_path: Path) -> None:
    parts = {tmp_path / name: name for name in ("a.csv", "b.csv")}
    for part in parts:
        part.touch()
    assert risk_files._different_games(parts) == (list(parts), [])


def test_other_files_in_the_folder_of_the_parts_stay(logs: Path, tmp_path: Path) -> None:
    (tmp_path / "risks.csv.parts").mkdir()
    own = tmp_path / "risks.csv.parts" / "own.csv"
    own.write_text("mine")
    (own.parent / f"{'0' * 32}.csv").write_text("of another model")
    arguments = ["risks", str(logs / "game0.mjlog"), "-o", str(tmp_path / "risks.csv")]
    assert main([*arguments, "--model", MODEL, "--jobs", "1"]) == 0
    assert [*own.parent.iterdir()] == [own]


def test_another_model_uses_no_old_part(logs: Path, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    first, second = (
        risk_files._inventory([str(logs)], folder, model.encode())[0] for model in ("a", "b")
    )
    assert first.keys() == second.keys()
    assert not set(first.values()) & set(second.values())


def test_what_is_left_out_is_reported(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = logs / "game0.mjlog"
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "bad.xml").write_text("<html/>")
    (tmp_path / "more" / "copy.mjlog").write_bytes(game.read_bytes())
    (tmp_path / "more" / "game0.mjlog").write_bytes((logs / "game1.mjlog").read_bytes())
    output = tmp_path / "risks.csv"
    arguments = ["risks", str(game), str(tmp_path / "more"), "-o", str(output), "--lang", "en"]
    assert main([*arguments, "--model", MODEL, "--jobs", "1"]) == 1
    error = capsys.readouterr().err
    assert "left out: bad.xml: is not mjlog" in error
    assert "left out: copy.mjlog: is the same log as game0.mjlog" in error
    assert "left out: game0.mjlog: has the same game id as game0.mjlog" in error
    assert set(pd.read_csv(output)["game"]) == {"game0"}


@pytest.mark.parametrize(
    ("output", "model", "message"),
    [
        ("risks.xlsx", MODEL, "the table is a .csv or .parquet file"),
        ("nowhere/risks.csv", MODEL, "it is a folder, or in no folder"),
        ("risks.csv", "nobody", "no model 'nobody' ships with houjuu"),
        ("risks.csv", "nobody.npz", "nobody.npz: cannot be opened"),
    ],
)
def test_what_cannot_be_written_is_refused_at_once(
    output: str, model: str, message: str, logs: Path, tmp_path: Path, capsys: Any
) -> None:
    arguments = ["risks", str(logs), "-o", str(tmp_path / output), "--model", model]
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
