"""What the report draws; every function takes a calibration table and gives a figure."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

PREDICTED, MEASURED, COUNT = "#c0392b", "#1f4e79", "#d9dee4"


def melds_name(melds: int) -> str:
    """What a panel of opponents with so many open melds is called."""
    return {0: "no open meld", 1: "1 open meld"}.get(melds, f"{melds} open melds")


def by_bin(table: pd.DataFrame, edges: Sequence[float]) -> Figure:
    """Measured against predicted frequency, a panel for each number of open melds."""
    figure, panels = _panels()
    for melds, axes in enumerate(panels):
        rows = table[table["melds"] == melds]
        middles = [(low + high) / 2 for low, high in pairwise(edges)]
        widths = [high - low for low, high in pairwise(edges)]
        used = [int(i) for i in rows["bin"]]
        _counts(axes, [middles[i] for i in used], rows["rows"], [widths[i] for i in used])
        axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8, linestyle=":")
        _measured(axes, rows["predicted"], rows)
        axes.set(title=melds_name(melds), xlim=(0, 1), ylim=(0, 1))
        axes.set(xlabel="predicted P(tenpai)", ylabel="measured")
    return figure


def by_turn(table: pd.DataFrame) -> Figure:
    """Predicted and measured frequency by turn, a panel for each number of open melds."""
    figure, panels = _panels()
    for melds, axes in enumerate(panels):
        rows = table[(table["melds"] == melds)]
        _counts(axes, rows["turn"], rows["rows"], [0.9] * len(rows))
        axes.plot(rows["turn"], rows["predicted"], color=PREDICTED, label="predicted")
        _measured(axes, rows["turn"], rows)
        axes.set(title=melds_name(melds), xlim=(-0.5, 18.5), ylim=(0, 1))
        axes.set(xlabel="discards of the opponent", ylabel="P(tenpai)")
        axes.set_xticks(range(0, 19, 3))
        axes.legend(loc="upper left")
    return figure


def _panels() -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(10, 8.4))
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.06)
    axes = figure.subplots(2, 2)
    return figure, list(axes.flat)


def _measured(axes: Axes, x: pd.Series[float], rows: pd.DataFrame) -> None:
    below, above = rows["measured"] - rows["low"], rows["high"] - rows["measured"]
    axes.errorbar(
        x,
        rows["measured"],
        yerr=[below.clip(lower=0), above.clip(lower=0)],
        fmt="o",
        markersize=4,
        capsize=2,
        color=MEASURED,
        label="measured, 95%",
    )


def _counts(
    axes: Axes, x: Sequence[float] | pd.Series[int], rows: pd.Series[int], width: Sequence[float]
) -> None:
    """Bars in the background: how many rows stand behind each point, on a logarithmic scale."""
    behind = axes.twinx()
    behind.bar(x, rows, width=width, color=COUNT)
    behind.set_yscale("log")
    behind.yaxis.set_minor_formatter(NullFormatter())
    behind.set_ylabel("rows", color="grey")
    behind.tick_params(colors="grey")
    axes.set_zorder(behind.get_zorder() + 1)
    axes.patch.set_visible(False)


def svg(figure: Figure) -> str:
    """The figure as SVG to stand in a page; the same figure gives the same text."""
    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "houjuu", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]
