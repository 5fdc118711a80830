"""Tables 2 and 3 of Kurita & Hoki 2017 for all models, on every held-out game of a run.

Table 2 takes every player's 10th discard where another player is in riichi or has a meld. Table 3
takes the real deal-ins, with dora and, for the paper's models, without; so does a table of the
expected points by opponent type. Run it in the folder of a run on real logs: it reads
data/games.parquet, data/game_logs, data/paper_waits.npz and the exported models. Prints the tables
of docs/accuracy.md as Markdown.

    python -m benchmarks.paper_tables
    python -m benchmarks.paper_tables --games 1000 --keep docs/real-run/paper_tables.json
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import houjuu
from benchmarks import markdown, output
from features import prediction_rows
from features.dora_free import paper_without_dora
from features.paper_wait_counts import WaitCounts
from features.schema.opponents import OPPONENT_TYPES
from houjuu.game.events import Deal, Game, Win
from houjuu.util.intervals import clustered_mean
from models.metrics import evaluation
from models.metrics.evaluation import PAPER_2, PAPER_3
from pipeline import settings
from pipeline.engine import open_engine
from pipeline.files import save_json
from pipeline.game_shards import accepted_games, map_games, select_games
from pipeline.paths import MODELS, PAPER_WAIT_COUNTS

FU = (30, 40)
MOST = len(PAPER_3)
HAN = (*map(str, range(1, MOST)), f"{MOST} and more")
PAPER_HAN = np.sum(PAPER_3, axis=0)
"""The paper's shares of the real han, 1–4 and more."""

PAPER_RIGHT = sum(PAPER_3[han][han] for han in range(MOST))


class Part(NamedTuple):
    """Some games: the rows of each model, and the rounds of each game and seat with a deal-in."""

    rows: list[prediction_rows.PredictionTables]
    rounds: pd.DataFrame


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, default=1_000_000, help="number of held-out games")
    options.add_argument("--keep", type=Path, help="write the summary to this file, too")
    arguments = options.parse_args()
    games = accepted_games()
    wanted = select_games(games, held_out=arguments.games)
    with open_engine(settings.load().run) as engine:
        parts = list(map_games(predict, wanted, engine, "paper tables"))
    rows = {
        model: prediction_rows.PredictionTables(
            *(
                pd.concat([part.rows[number][table] for part in parts], ignore_index=True)
                for table in range(2)
            )
        )
        for number, model in enumerate(MODELS)
    }
    print(f"{len(wanted):,} held-out games\n")
    print("\n".join(tables(rows)))
    if arguments.keep:
        save_json({"games": len(wanted), "summary": summaries(rows)}, arguments.keep)
    rounds = pd.concat([part.rounds for part in parts], ignore_index=True)
    share = _percent(rounds["dealt_in"], rounds["game"])
    print(f"\na player deals in in {share} of {len(rounds) // 4:,} rounds")


def predict(games: list[Game]) -> Part:
    """The 10th discards and the rons of some games for each model, and the rounds."""
    estimators = [houjuu.load(path) for path in MODELS.values()]
    counts = WaitCounts.load(PAPER_WAIT_COUNTS)
    without_dora = [paper_without_dora(estimator, counts) for estimator in estimators]
    rounds = pd.DataFrame(
        [
            (game.id, number, seat, (number, seat) in dealt_in)
            for game in games
            for dealt_in in [deal_ins(game)]
            for number in range(game.rounds)
            for seat in range(4)
        ],
        columns=["game", "round", "seat", "dealt_in"],
    )
    rows = prediction_rows.rows(games, estimators, evaluation.PAPER_TURN, without_dora)
    return Part(rows, rounds)


def deal_ins(game: Game) -> set[tuple[int, int]]:
    """The rounds, from 0, and the seats that dealt in there."""
    number = -1
    pairs = set()
    for event in game:
        if isinstance(event, Deal):
            number += 1
        elif isinstance(event, Win) and event.source != event.seat:
            pairs.add((number, event.source))
    return pairs


