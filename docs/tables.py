"""The tables of measured figures, written into the pages between two marks.

    <!-- table: NAME -->
    …
    <!-- end -->

``python -m docs.tables`` writes all pages. NAME is a function of `TABLES`, which reads the results
that ``make ship`` and the benchmarks leave in real-run/; or it is ``file/key``, a table of
real-run/tables/file.json with its head and rows, and with the command and the commit that printed
it. A cell of it may quote a figure: ``{houjuu/metrics.json tenpai/all/log_loss}``.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from pipeline.plan import OF_HANCHAN, cost

ROOT = Path(__file__).parents[1]
RUN = Path(__file__).parent / "real-run"
PAGES = (*ROOT.glob("README*.md"), ROOT / "models/README.md", *ROOT.glob("docs/**/*.md"))
AKOCHAN = "akochan"
POOLED = ("T, AUC", "R, AUC")
"""Rows that mix decisions: no player compares a tile with one of another hand."""
FEW = 10_000
"""Games from which on a fit has no prior."""
PAPER = "kurita-hoki-2017"
_MARK = re.compile(r"(<!-- table: (\S+) -->\n).*?(?=<!-- end -->)", re.DOTALL)
_QUOTE = re.compile(r"\{(\S+\.json) ([^}]+)\}")
NORMAL = 1.959964
"""Half the width of a 95% interval, in standard errors."""

Line = Mapping[str, Any]


def main() -> None:
    """Write the tables of all pages; a page whose tables stay is not touched: tests may read it."""
    for page in PAGES:
        old = page.read_text("utf-8")
        if (new := filled(old)) != old:
            page.write_text(new, "utf-8")


def filled(page: str) -> str:
    """The text of a page with its tables made anew."""
    return _MARK.sub(lambda mark: "\n".join((mark[1], *table(mark[2]), "", "")), page)


def table(name: str) -> Iterator[str]:
    """Yield the lines of a table.

    Raises
    ------
    ValueError
        A row has more or fewer cells than the head.
    """
    if name in TABLES:
        yield from TABLES[name]()
        return
    file, key = name.split("/")
    content = read(f"tables/{file}.json")[key]
    yield from head(*content["head"])
    for cells in content["rows"]:
        yield row(*(quoted(cell) for _, cell in zip(content["head"], cells, strict=True)))
    if "command" in content:
        yield f"\n`{content['command']}`, commit {content['commit']}"


def quoted(cell: str) -> str:
    """A cell with the figures that it quotes."""

    def figure(quote: re.Match[str]) -> str:
        value = read(quote[1])
        for key in quote[2].split("/"):
            value = value[key]
        return short(value) if isinstance(value, float) else f"{value:,}"

    return _QUOTE.sub(figure, cell)


def read(file: str) -> Any:
    """The content of a JSON file of the real run."""
    return json.loads((RUN / file).read_text("utf-8"))


def row(*cells: object) -> str:
    """A row of a table."""
    return "| " + " | ".join(map(str, cells)) + " |"


def head(*cells: object) -> Iterator[str]:
    """Yield the two lines of the head of a table."""
    yield row(*cells)
    yield "|" + "---|" * len(cells)


def short(number: float, sign: str = "") -> str:
    """Four decimals without the leading 0, or a whole number from 10 on; with a minus sign (−)."""
    text = f"{number:{sign},.0f}" if abs(number) >= 10 else f"{number:{sign}.4f}"
    return text.replace("0.", ".", 1).replace("-", "−")


def higher_is_better(task: str) -> bool:
    """Whether the metric of a task is an AUC or a share; else it is a loss or an error."""
    return task.endswith("AUC") or task.startswith(("W", "H", "S"))


def p_value(line: Line) -> float:
    """Two-sided p of a paired difference, from its 95% interval taken as normal."""
    low, high = line["95%"]
    return math.erfc(abs(line["difference"]) / ((high - low) / 2 / NORMAL) / math.sqrt(2))


def closest(model: str = "houjuu") -> dict[str, Line]:
    """By task the program whose difference to a model is least certain."""
    lines = read("peers.json")[model]["lines"]
    by_task = groupby(lines, key=lambda line: str(line["row"]))
    return {task: max(of_task, key=p_value) for task, of_task in by_task if task not in POOLED}


def corrected(lines: Mapping[str, Line]) -> dict[str, float]:
    """The p of each task, corrected for their number (Holm 1979)."""
    tasks = sorted(lines, key=lambda task: p_value(lines[task]))
    by_task: dict[str, float] = {}
    largest = 0.0
    for rank, task in enumerate(tasks):
        largest = max(largest, min(1.0, (len(tasks) - rank) * p_value(lines[task])))
        by_task[task] = largest
    return by_task


def programs() -> Iterator[str]:
    """Yield a row for each task: the default model, and the program that comes closest."""
    yield from head("task", "houjuu", "closest", "difference, 95%")
    for task, line in closest().items():
        numbers = map(partial(_as_metric, line), (line["difference"], *line["95%"]))
        difference = "{} [{}, {}]".format(*numbers)
        yield row(task, f"**{short(line['houjuu'])}**", line["peer"], difference)


def _as_metric(line: Line, difference: float) -> str:
    if abs(line["theirs"]) >= 10:
        return f"{difference:+,.0f}".replace("-", "−")
    return short(difference, "+")


def every_program() -> Iterator[str]:
    """Yield a row for each model and program, with the metric of the main tasks."""
    tasks = ("T", "S", "R", "D", "A", "points")
    metrics: dict[str, dict[str, str]] = {}
    for model, name in (("houjuu", "**houjuu**"), (PAPER, "the paper's model")):
        for line in read("peers.json")[model]["lines"]:
            metrics.setdefault(name, {})[line["row"]] = short(line["houjuu"])
            metrics.setdefault(line["peer"], {})[line["row"]] = short(line["theirs"])
            metrics.setdefault("a constant", {})[line["row"]] = short(line["prior"])
    constant = metrics.pop("a constant")
    yield from head("program", *tasks)
    for name, by_task in (*metrics.items(), ("a constant", constant)):
        yield row(name, *(by_task.get(task, "") for task in tasks))


def first_screen(columns: tuple[str, ...], questions: Mapping[str, str]) -> Iterator[str]:
    """Yield the rows of the README."""
    lines = read("peers.json")
    of_paper = {line["row"]: short(line["houjuu"]) for line in lines[PAPER]["lines"]}
    yield from head(*columns)
    for task, question in questions.items():
        by_peer = {line["peer"]: line for line in lines["houjuu"]["lines"] if line["row"] == task}
        akochan = by_peer.pop(AKOCHAN)
        best_of = max if higher_is_better(task) else min
        best = best_of(by_peer.values(), key=lambda line: float(line["theirs"]))
        ours = f"**{short(akochan['houjuu'])}**"
        others = (short(akochan["theirs"]), f"{best['peer']} {short(best['theirs'])}")
        yield row(question, f"{akochan['rows']:,}", ours, of_paper[task], *others)


def dealing_in(model: str) -> Iterator[str]:
    """Yield the risks of held-out games by type of the opponent, as the model cards show them."""
    ours, paper = (read(f"{name}/metrics.json")["deal_in"] for name in (model, PAPER))
    others = () if model == PAPER else ("the paper's model",)
    yield from head("opponent", "rows", "deals in", "log loss", *others, "base rate")
    for name in ("riichi", "closed", "1 meld", "2 melds", "3 melds"):
        scores, of_paper = ours[name], paper[name]
        losses = (of_paper["log_loss"],) if others else ()
        losses = (scores["log_loss"], *losses, scores["log_loss_base"])
        yield row(name, f"{scores['rows']:,}", f"{scores['rate']:.2%}", *map(short, losses))


def edges() -> Iterator[str]:
    """Yield predicted and measured rates: of tiles in the hand, and the highest hundredth."""
    with (RUN / "houjuu/evaluation/deal_in_edges.csv").open() as file:
        lines = {(line["group"], line["part"]): line for line in csv.DictReader(file)}
    yield from head("opponent", "in the hand, predicted: measured, 95%", "the highest 1%")
    for group in ("all", "riichi", "closed", "1 meld", "2 melds", "3 melds"):
        yield row(group, *(_calibrated(lines[group, part]) for part in ("all", "highest")))


def _calibrated(line: Line) -> str:
    """The mean prediction, the measured rate and its 95% interval of a line, in percent."""
    values = (100 * float(line[name]) for name in ("predicted", "measured", "low", "high"))
    return "{:.2f}: {:.2f} [{:.2f}, {:.2f}]".format(*values)


def worth() -> Iterator[str]:
    """Yield a row for each model that plays "estimator" or "rank" in the same deals."""
    tables = {of_player["title"]: of_player for of_player in read("worth.json")}
    rows = ("hanchan", "average rank", "deals in", f"average rank less {PAPER}")
    yield from head("player", "model", *rows[:-1], "rank less the paper's model")
    for player in ("estimator", "rank"):
        by_row = {name: cells for name, *cells in tables[player]["rows"]}
        models = tables[player]["head"][1:]
        for model in filter(models.__contains__, ("relative", PAPER, "houjuu")):
            number = models.index(model)
            yield row(player, model, *(_printed(by_row[name][number]) for name in rows))


def _printed(cell: str) -> str:
    """A number of a printed table without the leading 0, and with a minus sign (−)."""
    return re.sub(r"\b0(?=\.)", "", cell).replace("-", "−")


def plan() -> Iterator[str]:
    """Yield the costs of runs on some numbers of hanchan."""
    yield from head("hanchan", "rows, h of one core", "fits and reports, h", "disk, GB")
    for games in (300, 30_000, 200_000, 2_000_000):
        costs = cost(games, games * OF_HANCHAN, below=FEW)
        hours = costs["rows"], costs["fits"] + costs["reports"]
        numbers = (f"{n:,.2g}" if n < 10 else f"{n:,.0f}" for n in (*hours, costs["gigabytes"]))
        yield row(f"{games:,}", *numbers)


def _losses(question: str, rows: str, base: str, lines: Mapping[str, Line]) -> Iterator[str]:
    """Yield log losses beside those of a base, with half the interval of the difference."""
    yield from head(question, rows, base, "houjuu", "difference, 95%")
    for name, line in lines.items():
        difference = f"{short(line['difference'], '+')} ± {short(_half(line))}"
        losses = (short(line["log_loss_base"]), f"**{short(line['log_loss'])}**")
        yield row(name, f"{line['rows']:,}", *losses, difference)


def _half(line: Line) -> float:
    return float(line["half_interval"])


def final_ranks() -> Iterator[str]:
    """Yield the log loss of the final rank by phase of the game; a row is a seat."""
    lines = read("final_ranks.json")["log_loss"]
    phases = ("all", *(f"hanchan: {left} rounds left" for left in (7, 3, 0)))
    shown = {phase: lines[phase] for phase in (*phases, "East-only: 0 rounds left")}
    yield from _losses("phase", "rows", "present rank", shown)


def round_ends() -> Iterator[str]:
    """Yield the log loss of the models of the round's end."""
    yield from _losses("question", "rows", "base rate", read("round_ends.json")["log_loss"])


