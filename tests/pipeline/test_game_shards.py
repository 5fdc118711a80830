"""The games in shards: tasks that name logs, selected games, tables made shard by shard."""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from features import tenpai_rows
from features.schema.tenpai import TENPAI
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.logs.sources import Entry, contents
from houjuu.logs.sources import entries as log_entries
from houjuu.util.errors import Error
from pipeline import game_shards, log_tasks, paths, resume, settings, tables
from pipeline.engine import SerialEngine
from pipeline.game_shards import Tables
from pipeline.stages import parse, spare_rows
from tests.kit.archives import database, tarred, zipped
from tests.pipeline.repository import change_params

PART = 3
LOGS = [(f"{number:02}.xml", f"<mjloggm>{number}".encode()) for number in range(10)]


def _folder(path: Path) -> None:
    path.mkdir()
    for name, data in LOGS:
        (path / name).write_bytes(data)


def _zip(path: Path) -> None:
    path.write_bytes(zipped(dict(LOGS)))


def _tar(path: Path) -> None:
    path.write_bytes(lzma.compress(tarred(dict(LOGS))))


def _database(path: Path) -> None:
    database(path, [(name, "2009", 1, 0, data) for name, data in LOGS])


@pytest.mark.parametrize("make", [_zip, _tar, _database, _folder])
def test_the_tasks_read_every_log_once(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "logs")
    tasks = log_tasks.log_tasks(tmp_path / "logs", PART, SerialEngine())
    shards = [shard.entries for task in tasks for shard in task.shards()]
    assert [entry for shard in shards for entry in shard] == list(contents(tmp_path / "logs"))
    sizes = [len(shard) for shard in shards]
    assert max(sizes) <= 2 * PART if make is _folder else sizes == [3, 3, 3, 1]
    assert [number for task in tasks for number in task.numbers] == [*range(len(sizes))]
    assert sum(task.size for task in tasks) >= len(LOGS)


def test_a_name_changes_the_run_that_it_is_in() -> None:
    names = [f"{day:03}-{game:02}" for day in range(100) for game in range(30)]

    def cut(names: list[str]) -> list[tuple[str, ...]]:
        return [tuple(names[run]) for run in resume.runs(names, 100)]

    before = cut(names)
    assert [name for run in before for name in run] == names
    assert all(50 <= len(run) <= 200 for run in before[:-1])
    assert 24 <= len(before) <= 36
    later = [f"{day:03}-{game:02}" for day in range(100, 110) for game in range(30)]
    assert cut(names + later)[: len(before) - 1] == before[:-1]
    changed = [len({*cut(names[:i] + names[i + 1 :])} - {*before}) for i in range(0, 3000, 70)]
    assert sum(changed) / len(changed) < 1.5
    assert cut([]) == []
    assert len(cut(names[:1])) == 1


def test_a_tar_is_not_unpacked_anew_for_every_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _tar(tmp_path / "logs")
    monkeypatch.setattr(log_tasks, "_TASKS_OF_SEQUENTIAL", 2)
    tasks = log_tasks.log_tasks(tmp_path / "logs", PART, SerialEngine())
    assert [list(task.numbers) for task in tasks] == [[0, 1], [2, 3]]
    entries = [entry for task in tasks for shard in task.shards() for entry in shard.entries]
    assert entries == list(contents(tmp_path / "logs"))


def test_what_cannot_be_read_is_a_part_with_the_reason(tmp_path: Path) -> None:
    _tar(tmp_path / "a")
    packed = (tmp_path / "a").read_bytes()
    (tmp_path / "a").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "b").write_bytes(b"PK\x03\x04 damaged")
    (tmp_path / "c.xml").write_bytes(b"<mjloggm>")
    tasks = log_tasks.log_tasks(tmp_path, PART, SerialEngine())
    entries = [entry for task in tasks for shard in task.shards() for entry in shard.entries]
    expected = list(log_entries(tmp_path))
    assert [name for name, _ in entries] == [name for name, _ in expected]
    assert [str(data) for _, data in entries] == [str(data) for _, data in expected]
    assert {name for name, data in entries if isinstance(data, Error)} >= {"a", "b"}


def test_the_games_with_the_smallest_digests_are_selected() -> None:
    games = pd.DataFrame(
        {
            "source": list("abcdef"),
            "digest": ["5", "1", "4", "0", "3", "2"],
            "validate": [False, False, False, True, True, True],
        }
    )

    def selected(games: pd.DataFrame, *limits: int | None) -> set[str]:
        return set(game_shards.select_games(games, *limits)["source"])

    assert selected(games, 2) == {"b", "c"}
    assert selected(games, 0, 1) == {"d"}
    assert selected(games, 1, 2) == {"b", "d", "f"}
    assert selected(games, 100, 100) == selected(games, None, None) == set("abcdef")
    assert selected(games) == set()
    assert selected(games.sample(frac=1, random_state=3), 2, 1) == {"b", "c", "d"}


