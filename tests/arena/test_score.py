"""Scores of tables of risks, beside numbers by hand, and the refusal of bad tables."""

from __future__ import annotations

import csv
from collections.abc import Callable
from math import log
from pathlib import Path
from typing import Any

import pytest

from benchmarks import score
from houjuu.arena import risk_table
from houjuu.arena.risk_table import KIND_NAMES
from houjuu.cli import main
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.util.errors import Error

MODEL = "kurita-hoki-2017-printed"
KEY = ["game", "round", "seat", "turn", "opponent"]
Rows = list[dict[str, Any]]


def row(opponent: int, **changes: Any) -> dict[str, Any]:
    """A decision of seat 0, which holds 1m, 2m and 5p and discards 1m; nobody is tenpai."""
    values: dict[str, Any] = dict.fromkeys(risk_table.names(), "")
    values |= dict.fromkeys(KIND_NAMES, 0.0)
    values |= {"version": 1, "game": "a", "round": 0, "seat": 0, "turn": 3, "opponent": opponent}
    values |= {"opponent_type": "closed", "hand": "12m0p", "discard": "1m", "genbutsu": "none"}
    values |= {"tenpai": 0.25, "points": 3000, "is_tenpai": 0, "wins": "none", "ronned": 0}
    return values | changes


def decision(game: str = "a") -> Rows:
    """The opponent to the right is in riichi and wins on 1m; that across is tenpai for 9s."""
    first = {"opponent_type": "riichi", "tenpai": 1, "is_tenpai": 1, "wins": "14m", "ronned": 1}
    first |= {"paid": 5200, "1m": 0.2, "2m": 0.3, "9s": 0.2, "genbutsu": "5p"}
    second = {"opponent_type": "2 melds", "is_tenpai": 1, "wins": "9s", "1m": 0.1, "9s": 0.4}
    return [row(1, game=game, **first), row(2, game=game, **second), row(3, game=game)]