def agreement() -> Iterator[str]:
    """Yield how often the player's action is that of a phoenix player, of frequent decisions."""
    yield from head("decision", "decisions", "agrees, 95%", "by the values alone")
    for line in read("preferences.json")["agreement"]:
        if line["phase"] == "all" and line["decisions"] >= 1000:
            share = f"{100 * line['same']:.1f}% ± {100 * line['half_interval']:.1f}"
            alone = f"{100 * line['same_values']:.1f}%"
            yield row(line["kind"], f"{line['decisions']:,}", share, alone)


def prices() -> Iterator[str]:
    """Yield the slopes of prices by class of decision, of the file that ships."""
    names = {
        "discard.0": "discard, tenpai",
        "discard.1": "… 1 from tenpai",
        "discard.2": "… 2 from tenpai",
        "discard.3": "… farther",
        "push": "discard against a riichi",
        "riichi": "riichi or dama, by replays",
        "call": "call or pass",
        "kan": "kan",
        "win": "win or pass",
    }
    content = json.loads((ROOT / "houjuu/review/prices.json").read_text("utf-8"))
    yield from head("decision", "number", "next decision", "round", "± of a price")
    for key, name in names.items():
        line = content["classes"][key]
        slopes = [(line["slope"], line["half"]), (line["round"], line["half_round"])]
        texts = [f"{slope:.2f} ± {half:.2f}" for slope, half in slopes]
        certain = [slope > half for slope, half in slopes]
        marked = [
            f"**{text}**" if is_certain else text
            for text, is_certain in zip(texts, certain, strict=True)
        ]
        number = f"{line.get('replays', line['decisions']):,}"
        yield row(name, number, *marked, f"{line['spread']:,.0f}" if all(certain) else "no price")


