"""A figure: distribution and growth of the longest chains, and the longest chain link by link."""

from __future__ import annotations

import io

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from examples.puyo import field
from examples.puyo.field import COLUMNS, ROWS, VISIBLE_ROWS, Boards, Ints
from examples.puyo.players import Game
from examples.puyo.report import Games, half_width, longest

_WIDTH, _GRAPHS, _FILM = 9.6, 3.4, 2.2  # unit: inches
_LINES = ("#8a8f98", "#3a9d5d", "#6b4fa0", "#b7791f", "#1f4e79", "#c0392b")
_FILLS = ("#c0392b", "#3a9d5d", "#2f6db5", "#e0b030")


def svg(games: Games) -> str:
    """The figure as SVG; the same games give the same text."""
    figure = Figure(figsize=(_WIDTH, _GRAPHS + _FILM), layout="constrained")
    above, below = figure.subfigures(2, 1, squeeze=False, height_ratios=(_GRAPHS, _FILM))[:, 0]
    left, right = above.subplots(1, 2)
    _at_least(left, games)
    _by_piece(right, games)
    best = {player: max(played, key=lambda game: game.longest) for player, played in games.items()}
    player = max(best, key=lambda player: best[player].longest)
    _film(below, best[player].best, f"the longest chain, of {player}, link by link")
    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "houjuu", "svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()


def _at_least(axes: Axes, games: Games) -> None:
    links = np.arange(1, 2 + max(longest(played).max() for played in games.values()))
    for (player, played), colour in zip(games.items(), _LINES, strict=True):
        reached = longest(played)[:, None] >= links
        shares, half = reached.mean(axis=0), half_width(reached)
        axes.fill_between(
            links, shares - half, shares + half, color=colour, alpha=0.15, linewidth=0
        )
        axes.plot(links, shares, color=colour, marker=".", label=player)
    axes.set(xlabel="links", ylabel="games with so long a chain", ylim=(0, 1.02), xticks=links)
    axes.legend(frameon=False, fontsize="small")


def _by_piece(axes: Axes, games: Games) -> None:
    most = max(len(game.turns) for played in games.values() for game in played)
    for played, colour in zip(games.values(), _LINES, strict=True):
        so_far = np.array([_so_far(game, most) for game in played])
        mean, half = so_far.mean(axis=0), half_width(so_far)
        placed = np.arange(1, most + 1)
        axes.fill_between(placed, mean - half, mean + half, color=colour, alpha=0.15, linewidth=0)
        axes.plot(placed, mean, color=colour)
    axes.set(xlabel="pieces placed", ylabel="longest chain so far, mean", ylim=(0, None))


def _so_far(game: Game, most: int) -> Ints:
    fired = [turn.fired for turn in game.turns]
    return np.maximum.accumulate(np.pad(fired, (0, most - len(fired))))


def _film(figure: SubFigure, board: Boards, title: str) -> None:
    """Draw the fields of a chain; cells that vanish next are bright."""
    frames = list(field.film(board))
    size = min(_WIDTH / (len(frames) * COLUMNS), _FILM / ROWS) * 72 * 0.75
    panels = figure.subplots(1, len(frames), squeeze=False)[0]
    for link, (axes, (cells, gone)) in enumerate(zip(panels, frames, strict=True), 1):
        axes.set(xlim=(0, COLUMNS), ylim=(0, ROWS), xticks=[], yticks=[], aspect="equal")
        axes.set_title(str(link) if link < len(frames) else "left", fontsize="small")
        axes.axhspan(VISIBLE_ROWS, ROWS, color="#eceff2")
        _cells(axes, cells & ~gone, size, 0.35)
        _cells(axes, gone, size, 1.0)
    figure.suptitle(title, fontsize="medium")


def _cells(axes: Axes, board: Boards, size: float, alpha: float) -> None:
    for colour, fill in enumerate(_FILLS):
        column, row = np.nonzero(board[:, colour] >> np.arange(ROWS) & 1)
        (drawn,) = axes.plot(column + 0.5, row + 0.5, "o", color=fill, alpha=alpha)
        drawn.set(markersize=size, markeredgewidth=0)
