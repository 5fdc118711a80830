"""The tables of a run on real logs as Markdown: of accuracy, player, yaku, unseen and final-ranks.

The numbers are read from the files in data/ and from those in docs/real-run/ that
``python -m benchmarks.peers`` and others write. In the tables of yaku "far" are hands of shanten 3
and more, and "r" is the correlation of the expected han of the best group with the han of the win,
0 if the hand did not win.
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
from models.metrics import final_rank_metrics, unseen_metrics
from models.metrics.edges import PAIRS
from pipeline.paths import PEERS, REAL_RUN

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
LARGE_WINS = {
    "size of own wins": "own win of 8,000 or more",
    "size of wins of opponents": "opponent's win of 8,000 or more",
}
"""The event whose bins are counted for a question about the size of a win."""

ROOMS = {
    "phoenix-2024": "phoenix room, 2024",
    "phoenix-hanchan": "phoenix room, hanchan, 2009 to 2021",
    "phoenix-tonpuu": "phoenix room, East-only, 2018 and 2023",
    "tokujou-hanchan": "特上卓, hanchan, 2020 to 2023",
    "all": "all",
}


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
        "Questions of the player": round_ends(read_json(data / "round_ends.json")),
        "Riichi and dama": riichi_or_dama(read_json(data / "round_ends.json")),
        "Agreement": agreement(read_json(data / "preferences.json")),
        "Yaku": yaku(read_json(data / "yaku.json")),
        "Unseen tiles": unseen_tiles(read_json(REAL_RUN / "unseen_tiles.json")),
    }
    for name, lines in tables.items():
        print(f"{name}\n\n" + "\n".join(lines) + "\n")


def final_ranks(data: Path) -> Iterator[str]:
    """Yield the log loss by phase of the game, then the calibration of each rank."""
    metrics = read_json(data / "final_ranks.json")
    yield from head("phase", "rounds", "present rank", "houjuu", "difference, 95%")
    for name, scores in metrics["log_loss"].items():
        yield row(name, f"{scores['rows'] // 4:,}", *_against_base(scores))
    yield ""
    lines = pd.DataFrame(metrics["calibration"])
    yield from head("predicted", *(f"rank {rank}: measured, 95%" for rank in range(1, 5)))
    for number, of_bin in lines.groupby("bin"):
        by_rank = {line["rank"]: line for line in of_bin.to_dict("records")}
        cells = [calibrated(by_rank[rank]) if rank in by_rank else "" for rank in range(1, 5)]
        low, high = final_rank_metrics.EDGES[int(str(number)) :][:2]
        yield row(f"{low:.0%}–{high:.0%}", *cells)


def _against_base(scores: Mapping[str, float]) -> tuple[str, str, str]:
    """The log loss of the baseline and of houjuu, and the difference with half its interval."""
    losses = short(scores["log_loss_base"]), short(scores["log_loss"])
    return losses[0], f"**{losses[1]}**", _difference(scores)


def _difference(scores: Mapping[Any, Any]) -> str:
    return f"{short(scores['difference'], '+')} ± {short(scores['half_interval'])}"


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
            ", ".join(f"{fit['name']} {_difference(fit)}" for fit in without.to_dict("records")),
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
            own = by_lengths[evaluated, evaluated]
            cells += [
                short(own["log_loss"]),
                _difference(transfer),
            ]
        yield row(task, *cells)


def round_ends(metrics: dict[str, Any]) -> Iterator[str]:
    """Yield a row for each question, with the number of bins within their intervals."""
    bins = _within_interval(metrics)
    bins |= {size: f"8,000 or more: {bins[event]}" for size, event in LARGE_WINS.items()}
    yield from head("question", "rows", "base rate", "houjuu", "difference, 95%", "bins")
    for name, scores in metrics["log_loss"].items():
        yield row(name, f"{scores['rows']:,}", *_against_base(scores), bins.get(name, ""))


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


def agreement(metrics: dict[str, Any]) -> Iterator[str]:
    without = ("without the network", "by the values alone")
    yield from head("decision", "decisions", "agrees, 95%", *without)
    for line in metrics["agreement"]:
        share = f"{100 * line['same']:.1f}% ± {100 * line['half_interval']:.1f}"
        others = (f"{100 * line[name]:.1f}%" for name in ("same_terms", "same_values"))
        name = line["kind"] if line["phase"] == "all" else f"… {line['phase']}"
        yield row(name, f"{line['decisions']:,}", share, *others)


def yaku(results: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the tables in docs/yaku.md."""
    yield from head(
        "form and yaku",
        "won",
        "mean predicted",
        "log loss",
        "log loss of the baseline",
        "better by, 95%",
        "AUC",
        "AUC of the baseline",
        "far: better by, 95%",
        "far: AUC",
    )
    for name, metrics in results["yaku"]["all"].items():
        far = results["yaku"]["far"].get(name)
        yield row(
            name,
            f"{metrics['wins']:,} ({metrics['rate']:.3%})",
            f"{metrics['mean']:.3%}",
            *(
                f"{metrics[loss]:.5f}".removeprefix("0")
                for loss in ("log_loss", "log_loss_baseline")
            ),
            _better(metrics),
            f"{metrics['auc']:.3f}",
            f"{metrics['auc_baseline']:.3f}",
            _better(far) if far else "",
            f"{far['auc']:.3f}" if far else "",
        )
    yield ""
    columns = "han | predicted | error, 95% | r |"
    yield f"| shanten | wins | {columns} hands | {columns}"
    yield "|" + "---|" * 11
    for name, metrics in results["han"].items():
        yield row(name, *(cell for sample in ("wins", "all") for cell in _han(metrics[sample])))