def unseen() -> Iterator[str]:
    """Yield the log losses of the next draw and of the copies in a place."""
    scores = read("unseen_tiles.json")["scores"]
    draws, copies = scores["all"]["next_draw"], scores["all"]["copies"]
    lines = {"next draw": draws["all"]}
    lines |= {f"next draw, {name}": draws[name] for name in draws if name.startswith("turn")}
    lines["next draw, 特上卓"] = scores["tokujou-hanchan"]["next_draw"]["all"]
    names = ("a hand", "riichi", "wall")
    lines |= {f"copies, {name}": copies[name] for name in names}
    yield from _losses("log loss", "states", "counting", lines)


def own_draws() -> Iterator[str]:
    """Yield how often the next own draw lowers the shanten or wins."""
    yield from head("a useful draw", "states", "counting", "houjuu", "happened, 95%")
    for hand, line in read("unseen_tiles.json")["scores"]["all"]["useful_draws"].items():
        happened = f"{100 * line['happened']:.2f}% ± {100 * line['happened_half']:.2f}"
        predicted = (f"{100 * line[name]:.2f}%" for name in ("counting", "expected"))
        yield row(hand, f"{line['rows']:,}", *predicted, happened)


def yaku() -> Iterator[str]:
    """Yield the most frequent yaku: won, predicted, and the gain over the baseline."""
    lines = read("yaku.json")["yaku"]
    yield from head("form and yaku", "won", "predicted", "better by, 95%", "shanten 3 and more")
    for name in ("和了", "タンヤオ", "飜牌", "三色同順"):
        all_, far = (lines[hands][f"four sets: {name}"] for hands in ("all", "far"))
        gains = (
            f"{short(one['improvement'])} ± {short(one['half_interval'])}" for one in (all_, far)
        )
        yield row(name, f"{all_['rate']:.2%}", f"{all_['mean']:.2%}", *gains)


