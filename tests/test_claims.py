"""Sentences that call a model ahead or behind: each follows from a paired interval of the run."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.tables import POOLED, closest, corrected, higher_is_better, read, table

ROOT = Path(__file__).parents[1]
AHEAD, BEHIND, NOT_SEPARATED = "ahead", "behind", "not separated"
FIRST_SCREEN = ("T", "R", "D")
Line = Mapping[str, Any]


def lines(model: str) -> list[Line]:
    """A line for each task and program, with the interval of ours less theirs."""
    of_model: list[Line] = read("peers.json")[model]["lines"]
    return of_model


def open_rows() -> list[str]:
    """The rows of the comparison in which some program is not separated from the default model."""
    rows = dict.fromkeys(line["row"] for line in lines("houjuu") if standing(line) != AHEAD)
    return [row for row in rows if row not in POOLED]


def standing(line: Line) -> str:
    """Whether our model is ahead of the program with certainty, behind it, or neither."""
    low, high = line["95%"]
    if low <= 0 <= high:
        return NOT_SEPARATED
    return AHEAD if (low > 0) == higher_is_better(line["row"]) else BEHIND


def tasks(model: str, wanted: str) -> list[str]:
    """The tasks in which a model has this standing to akochan."""
    to_akochan = [line for line in lines(model) if line["peer"] == "akochan"]
    return [line["row"] for line in to_akochan if standing(line) == wanted]


def listed(names: list[str]) -> str:
    return "; ".join([*names[:-1], f"and {names[-1]}"])


def text(page: str) -> str:
    return " ".join((ROOT / page).read_text().split())


def test_the_side_of_an_interval() -> None:
    better = {"row": "W, riichi", "95%": [0.01, 0.02]}
    assert standing(better) == AHEAD
    assert standing(better | {"row": "T"}) == BEHIND
    assert standing({"row": "T", "95%": [-0.02, -0.01]}) == AHEAD
    assert standing({"row": "T, AUC", "95%": [-0.02, 0.01]}) == NOT_SEPARATED


@pytest.mark.parametrize(
    "page", ["README.md", "docs/index.md", "docs/accuracy.md", "models/README.md"]
)
def test_the_default_model_beside_every_program(page: str) -> None:
    of_model = lines("houjuu")
    assert BEHIND not in map(standing, of_model)
    n_rows, n_open = len(closest()), len(open_rows())
    shown = text(page)
    assert f"on {n_rows - n_open} of the {n_rows} rows" in shown
    assert f"the other {n_open}" in shown
    if page == "docs/accuracy.md":
        assert f"are {listed(open_rows())}, the difference" in shown


def test_the_slopes_that_miss_1() -> None:
    """Those of all tiles of the hand, of the types of opponents with enough games."""
    with (ROOT / "docs/real-run/houjuu/evaluation/deal_in_edges.csv").open() as file:
        edges = [line for line in csv.DictReader(file) if line["part"] == "all"]
    missed = [
        f"{line['group']} {float(line['slope']):.3f} ± {float(line['slope_half']):.3f}"
        for line in edges
        if abs(float(line["slope"]) - 1) > float(line["slope_half"]) and int(line["games"]) > 20
    ]
    assert f"{', '.join(missed)}.".replace("± 0.", "± .") in text("docs/accuracy.md")


def test_the_japanese_first_screen_has_the_same_counts() -> None:
    n_rows, n_open = len(closest()), len(open_rows())
    shown = text("README.ja.md").replace(" ", "")
    assert f"{n_rows}行のうち{n_rows - n_open}行で" in shown
    assert f"残りの{n_open}行では" in shown


def test_the_first_screen_has_questions_with_a_separated_answer() -> None:
    assert {standing(line) for line in lines("houjuu") if line["row"] in FIRST_SCREEN} == {AHEAD}


def test_the_paper_beside_akochan() -> None:
    ahead, behind, rest = (
        tasks("kurita-hoki-2017", name) for name in (AHEAD, BEHIND, NOT_SEPARATED)
    )
    card = text("models/README.md")
    assert f"ahead of akochan on {len(ahead)} rows: {listed(ahead)}." in card
    assert f"behind akochan on {len(behind)} rows: {listed(behind)}." in card
    assert f"The other {len(rest)} rows are not separated." in card


def test_the_rows_that_do_not_survive_a_correction() -> None:
    beside = closest()
    ahead = [task for task in beside if task not in open_rows()]
    p = corrected(beside)
    assert [task for task in ahead if p[task] >= 0.05] == ["T, 3 melds", "points"]
    sentence = f"two of the {len(ahead)} do not survive: T, 3 melds; and points"
    assert sentence in text("docs/accuracy.md")
    n_left = sum(p[task] < 0.05 for task in ahead)
    assert f"on {n_left} after a correction for {len(p)} rows" in text("README.md")
    assert f"補正をすると{n_left}行" in text("README.ja.md")


def test_the_number_of_self_played_games() -> None:
    games = yaml.safe_load((ROOT / "params.yaml").read_text())["selfplay"]["games"]
    for page in ("README.md", "README.ja.md"):
        assert re.search(rf"make train +# (plays )?{games}( games|回)", text(page))


def test_the_games_of_the_fits() -> None:
    fits = read("run.json")
    shipped, evaluated = fits["houjuu"], fits["houjuu"]["evaluated"]
    notebook = "notebooks/2_refit_and_compare.ipynb"
    for page in ("README.md", "README.ja.md", "models/README.md", notebook):
        assert f"{shipped['fitted_on']['games']:,}" in text(page)
    assert f"{evaluated['fitted_on']['games']:,}" in text("models/README.md")
    games = {name: fits[name]["fitted_on"] for name in ("yaku", "final-ranks", "round-ends")}
    assert f"fitted to {games['final-ranks']['games']:,} games" in text("docs/final-ranks.md")
    assert f"of {games['yaku']['yaku_games']:,} games" in text("docs/yaku.md")
    ends = games["round-ends"]
    actions = fits["preferences"]["fitted_on"]["action_games"]
    counts = f"{ends['games']:,}, {ends['round_end_games']:,} and {actions:,}"
    player = f"fitted to {counts} games"
    assert player in text("docs/player.md")


def test_unseen_tiles_are_better_than_counting() -> None:
    """In every row, as docs/unseen.md states."""
    differences = re.findall(r"\| −(\.\d+) ± (\.\d+) \|", "\n".join(table("unseen")))
    assert len(differences) == len([*table("unseen")]) - 2
    assert all(float(gain) > float(half) for gain, half in differences)


def test_every_yaku_is_better_than_the_baseline() -> None:
    """Or it has fewer than ten wins, as docs/yaku.md states."""
    for hands in ("all", "far"):
        for name, line in read("yaku.json")["yaku"][hands].items():
            assert line["improvement"] > line["half_interval"] or line["wins"] < 10, (hands, name)


def test_the_errors_of_the_predicted_han() -> None:
    one, three = (read("yaku.json")["han"][shanten]["all"] for shanten in ("1", "3"))
    too_high = one["predicted"] / one["measured"] - 1
    assert (
        f"At shanten 1 the predicted han are {too_high:.0%} too high, "
        f"at 3 they are {1 - three['predicted'] / three['measured']:.0%} too low"
    ) in text("docs/yaku.md")
