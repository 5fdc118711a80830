"""The tables of docs/accuracy.md, as Markdown, from a run on real logs.

Nothing is worked out here: the numbers are those of data/, what ``python -m benchmarks.peers`` kept
there included.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks import output
from features import schema

HOUJUU, PAPER = "houjuu", "kurita-hoki-2017"
TREES, AKOCHAN = "trees", "akochan"
TENPAI = {
    "all": "all",
    "0": "no open meld",
    "1": "1 open meld",
    "2": "2 open melds",
    "3": "3 open melds",
}
LAST_BIN = "more"


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--data", type=Path, default=Path("data"), help="of a run on real logs")
    arguments = options.parse_args()
    of = arguments.data
    tables = {
        "Beside other programs": _peers(of),
        "Dealing in": _deal_in(of),
        "Tenpai": _tenpai(of),
        "Table 2": _table_2(of),
        "Table 3": _table_3(of),
        "Ideas": _ideas(of),
        "More games": _games(of),
        "Of one length": _lengths(of),
    }
    for name, lines in tables.items():
        print(f"{name}\n\n" + "\n".join(lines) + "\n")


def _row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def _head(*cells: object) -> Iterator[str]:
    yield _row(*cells)
    yield "|" + "---|" * len(cells)


def _short(number: float, sign: str = "") -> str:
    """Four places without the leading 0, a true minus; whole numbers above 10."""
    if abs(number) >= 10:
        return f"{number:{sign},.0f}".replace("-", "−")
    return f"{number:{sign}.4f}".replace("0.", ".", 1).replace("-", "−")


def _json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def _peers(data: Path) -> Iterator[str]:
    """Yield a row a question: the models, the trees, akochan, and the best of the others."""
    kept = _json(data / "peers.json")
    lines, papers = (pd.DataFrame(kept[model]["lines"]) for model in (HOUJUU, PAPER))
    of_paper = papers.drop_duplicates("row").set_index("row")["houjuu"]
    yield from _head(
        *("", "rows", "the paper", HOUJUU, "trees", "houjuu less them, 95%"),
        *("akochan", "houjuu less it, 95%", "best other", "houjuu less it, 95%"),
    )
    for name, of in lines.groupby("row", sort=False):
        told = of.set_index("peer")
        order = told.drop(index=[TREES, AKOCHAN], errors="ignore")["theirs"]
        best = str(order.idxmax() if str(name).endswith("AUC") else order.idxmin())
        first = of.iloc[0]
        yield _row(
            *(name, f"{first['rows']:,}", _short(of_paper[name]), f"**{_short(first['houjuu'])}**"),
            *(cell for peer in (TREES, AKOCHAN) for cell in _beside(told, peer)),
            *(f"{best} {cell}" if not n else cell for n, cell in enumerate(_beside(told, best))),
        )


def _beside(told: pd.DataFrame, peer: str) -> tuple[str, str]:
    """What a peer has, and by how much houjuu differs, with its interval."""
    if peer not in told.index:
        return "", ""
    line: Mapping[Any, Any] = told.loc[peer].to_dict()
    low, high = (_short(end, "+") for end in line["95%"])
    return _short(line["theirs"]), f"{_short(line['difference'], '+')} [{low}, {high}]"


def _deal_in(data: Path) -> Iterator[str]:
    ours, paper = (_json(data / model / "metrics.json")["deal_in"] for model in (HOUJUU, PAPER))
    yield from _head(
        *("opponent", "rows", "deals in", "base rate", "the paper", "houjuu", "Brier", "AUC")
    )
    for name, of in ours.items():
        yield _row(
            *(name, f"{of['rows']:,}", f"{of['rate']:.2%}", _short(of["log_loss_base"])),
            *(_short(paper[name]["log_loss"]), f"**{_short(of['log_loss'])}**"),
            *(_short(of["brier"]), _short(of["auc"])),
        )
    for model in (HOUJUU, PAPER):
        yield f"\n{model}, points: {json.dumps(_json(data / model / 'metrics.json')['points'])}"


def _tenpai(data: Path) -> Iterator[str]:
    ours = _json(data / HOUJUU / "metrics.json")["tenpai"]
    trees = _json(data / "yardstick.json")["tenpai"]
    yield from _head(
        *("opponent, not in riichi", "rows", "tenpai", "base rate", "houjuu", "trees"),
        *("Brier", "AUC"),
    )
    for name, title in TENPAI.items():
        of = ours[name]
        yield _row(
            *(title, f"{of['rows']:,}", f"{of['rate']:.2%}", _short(of["log_loss_base"])),
            *(f"**{_short(of['log_loss'])}**", _short(trees[name]["log_loss"])),
            *(_short(of["brier"]), _short(of["auc"])),
        )
    ours, trees = (_json(data / of)["waits"] for of in ("houjuu.json", "yardstick.json"))
    yield ""
    yield from _head("of a tenpai opponent", "rows", "wins on it", "base rate", "houjuu", "trees")
    for name in schema.READ_AS:
        if name in ours:
            of = ours[name]
            yield _row(
                *(name, f"{of['rows']:,}", f"{of['rate']:.2%}", _short(of["log_loss_base"])),
                *(f"**{_short(of['log_loss'])}**", _short(trees[name]["log_loss"])),
            )


def _table_2(data: Path) -> Iterator[str]:
    tenth, every = (
        pd.read_csv(data / HOUJUU / "evaluation" / f"{name}.csv").to_dict("records")
        for name in ("table_2", "table_2_of_all")
    )
    yield from _head(
        *("predicted", "10th discards", "mean predicted", "measured, 95%", "paper, measured"),
        *("all discards", "mean predicted", "measured, 95%"),
    )
    for number, (one, all_) in enumerate(zip(tenth, every, strict=True)):
        last = number == len(tenth) - 1
        paper = "" if pd.isna(one["paper"]) else f"{one['paper']:.1%}"
        yield _row(
            *(LAST_BIN if last else f"{number}–{number + 1}%", *_said(one), paper, *_said(all_))
        )


def _said(of: Mapping[Any, Any]) -> tuple[str, str, str]:
    low, high = f"{100 * of['low']:.2f}", f"{100 * of['high']:.2f}"
    return f"{of['rows']:,}", f"{of['predicted']:.2%}", f"{of['measured']:.2%} [{low}, {high}]"


def _table_3(data: Path) -> Iterator[str]:
    cells = pd.read_csv(data / HOUJUU / "evaluation" / "table_3.csv")
    names = ["1", "2", "3", "4 and more"]
    yield from _head("", *names)
    for likely, of in cells[cells["likely"] > 0].groupby("likely"):
        yield _row(
            names[int(str(likely)) - 1],
            *(
                f"{line.share:.3f} [{line.low:.3f}, {line.high:.3f}] ({line.paper:.3f})".replace(
                    "0.", "."
                )
                for line in of.itertuples()
            ),
        )
    of_all = cells[cells["likely"] == 0].iloc[0]
    low, high = f"{100 * of_all['low']:.1f}", f"{100 * of_all['high']:.1f}"
    yield f"\nthe diagonal: {of_all['share']:.1%} [{low}, {high}] ({of_all['paper']:.1%})"


def _ideas(data: Path) -> Iterator[str]:
    lines = pd.read_csv(data / "comparison.csv")
    yield from _head("question", "everything", "games", "without")
    for question, of in lines.groupby("question", sort=False):
        whole = of[of["fit"] == "all"].iloc[0]
        without = of[of["fit"] == "without"].sort_values("worse_by", ascending=False)
        yield _row(
            *(question, _short(whole["log_loss"]), whole["games"]),
            ", ".join(
                f"{line['of']} {_short(line['worse_by'], '+')} ± {_short(line['half_interval'])}"
                for line in without.to_dict("records")
            ),
        )


def _games(data: Path) -> Iterable[str]:
    lines = pd.read_csv(data / "comparison.csv")
    for question, of in lines[lines["fit"] == "games"].groupby("question", sort=False):
        pairs = zip(of["log_loss"], of["games"], strict=True)
        cells = [f"{_short(loss)} ({games:,})" for loss, games in pairs]
        yield _row(question, *cells)


def _lengths(data: Path) -> Iterator[str]:
    lines = pd.read_csv(data / "comparison.csv")
    names = [("hanchan", "East-only"), ("East-only", "hanchan")]
    yield from _head(
        "question", *(f"{asked}: fitted to {to}" for asked, other in names for to in (asked, other))
    )
    for question, of in lines[lines["fit"] == "length"].groupby("question", sort=False):
        by = {(line["asked"], line["of"]): line for line in of.to_dict("records")}
        cells = []
        for asked, other in names:
            away = by[asked, other]
            apart = f"{_short(away['worse_by'], '+')} ± {_short(away['half_interval'])}"
            cells += [_short(by[asked, asked]["log_loss"]), apart]
        yield _row(question, *cells)


if __name__ == "__main__":
    main()