ENGLISH = {
    "T": "is an opponent who is not in riichi tenpai?",
    "S": "AUC, higher is better: which hands without riichi and melds are tenpai?",
    "R": "can an opponent in riichi win on a tile of the hand?",
    "D": "can any opponent win on a tile of the hand?",
}
JAPANESE = {
    "T": "リーチしていない相手は聴牌しているか",
    "S": "AUC(高いほど良い): リーチも副露もない手のどれが聴牌しているか(ダマテン)",
    "R": "リーチした相手は手牌の牌で和了できるか",
    "D": "いずれかの相手は手牌の牌で和了できるか",
}
_PROGRAMS = ("houjuu", "the paper's model", AKOCHAN, "best other program")
_JAPANESE_PROGRAMS = ("houjuu", "論文のモデル", AKOCHAN, "ほかで最良のプログラム")

TABLES: Mapping[str, Callable[[], Iterator[str]]] = {
    "programs": programs,
    "every-program": every_program,
    "first-screen": partial(first_screen, ("question", "rows", *_PROGRAMS), ENGLISH),
    "first-screen-ja": partial(first_screen, ("問い", "行数", *_JAPANESE_PROGRAMS), JAPANESE),
    "card-houjuu": partial(dealing_in, "houjuu"),
    "card-paper": partial(dealing_in, PAPER),
    "edges": edges,
    "worth": worth,
    "plan": plan,
    "final-ranks": final_ranks,
    "round-ends": round_ends,
    "agreement": agreement,
    "prices": prices,
    "unseen": unseen,
    "own-draws": own_draws,
    "yaku": yaku,
}
"""Generators by name."""


if __name__ == "__main__":
    main()
