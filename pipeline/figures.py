"""What the report draws; every function takes a calibration table and gives a figure."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import pairwise

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from features import schema
from models.evaluation import PAPER_EDGES

PREDICTED, MEASURED, COUNT = "#c0392b", "#1f4e79", "#d9dee4"
PAPER = "#b7791f"
CLASSES = schema.READ_AS[:5]
"""Of opponents; those with four melds are too few to draw."""

LEAST_GAMES = 20
"""Groups of dealing in with fewer games are not drawn: their intervals would hide the others."""


def melds_name(melds: int) -> str:
    """What a panel of opponents with so many open melds is called."""
    return {0: "no open meld", 1: "1 open meld"}.get(melds, f"{melds} open melds")


def by_bin(table: pd.DataFrame, edges: Sequence[float]) -> Figure:
    """Measured against predicted frequency, a panel for each number of open melds."""
    figure, panels = _panels(2)
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
    figure, panels = _panels(2)
    for melds, axes in enumerate(panels):
        _turns(axes, table[table["melds"] == melds])
        axes.set(title=melds_name(melds), ylim=(0, 1))
        axes.set(xlabel="discards of the opponent", ylabel="P(tenpai)")
    return figure


def deal_in_by_bin(table: pd.DataFrame, edges: Sequence[float]) -> Figure:
    """Measured against predicted frequency of dealing in, a panel for each class of opponent."""
    figure, panels = _panels(3)
    for axes, name, rows in _classes(panels, table):
        used = [int(i) for i in rows["bin"]]
        widths = [high - low for low, high in pairwise(edges)]
        middles = [edges[i] + widths[i] / 2 for i in used]
        _counts(axes, middles, rows["rows"], [widths[i] for i in used])
        most = max([0.001, *rows["predicted"], *rows["high"]])
        axes.plot([0, most], [0, most], color="grey", linewidth=0.8, linestyle=":")
        _measured(axes, rows["predicted"], rows)
        axes.set(title=name, xlim=(0, 1.05 * most), ylim=(0, 1.05 * most))
        axes.set(xlabel="predicted P(deals in)", ylabel="measured")
    return figure


def deal_in_by_turn(table: pd.DataFrame) -> Figure:
    """Predicted and measured frequency by turn of the discarder, a panel for each class."""
    figure, panels = _panels(3)
    for axes, name, rows in _classes(panels, table):
        _turns(axes, rows)
        axes.set(title=name, xlabel="turn of the discarder", ylabel="P(deals in)")
        axes.set_ylim(0, None)
    return figure


def deal_in_by_tile(table: pd.DataFrame) -> Figure:
    """Predicted and measured frequency by class of tile, a panel for each class of opponent."""
    figure, panels = _panels(3)
    for axes, name, known in _classes(panels, table):
        rows = known.set_index("tile").reindex(schema.TILES)
        places = pd.Series(range(len(rows)), index=rows.index, dtype=float)
        _counts(axes, places, rows["rows"].fillna(0), [0.9] * len(rows))
        axes.scatter(places, rows["predicted"], c=PREDICTED, marker="_", s=160, label="predicted")
        _measured(axes, places, rows)
        axes.set(title=name, ylabel="P(deals in)")
        axes.set_ylim(0, None)
        axes.set_xticks(places, schema.TILES, rotation=50, ha="right", fontsize=8)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="lower right")
    return figure


def table_2(table: pd.DataFrame) -> Figure:
    """Table 2 of the paper: what 10th discards risked, predicted, measured, and measured there."""
    figure = Figure(figsize=(10, 4.2))
    figure.set_layout_engine("constrained")
    axes = figure.subplots()
    rows = table[table["bin"] < len(PAPER_EDGES) - 2]
    axes.plot([0, 0.09], [0, 0.09], color="grey", linewidth=0.8, linestyle=":")
    _measured(axes, rows["predicted"], rows)
    middles = [(PAPER_EDGES[i] + PAPER_EDGES[i + 1]) / 2 for i in rows["bin"]]
    axes.scatter(middles, rows["paper"], color=PAPER, marker="D", label="the paper's, measured")
    axes.set(xlabel="predicted P(deals in)", ylabel="measured")
    axes.legend(loc="upper left")
    return figure


def table_3(table: pd.DataFrame) -> Figure:
    """Table 3 of the paper: shares of deal-ins by most probable and real han, ours and there."""
    figure = Figure(figsize=(9, 4.2))
    figure.set_layout_engine("constrained")
    cells = table[table["likely"] > 0]
    for axes, column in zip(figure.subplots(1, 2), ("share", "paper"), strict=True):
        shares = cells.pivot(index="likely", columns="real", values=column).to_numpy()
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=0.25)
        for (row, place), share in np.ndenumerate(shares):
            dark = "white" if share > 0.15 else "black"
            axes.text(place, row, f"{share:.1%}", ha="center", va="center", color=dark)
        names = ["1", "2", "3", "4+"]
        axes.set_xticks(range(4), names)
        axes.set_yticks(range(4), names)
        axes.set(xlabel="real han", ylabel="most probable han")
        axes.set_title({"share": "here", "paper": "Kurita & Hoki 2017"}[column])
    return figure


def _classes(panels: list[Axes], table: pd.DataFrame) -> Iterator[tuple[Axes, str, pd.DataFrame]]:
    """Yield a panel for each class of opponent that is drawn, its name and its rows."""
    drawn = table[table["games"] >= LEAST_GAMES]
    for axes, name in zip(panels, CLASSES, strict=True):
        yield axes, name, drawn[drawn["read_as"] == name]


def _panels(columns: int) -> tuple[Figure, list[Axes]]:
    """Two rows of panels; three columns leave the last one out."""
    figure = Figure(figsize=(10 if columns == 2 else 13, 8.4))
    figure.set_layout_engine("constrained", h_pad=0.12, w_pad=0.06)
    panels = list(figure.subplots(2, columns).flat)
    if columns == 3:
        panels.pop().set_axis_off()
    return figure, panels


def _turns(axes: Axes, rows: pd.DataFrame) -> None:
    """Predicted as a line, measured as points, over turns."""
    _counts(axes, rows["turn"], rows["rows"], [0.9] * len(rows))
    axes.plot(rows["turn"], rows["predicted"], color=PREDICTED, label="predicted")
    _measured(axes, rows["turn"], rows)
    axes.set_xlim(-0.5, 18.5)
    axes.set_xticks(range(0, 19, 3))
    axes.legend(loc="upper left")


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
