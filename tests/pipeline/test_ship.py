"""`make ship` copies everything or nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from houjuu.util import parameters
from houjuu.util.errors import Error
from pipeline import paths, ship
from tests.pipeline.repository import ROOT

SHIPPED = {
    paths.ADDITIVE_MODEL: "houjuu-additive.npz",
    paths.HOUJUU_MODEL: "houjuu.npz",
    paths.PAPER_MODEL: "kurita-hoki-2017.npz",
    paths.PRINTED_MODEL: "kurita-hoki-2017-printed.npz",
    paths.YAKU_MODEL: "player/yaku.npz",
    paths.FINAL_RANK_MODEL: "player/final_ranks.npz",
    paths.ROUND_END_MODEL: "player/round_ends.npz",
    paths.PREFERENCE_MODEL: "player/preferences.npz",
}


@pytest.fixture
def real_run(workspace: Path) -> Path:
    """The models that ship, as if a run on real logs had just made them, with its results."""
    (workspace / "models").mkdir()
    for path, name in SHIPPED.items():
        shutil.copy(ROOT / "houjuu" / "fitted" / name, workspace / path)
    for result in ship.RESULTS:
        (workspace / result).parent.mkdir(parents=True, exist_ok=True)
        (workspace / result).write_text(f"results of {result}")
    return workspace


def test_models_and_results_are_copied(real_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ship, "PICTURES", {})
    ship.main()
    for path, name in SHIPPED.items():
        copied = real_run / "houjuu" / "fitted" / name
        assert copied.read_bytes() == (real_run / path).read_bytes()
    for result in ship.RESULTS:
        copied = real_run / paths.REAL_RUN / Path(result).relative_to("data")
        assert copied.read_text() == f"results of {result}"
    about = json.loads((real_run / paths.REAL_RUN / "run.json").read_text())
    header = parameters.read(real_run / paths.HOUJUU_MODEL).header
    assert about["houjuu"] == {"commit": header["commit"], "fitted_on": header["fitted_on"]}


@pytest.mark.parametrize("path", ship.RESULTS)
def test_nothing_is_copied_while_a_result_is_missing(real_run: Path, path: str) -> None:
    (real_run / path).unlink()
    with pytest.raises(Error, match=f"{path}: is missing"):
        ship.main()
    assert not (real_run / "houjuu").exists()
    assert not (real_run / paths.REAL_RUN).exists()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"commit": None}, "not committed"),
        ({"commit": "4f3a+"}, "not committed"),
        ({"fitted_on": {"source": "self-play"}}, "self-played games"),
    ],
)
def test_a_model_that_nobody_can_make_again_is_refused(
    real_run: Path, changes: dict[str, object], reason: str
) -> None:
    model = parameters.read(real_run / paths.YAKU_MODEL)
    changed = parameters.Parameters({**model.header, **changes}, model.arrays)
    parameters.write(real_run / paths.YAKU_MODEL, changed)
    with pytest.raises(Error, match=reason):
        ship.main()
    assert not (real_run / "houjuu").exists()
