"""The figures of the report; every function takes a calibration table and returns a figure."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar, cast

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.gridspec import SubplotSpec
from matplotlib.ticker import NullLocator, PercentFormatter

from features.schema.opponents import OPPONENT_TYPES
from features.schema.predictions import SAFETY_CLASSES
from models.metrics.evaluation import ALL, PAPER_EDGES, TILES_OF_BIN

PREDICTED, MEASURED, COUNT = "#c0392b", "#1f4e79", "#aab4c0"
PAPER = "#b7791f"
TYPES = OPPONENT_TYPES[:5]
"""Types of opponents; those with four melds are too rare to draw."""

SHANTEN = ("tenpai", "1 from tenpai", "2 from tenpai", "farther")

LEAST_GAMES = 20
"""Groups with fewer games are not drawn, but for tenpai: their intervals would hide the others."""


_EVERYBODY = "all opponents"
_Group = TypeVar("_Group")


class Panel(NamedTuple):
    """Axes for a curve, and below them axes for the numbers of rows."""

    curve: Axes
    below: Axes


def melds_name(n_open_melds: int) -> str:
    """Title of a panel of opponents with this number of open melds."""
    return {0: "no open meld", 1: "1 open meld"}.get(n_open_melds, f"{n_open_melds} open melds")


def by_bin(
    table: pd.DataFrame, edges: Sequence[float], curves: pd.DataFrame, of_all: pd.DataFrame
) -> Figure:
    """Measured against predicted frequency, of all and for each number of open melds.

    Parameters
    ----------
    table, curves, of_all : DataFrame
        ``by_bin``, ``curve`` and ``of_all`` of `models.metrics.calibrated`.
    edges : sequence of float
        Those of the bins.
    """
    everybody: dict[int | str, pd.DataFrame] = {ALL: of_all}
    figure, panels = _grid(everybody | _by_melds(table), 3)
    for melds, panel, rows in panels:
        _reliability(panel, rows, edges, 1.0)
        _curve(panel, curves, "n_open_melds", melds)
        panel.curve.set(title=_EVERYBODY if melds == ALL else melds_name(int(melds)))
        panel.below.set(xlabel="predicted P(tenpai)")
    return figure


def _by_melds(table: pd.DataFrame) -> dict[int | str, pd.DataFrame]:
    return {melds: table[table["n_open_melds"] == melds] for melds in range(4)}


def by_turn(table: pd.DataFrame) -> Figure:
    """Predicted and measured frequency by turn, a panel for each number of open melds."""
    figure, panels = _grid(_by_melds(table), 2)
    for melds, panel, rows in panels:
        _turns(panel, rows, "discards")
        panel.curve.set(title=melds_name(int(melds)), ylim=(0, 1), ylabel="P(tenpai)")
        panel.below.set(xlabel="discards of the opponent")
    return figure


def edges(tenpai: pd.DataFrame, deal_in: pd.DataFrame) -> Figure:
    """The slopes of P(tenpai), and measured by predicted for the edges of P(deals in).

    Parameters
    ----------
    tenpai, deal_in : DataFrame
        As `models.metrics.edges` returns them.
    """
    figure = Figure(figsize=(10, 4.4), layout="constrained")
    slopes, ratios = figure.subplots(1, 2, width_ratios=(1, 2))
    slopes.errorbar(
        tenpai["slope"], range(len(tenpai)), xerr=tenpai["slope_half"], **_INTERVAL, color=MEASURED
    )
    slopes.set_yticks(range(len(tenpai)), [_edge_name(group) for group in tenpai["group"]])
    slopes.set(xlabel="slope of the logit of P(tenpai), 95%")
    groups = ["all", *TYPES]
    for place, (part, (label, colour)) in enumerate(_EDGES.items()):
        rows = deal_in[(deal_in["part"] == part) & deal_in["group"].isin(groups)]
        height = np.array([groups.index(group) for group in rows["group"]]) + (place - 1) / 5
        measured, low, high = (rows[name] / rows["predicted"] for name in _MEASURED_EDGES)
        error = [measured - low, high - measured]
        ratios.errorbar(measured, height, xerr=error, **_INTERVAL, color=colour, label=label)
    ratios.set_yticks(range(len(groups)), groups)
    ratios.set(xlabel="deals in: measured / predicted, 95%", xscale="log")
    ratios.set_xticks(_RATIOS, [f"{ratio:g}" for ratio in _RATIOS])
    ratios.xaxis.set_minor_locator(NullLocator())
    ratios.legend(loc="upper left")
    for axes in (slopes, ratios):
        axes.axvline(1.0, color="grey", linewidth=0.8, linestyle=":")
        axes.invert_yaxis()
    return figure


def silent(lines: pd.DataFrame) -> Figure:
    """The share of the silent tenpai hands that each program finds in its highest twentieth.

    Parameters
    ----------
    lines : DataFrame
        The ``lines`` of the default model in docs/real-run/peers.json.
    """
    figure = Figure(figsize=(7.2, 2.6), layout="constrained")
    axes = figure.subplots()
    for place, (row, (label, colour)) in enumerate(_SILENT.items()):
        found = lines[lines["row"] == row]
        names = ["houjuu", *found["peer"], "by chance"]
        shares = [found["houjuu"].iloc[0], *found["theirs"], found["prior"].iloc[0]]
        height = np.arange(len(names)) + (place - 0.5) * _BAR
        bars = axes.barh(height, shares, height=_BAR, color=colour, label=label)
        axes.bar_label(bars, [f"{share:.0%}" for share in shares], padding=3, fontsize=8)
        axes.set_yticks(range(len(names)), names)
    axes.set(xlabel="silent tenpai hands among the 5% with the highest P(tenpai)")
    axes.xaxis.set_major_formatter(PercentFormatter(1, 0))
    axes.margins(x=0.08)
    axes.invert_yaxis()
    axes.legend(loc="lower right")
    return figure


_BAR = 0.4
_SILENT = {
    "S, found": ("all turns", MEASURED),
    "S, found, from the 10th discard on": ("from the 10th discard on", PAPER),
}
"""Label and colour of the tasks of `benchmarks.tasks`."""


_INTERVAL: dict[str, Any] = {"fmt": "o", "markersize": 4, "capsize": 2}
_MEASURED_EDGES = ("measured", "low", "high")
_RATIOS = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4)


_EDGES = {
    "all": ("tiles of the hand", MEASURED),
    "discarded": ("discarded", PAPER),
    "highest": ("the highest 1% of the risks", PREDICTED),
}
"""Label and colour of each part of `models.metrics.edges.PARTS` that is drawn."""


def _edge_name(group: str) -> str:
    return melds_name(int(group)) if group.isdigit() else group


def by_tiles_left(table: pd.DataFrame) -> Figure:
    """The same by tiles in the wall."""
    figure, panels = _grid(_by_melds(table), 2)
    for melds, panel, rows in panels:
        _tiles_left(panel, rows)
        panel.curve.set(title=melds_name(int(melds)), ylim=(0, 1), ylabel="P(tenpai)")
    return figure


def by_model(
    measured: Mapping[str, Mapping[str, pd.DataFrame]], question: str, edges: Sequence[float]
) -> Figure:
    """Measured against predicted frequency of all opponents, a panel for each model.

    `measured` are the tables of `models.metrics.calibrated` by model.
    """
    tables = {name: tables[f"{question}_of_all"] for name, tables in measured.items()}
    figure, panels = _grid(tables, 4)
    most = max(map(_most, tables.values()))
    for name, panel, rows in panels:
        curves = measured[name][f"{question}_curve"]
        _reliability(panel, rows, edges, most)
        _curve(panel, curves, curves.columns[0], ALL)
        panel.curve.set(title=name)
        panel.below.set(xlabel="predicted")
    return figure


def deal_in_by_bin(
    table: pd.DataFrame,
    edges: Sequence[float],
    least_games: int | None = None,
    curves: pd.DataFrame | None = None,
    of_all: pd.DataFrame | None = None,
) -> Figure:
    """Measured against predicted frequency of deal-ins, of all and for each type of opponent."""
    everybody = {} if of_all is None else {ALL: of_all}
    figure, panels = _grid(everybody | _classes(table, least_games), 3)
    for name, panel, rows in panels:
        _reliability(panel, rows, edges)
        _curve(panel, curves, "opponent_type", name)
        panel.curve.set(title=_EVERYBODY if name == ALL else name)
        panel.below.set(xlabel="predicted P(deals in)")
    return figure


def deal_in_by_tile_and_bin(
    table: pd.DataFrame, opponent_type: str, edges: Sequence[float]
) -> Figure:
    """The same for one type of opponent, a panel for each safety class."""
    drawn = _drawn(table, opponent_type)
    by_tile = {tile: drawn[drawn["safety_class"] == tile] for tile in SAFETY_CLASSES}
    figure, panels = _grid(by_tile, 4)
    for tile, panel, rows in panels:
        _reliability(panel, rows, edges)
        panel.curve.set(title=tile)
        panel.below.set(xlabel="predicted P(deals in)")
    return figure


def by_shanten(table: pd.DataFrame, edges: Sequence[float]) -> Figure:
    """Measured against predicted frequency of an event, a panel for each shanten of the hand."""
    return _by_group(table, table["shanten"], dict(enumerate(SHANTEN)), edges)


def by_rank(table: pd.DataFrame, edges: Sequence[float]) -> Figure:
    """The same of the final ranks, a panel for each."""
    return _by_group(table, table["rank"], {rank: f"rank {rank}" for rank in range(1, 5)}, edges)


def by_action(table: pd.DataFrame, edges: Sequence[float]) -> Figure:
    """The same of calls, riichi and kans, a panel for each."""
    names = ("call", "riichi", "kan")
    return _by_group(table, table["action"], dict(zip(names, names, strict=True)), edges)


def _by_group(
    table: pd.DataFrame, groups: pd.Series[Any], titles: Mapping[Any, str], edges: Sequence[float]
) -> Figure:
    """A panel for each group, by its title."""
    enough = table["games"] >= LEAST_GAMES
    by_group = {group: table[enough & (groups == group)] for group in titles}
    figure, panels = _grid(by_group, len(titles))
    for group, panel, rows in panels:
        _reliability(panel, rows, edges)
        panel.curve.set(title=titles[group])
        panel.below.set(xlabel="predicted")
    return figure


def deal_in_by_turn(table: pd.DataFrame) -> Figure:
    """Predicted and measured frequency by turn of the discarder, a panel for each type."""
    figure, panels = _grid(_classes(table), 3)
    for name, panel, rows in panels:
        _turns(panel, rows, "turn")
        panel.curve.set(title=name, ylabel="P(deals in)", ylim=(0, _most(rows)))
        panel.below.set(xlabel="turn of the discarder")
    return figure


def deal_in_by_tiles_left(table: pd.DataFrame) -> Figure:
    """The same by tiles in the wall."""
    figure, panels = _grid(_classes(table), 3)
    for name, panel, rows in panels:
        _tiles_left(panel, rows)
        panel.curve.set(title=name, ylabel="P(deals in)", ylim=(0, _most(rows)))
    return figure


def deal_in_by_tile(table: pd.DataFrame, least_games: int | None = None) -> Figure:
    """Predicted and measured frequency by safety class, a panel for each type of opponent."""
    figure, panels = _grid(_classes(table, least_games), 3, below=1.05, above=0.8)
    for name, panel, class_rows in panels:
        rows = class_rows.set_index("safety_class").reindex(SAFETY_CLASSES)
        positions = pd.Series(range(len(rows)), index=rows.index, dtype=float)
        _counts(panel.below, positions, rows["rows"].fillna(0), [0.9] * len(rows))
        curve = panel.curve
        curve.scatter(
            positions, rows["predicted"], c=PREDICTED, marker="_", s=160, label="predicted"
        )
        _measured(curve, positions, rows)
        curve.set(title=name, ylabel="P(deals in)", ylim=(0, _most(class_rows)))
        panel.below.set_xticks(positions, SAFETY_CLASSES, rotation=50, ha="right", fontsize=8)
    for _, panel, _ in panels[:1]:
        figure.legend(*panel.curve.get_legend_handles_labels(), loc="upper right", ncols=2)
    return figure


def table_2(table: pd.DataFrame) -> Figure:
    """Table 2 of the paper: 10th discards, predicted, measured, and measured in the paper."""
    rows = table[table["bin"] < len(PAPER_EDGES) - 2]
    figure, ((_, panel, _),) = _grid({"all": rows}, 1)
    _reliability(panel, rows, PAPER_EDGES)
    middles = [(PAPER_EDGES[i] + PAPER_EDGES[i + 1]) / 2 for i in rows["bin"]]
    label = "the paper's, measured"
    panel.curve.scatter(middles, rows["paper"], color=PAPER, marker="D", label=label)
    panel.curve.legend(loc="upper left")
    panel.below.set(xlabel="predicted P(deals in)")
    return figure


def table_3(table: pd.DataFrame) -> Figure:
    """Table 3 of the paper: shares of deal-ins by most probable and real han."""
    figure = Figure(figsize=(9, 4.2))
    figure.subplots_adjust(left=0.07, right=0.98, bottom=0.12, top=0.92, wspace=0.2)
    cells = table[table["likely"] > 0]
    for axes, column in zip(figure.subplots(1, 2), ("share", "paper"), strict=True):
        shares = cells.pivot(index="likely", columns="real", values=column).to_numpy()
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=0.25)
        for (row, real), share in np.ndenumerate(shares):
            dark = "white" if share > 0.15 else "black"
            axes.text(real, row, f"{share:.1%}", ha="center", va="center", color=dark)
        names = ["1", "2", "3", "4+"]
        axes.set_xticks(range(4), names)
        axes.set_yticks(range(4), names)
        axes.set(xlabel="real han", ylabel="most probable han")
        axes.set_title({"share": "here", "paper": "Kurita & Hoki 2017"}[column])
    return figure


def _drawn(table: pd.DataFrame, name: str, least_games: int | None = None) -> pd.DataFrame:
    """The groups of a type of opponent with enough games to draw; default: `LEAST_GAMES`."""
    enough = table["games"] >= (LEAST_GAMES if least_games is None else least_games)
    return table[enough & (table["opponent_type"] == name)]


def _classes(table: pd.DataFrame, least_games: int | None = None) -> dict[str, pd.DataFrame]:
    """The rows of each type of opponent that is drawn."""
    return {name: _drawn(table, name, least_games) for name in TYPES}


def _grid(
    groups: Mapping[_Group, pd.DataFrame], columns: int, below: float = 0.55, above: float = 0.45
) -> tuple[Figure, list[tuple[_Group, Panel, pd.DataFrame]]]:
    """A figure with a panel for each group that has rows, from left to right in some columns.

    `below` and `above` are the inches for texts below a panel, and above the first ones.
    """
    present = {group: rows for group, rows in groups.items() if len(rows)}
    n_columns = max(1, min(columns, len(present)))
    n_rows = max(1, -(-len(present) // n_columns))
    width, height = min(13, 3 + 3.5 * n_columns), 4.4 * n_rows
    figure = Figure(figsize=(width, height))
    if not present:
        figure.text(0.5, 0.5, "too few games", ha="center")
    left, right, across = _margins(width, n_columns, 0.9, 0.15, 0.9)
    bottom, top, down = _margins(height, n_rows, below, above, below + 0.35)
    grid = figure.add_gridspec(
        n_rows,
        n_columns,
        left=left,
        right=right,
        wspace=across,
        bottom=bottom,
        top=top,
        hspace=down,
    )
    return figure, [
        (group, _panel(figure, grid[index]), rows)
        for index, (group, rows) in enumerate(present.items())
    ]


def _margins(
    length: float, n: int, first: float, last: float, between: float
) -> tuple[float, float, float]:
    """Both edges of a row of n panels as shares of its length, and the space between two of them.

    All but the last, which is a share of a panel, are in inches. A layout that measures every text
    takes half of the time of a report.
    """
    panel = (length - first - last - (n - 1) * between) / n
    return first / length, 1 - last / length, between / panel


def _panel(figure: Figure, spec: SubplotSpec) -> Panel:
    parts = spec.subgridspec(2, 1, height_ratios=(4, 1), hspace=0.09)
    curve = figure.add_subplot(parts[0])
    below = figure.add_subplot(parts[1], sharex=curve)
    curve.tick_params(labelbottom=False)
    return Panel(curve, below)


def _most(rows: pd.DataFrame) -> float:
    """Upper end of the scale; an interval without an event, which may be long, is cut off."""
    happened = rows["high"][rows["measured"] > 0]
    return 1.05 * float(max([0.001, *rows["predicted"], *happened]))


def _curve(panel: Panel, curves: pd.DataFrame | None, by: str, group: object) -> None:
    """The measured frequency without bins, as steps."""
    if curves is not None:
        steps = curves[curves[by].astype(str) == str(group)]
        x, measured, low, high = steps[["predicted", "measured", "low", "high"]].to_numpy(float).T
        label = "isotonic regression, 95%"
        panel.curve.plot(x, measured, color=PAPER, lw=1.2, label=label)
        panel.curve.fill_between(x, low, high, color=PAPER, alpha=0.2, lw=0)
        panel.curve.legend(loc="upper left", fontsize=8)


def _reliability(
    panel: Panel, rows: pd.DataFrame, edges: Sequence[float], most: float | None = None
) -> None:
    """Measured against predicted frequency by bin, and the number of rows of each bin."""
    used = [int(i) for i in rows["bin"]]
    widths = [high - low for low, high in pairwise(edges)]
    middles = [edges[i] + widths[i] / 2 for i in used]
    _counts(panel.below, middles, rows["rows"], [widths[i] for i in used])
    most = _most(rows) if most is None else most
    panel.curve.plot([0, most], [0, most], color="grey", linewidth=0.8, linestyle=":")
    panel.curve.plot(rows["predicted"], rows["measured"], color=MEASURED, linewidth=0.8)
    _measured(panel.curve, rows["predicted"], rows)
    panel.curve.set(xlim=(0, most), ylim=(0, most), ylabel="measured")


def _turns(panel: Panel, rows: pd.DataFrame, column: str) -> None:
    """Predicted as a line, measured as points, over a column of turns."""
    _over(panel, rows[column], rows, 0.9)
    panel.curve.set_xlim(-0.5, 18.5)
    panel.curve.set_xticks(range(0, 19, 3))


def _tiles_left(panel: Panel, rows: pd.DataFrame) -> None:
    """The same over the tiles in the wall, which fall with time."""
    _over(panel, rows["tiles_left"] + (TILES_OF_BIN - 1) / 2, rows, 0.9 * TILES_OF_BIN)
    panel.curve.set_xlim(71, -1)
    panel.curve.set_xticks(range(0, 71, 10))
    panel.below.set(xlabel="tiles in the wall")


def _over(panel: Panel, x: pd.Series[float], rows: pd.DataFrame, width: float) -> None:
    _counts(panel.below, x, rows["rows"], [width] * len(rows))
    panel.curve.plot(x, rows["predicted"], color=PREDICTED, label="predicted")
    _measured(panel.curve, x, rows)
    panel.curve.legend(loc="best")


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
    axes: Axes, x: Sequence[float] | pd.Series[Any], rows: pd.Series[int], width: Sequence[float]
) -> None:
    """Number of rows of each point, on a logarithmic scale."""
    axes.bar(x, rows, width=width, color=COUNT, edgecolor="white", linewidth=0.5)
    axes.set_yscale("log")
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylabel("rows")
    axes.set_ylim(0.7, None)


def svg(figure: Figure) -> str:
    """The figure as SVG for a page; the same figure gives the same text.

    The last digits of the layout vary from run to run: they are rounded.
    """
    layout = figure.get_layout_engine()
    if layout is not None:
        layout.execute(figure)
        figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = (round(edge, 6) for edge in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))
    buffer, canvas = io.StringIO(), cast(Any, FigureCanvasSVG(figure))
    with mpl.rc_context({"svg.hashsalt": "houjuu", "svg.fonttype": "path"}):
        canvas.print_svg(buffer, metadata={"Date": None})  # `savefig` would draw twice
    text = buffer.getvalue()
    return text[text.index("<svg") :]
