"""Figures of the code and of the parameter files in the rows of the sources, and on other pages."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from docs import tables
from examples.puyo.game import ROOM
from houjuu.estimators.kurita_hoki.riichi_waits import CONDITIONS
from houjuu.hands.wait_types import FORM
from houjuu.player.hand_value.yaku_targets import TARGET_YAKU
from houjuu.util import parameters
from tests.hands import shapes
from tests.hands.test_shapes import COUNTS

FITTED = Path(parameters.__file__).parents[1] / "fitted"


def _of_code() -> Iterator[tuple[str, str]]:
    """Yield figures of the code, by item of the table."""
    yield "M, the waits", f"same: {len(FORM)}"
    yield "5.2.1: hands of one tile", f"same: {COUNTS[1]}"
    yield "5.2.2: hands of four tiles", f"{COUNTS[4]:,} different"
    n_completions = len(shapes.completions(2).kind)
    yield "5.2.3: hands of seven tiles", f"{n_completions:,}, {COUNTS[7]:,} different"
    yield "the conditions y", f"{CONDITIONS} for each suit"
    yield "the list of 21 yaku", f"same: {len(TARGET_YAKU)}"
    red1, red2, red3 = ROOM.values()
    yield "危険度: Normal, Red3, Red2, Red1", f"{red3}, {red2} and {red1} free rows"


def _of_the_fits() -> Iterator[tuple[str, str]]:
    """Yield figures of the fitted and of the printed model of the paper, by item."""
    fitted, printed = (parameters.read(FITTED / f"{tables.PAPER}{n}.npz") for n in ("", "-printed"))
    max_discards = fitted.header["parameters"]["paper_tenpai"]["max_discards"]
    yield "(6), (7): tenpai, given the colour", f"d up to {max_discards};"
    smoothing = fitted.header["parameters"]["paper_waits"]["smoothing"]
    yield "(30)–(33): f², naive Bayes", f"{smoothing:.0f} riichi added"
    arrays = fitted.arrays
    shapes_of_types = (arrays[f"paper_tenpai/type{n}"].shape[:-1] for n in (1, 2, 3))
    yield "samples", f"{sum(map(math.prod, shapes_of_types))} regressions"
    one, eleven, all_ = arrays["paper_waits/ryanmen"][[1, 11, 18]]
    shares = f"{one:.1%} with one, {eleven:.1%} with 11, {all_:.1%} with 18"
    yield "(26): P(ryanmen) by live suji", shares
    others = arrays["paper_waits/others"]
    yield "(27): the forms sum to about 1", f"{others.sum():.2f} without ryanmen"
    names = ("kanchan and penchan", "shanpon", "tanki")
    forms = (f"{weight:.3f} {name}" for weight, name in zip(others, names, strict=True))
    yield "(28): the other forms", ", ".join(form.removeprefix("0") for form in forms)
    constants = {"other_forms": "(15): other forms of wait", "floor": "kinds on which no hand wins"}
    for name, item in constants.items():
        for model in (fitted, printed):
            value = float(model.arrays[f"paper_melded/{name}"])
            yield item, _three_digits(value).removeprefix("" if name == "other_forms" else "0")


def _three_digits(value: float) -> str:
    return np.format_float_positional(value, 3, fractional=False, trim="-")


@pytest.mark.parametrize(("item", "figures"), [*_of_code(), *_of_the_fits()])
def test_the_row_has_the_figures(item: str, figures: str) -> None:
    sections = tables.read("tables/sources.json").values()
    ours = {cells[0]: cells[-1] for section in sections for cells in section["rows"]}
    assert figures in ours[item]


def test_the_constants_on_other_pages() -> None:
    arrays = parameters.read(FITTED / f"{tables.PAPER}.npz").arrays
    other_forms, no_yaku, floor = (
        _three_digits(float(arrays[f"paper_melded/{name}"]))
        for name in ("other_forms", "no_yaku", "floor")
    )
    method, cards = (
        (tables.ROOT / page).read_text() for page in ("docs/method.md", "models/README.md")
    )
    no_yaku = f"{float(no_yaku):.3f}"
    assert f"results: {other_forms} and {no_yaku}" in method
    assert floor.removeprefix("0") in method
    assert f"fitted: {other_forms} |" in cards
    assert f"fitted: {no_yaku} |" in cards