def write(path: Path, rows: Rows, columns: list[str] | None = None) -> Path:
    with path.open("w", newline="") as file:
        names = columns or list(rows[0])
        writer = csv.DictWriter(file, names, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def by_name(lines: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {line["row"]: line for line in lines}


def test_scores_by_hand(tmp_path: Path) -> None:
    tasks = by_name(list(score.lines(write(tmp_path / "a.csv", decision() + decision("b")))))
    assert tasks["T"]["rows"] == 4
    assert tasks["T"]["theirs"] == pytest.approx(-(log(0.25) + log(0.75)) / 2)
    certain = -log(1 - 1e-6)
    assert tasks["R"]["theirs"] == pytest.approx(-(log(0.2) + log(0.7) - certain) / 3, abs=1e-6)
    assert tasks["R, genbutsu left out"]["rows"] == 4
    assert tasks["D"]["rows"] == 18
    assert tasks["W, riichi"]["theirs"] == 0  # 2m stands first
    assert tasks["A"]["rows"] == 2
    assert tasks["A"]["theirs"] == pytest.approx(-log(1 - 0.8 * 0.9))
    assert tasks["points"]["theirs"] == 2200
    assert tasks["position, riichi"]["theirs"] == 3  # behind 2m and 9s, which is as dangerous
    assert tasks["position, riichi"]["base"] == pytest.approx(35 / 3)
    assert tasks["position, melded"]["theirs"] == 1
    places = {"safest": 15, "mean": (15 + 31.5) / 2 - 0.5, "riskiest": 31.5 - 2}  # of 4m, 1m
    by_chance = {"safest": 32 / 3, "mean": 16, "riskiest": 35 * 2 / 3 - 1 - 2}
    for which, place in places.items():
        order = tasks[f"order, riichi: {which}"]
        assert order["theirs"] == pytest.approx(place / 32)
        assert order["base"] == pytest.approx(by_chance[which] / 32)
    assert tasks["order, melded: safest"]["theirs"] == 1
    assert "W, melded" not in tasks  # nobody with melds wins on a tile held
    assert tasks["T"]["95%"] == pytest.approx([tasks["T"]["theirs"]] * 2)


def test_the_next_draw_by_hand(tmp_path: Path) -> None:
    """A decision counts once, and one without a next draw does not."""
    draw = {"drawn": "9s", "next_draw": 0.05, "counted_draw": 0.025}
    rows = [line | draw for line in decision()] + decision("b")
    (line,) = [one for one in score.lines(write(tmp_path / "a.csv", rows)) if one["row"] == "U"]
    assert line["rows"] == 1
    assert line["theirs"] == pytest.approx(-log(0.05))
    assert line["base"] == line["prior"] == pytest.approx(-log(0.025))
    theirs = [one | {"next_draw": 0.1} for one in rows]
    file = write(tmp_path / "b.csv", theirs, [*KEY, "1m", "2m", "5p", "next_draw"])
    beside = by_name(list(score.lines(file, tmp_path / "a.csv")))["U"]
    assert beside["difference"] == pytest.approx(-log(2))
    for value, message in (("", "is empty, and other rows"), (0.2, "differs from another row")):
        wrong = [dict(one) for one in theirs]
        wrong[2]["next_draw"] = value
        file = write(tmp_path / "c.csv", wrong)
        with pytest.raises(Error, match=rf"row 3 .*, column next_draw: {message}"):
            list(score.lines(file))


def test_a_few_columns_beside_ours(tmp_path: Path) -> None:
    """The key and the kinds of the hand, in another order; games of ours may be missing."""
    ours = write(tmp_path / "ours.csv", decision() + decision("b"))
    theirs = [line | {"1m": min(1, 2 * line["1m"])} for line in reversed(decision("b"))]
    file = write(tmp_path / "theirs.csv", theirs, [*KEY, "1m", "2m", "5p"])
    tasks = by_name(list(score.lines(file, ours)))
    assert {"R", "D", "W, riichi", "A"} <= set(tasks)
    assert not {"T", "points", "position, riichi"} & set(tasks)
    assert tasks["A"]["rows"] == 1
    assert tasks["A"]["difference"] == pytest.approx(log(1 - 0.8 * 0.9) - log(1 - 0.6 * 0.8))
    assert tasks["A"]["difference"] < 0
    assert tasks["W, riichi"]["theirs"] == 1
    assert tasks["W, riichi"]["difference"] == 1


def test_hidden_truth_does_not_count(tmp_path: Path) -> None:
    hidden = decision("b")
    for line in hidden:
        line |= {"is_tenpai": "", "wins": "", "paid": ""}
    both = by_name(list(score.lines(write(tmp_path / "a.csv", decision() + hidden))))
    alone = by_name(list(score.lines(write(tmp_path / "b.csv", decision()))))
    for name in ("T", "D", "points", "position, riichi"):
        assert both[name]["rows"] == alone[name]["rows"]
    assert both["A"]["rows"] == 2


def test_the_table_of_the_command(own_games: list[Game], tmp_path: Path) -> None:
    """Beside itself every difference is 0; CSV and Parquet have the same scores."""
    (tmp_path / "game.mjlog").write_bytes(mjlog.write(own_games[0]))
    files = [tmp_path / "risks.csv", tmp_path / "risks.parquet"]
    for file in files:
        log_file = str(tmp_path / "game.mjlog")
        assert main(["risks", log_file, "-o", str(file), "--model", MODEL, "--jobs", "1"]) == 0
    lines = list(score.lines(files[0], files[1]))
    assert {"T", "R", "D", "W, riichi", "A", "points", "position, riichi", "U"} <= set(
        by_name(lines)
    )
    for line in lines:
        assert line["difference"] == pytest.approx(0, abs=1e-6 * line["theirs"])


def set_cell(number: int, column: str, value: Any) -> Callable[[Rows], Rows]:
    def change(rows: Rows) -> Rows:
        rows[number][column] = value
        return rows

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_cell(1, "2m", 1.5), r"row 2, column 2m: '1.5' is not a number from 0 to 1"),
        (set_cell(1, "2m", "high"), r"row 2, column 2m: 'high' is not a number from 0 to 1"),
        (set_cell(1, "2m", "nan"), r"row 2, column 2m: 'nan' is not a number from 0 to 1"),
        (set_cell(2, "tenpai", -0.1), r"row 3, column tenpai: '-0.1' is not a number from 0 to 1"),
        (set_cell(0, "points", "inf"), r"row 1, column points: 'inf' is not a number from 0"),
        (set_cell(0, "seat", 4), r"row 1, column seat: '4' is not a whole number from 0 to 3"),
        (set_cell(0, "turn", ""), r"row 1, column turn: is empty"),
        (set_cell(0, "game", ""), r"row 1, column game: is empty"),
        (set_cell(0, "version", 2), r"row 1, column version: '2' is not 1"),
        (set_cell(1, "opponent", 0), r"row 2 \(.*\), column opponent: 0 is the seat itself"),
        (set_cell(1, "opponent", 1), r"row 2 \(game a, .*\), column opponent: 1 is the second row"),
        (set_cell(2, "wins", "8z"), r"row 3 \(.*\), column wins: '8z' is neither tiles nor"),
        (set_cell(0, "opponent_type", "open"), r"row 1 .*, column opponent_type: 'open' is none"),
        (set_cell(0, "5p", ""), r"row 1 .*, column 5p: is empty, and the hand has such a tile"),
        (set_cell(2, "tenpai", ""), r"row 3 .*, column tenpai: is empty, and other rows have one"),
        (
            set_cell(0, "hand", ""),
            r"does not have the hand and the truth in every row; pass",
        ),
        (lambda rows: [line | {"tenpia": 1} for line in rows], "has a column 'tenpia'"),
        (lambda rows: [{k: line[k] for k in line if k != "turn"} for line in rows], "no column 't"),
    ],
)
def test_bad_tables_are_refused(
    change: Callable[[Rows], Rows], message: str, tmp_path: Path
) -> None:
    file = write(tmp_path / "bad.csv", change(decision()))
    with pytest.raises(Error, match=message) as error:
        list(score.lines(file))
    assert str(error.value).startswith(f"{file}: ")
    assert "\n" not in str(error.value)


def test_rows_must_be_those_of_ours(tmp_path: Path) -> None:
    ours = write(tmp_path / "ours.csv", decision())
    fewer = write(tmp_path / "fewer.csv", decision()[:2])
    with pytest.raises(Error, match=r"ours.csv: row 3 \(game a, .*fewer.csv has its game, but not"):
        list(score.lines(fewer, ours))
    more = write(tmp_path / "more.csv", decision() + decision("b"))
    with pytest.raises(Error, match=r"more.csv: row 4 \(game b, .*ours.csv has no such row"):
        list(score.lines(more, ours))


@pytest.mark.parametrize(("content", "message"), [("", "is no table"), ("game,seat\n", "has no")])
def test_other_files_are_refused(content: str, message: str, tmp_path: Path) -> None:
    for suffix in (".csv", ".parquet"):
        (tmp_path / f"a{suffix}").write_text(content)
        with pytest.raises(Error, match=message if suffix == ".csv" else "is no table"):
            list(score.lines(tmp_path / f"a{suffix}"))
    with pytest.raises(Error, match="does not exist"):
        list(score.lines(tmp_path / "nothing.csv"))
