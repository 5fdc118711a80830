"""The tables of docs/player.md as Markdown, from data/ of a run on real logs."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.markdown import calibrated, head, read_json, row, short
from features.round_end_rows import ROUND_ENDS, state_arrays
from houjuu.game.payments import BASE_FACTOR
from houjuu.player.preference import discard_features, preferences
from houjuu.player.preference.features import FEATURES, UNIT, VALUES
from houjuu.player.round_end import round_ends
from houjuu.player.round_end.endings import SELF, WINNER
from houjuu.util.intervals import clustered_mean
from models.metrics.round_end_metrics import EDGES, OWN_WIN
from pipeline import paths
from pipeline.tables import read_rows

LARGE_WINS = {
    "size of own wins": "own win of 8,000 or more",
    "size of wins of opponents": "opponent's win of 8,000 or more",
}
"""The event whose bins are counted for a question about the size of a win."""

_SHANTEN = ("tenpai", "1 from tenpai", "2 from tenpai", "farther")


def main() -> None:
    ArgumentParser(description=__doc__).parse_args()
    points = _points()
    tables = {
        "Log loss": log_losses(read_json(Path(paths.ROUND_END_METRICS))),
        "Own win": _own_wins(read_json(Path(paths.ROUND_END_METRICS))),
        "Calibration": calibration(read_json(Path(paths.ROUND_END_METRICS))),
        "Riichi and dama": riichi_or_dama(read_json(Path(paths.ROUND_END_METRICS))),
        "Points of own wins": _points_of_wins(),
        "Agreement": agreement(read_json(Path(paths.PREFERENCE_METRICS))),
        "Calls, riichi and kans": _actions(read_json(Path(paths.PREFERENCE_METRICS))),
        "Preferences": _preferences(points),
        "Preferences of a discard": _preferences_of_discards(points),
    }
    for name, lines in tables.items():
        print(f"{name}\n\n" + "\n".join(lines) + "\n")


def log_losses(metrics: dict[str, Any]) -> Iterator[str]:
    """Yield a row for each question, with the number of bins within their intervals."""
    bins = _within_interval(metrics)
    bins |= {size: f"8,000 or more: {bins[event]}" for size, event in LARGE_WINS.items()}
    yield from head("question", "rows", "base rate", "houjuu", "difference, 95%", "bins")
    for name, scores in metrics["log_loss"].items():
        interval = f"{short(scores['difference'], '+')} ± {short(scores['half_interval'])}"
        losses = (short(scores["log_loss_base"]), f"**{short(scores['log_loss'])}**")
        yield row(name, f"{scores['rows']:,}", *losses, interval, bins.get(name, ""))


def _own_wins(metrics: dict[str, Any]) -> Iterator[str]:
    """The calibration of the own win by shanten."""
    lines = pd.DataFrame(metrics["calibration"])
    lines = lines[lines["event"] == OWN_WIN]
    yield from head("predicted", *_SHANTEN)
    for number, of_bin in lines.groupby("bin"):
        of_lines = of_bin.to_dict("records")
        by_shanten = {line["shanten"]: calibrated(line) for line in of_lines}
        cells = [by_shanten.get(shanten, "") for shanten in range(len(_SHANTEN))]
        low, high = EDGES[int(str(number)) :][:2]
        yield row(f"{low:.0%}–{high:.0%}", *cells)


def calibration(metrics: dict[str, Any]) -> Iterator[str]:
    """The mean error of the bins of each event, and the number within their intervals."""
    lines = pd.DataFrame(metrics["calibration"])
    lines["error"] = (lines["predicted"] - lines["measured"]).abs()
    within_interval = _within_interval(metrics)
    yield from head("event", "rows", "mean error", "bins within their interval")
    for event, bins in lines.groupby("event", sort=False):
        error = 100 * np.average(bins["error"], weights=bins["rows"])
        yield row(event, f"{bins['rows'].sum():,}", f"{error:.1f}%", within_interval[str(event)])


def riichi_or_dama(metrics: dict[str, Any]) -> Iterator[str]:
    """Yield the wins of tenpai hands that could declare riichi: those that did, and the others."""
    actions = ("riichi", "dama")
    by_group: dict[str, dict[str, str]] = {}
    for line in metrics["riichi_or_dama"]:
        cell = f"{calibrated(line)} ({line['rows']:,})"
        by_group.setdefault(line["group"], {})[line["action"]] = cell
    yield from head("tenpai hand", *actions)
    for group, cells in by_group.items():
        yield row(group, *(cells.get(action, "") for action in actions))


def _within_interval(metrics: dict[str, Any]) -> dict[str, str]:
    """The number of bins whose interval contains the prediction, by event."""
    lines = pd.DataFrame(metrics["calibration"])
    within = lines["predicted"].between(lines["low"], lines["high"])
    counts = within.groupby(lines["event"]).agg(["sum", "size"])
    return {str(event): f"{count['sum']} of {count['size']}" for event, count in counts.iterrows()}


def _points_of_wins() -> Iterator[str]:
    """Mean points of own wins, as of a non-dealer's ron, by shanten and predicted points."""
    rows = read_rows(paths.ROUND_END_ROWS, ROUND_ENDS, held_out=True)
    won = rows[(rows["size"] >= 0) & _won(rows)]
    model = round_ends.load(paths.ROUND_END_MODEL)
    sizes = model.predict_sizes(state_arrays(won))[np.arange(len(won)), won["ending"]]
    points = BASE_FACTOR[False] * model.base_points
    won = won.assign(predicted=sizes @ points, measured=points[won["size"]])
    yield from head("hand", "lowest fifth", "second", "third", "fourth", "highest fifth")
    by_shanten = won.groupby(won["shanten"].clip(upper=len(_SHANTEN) - 1))
    for name, (_, of_shanten) in zip(_SHANTEN, by_shanten, strict=True):
        fifths = of_shanten.groupby(pd.qcut(of_shanten["predicted"], 5), observed=True)
        yield row(name, *(_mean_points(fifth) for _, fifth in fifths))


