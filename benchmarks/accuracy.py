"""The tables of docs/accuracy.md as Markdown, from a run on real logs.

The numbers are read from the files in data/, those written by ``python -m benchmarks.peers``
included.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks import output
from benchmarks.markdown import WHOLE, calibrated, head, read_json, row, short
from features.schema.opponents import OPPONENT_TYPES
from features.schema.predictions import SCORES
from models.metrics import final_rank_metrics
from models.metrics.edges import PAIRS
from pipeline.paths import PEERS

HOUJUU = "houjuu"
PAPER = "kurita-hoki-2017"
PRINTED = "kurita-hoki-2017-printed"
TREES = "trees"
AKOCHAN = "akochan"
TENPAI = {
    "all": "all",
    "0": "no open meld",
    "1": "1 open meld",
    "2": "2 open melds",
    "3": "3 open melds",
}
LAST_BIN = "more"
ALL = "all"


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument(
        "--data", type=Path, default=Path("data"), help="data of a run on real logs"
    )
    arguments = options.parse_args()
    data = arguments.data
    tables = {
        "Other programs": peers(read_json(PEERS)),
        "Dealing in": deal_in(data),
        "Points": scores(data),
        "Tenpai": tenpai(data),
        "Edges": edges(data),
        "Table 2": _table_2(data),
        "Table 3": _table_3(data),
        "Ablation": _ablation(data),
        "Learning curve": _learning_curve(data),
        "Game length": _lengths(data),
        "Final ranks": final_ranks(data),
    }
    for name, lines in tables.items():
        print(f"{name}\n\n" + "\n".join(lines) + "\n")


def final_ranks(data: Path) -> Iterator[str]:
    """Yield the log loss by phase of the game, then the calibration of each rank."""
    metrics = read_json(data / "final_ranks.json")
    yield from head("phase", "rounds", "present rank", "houjuu", "difference, 95%")
    for name, scores in metrics["log_loss"].items():
        difference = f"{short(scores['difference'], '+')} ± {short(scores['half_interval'])}"
        log_loss = f"**{short(scores['log_loss'])}**"
        base = short(scores["log_loss_base"])
        yield row(name, f"{scores['rows'] // 4:,}", base, log_loss, difference)
    yield ""
    lines = pd.DataFrame(metrics["calibration"])
    yield from head("predicted", *(f"rank {rank}: measured, 95%" for rank in range(1, 5)))
    for number, of_bin in lines.groupby("bin"):
        by_rank = {line["rank"]: line for line in of_bin.to_dict("records")}
        cells = [calibrated(by_rank[rank]) if rank in by_rank else "" for rank in range(1, 5)]
        low, high = final_rank_metrics.EDGES[int(str(number)) :][:2]
        yield row(f"{low:.0%}–{high:.0%}", *cells)


def peers(results: Mapping[str, Any]) -> Iterator[str]:
    """Yield a row for each task: the models, the trees, akochan, and the best other program."""
    lines = pd.DataFrame(results[HOUJUU]["lines"])
    papers = [_values(results[model]) for model in (PRINTED, PAPER)]
    yield from head(
        *("task", "rows", PRINTED, PAPER, HOUJUU, "trees", "houjuu − trees, 95%"),
        *("akochan", "houjuu − akochan, 95%", "best other", "houjuu − best other, 95%"),
    )
    for name, task in lines.groupby("row", sort=False):
        by_peer = task.set_index("peer")
        order = by_peer.drop(index=[TREES, AKOCHAN], errors="ignore")["theirs"]
        best = str(order.idxmax() if higher_is_better(str(name)) else order.idxmin())
        first = task.iloc[0]
        yield row(
            *(name, f"{first['rows']:,}", *(short(of_paper[name]) for of_paper in papers)),
            f"**{short(first['houjuu'])}**",
            *(cell for peer in (TREES, AKOCHAN) for cell in _against(by_peer, peer)),
            *(
                f"{best} {cell}" if not n else cell
                for n, cell in enumerate(_against(by_peer, best))
            ),
        )


def higher_is_better(row: str) -> bool:
    """Whether the metric of a task is an AUC or a share; else it is a loss or an error."""
    return row.endswith("AUC") or row.startswith("W")


def _values(results: Mapping[str, Any]) -> Mapping[Any, float]:
    """The metric of our model, by row of the table."""
    lines = pd.DataFrame(results["lines"]).drop_duplicates("row").set_index("row")
    return dict(lines["houjuu"])


def _against(by_peer: pd.DataFrame, peer: str) -> tuple[str, str]:
    """The metric of a peer, and the difference of houjuu with its interval."""
    if peer not in by_peer.index:
        return "", ""
    line: Mapping[Any, Any] = by_peer.loc[peer].to_dict()
    number = partial(short, whole=abs(line["theirs"]) >= WHOLE)
    low, high = (number(end, "+") for end in line["95%"])
    return number(line["theirs"]), f"{number(line['difference'], '+')} [{low}, {high}]"


def deal_in(data: Path) -> Iterator[str]:
    ours, *papers = (
        read_json(data / model / "metrics.json")["deal_in"] for model in (HOUJUU, PRINTED, PAPER)
    )
    yield from head(
        *("opponent", "rows", "deals in", "base rate", PRINTED, PAPER, HOUJUU, "Brier", "AUC")
    )
    for name, metrics in ours.items():
        yield row(
            *(
                name,
                f"{metrics['rows']:,}",
                f"{metrics['rate']:.2%}",
                short(metrics["log_loss_base"]),
            ),
            *(short(paper[name]["log_loss"]) for paper in papers),
            f"**{short(metrics['log_loss'])}**",
            *(short(metrics["brier"]), short(metrics["auc"])),
        )
    for model in (HOUJUU, PRINTED, PAPER):
        yield f"\n{model}, points: {json.dumps(read_json(data / model / 'metrics.json')['points'])}"


def scores(data: Path) -> Iterator[str]:
    """Yield P(points) of a deal-in by winner, then by safety class: predicted, and measured."""
    models = (HOUJUU, PAPER, PRINTED)
    ours, *papers = (read_json(data / model / "metrics.json")["scores"] for model in models)
    yield from head(
        *("deal-ins", "rons"),
        *(
            f"{points:,} or more: {column}"
            for points in SCORES
            for column in ("houjuu, fitted, printed", "measured, 95%")
        ),
    )
    groups = [(winner, tile) for winner, by_class in ours.items() for tile in by_class]
    for winner, tile in sorted(groups, key=lambda group: group[1] != ALL):
        if ALL not in (winner, tile):
            continue  # the reports have both together
        lines = ours[winner][tile]
        cells = []
        for points, line in lines.items():
            others = (paper[winner][tile][points] for paper in papers)
            predicted = [f"{100 * one['predicted']:.1f}" for one in (line, *others)]
            interval = f"[{100 * line['low']:.1f}, {100 * line['high']:.1f}]"
            cells += [f"{', '.join(predicted)}%", f"{line['measured']:.1%} {interval}"]
        name = winner if tile == ALL else tile
        yield row(name, f"{lines[str(SCORES[0])]['rows']:,}", *cells)


def edges(data: Path) -> Iterator[str]:
    """Yield the slopes of P(tenpai), then the highest risks and the tiles that were discarded."""
    columns = ("rows", "predicted: measured, 95%", "slope")
    yield from head("opponent, edges of P(tenpai)", *columns)
    for line in _edge_lines(data, "tenpai"):
        yield row(EDGES[line["group"]], *_edge_cells(line))
    yield ""
    yield from head("tiles, edges of dealing in", *columns)
    for line in _edge_lines(data, "deal_in"):
        if line["group"] != "4 melds" and line["part"] in SHOWN_PARTS:
            yield row(f"{line['group']}: {SHOWN_PARTS[line['part']]}", *_edge_cells(line))


EDGES = {**TENPAI, PAIRS: "two melded opponents, both tenpai"}
SHOWN_PARTS = {
    "all": "in the hand",
    "discarded": "discarded",
    "highest": "the highest 1% of the risks",
}
"""Those of `models.metrics.edges.PARTS` that the page has, by their names there."""


def _edge_lines(data: Path, question: str) -> list[dict[Any, Any]]:
    table = pd.read_csv(
        data / HOUJUU / "evaluation" / f"{question}_edges.csv", dtype={"group": str}
    )
    return table.to_dict("records")


def _edge_cells(line: Mapping[Any, Any]) -> tuple[str, str, str]:
    """Rows, percentages with two decimals, and the slope of the logits with half its interval."""
    predicted, measured, low, high = (
        f"{100 * line[name]:.2f}" for name in ("predicted", "measured", "low", "high")
    )
    slope = f"{line['slope']:.3f} ± {line['slope_half']:.3f}".replace("0.", ".")
    return f"{line['rows']:,}", f"{predicted}: {measured} [{low}, {high}]", slope


def tenpai(data: Path) -> Iterator[str]:
    ours = read_json(data / HOUJUU / "metrics.json")["tenpai"]
    trees = read_json(data / "gbdt_baseline.json")["tenpai"]
    yield from head(
        *("opponent, not in riichi", "rows", "tenpai", "base rate", "houjuu", "trees"),
        *("Brier", "AUC"),
    )
    for name, title in TENPAI.items():
        metrics = ours[name]
        yield row(
            *(
                title,
                f"{metrics['rows']:,}",
                f"{metrics['rate']:.2%}",
                short(metrics["log_loss_base"]),
            ),
            *(f"**{short(metrics['log_loss'])}**", short(trees[name]["log_loss"])),
            *(short(metrics["brier"]), short(metrics["auc"])),
        )
    ours = read_json(data / "houjuu/fit_metrics.json")["waits"]
    trees = read_json(data / "gbdt_baseline.json")["waits"]
    yield ""
    yield from head("tenpai opponent", "rows", "wins on it", "base rate", "houjuu", "trees")
    for name in OPPONENT_TYPES:
        if name in ours:
            metrics = ours[name]
            yield row(
                *(
                    name,
                    f"{metrics['rows']:,}",
                    f"{metrics['rate']:.2%}",
                    short(metrics["log_loss_base"]),
                ),
                *(f"**{short(metrics['log_loss'])}**", short(trees[name]["log_loss"])),
            )


def _table_2(data: Path) -> Iterator[str]:
    tenth, every = (
        pd.read_csv(data / HOUJUU / "evaluation" / f"{name}.csv").to_dict("records")
        for name in ("table_2", "table_2_of_all")
    )
    yield from head(
        *("predicted", "10th discards", "mean predicted", "observed, 95%", "paper, observed"),
        *("all discards", "mean predicted", "observed, 95%"),
    )
    for number, (one, all_) in enumerate(zip(tenth, every, strict=True)):
        last = number == len(tenth) - 1
        paper = "" if pd.isna(one["paper"]) else f"{one['paper']:.1%}"
        yield row(
            *(LAST_BIN if last else f"{number}–{number + 1}%", *_cells(one), paper, *_cells(all_))
        )


def _cells(line: Mapping[Any, Any]) -> tuple[str, str, str]:
    low = f"{100 * line['low']:.2f}"
    high = f"{100 * line['high']:.2f}"
    return (
        f"{line['rows']:,}",
        f"{line['predicted']:.2%}",
        f"{line['measured']:.2%} [{low}, {high}]",
    )


def _table_3(data: Path) -> Iterator[str]:
    cells = pd.read_csv(data / HOUJUU / "evaluation" / "table_3.csv")
    names = ["1", "2", "3", "4 and more"]
    yield from head("", *names)
    for likely, group in cells[cells["likely"] > 0].groupby("likely"):
        yield row(
            names[int(str(likely)) - 1],
            *(
                f"{line.share:.3f} [{line.low:.3f}, {line.high:.3f}] ({line.paper:.3f})".replace(
                    "0.", "."
                )
                for line in group.itertuples()
            ),
        )
    overall = cells[cells["likely"] == 0].iloc[0]
    low = f"{100 * overall['low']:.1f}"
    high = f"{100 * overall['high']:.1f}"
    yield f"\nthe diagonal: {overall['share']:.1%} [{low}, {high}] ({overall['paper']:.1%})"


def _ablation(data: Path) -> Iterator[str]:
    lines = pd.read_csv(data / "ablation.csv")
    yield from head("task", "everything", "games", "without")
    for task, fits in lines[lines["evaluated_on"] == ALL].groupby("task", sort=False):
        everything = fits[fits["change"] == "none"].iloc[0]
        without = fits[fits["change"] == "without"].sort_values("difference", ascending=False)
        yield row(
            *(task, short(everything["log_loss"]), everything["games"]),
            ", ".join(
                f"{fit['name']} {short(fit['difference'], '+')} ± {short(fit['half_interval'])}"
                for fit in without.to_dict("records")
            ),
        )


def _learning_curve(data: Path) -> Iterable[str]:
    lines = pd.read_csv(data / "ablation.csv")
    for task, fits in lines[lines["change"] == "games"].groupby("task", sort=False):
        pairs = zip(fits["log_loss"], fits["games"], strict=True)
        cells = [f"{short(loss)} ({games:,})" for loss, games in pairs]
        yield row(task, *cells)


def _lengths(data: Path) -> Iterator[str]:
    lines = pd.read_csv(data / "ablation.csv")
    pairs = [("hanchan", "East-only"), ("East-only", "hanchan")]
    yield from head(
        "task",
        *(
            f"{evaluated}: fitted to {fitted}"
            for evaluated, other in pairs
            for fitted in (evaluated, other)
        ),
    )
    for task, fits in lines[lines["change"] == "length"].groupby("task", sort=False):
        by_lengths = {(fit["evaluated_on"], fit["name"]): fit for fit in fits.to_dict("records")}
        cells = []
        for evaluated, other in pairs:
            transfer = by_lengths[evaluated, other]
            difference = short(transfer["difference"], "+")
            own = by_lengths[evaluated, evaluated]
            cells += [
                short(own["log_loss"]),
                f"{difference} ± {short(transfer['half_interval'])}",
            ]
        yield row(task, *cells)


if __name__ == "__main__":
    main()
