"""Damaged and absurd parameter files: a ParameterError, or probabilities in 0–1."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import houjuu
from houjuu.estimators import loading
from houjuu.game.events import Discard, Game
from houjuu.game.table import Table, View
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import Parameters
from tests.fuzz.budget import budget
from tests.kit.files import FITTED, shipped

SHIPPED = {name: (FITTED / f"{name}.npz").read_bytes() for name in ("houjuu", "kurita-hoki-2017")}
MODELS = st.sampled_from(sorted(SHIPPED))


@pytest.fixture(scope="module")
def views(own_games: list[Game]) -> list[View]:
    """Positions with riichi, melds and closed hands."""
    table = Table(own_games[0].rules)
    views: dict[object, View] = {}
    for event in own_games[0]:
        if isinstance(event, Discard):
            view = table.view(event.seat)
            kinds = frozenset((len(o.melds), o.in_riichi) for o in view.opponents)
            views.setdefault(kinds, view)
        table.apply(event)
    return list(views.values())[:6]


def _npy(header: bytes, data: bytes = b"", version: bytes = b"\1\0") -> bytes:
    return b"\x93NUMPY" + version + len(header).to_bytes(2, "little") + header + data


def _file(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def _array(shape: str, descr: str = "<f8", data: bytes = bytes(8)) -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}}}"
    return _npy(text.encode(), data)


@pytest.mark.parametrize(
    "array",
    [
        b"no array",
        _array("(1125899906842624,)"),
        _array("(-1, -1)"),
        _array("(99999999999999999999999999,)"),
        _array("(1,)", "|O"),
        _array("(1,)", "<f8', 'more': '"),
        _npy(b"(" * 9000),
        _npy(b"{'descr': \xff"),
        _npy(b"'''"),
        _array("(1,)", data=b""),
        _npy(b"{}", version=b"\7\7"),
    ],
)
def test_any_damage_of_an_array_is_a_parameter_error(tmp_path: Path, array: bytes) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(_file({"x/x.npy": array}))
    with pytest.raises(ParameterError) as problem:
        houjuu.load(path)
    assert problem.value.__context__ is None


@pytest.mark.parametrize(
    "header",
    [b"[" * 100_000, b"{", b"\xff", b'{"format": NaN}', b"2", b'{"format": 2}'],
)
def test_any_damage_of_the_header_is_a_parameter_error(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, header=np.frombuffer(header, np.uint8))
    with pytest.raises(ParameterError):
        houjuu.load(path)


TEXT_PROBLEM = "has more than 200 characters or unprintable ones"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"model": "a" * 5_000_000}, "has a header of more than 1 MiB"),
        ({"model": "a" * 201}, f"a text of the header {TEXT_PROBLEM}"),
        ({"model": "\ud800"}, f"a text of the header {TEXT_PROBLEM}"),
        ({"model": "\x1b[31m"}, f"a text of the header {TEXT_PROBLEM}"),
        ({"model": "a\nb"}, f"a text of the header {TEXT_PROBLEM}"),
        ({"model": "\u202e"}, f"a text of the header {TEXT_PROBLEM}"),
        ({"model": " "}, "has no model name"),
        ({"model": None}, "has no model name"),
        ({"format": 99}, "has format 99, but this version of houjuu reads format 2"),
        ({"fitted_on": {"source": ["\ud800"]}}, f"a text of the header {TEXT_PROBLEM}"),
        ({"metrics": {"\ud800": 1}}, f"a text of the header {TEXT_PROBLEM}"),
        ({"metrics": {"a": float("nan")}}, "a number of the header is not finite"),
        ({"metrics": {"a": 10**400}}, "a number of the header is not finite"),
        ({"fitted_on": "games"}, "has no training data with a number of games"),
        ({"fitted_on": {"games": "many"}}, "has no training data with a number of games"),
    ],
)
def test_texts_and_numbers_of_the_header_have_limits(
    tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    fitted = shipped("kurita-hoki-2017")
    header = json.dumps({**fitted.header, **change}).encode()
    path = tmp_path / "a.npz"
    np.savez(path, allow_pickle=False, header=np.frombuffer(header, np.uint8), **fitted.arrays)
    with pytest.raises(ParameterError, match=problem):
        houjuu.load(path)


@pytest.mark.parametrize("name", ["a" * 201, "a\n", "\x1b[31m"])
def test_names_of_terms_and_arrays_have_limits(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.npz"
    header = np.frombuffer(b'{"format": 2, "model": "a"}', np.uint8)
    np.savez(path, allow_pickle=False, header=header, names=np.array([name]))
    with pytest.raises(ParameterError, match=TEXT_PROBLEM):
        houjuu.load(path)
    np.savez(path, allow_pickle=False, header=header, **{name: np.zeros(1)})
    with pytest.raises(ParameterError, match="a name of an array or term"):
        houjuu.load(path)
    np.savez(path, allow_pickle=False, header=header, names=np.array([""] * 10_001))
    with pytest.raises(ParameterError, match="has an array of more than 10,000 names"):
        houjuu.load(path)


def test_the_limit_is_on_the_unpacked_size(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, header=np.zeros(65 << 20, np.uint8))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(ParameterError, match="unpacks to more than 64 MiB"):
        houjuu.load(path)


def test_other_compressions_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("header.npy", b"")
    with pytest.raises(ParameterError, match="its compression is another"):
        houjuu.load(path)


@budget(60)
@given(model=MODELS, data=st.data())
def test_damaged_bytes(
    model: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = bytearray(SHIPPED[model])
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    path.write_bytes(whole[: data.draw(st.integers(len(whole) // 2, len(whole)))])
    with contextlib.suppress(ParameterError):
        houjuu.load(path)


EXTREMES = (0.0, -1.0, 1e-300, 1e-9, 50.0, -100.0, 100.0, 1e4, 1e6, 1e308, -1e308, np.nan, np.inf)
Change = Callable[[npt.NDArray[np.float64], float, int], object]
CHANGES: tuple[Change, ...] = (
    lambda array, value, i: array.fill(value),
    lambda array, value, i: array.reshape(-1).__setitem__(i % array.size, value),
    lambda array, value, i: array.__imul__(value),
    lambda array, value, i: np.negative(array, out=array),
)


@budget(60)
@given(
    model=MODELS,
    part=st.integers(0, 99),
    value=st.sampled_from(EXTREMES),
    change=st.sampled_from(CHANGES),
    index=st.integers(0, 10**6),
)
def test_absurd_weights_are_refused_or_harmless(
    model: str,
    part: int,
    value: float,
    change: Change,
    index: int,
    views: list[View],
) -> None:
    arrays = {name: array.copy() for name, array in shipped(model).arrays.items()}
    floats = sorted(name for name, array in arrays.items() if array.dtype.kind == "f")
    with np.errstate(all="ignore"):
        change(arrays[floats[part % len(floats)]], value, index)
    try:
        estimator = loading.from_parameters(Parameters(shipped(model).header, arrays))
    except ParameterError:
        return
    for view in views:
        risk = estimator.deal_in(view)
        for probabilities in (risk.any, risk.by_opponent, risk.tenpai):
            assert ((probabilities >= 0) & (probabilities <= 1 + 1e-9)).all()
        assert np.isfinite(risk.points).all()