def _mean_points(wins: pd.DataFrame) -> str:
    mean, half = clustered_mean(wins["measured"].to_numpy(), wins["game"].to_numpy())
    return f"{wins['predicted'].mean():,.0f}: {mean:,.0f} ± {half:,.0f}"


def agreement(metrics: dict[str, Any]) -> Iterator[str]:
    without = ("without the network", "by the values alone")
    yield from head("decision", "decisions", "agrees, 95%", *without)
    for line in metrics["agreement"]:
        share = f"{100 * line['same']:.1f}% ± {100 * line['half_interval']:.1f}"
        others = (f"{100 * line[name]:.1f}%" for name in ("same_terms", "same_values"))
        name = line["kind"] if line["phase"] == "all" else f"… {line['phase']}"
        yield row(name, f"{line['decisions']:,}", share, *others)


def _actions(metrics: dict[str, Any]) -> Iterator[str]:
    yield from head("action", "decisions", "players, 95%", "expected", "the likeliest action")
    for line in metrics["actions"]:
        share = f"{100 * line['taken']:.1f}% ± {100 * line['half_interval']:.1f}"
        expected, likeliest = (f"{100 * line[name]:.1f}%" for name in ("expected", "likeliest"))
        yield row(line["action"], f"{line['decisions']:,}", share, expected, likeliest)


def _preferences(points: Mapping[str, str]) -> Iterator[str]:
    """The terms that stand once, in points."""
    twice = {*discard_features.BOTH, *map(discard_features.facing, discard_features.BOTH)}
    yield from head("term", "points")
    yield from (row(name, points[name]) for name in points if name not in twice)


def _preferences_of_discards(points: Mapping[str, str]) -> Iterator[str]:
    """The terms that stand twice, in points."""
    yield from head("term", "no riichi", "facing a riichi")
    for name in discard_features.BOTH:
        yield row(name, points[name], points[discard_features.facing(name)])


def _points() -> dict[str, str]:
    """The weights of the preferences, divided by that of the value where they count."""
    weights = preferences.load(paths.PREFERENCE_MODEL).weights
    of_value = {False: weights[0], True: weights[: len(VALUES)].sum()}
    beyond = zip(FEATURES[len(VALUES) :], weights[len(VALUES) :], strict=True)
    points = {name: UNIT * weight / of_value["facing" in name] for name, weight in beyond}
    return {name: f"{worth:+,.0f}".replace("-", "−") for name, worth in points.items()}


def _won(rows: pd.DataFrame) -> Any:
    return rows["ending"].to_numpy() < SELF + len(WINNER) // 4


if __name__ == "__main__":
    main()
