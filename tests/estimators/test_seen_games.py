"""The games of a fit: what the shipped files name, and that nothing is measured on them."""

from __future__ import annotations

import csv
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

from houjuu.arena import risk_files
from houjuu.estimators import seen_games
from houjuu.estimators.loading import DEFAULT_MODEL, EVALUATED_MODEL, parameter_file, shipped_models
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.util import parameters
from houjuu.util.game_hashes import OF_ROOMS, SEEN, hashes
from houjuu.util.parameters import Parameters


@pytest.mark.parametrize("model", shipped_models())
def test_a_shipped_file_names_the_games_of_its_fit(model: str) -> None:
    file = parameters.from_bytes(parameter_file(model), model)
    of_rooms = file.arrays.get(OF_ROOMS, np.zeros(0, np.uint64))
    assert len(file.arrays[SEEN]) == file.header["fitted_on"]["games"]
    hashes = seen_games.seen_by(model)
    assert len(hashes) == len(file.arrays[SEEN]) + len(of_rooms)
    assert (np.diff(hashes.astype(object)) > 0).all()


def test_the_evaluated_fit_has_seen_fewer_games() -> None:
    every, evaluated = map(seen_games.seen_by, (DEFAULT_MODEL, EVALUATED_MODEL))
    assert np.isin(evaluated, every).all()
    assert len(evaluated) < 0.81 * len(every)


def test_a_hash_is_that_of_the_id() -> None:
    """A game of the fit, one that was held out from it, and one of another room."""
    games = [
        "2023062023gm-00e1-0000-b22ca256",
        "2024041200gm-00a9-0000-4e21a8c7",
        "2020121800gm-0029-0000-4afd59fb",
    ]
    assert seen_games.are_seen(games, DEFAULT_MODEL).tolist() == [True, True, False]
    assert seen_games.are_seen(games[2:], DEFAULT_MODEL, EVALUATED_MODEL).tolist() == [False]
    assert hashes(["a"]).tolist() == [int.from_bytes(_digest("a"), "little")]


def _digest(text: str) -> bytes:

    return blake2b(text.encode(), digest_size=8).digest()


def test_risks_leave_games_of_the_fit_out(own_games: list[Game], tmp_path: Path) -> None:
    model = tmp_path / "own.npz"
    plain = parameters.from_bytes(parameter_file("kurita-hoki-2017-printed"), "")
    seen = {SEEN: np.sort(hashes(["game0", "another"]))}
    parameters.write(model, Parameters(plain.header, {**plain.arrays, **seen}))
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(2):
        (logs / f"game{number}.mjlog").write_bytes(mjlog.write(own_games[number]))
    ids = {}
    for keep_seen in (False, True):
        said: list[str] = []
        file = tmp_path / f"{keep_seen}.csv"
        problems = risk_files.write_risks(
            [str(logs / "game0.mjlog")] if keep_seen else [str(logs)],
            file,
            str(model),
            1,
            keep_seen=keep_seen,
            report=said.append,
        )
        assert not problems
        assert said == ([] if keep_seen else [seen_games.sentence(1, 2)])
        ids[keep_seen] = {row["game"] for row in csv.DictReader(file.open())}
    assert ids == {True: {"game0"}, False: {"game1"}}
