"""Stage ``player_report``: the evaluation of the models of the player "rank" as one HTML file.

It shows how a round ends, the final ranks, and the agreement with the players of the logs, all on
held-out games.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from houjuu.util import parameters
from houjuu.util.files import atomic_path
from models.metrics import final_rank_metrics, preference_metrics, round_end_metrics
from pipeline import figures, paths, stage
from pipeline.game_shards import accepted_games
from pipeline.pages import lines, template

Metrics = dict[str, Any]


def main() -> None:
    files = (paths.ROUND_END_METRICS, paths.FINAL_RANK_METRICS, paths.PREFERENCE_METRICS)
    metrics = [json.loads(Path(file).read_text()) for file in files]
    models = (paths.ROUND_END_MODEL, paths.FINAL_RANK_MODEL, paths.PREFERENCE_MODEL)
    headers = [dict(parameters.read(Path(file)).header) for file in models]
    with atomic_path(paths.PLAYER_REPORT) as path:
        path.write_text(page(headers, *metrics), encoding="utf-8")
    print(f"{paths.PLAYER_REPORT}: open it in a browser")


def page(
    headers: Sequence[Mapping[str, Any]], ends: Metrics, ranks: Metrics, choices: Metrics
) -> str:
    """The report as one HTML text in every language; the figures are labelled in English.

    Parameters
    ----------
    headers : sequence of mapping
        Of the files of the three models.
    ends, ranks, choices : dict
        The results of `models.metrics.round_end_metrics`, `final_rank_metrics` and
        `preference_metrics`.
    """
    of_ends, of_ranks, of_actions = (
        pd.DataFrame(metrics["calibration"]) for metrics in (ends, ranks, choices)
    )
    by_event = dict(list(of_ends.groupby("event", sort=False)))
    drawn = {
        str(event): figures.svg(figures.by_shanten(table, round_end_metrics.EDGES))
        for event, table in by_event.items()
    }
    rank_figure = figures.by_rank(of_ranks, final_rank_metrics.EDGES)
    action_figure = figures.by_action(of_actions, preference_metrics.EDGES)
    return template("player_report.html.j2").render(
        headers=headers,
        games_of={header["model"]: _games(header["fitted_on"]) for header in headers},
        held_out=int(accepted_games()["validate"].sum()),
        least_games=figures.LEAST_GAMES,
        ends=ends,
        ranks={"log_loss": list(_phases(ranks["log_loss"]))},
        choices=choices,
        svg=drawn,
        rank_svg=figures.svg(rank_figure),
        action_svg=figures.svg(action_figure),
        details=[
            {"event": event, "lines": lines(table, "bin", round_end_metrics.EDGES)}
            for event, table in by_event.items()
        ],
        rank_lines=lines(of_ranks, "bin", final_rank_metrics.EDGES),
        action_lines=lines(of_actions, "bin", preference_metrics.EDGES),
    )


def _games(fitted_on: Mapping[str, Any]) -> int:
    """The games of a fit; some models use a part of them."""
    of_model = [games for name, games in fitted_on.items() if name.endswith("_games")]
    return int(of_model[0] if of_model else fitted_on["games"])


def _phases(log_loss: Metrics) -> Iterator[dict[str, Any]]:
    """Yield the scores by phase: the length of the game, and the rounds left (None: extra ones)."""
    for name, scores in log_loss.items():
        length, _, left = name.partition(": ")
        rounds = left.removesuffix(" rounds left")
        phase = {"length": length, "left": int(rounds) if rounds.isdecimal() else None}
        yield {**phase, **scores}


if __name__ == "__main__":
    stage.run(main)