def _better(metrics: dict[str, float]) -> str:
    return f"{metrics['improvement']:.5f} ± {metrics['half_interval']:.5f}".replace("0.", ".")


def _han(metrics: dict[str, Any]) -> Iterator[str]:
    yield f"{metrics['rows']:,}"
    yield f"{metrics['measured']:.3f}"
    yield f"{metrics['predicted']:.3f}"
    yield f"{metrics['error']:+.3f} ± {metrics['half_interval']:.3f}".replace("-", "−")
    yield "" if metrics["correlation"] is None else f"{metrics['correlation']:.2f}"


def unseen_tiles(results: dict[str, Any]) -> Iterator[str]:
    """Yield the tables of docs/unseen.md as Markdown."""
    scores = results["scores"]
    yield from head("log loss", "states", "counting", "houjuu", "difference, 95%")
    for name, of_archive in scores.items():
        yield _loss_row(f"next draw: {ROOMS[name]}", of_archive["next_draw"]["all"])
    for group, line in scores["all"]["next_draw"].items():
        if group.startswith("turn"):
            yield _loss_row(f"next draw: {group}", line)
    for location, line in scores["all"]["copies"].items():
        yield _loss_row(f"copies: {location}", line)
    yield ""
    yield from head("draws of the own hand", "states", "counting", "houjuu", "happened")
    for name, of_archive in scores.items():
        for hand, line in of_archive["useful_draws"].items():
            happened = f"{100 * line['happened']:.2f}% ± {100 * line['happened_half']:.2f}"
            yield row(
                f"{hand}: {ROOMS[name]}",
                f"{line['rows']:,}",
                *(f"{100 * line[key]:.2f}%" for key in ("counting", "expected")),
                happened,
            )
    yield ""
    yield from head("chance of a copy in the wall", "copies", "predicted: measured")
    for line in results["reliability"]:
        if line["location"] == "wall":
            low, high = (unseen_metrics.EDGES[line["bin"] + end] for end in (0, 1))
            bin_name = f"{100 * low:.0f} to {100 * high:.0f}%"
            yield row(bin_name, f"{line['copies']:,}", calibrated(line))


def _loss_row(name: str, line: dict[str, float]) -> str:
    losses = (short(line[key]) for key in ("log_loss_base", "log_loss"))
    return row(name, f"{line['rows']:,}", *losses, _difference(line))


if __name__ == "__main__":
    main()