@pytest.fixture
def parsed(workspace: Path, own_games: list[Game]) -> list[Game]:
    """Games that ``parse`` has read, in shards of two."""
    for game in own_games:
        (workspace / "data" / "logs" / f"{game.id}.mjlog").write_bytes(mjlog.write(game))
    change_params(workspace, "parse", games_per_shard=2, validate_share=0.5)
    parse.main()
    return own_games


def test_every_accepted_game_is_in_one_part(parsed: list[Game]) -> None:
    games = game_shards.accepted_games()
    read = {
        task.place: [game.id for game in task.games()] for task in game_shards.game_tasks(games)
    }
    assert len(read) > 2
    for split, flag in ((paths.FITTED, False), (paths.HELD_OUT, True)):
        of_split = [game for place in sorted(read) if split in place for game in read[place]]
        assert of_split == sorted(games.loc[games["validate"] == flag, "game"])


def test_a_table_has_the_rows_of_its_games(parsed: list[Game]) -> None:
    _extract()
    expected = tenpai_rows.rows(parsed)
    games = game_shards.accepted_games()
    for held_out in (False, True):
        rows = tables.read_rows(paths.TENPAI_ROWS, TENPAI, held_out=held_out)
        ids = games.loc[games["validate"] == held_out, "game"]
        assert set(rows["game"]) == set(ids)
        for game in ids:
            ours = rows[rows["game"] == game].drop(columns="game").to_numpy()
            theirs = expected[expected["game"] == game].drop(columns="game").to_numpy()
            assert np.array_equal(ours, theirs)
    first = games[~games["validate"]].sort_values("digest")["game"].iloc[0]
    few = tables.read_rows(paths.TENPAI_ROWS, TENPAI, held_out=False, games=1)
    assert set(few["game"]) == {first}


def _extract(function: Callable[[list[Game]], Tables] | None = None) -> None:
    tables_ = ((paths.TENPAI_ROWS, TENPAI),)
    wanted = game_shards.accepted_games()
    game_shards.extract("tenpai_rows", function or _rows, tables_, wanted)


def _rows(games: list[Game]) -> Tables:
    return (tenpai_rows.rows(games),)


class _Interrupted:
    """Makes rows, and fails at a call."""

    def __init__(self, at: int) -> None:
        self.calls, self.at = 0, at

    def __call__(self, games: list[Game]) -> Tables:
        self.calls += 1
        if self.calls == self.at:
            raise KeyboardInterrupt
        return _rows(games)


class _Counting(SerialEngine):
    passes = 0

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        self.passes += 1
        return map(function, tasks)


def _bytes() -> dict[str, bytes]:
    folder = Path(paths.TENPAI_ROWS)
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


def test_an_interrupted_stage_continues(parsed: list[Game]) -> None:
    whole = _Interrupted(at=0)
    _extract(whole)
    expected = _bytes()
    shutil.rmtree(resume.STORE)
    stopped = _Interrupted(at=whole.calls)
    with pytest.raises(KeyboardInterrupt):
        _extract(stopped)
    assert _bytes() == expected  # the earlier table stays until the new one is whole
    rest = _Interrupted(at=0)
    _extract(rest)
    assert 0 < rest.calls < whole.calls
    assert _bytes() == expected


def _calls(stage: str = "tenpai_rows") -> int:
    counting = _Interrupted(at=0)
    wanted = game_shards.accepted_games()
    game_shards.extract(stage, counting, ((paths.TENPAI_ROWS, TENPAI),), wanted)
    return counting.calls


def test_parts_of_other_parameters_are_not_reused(parsed: list[Game], workspace: Path) -> None:
    """A limit on the games changes no row of a game."""
    n_shards = _calls("yaku_rows")
    change_params(workspace, "yaku_rows", held_out=1000)
    assert _calls("yaku_rows") == 0
    change_params(workspace, "yaku_rows", decision_stride=3)
    assert _calls("yaku_rows") == n_shards


