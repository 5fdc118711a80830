"""The sections that the report of a model and that of several models share."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from pipeline import figures, settings
from pipeline.pages import flag_outside, lines

Tables = Mapping[str, pd.DataFrame]


def draw(
    tables: Tables, params: settings.EvaluateSettings, least_games: int | None = None
) -> dict[str, Figure]:
    """The figures of both questions, from the tables of `models.metrics.calibrated`."""
    tenpai, deal_in = (
        {name: tables[f"{question}_{name}"] for name in ("by_bin", "curve", "of_all")}
        for question in ("tenpai", "deal_in")
    )
    return {
        "tenpai_by_bin": figures.by_bin(
            tenpai["by_bin"], params.edges, tenpai["curve"], tenpai["of_all"]
        ),
        "deal_in_by_bin": figures.deal_in_by_bin(
            deal_in["by_bin"],
            params.edges_deal_in,
            least_games,
            deal_in["curve"],
            deal_in["of_all"],
        ),
    }


def svgs(drawn: Mapping[str, Figure]) -> dict[str, str]:
    """Figures as texts, by name."""
    return {name: figures.svg(figure) for name, figure in drawn.items()}


def questions(
    metrics: Mapping[str, Any],
    tables: Tables,
    drawn: Mapping[str, str],
    params: settings.EvaluateSettings,
) -> dict[str, dict[str, Any]]:
    """What the pages show of each question: the arguments of ``question`` in calibration.j2.

    Parameters
    ----------
    metrics, tables : mapping
        Those of `models.metrics.calibrated`.
    drawn : mapping
        The SVG of each figure of `draw` by name.
    params : EvaluateSettings
    """
    return {
        name: {
            "scores": metrics[name],
            "line": metrics[f"{name}_line"],
            "parts": metrics[f"{name}_parts"],
            "worst": worst_bin(tables[f"{name}_by_bin"], edges),
            "edges": edge_lines(tables[f"{name}_edges"]),
            "svg": drawn[f"{name}_by_bin"],
        }
        for name, edges in (("tenpai", params.edges), ("deal_in", params.edges_deal_in))
    }


def contents(drawn: Mapping[str, str], tables: Tables, folder: str = "") -> dict[str, str]:
    """The files of `archive`: each figure and each table."""
    texts = {f"{folder}{name}.svg": svg for name, svg in drawn.items()}
    return texts | {
        f"{folder}{name}.csv": table.to_csv(index=False) for name, table in tables.items()
    }


def archive(files: Mapping[str, str]) -> str:
    """A zip of texts by name, in base64 for a link; the same texts give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in files.items():
            file.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return base64.b64encode(buffer.getvalue()).decode()


def edge_lines(table: pd.DataFrame) -> list[dict[Hashable, Any]]:
    """The lines of a table of `models.metrics.edges`, with two flags.

    `outside` is that of `flag_outside`; `slope_outside`: the interval of the slope excludes 1.
    """
    distance = (table["slope"] - 1.0).abs()
    flagged = flag_outside(table).assign(slope_outside=distance > table["slope_half"])
    lines = flagged.astype(object).where(flagged.notna(), None)
    return lines.to_dict("records")


def worst_bin(table: pd.DataFrame, edges: Sequence[float]) -> dict[Hashable, Any] | None:
    """The line of a calibration table by bin whose prediction differs most; None without lines.

    Lines of few games are left out, as in the figures.
    """
    drawn = table[table["games"] >= figures.LEAST_GAMES]
    if drawn.empty:
        return None
    difference = (drawn["predicted"] - drawn["measured"]).abs()
    return lines(drawn.loc[[difference.idxmax()]], "bin", edges)[0]
