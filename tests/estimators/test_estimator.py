from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import houjuu
from features import paper_tenpai_rows, paper_wait_counts, wait_rows
from houjuu.estimators.loading import load_once
from houjuu.game.events import Discard, Game, RiichiAccepted
from houjuu.game.table import Table
from houjuu.util import parameters
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import Parameters
from models.fitting.shards import FrameShards
from models.paper import export
from models.paper.melded import MeldedWeights
from models.paper.tenpai import TenpaiGrid
from models.paper.waits import WaitFrequencies


@pytest.fixture(scope="module")
def fitted(own_games: list[Game]) -> Parameters:
    return export.paper_parameters(
        TenpaiGrid().fit(FrameShards(paper_tenpai_rows.rows(own_games))),
        WaitFrequencies().fit(paper_wait_counts.count(own_games)),
        MeldedWeights().fit(FrameShards(wait_rows.rows(own_games[:1])[1])),
        {"fitted_on": {"source": "a test", "games": 4}},
    )


@pytest.fixture
def path(fitted: Parameters, tmp_path: Path) -> Path:
    parameters.write(tmp_path / "estimator.npz", fitted)
    return tmp_path / "estimator.npz"


def test_write_and_read_are_inverse(fitted: Parameters, path: Path) -> None:
    again = parameters.read(path)
    assert again.header == {"format": parameters.FORMAT, **fitted.header}
    assert again.arrays.keys() == fitted.arrays.keys()
    for name, array in fitted.arrays.items():
        assert np.array_equal(array, again.arrays[name])


def test_the_same_content_gives_the_same_bytes(fitted: Parameters, path: Path) -> None:
    other = path.with_name("again.npz")
    parameters.write(other, fitted)
    assert other.read_bytes() == path.read_bytes()
    assert [file.name for file in sorted(path.parent.iterdir())] == ["again.npz", "estimator.npz"]


def test_damaged_files_are_refused(path: Path) -> None:
    whole = path.read_bytes()
    for damaged in (b"", b"PK\3\4", whole[: len(whole) // 2], whole.replace(b"tenpai", b"tempai")):
        path.write_bytes(damaged)
        with pytest.raises(ParameterError, match=r"estimator\.npz|no part 'paper_tenpai'"):
            houjuu.load(path)
    with pytest.raises(ParameterError, match="no such parameter file"):
        houjuu.load(path.with_name("absent.npz"))


def test_an_unknown_model_is_refused_with_the_shipped_names() -> None:
    with pytest.raises(ParameterError, match=r"no model 'nobody' .* kurita-hoki-2017"):
        houjuu.load("nobody")


def test_the_header_of_the_shipped_model_has_its_source() -> None:
    header = houjuu.load("kurita-hoki-2017").header
    assert header["fitted_on"]["source"] == "Tenhou logs"
    assert header["fitted_on"]["games"] > 20_000
    assert header["metrics"]["tenpai"]["log_loss"] < header["metrics"]["tenpai"]["log_loss_base"]


def test_tenpai_of_every_decision(own_games: list[Game]) -> None:
    """Bounded, 1 in riichi, and increasing with the number of open melds in the mean."""
    estimator = houjuu.load()
    by_melds: list[list[float]] = [[], [], [], [], []]
    table = houjuu.Table()
    for event in own_games[0]:
        if isinstance(event, Discard):
            view = table.view(event.seat)
            p_tenpai = estimator.tenpai(view)
            assert p_tenpai.shape == (3,)
            assert ((p_tenpai > 0) & (p_tenpai <= 1)).all()
            for opponent, p in zip(view.opponents, p_tenpai, strict=True):
                assert not opponent.in_riichi or p == 1
                if not opponent.in_riichi:
                    by_melds[opponent.n_open_melds].append(float(p))
        table.apply(event)
    means = [np.mean(of_melds) for of_melds in by_melds if of_melds]
    assert len(means) >= 3
    assert means == sorted(means)


@pytest.mark.parametrize("model", ["houjuu", "kurita-hoki-2017"])
def test_a_riichi_counts_from_its_tile_on(own_games: list[Game], model: str) -> None:
    """Whoever claims the tile, unless by a win, faces the riichi."""
    estimator = houjuu.load(model)
    n_riichi = 0
    for game in own_games:
        table = Table(game.rules)
        for event in game:
            if not isinstance(event, RiichiAccepted):
                table.apply(event)
                continue
            others = [seat for seat in range(4) if seat != event.seat]
            waiting = [*map(table.view, others)]
            table.apply(event)
            for before, after in zip(waiting, map(table.view, others), strict=True):
                assert estimator.tenpai(before).tolist() == estimator.tenpai(after).tolist()
                assert estimator.tenpai(before)[(event.seat - before.seat) % 4 - 1] == 1
                risks = estimator.deal_in(before), estimator.deal_in(after)
                assert (risks[0].points == risks[1].points).all()
                copies = estimator.unseen(before).expected, estimator.unseen(after).expected
                assert (copies[0] == copies[1]).all()
            n_riichi += 1
    assert n_riichi > 10


ALONE = """
import sys
import houjuu
from houjuu.logs import mjai
estimator, table = houjuu.load(), houjuu.Table()
for event in mjai.events(open(sys.argv[1], "rb")):
    if isinstance(event, houjuu.events.Discard):
        estimator.tenpai(table.view(event.seat))
    table.apply(event)
known = {name.split(".")[0] for name in sys.modules}
print(sorted(known & {"lxml", "pandas", "sklearn", "riichienv", "scipy", "joblib", "tqdm"}))
"""


def test_the_runtime_needs_numpy_alone(own_games: list[Game], tmp_path: Path) -> None:
    from houjuu.logs import mjai

    (tmp_path / "game.mjson").write_text(mjai.write(own_games[0]))
    command = [sys.executable, "-c", ALONE, str(tmp_path / "game.mjson")]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_one_view_is_computed_once(own_games: list[Game]) -> None:
    """The answers of one view are kept, those of another view are new."""
    table = Table(own_games[0].rules)
    for event in own_games[0].events[:40]:
        table.apply(event)
    first, second = (table.view(seat) for seat in (0, 1))
    shared, estimator = load_once(), houjuu.load()
    for ask in ("deal_in", "unseen"):
        answers = [getattr(shared, ask)(view) for view in (first, first, second)]
        assert answers[0] is answers[1]
        assert answers[2] is not answers[1]
    assert (shared.model, shared.header) == (estimator.model, estimator.header)
    for view in (first, second, first):
        risk, expected = shared.deal_in(view), estimator.deal_in(view)
        assert shared.deal_in(replace(view)) is risk
        np.testing.assert_array_equal(risk.by_opponent, expected.by_opponent)
        np.testing.assert_array_equal(risk.points, expected.points)
        counted = estimator.unseen(view)
        assert np.array_equal(counted.copies, view.unseen())
        assert np.array_equal(counted.expected, shared.unseen(view).expected)