def test_other_logs_cost_the_shards_of_their_games(
    workspace: Path, own_games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    """More, fewer and mended files give the bytes of a run from nothing."""
    logs = workspace / "data" / "logs"
    *files, (last, extra) = ((f"{game.id}.mjlog", mjlog.write(game)) for game in own_games)
    for name, content in files:
        (logs / name).write_bytes(content)
    change_params(workspace, "parse", games_per_shard=2, validate_share=0.5)
    checked: list[int] = []
    monkeypatch.setattr(parse, "check", _counted(parse.check, checked))

    def run() -> tuple[int, int]:
        checked.clear()
        parse.main()
        return sum(checked), _calls()

    n_checked, n_shards = run()
    assert run() == (0, 0)
    (logs / "more.zip").write_bytes(zipped({last: extra}))
    assert run() == (1, 1)
    first = logs / min(files)[0]
    first.write_bytes(min(files)[1] + b" ")
    assert run()[1] == 1
    first.unlink()
    assert run()[1] <= 1
    ours = _bytes()
    assert len([*(resume.STORE / "tenpai_rows").iterdir()]) == len(ours)
    shutil.rmtree(resume.STORE)
    assert run()[1] > 1
    assert _bytes() == ours
    assert n_checked == len(own_games) - 1
    assert n_shards > 2


def _counted(
    check: Callable[..., parse.Checked], counts: list[int]
) -> Callable[..., parse.Checked]:
    def counted(entries: list[Entry], **options: bool) -> parse.Checked:
        counts.append(len(entries))
        return check(entries, **options)

    return counted


def test_without_held_out_games_reading_them_is_an_error(parsed: list[Game]) -> None:
    _extract()
    for path in Path(paths.TENPAI_ROWS, paths.HELD_OUT).glob("*"):
        path.unlink()
    with pytest.raises(Error, match=r"none of its \d+ games is held out"):
        tables.read_rows(paths.TENPAI_ROWS, TENPAI, held_out=True)


def test_stored_parts_are_the_rows(parsed: list[Game]) -> None:
    _extract()
    engine = SerialEngine()
    expected = tables.read_rows(paths.TENPAI_ROWS, TENPAI, held_out=False)
    with tables.stored_shards("train", engine) as open_table:
        shards = open_table(paths.TENPAI_ROWS, TENPAI)
        assert sum(shards.map(len)) == len(expected)
        assert len(list(shards.map(len))) > 1
        turns = shards.prepare(lambda rows: {"turn": rows["turn"].to_numpy()})
        stored = np.concatenate(list(turns.map(lambda arrays: arrays["turn"])))
        assert np.array_equal(stored, expected["turn"])
        scratch = resume.UNFINISHED / "train"
        half = turns.every(2)
        del turns
        assert len(list(half.map(len))) == len(half)
        assert [*scratch.rglob("*.npz")]
        del half
        assert scratch.exists()
        assert not [*scratch.rglob("*.npz")]  # the arrays of one fit at a time
    assert not (resume.UNFINISHED / "train").exists()


def test_few_rows_need_no_worker(parsed: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    _extract()
    n_rows = len(tables.read_rows(paths.TENPAI_ROWS, TENPAI, held_out=False))
    for few, calls in ((n_rows, True), (n_rows + 1, False)):
        monkeypatch.setattr(tables, "_FEW", few)
        engine = _Counting()
        with tables.stored_shards("train", engine) as open_table:
            assert sum(open_table(paths.TENPAI_ROWS, TENPAI).map(len)) == n_rows
        assert bool(engine.passes) == calls


def test_the_last_fit_reads_all_rows_once(parsed: list[Game], workspace: Path) -> None:
    """Those of the fitted games, of the evaluated ones, and of the spare ones."""
    change_params(workspace, "tenpai_rows", held_out=1)
    change_params(workspace, "wait_rows", held_out=1)
    limits = settings.load().tenpai_rows
    games = game_shards.accepted_games()
    wanted = game_shards.select_games(games, limits.games, limits.held_out)
    game_shards.extract("tenpai_rows", _rows, ((paths.TENPAI_ROWS, TENPAI),), wanted)
    spare_rows.main()
    every = tenpai_rows.rows(parsed)
    with tables.stored_shards("last_fit", SerialEngine(), tables.all_files) as open_table:
        shards = open_table(paths.TENPAI_ROWS, TENPAI)
        by_shard = [*shards.map(lambda rows: rows["game"].astype(str))]
        prepared = shards.prepare(lambda rows: {"turn": rows["turn"].to_numpy()})
        turns = np.concatenate([*prepared.map(lambda arrays: arrays["turn"])])
    assert pd.concat(by_shard).value_counts().to_dict() == every["game"].value_counts().to_dict()
    assert sorted(turns) == sorted(every["turn"])
    n_held_out = int(games["validate"].sum())
    spare = [*Path(paths.SPARE_ROWS[paths.TENPAI_ROWS], paths.HELD_OUT).glob("*")]
    assert n_held_out > 1
    assert spare


def test_without_a_spare_game_there_are_no_more_rows(parsed: list[Game]) -> None:
    _extract()
    spare_rows.main()
    everything = sorted(Path(paths.TENPAI_ROWS).rglob("*.parquet"))
    assert sorted(tables.all_files(paths.TENPAI_ROWS)) == everything


def test_the_environment_names_a_scheduler(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.load().run.scheduler is None
    monkeypatch.setenv(settings.SCHEDULER, "tcp://a:1")
    assert settings.load().run.scheduler == "tcp://a:1"