def tables(rows: Mapping[str, prediction_rows.PredictionTables]) -> Iterator[str]:
    """Yield tables 2 and 3 of the models, and their summary, line by line."""
    two = {model: evaluation.table_2(*of_model) for model, of_model in rows.items()}
    yield from _table_2(two)
    for model, of_model in rows.items():
        yield f"\n{model}: {len(of_model.rons):,} rons\n"
        yield from _table_3(evaluation.table_3(of_model.rons))
        without_dora = evaluation.rons_without_dora(of_model.rons)
        if len(without_dora):
            yield f"\n{model}, without dora\n"
            yield from _table_3(evaluation.table_3(without_dora))
    yield ""
    yield from markdown.head("", "the paper", *rows)
    by_model = summaries(rows)
    for name, paper in _PAPER_SUMMARY.items():
        yield markdown.row(name, paper, *(by_model[model][name] for model in rows))
    yield ""
    yield from _points(rows)


def summaries(rows: Mapping[str, prediction_rows.PredictionTables]) -> dict[str, dict[str, str]]:
    """The figures of each model as they are printed, by name."""
    return {
        model: _summary(evaluation.table_2(*of_model), of_model.rons)
        for model, of_model in rows.items()
    }


def _table_2(two: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    yield from markdown.head(
        "predicted",
        "paper, measured",
        *(f"{model}: {name}" for model in two for name in ("discards", "predicted", "measured")),
    )
    for number in range(len(PAPER_2) + 1):
        last = number == len(PAPER_2)
        cells = [cell for table in two.values() for cell in _bin(table, number)]
        paper = "" if last else f"{PAPER_2[number]:.1%}"
        yield markdown.row("more" if last else f"{number}–{number + 1}%", paper, *cells)


def _bin(table: pd.DataFrame, number: int) -> tuple[str, str, str]:
    """The discards of a bin, their mean prediction and the measured share; empty without any."""
    rows = table[table["bin"] == number].to_dict("records")
    if not rows:
        return "0", "", ""
    return f"{rows[0]['rows']:,}", f"{rows[0]['predicted']:.2%}", _interval(rows[0])


def _table_3(cells: pd.DataFrame) -> Iterator[str]:
    yield from markdown.head("", *HAN)
    for likely, name in enumerate(HAN, start=1):
        shares = (
            f"{cell['share']:.3f} [{cell['low']:.3f}, {cell['high']:.3f}] ({cell['paper']:.3f})"
            for cell in cells[cells["likely"] == likely].to_dict("records")
        )
        yield markdown.row(name, *shares).replace("0.", ".")


def _points(rows: Mapping[str, prediction_rows.PredictionTables]) -> Iterator[str]:
    """Yield the points paid, and of each model those expected less those paid, by opponent type."""
    first = next(iter(rows.values())).rons
    yield from markdown.head("points", "rons", "paid", *rows)
    for opponent_type in ("all", *OPPONENT_TYPES):
        same_type = (first["opponent_type"] == opponent_type) | (opponent_type == "all")
        if not same_type.any():
            continue
        paid = first.loc[same_type, "points"]
        games = first.loc[same_type, "game"]
        excess = (
            _mean(of_model.rons.loc[same_type, "expected_points"] - paid, games)
            for of_model in rows.values()
        )
        cells = (f"{mean:+,.0f} ± {half:,.0f}" for mean, half in excess)
        yield markdown.row(opponent_type, f"{len(paid):,}", f"{paid.mean():,.0f}", *cells)


_WINNERS = {
    "all": set(OPPONENT_TYPES),
    "open hands": set(OPPONENT_TYPES) - {"riichi", "closed"},
    "riichi": {"riichi"},
}
"""Types of the winner of a ron without dora, by name."""

_PAPER_SUMMARY = {
    "10th discards": "100,000",
    "mean distance, eight bins": "about 1 point",
    "highest distance": "",
    "all: predicted": "",
    "all: measured": "",
    "below 8%": "95%",
    "rons": "",
    "real han 1, 2, 3, 4 and more": ", ".join(f"{share:.2f}" for share in PAPER_HAN),
    "right": f"{PAPER_RIGHT:.1%}",
    "above the commonest han": f"+{100 * (PAPER_RIGHT - PAPER_HAN.max()):.1f} points",
    "right by row": ", ".join(f"{row[han] / sum(row):.0%}" for han, row in enumerate(PAPER_3)),
    "right, with the paper's shares": f"{PAPER_RIGHT:.1%}",
    "30 or 40 fu": "97%",
    **{
        f"without dora, {winners}: {name}": paper if winners == "all" else ""
        for winners in _WINNERS
        for name, paper in (
            ("rons", ""),
            ("real han", ", ".join(f"{share:.2f}" for share in PAPER_HAN)),
            ("right", f"{PAPER_RIGHT:.1%}"),
            ("above the commonest", f"+{100 * (PAPER_RIGHT - PAPER_HAN.max()):.1f} points"),
        )
    },
}


def _summary(two: pd.DataFrame, rons: pd.DataFrame) -> dict[str, str]:
    """The figures of `_PAPER_SUMMARY` of one model."""
    is_low = two["bin"] < len(PAPER_2)
    distance = 100 * (two["measured"] - two["predicted"]).abs()[is_low]
    share = two["rows"] / two["rows"].sum()
    likely = rons["likely_han"].clip(upper=MOST)
    real = rons["han"].clip(1, MOST)
    right_of = {han: (likely == han)[likely == han] for han in range(1, MOST + 1)}
    by_row = (
        f"{(real[right.index] == han).mean():.0%}" if len(right) else "–"
        for han, right in right_of.items()
    )
    weights = PAPER_HAN[real - 1] / PAPER_HAN.sum() / _shares(real)[real - 1]
    has_fu = rons[rons["fu"] > 0]
    return {
        "10th discards": f"{two['rows'].sum():,}",
        "mean distance, eight bins": f"{distance.mean():.2f} points",
        "highest distance": f"{distance.max():.2f} points",
        "all: predicted": f"{(share * two['predicted']).sum():.2%}",
        "all: measured": f"{(share * two['measured']).sum():.2%}",
        "below 8%": f"{share[is_low].sum():.1%}",
        "rons": f"{len(rons):,}",
        "real han 1, 2, 3, 4 and more": ", ".join(f"{share:.2f}" for share in _shares(real)),
        "right": _percent(likely == real, rons["game"]),
        "above the commonest han": _gain(likely, real, rons["game"]),
        "right by row": ", ".join(by_row),
        "right, with the paper's shares": _percent(weights * (likely == real), rons["game"]),
        "30 or 40 fu": _percent(has_fu["fu"].isin(FU), has_fu["game"]),
        **_without_dora(evaluation.rons_without_dora(rons)),
    }


def _without_dora(rons: pd.DataFrame) -> dict[str, str]:
    """The part of `_summary` without dora; empty cells for a model that does not predict it."""
    cells: dict[str, str] = {}
    for name, opponent_types in _WINNERS.items():
        winners = rons[rons["opponent_type"].isin(opponent_types)]
        likely = winners["likely_han"].clip(upper=MOST)
        real = winners["han"].clip(1, MOST)
        values = ("", "", "", "")
        if len(winners):
            shares = ", ".join(f"{share:.2f}" for share in _shares(real))
            right = _percent(likely == real, winners["game"])
            gain = _gain(likely, real, winners["game"])
            values = (f"{len(winners):,}", shares, right, gain)
        parts = ("rons", "real han", "right", "above the commonest")
        cells |= {
            f"without dora, {name}: {part}": value
            for part, value in zip(parts, values, strict=True)
        }
    return cells


def _shares(real: pd.Series[Any]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.array([(real == han).mean() for han in range(1, MOST + 1)])


def _gain(likely: pd.Series[Any], real: pd.Series[Any], games: pd.Series[Any]) -> str:
    """How much more often the most probable han is right than the commonest one."""
    commonest = 1 + int(_shares(real).argmax())
    gain = (likely == real).astype(float) - (real == commonest)
    mean, half = _mean(gain, games)
    return f"{100 * mean:+.1f} ± {100 * half:.1f} points"


def _mean(values: pd.Series[Any], games: pd.Series[Any]) -> tuple[float, float]:
    return clustered_mean(values.to_numpy(float), games.to_numpy(object))


def _percent(values: pd.Series[Any], games: pd.Series[Any]) -> str:
    """The mean and half its interval, in percent."""
    mean, half = _mean(values, games)
    return f"{100 * mean:.1f} ± {100 * half:.1f}%"


def _interval(row: dict[Any, Any]) -> str:
    return f"{row['measured']:.2%} [{100 * row['low']:.2f}, {100 * row['high']:.2f}]"


if __name__ == "__main__":
    main()
