"""Damage to any array or list of names of a parameter file that ships is refused by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from docs.hooks import READERS
from houjuu.estimators import hand_model, loading
from houjuu.player.hand_value import yaku_model
from houjuu.player.preference import preferences
from houjuu.player.round_end import round_ends
from houjuu.player.values import final_ranks
from houjuu.util import parameters
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import Array, Parameters
from tests.kit.files import FITTED

_ALONE = (final_ranks, hand_model, preferences, round_ends, yaku_model)
PLAYER = {one.SHIPPED: one for one in _ALONE}
ALIKE = "houjuu-evaluated.npz", "houjuu-additive.npz"
"""Files whose arrays are those of another, with other numbers."""

FILES = [
    pytest.param(f"fitted/{name}", marks=[pytest.mark.deep] * (name in ALIKE), id=name)
    for name in sorted(path.name for path in FITTED.glob("*.npz"))
]
NAMES = {
    "paper_tenpai": "paper's tenpai model",
    "paper_waits": "waits",
    "paper_melded": "melded hands",
    "tenpai_gam": "tenpai GAM",
    "discard_network": "network of discards",
    "riichi_waits": "waits|conditional logit",
    "closed_waits": "waits|conditional logit",
    "melded_waits": "waits|conditional logit",
    "riichi_han": "han|conditional logit",
    "closed_han": "han|conditional logit",
    "melded_han": "han|conditional logit",
    "unseen_tiles": "unseen tiles",
    "final_ranks": "final.ranks",
    "preferences": "preferences",
    "hidden_hands": "hidden hands|chiitoitsu",
    "yaku": "yaku",
}
"""What an error calls each part; the arrays of other parts have their own names in it."""

OPTIONAL = ("terms", "tail")
"""Arrays that files of earlier versions lack, and the ranges."""

UNKNOWN = "how it feels"
Reasons = dict[str, str]
VALUES = "must be numbers|it must be|must lie|are not|is not one of|has an unknown|0 or 1"
INCOMPLETE = "a part of the model is incomplete or invalid"


def damages(part: str, name: str, array: Array) -> Iterator[tuple[str, Array | None]]:
    """What each damage is refused for, and the array; None is its absence."""
    if name not in OPTIONAL and part != "ranges":
        yield f"{INCOMPLETE}|differ from|has no part", None
    for shape in ((*array.shape, 2), (array.size - 1,)):
        yield f"shape|fit|ascending|not one of|{INCOMPLETE}", np.resize(array, shape)
    if array.dtype.kind == "U":
        yield f"has the feature '{UNKNOWN}', which this version", np.append(array[:-1], UNKNOWN)
        return
    for value in (np.nan, -1e300, 1e300)[: 1 if part == "ranges" else None]:
        yield VALUES, np.full(array.shape, value)


def lists(header: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a damaged list of names is refused for, and the header."""
    unknown = f"has the feature '{UNKNOWN}', which this version|have other|other phases"
    for key in {"phases", "terms", "inputs", "columns", "targets"} & header.keys():
        whole = header[key]
        for name in whole if isinstance(whole, dict) else [""]:
            names = whole[name] if name else whole
            for problem, changed in (
                (unknown, [*names[:-1], UNKNOWN]),
                ("shape|fit|other|first", names[1:]),
            ):
                yield problem, {**header, key: {**whole, name: changed} if name else changed}


@pytest.mark.parametrize("file", [*FILES, *PLAYER])
def test_damage_is_refused_by_its_name(file: str) -> None:
    shipped = parameters.read(FITTED.parent / file)
    load: Callable[[Parameters], object] = PLAYER.get(file, loading.FITTED).from_parameters
    load(shipped)
    assert ("games/seen" in shipped.arrays) is (file != "fitted/player/yaku.npz")

    def refused(problem: str, noun: str, header: Mapping[str, Any], arrays: Any) -> None:
        with pytest.raises(ParameterError, match=problem) as error:
            load(Parameters(header, arrays))
        assert re.search(f"{noun}|{INCOMPLETE}", str(error.value))

    for full_name, array in shipped.arrays.items():
        part, name = full_name.split("/")
        if part == "games":  # read by tests/estimators/test_seen_games.py
            continue
        rest = {key: one for key, one in shipped.arrays.items() if key != full_name}
        noun = NAMES.get(part, name)
        for problem, damaged in damages(part, name, array):
            changed = rest if damaged is None else {**rest, full_name: damaged}
            refused(problem, noun, shipped.header, changed)
        if part != "ranges":
            more = {**shipped.arrays, f"{part}/more": np.zeros(1)}
            refused(f"{INCOMPLETE}|differ", "more", shipped.header, more)
    if file in PLAYER:
        for problem, header in lists(shipped.header):
            refused(problem, "", header, shipped.arrays)
        refused("model 'other' is not", "", {**shipped.header, "model": "other"}, shipped.arrays)


def test_every_reader_reads_a_part_of_a_file_that_ships() -> None:
    files = map(parameters.read, FITTED.rglob("*.npz"))
    assert {name.partition("/")[0] for file in files for name in file.arrays} >= READERS.keys()
