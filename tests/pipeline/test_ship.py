"""`make ship` copies everything or nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from houjuu.util import parameters
from houjuu.util.errors import Error
from pipeline import paths, ship
from tests.pipeline.repository import ROOT

LAST = {paths.HOUJUU_MODEL: paths.LAST_MODEL, paths.ADDITIVE_MODEL: paths.LAST_ADDITIVE_MODEL}
SHIPPED = {
    paths.ADDITIVE_MODEL: "houjuu-additive.npz",
    paths.HOUJUU_MODEL: "houjuu.npz",
    paths.PAPER_MODEL: "kurita-hoki-2017.npz",
    paths.PRINTED_MODEL: "kurita-hoki-2017-printed.npz",
    paths.YAKU_MODEL: "player/yaku.npz",
    paths.FINAL_RANK_MODEL: "player/final_ranks.npz",
    paths.ROUND_END_MODEL: "player/round_ends.npz",
    paths.PREFERENCE_MODEL: "player/preferences.npz",
    paths.HAND_MODEL: "hands/hidden_hands.npz",
}


@pytest.fixture
def real_run(workspace: Path) -> Path:
    """The models that ship, as if a run on real logs had just made them, with its results."""
    (workspace / "models" / "last_fit").mkdir(parents=True)
    for path, name in SHIPPED.items():
        model = parameters.read(ROOT / "houjuu" / "fitted" / name)
        parameters.write(workspace / path, model)  # zips of Python before 3.11.4 differ
    for evaluated, last in LAST.items():
        _change(workspace / evaluated, {"metrics": {"of": "the evaluation"}, "commit": "e" * 40})
        shutil.copy(workspace / evaluated, workspace / last)
        _change(workspace / last, {"metrics": {}, "commit": "f" * 40, "name": "run"}, factor=2.0)
    for result in ship.RESULTS:
        (workspace / result).parent.mkdir(parents=True, exist_ok=True)
        (workspace / result).write_text(f"results of {result}")
    return workspace


def test_models_and_results_are_copied(real_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ship, "PICTURES", {})
    ship.main()
    for path, name in SHIPPED.items():
        if path not in LAST:
            copied = real_run / "houjuu" / "fitted" / name
            assert copied.read_bytes() == (real_run / path).read_bytes()
    for result in ship.RESULTS:
        copied = real_run / paths.REAL_RUN / Path(result).relative_to("data")
        assert copied.read_text() == f"results of {result}"
    evaluated_file = real_run / "houjuu" / "fitted" / "houjuu-evaluated.npz"
    evaluated_model = parameters.read(evaluated_file)
    assert evaluated_model.header["model"] == "houjuu-evaluated"
    assert evaluated_model.header["commit"] == "e" * 40
    about = json.loads((real_run / paths.REAL_RUN / "run.json").read_text())
    header = parameters.read(real_run / paths.HOUJUU_MODEL).header
    evaluated = {"commit": header["commit"], "fitted_on": header["fitted_on"]}
    assert about["houjuu"] == {**evaluated, "commit": "f" * 40, "evaluated": evaluated}
    # the last fit ships with the figures of the evaluated one
    for made, last in LAST.items():
        shipped = parameters.read(real_run / "houjuu" / "fitted" / SHIPPED[made])
        fitted = parameters.read(real_run / last)
        assert all(
            np.array_equal(fitted.arrays[name], shipped.arrays[name]) for name in fitted.arrays
        )
        assert shipped.header["metrics"] == {"of": "the evaluation"}
        assert "name" not in shipped.header  # of the run
        assert shipped.header["commit"] == "f" * 40
        assert shipped.header["evaluated"]["commit"] == "e" * 40


def test_nothing_is_copied_while_a_result_is_missing(real_run: Path) -> None:
    for path in ship.RESULTS:
        kept = (real_run / path).rename(real_run / "kept")
        with pytest.raises(Error, match=f"{path}: is missing"):
            ship.main()
        kept.rename(real_run / path)
    assert not (real_run / "houjuu").exists()
    assert not (real_run / paths.REAL_RUN).exists()


def test_a_model_that_nobody_can_make_again_is_refused(real_run: Path) -> None:
    """Also of two fits the one that does not ship."""
    refused: list[tuple[str, Mapping[str, object], str]] = [
        *((path, {"commit": "4f3a+"}, "not committed") for path in (*LAST, *LAST.values())),
        (paths.YAKU_MODEL, {"commit": None}, "not committed"),
        (paths.YAKU_MODEL, {"fitted_on": {"source": "self-play"}}, "self-played games"),
    ]
    for path, changes, reason in refused:
        before = (real_run / path).read_bytes()
        _change(real_run / path, changes)
        with pytest.raises(Error, match=f"{path}: .*{reason}"):
            ship.main()
        (real_run / path).write_bytes(before)
    assert not (real_run / "houjuu").exists()


def _change(path: Path, changes: Mapping[str, object], factor: float = 1.0) -> None:
    """Write a parameter file anew, with another header and its weights times a factor.

    A fit has no word about its evaluation: that is added to the file that ships.
    """
    model = parameters.read(path)
    header = {name: entry for name, entry in model.header.items() if name != "evaluated"}
    arrays = {name: a * factor if a.dtype.kind == "f" else a for name, a in model.arrays.items()}
    parameters.write(path, parameters.Parameters({**header, **changes}, arrays))
