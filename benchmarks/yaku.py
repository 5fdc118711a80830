"""What each choice in the evaluation of yaku is worth, on held-out hands of data/prospects.parquet.

Run after `make train`. The log loss is the sum over all yaku of P(wins with it) against what
came of the hand, in nats a hand; "more" is by how much it exceeds the default's, "±" half the 95%
interval of that, games being the units. "far" is of hands with a shanten of 3 and more.
"correlation" is that of the best group's han with the han won with, nothing where the hand did not
win.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from joblib import parallel_config
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tqdm import tqdm

from benchmarks import output
from features.prospects import PROSPECTS
from houjuu.player.aims import AIMS, NUMBERS
from houjuu.player.prospects import bits, terms
from models import comparison, prospects_scores
from models.prospects import YakuRegression, chosen
from models.prospects_scores import TOLD
from pipeline import settings
from pipeline.fit import read_rows
from pipeline.foresee import METRICS
from pipeline.prospects import ROWS

Floats = npt.NDArray[np.float64]
_NAMES = [name for name, _ in NUMBERS]

VARIANTS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "the default": ({}, []),
    "fitted to the mean of all splits": ({"rounds": 0}, []),
    "splits chosen once": ({"rounds": 1}, []),
    "penalty 30": ({"penalty": 30.0}, []),
    "without the suits": ({}, ["off_suit", "honours", "sanshoku", "ittsuu"]),
    "without draws and shanten": ({}, ["draws", "shanten"]),
    "the 21 classes alone": ({}, [name for name in _NAMES if name != "dora"]),
}
"""By name other settings, and the numbers that are not told."""


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, default=2000, help="to fit to (%(default)s)")
    options.add_argument("--tables", action="store_true", help="data/yaku.json in Markdown")
    arguments = options.parse_args()
    if arguments.tables:
        print("\n".join(tables(json.loads(Path(METRICS).read_text()))))
        return
    rows, held_out = (
        read_rows(held_out=held_out, path=ROWS, columns=PROSPECTS) for held_out in (False, True)
    )
    rows = rows[rows["game"].isin(rows["game"].drop_duplicates()[: arguments.games])]
    with parallel_config(n_jobs=settings.load().run.jobs):
        found = dict(tqdm(_all(rows, held_out), total=len(VARIANTS) + 2))
    base = found["the default"][0]
    lines = [_line(name, base, *of, held_out) for name, of in found.items()]
    output.show(lines, as_json=arguments.json)


def tables(metrics: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the tables of docs/yaku.md."""
    yaku = metrics["yaku"]
    yield _row(
        *("", "won so", "said", "log loss", "guesser", "less by, 95%", "AUC", "guesser"),
        *("far: less by, 95%", "AUC"),
    )
    yield "|" + "---|" * 10
    for name, of in yaku["all"].items():
        far = yaku["far"].get(name)
        yield _row(
            *(name, f"{of['wins']:,} ({of['rate']:.3%})", f"{of['mean']:.3%}"),
            *(_short(of["log_loss"]), _short(of["log_loss_guess"]), _less(of)),
            *(f"{of['auc']:.3f}", f"{of['auc_guess']:.3f}"),
            *((_less(far), f"{far['auc']:.3f}") if far else ("", "")),
        )
    yield ""
    yield "| shanten | wins | han | said | error, 95% | r | hands | han | said | error, 95% | r |"
    yield "|" + "---|" * 11
    for name, of in metrics["han"].items():
        yield _row(name, *(cell for sort in ("won", "every") for cell in _han(of[sort])))


def _row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def _short(number: float) -> str:
    return f"{number:.5f}".replace("0.", ".", 1)


def _less(of: dict[str, float]) -> str:
    return f"{of['better_by']:.5f} ± {of['half_interval']:.5f}".replace("0.", ".")


def _han(of: dict[str, Any]) -> Iterator[str]:
    yield f"{of['rows']:,}"
    yield f"{of['measured']:.3f}"
    yield f"{of['said']:.3f}"
    yield f"{of['error']:+.3f} ± {of['half_interval']:.3f}".replace("-", "−")
    yield "" if of["correlation"] is None else f"{of['correlation']:.2f}"


Told = tuple[Floats, Floats | None]
"""Log loss of every hand, and the best group's han where there is one."""


def _all(rows: pd.DataFrame, held_out: pd.DataFrame) -> Iterator[tuple[str, Told]]:
    default = settings.load().foresee
    for name, (changed, untold) in VARIANTS.items():
        seen, asked = (comparison.without(of, untold) for of in (rows, held_out))
        model = YakuRegression(**default | changed).fit(seen).model()
        told = prospects_scores.said(model, asked)
        yield name, (_loss(told[TOLD].to_numpy(), held_out), told["total"].to_numpy())
        if name == "the default":
            split = model.split
    counts = [chosen(of, split) for of in (rows, held_out)]
    for name, of in (("one regression a yaku", True), ("… linear, without the link", False)):
        yield name, (_loss(_direct(rows, held_out, counts, logistic=of), held_out), None)


def _loss(told: Floats, rows: pd.DataFrame) -> Floats:
    """Sum over the aims, a hand."""
    return np.asarray(comparison.loss(told, bits(rows["won"])[:, TOLD]).sum(axis=1))


def _direct(
    rows: pd.DataFrame, held_out: pd.DataFrame, counts: list[Any], *, logistic: bool
) -> Floats:
    """P(wins with it) by aim, fitted in one go: "this hand went on to win with Y"."""
    won, possible = bits(rows["won"]), [bits(of["possible"]) for of in (rows, held_out)]
    closed = [of["closed"].to_numpy() for of in (rows, held_out)]
    known = [terms(of[_NAMES].to_numpy()) for of in (rows, held_out)]
    found = np.zeros((len(held_out), len(TOLD)))
    for column, place in enumerate(TOLD):
        form = AIMS[place].form
        for is_closed in (True, False):
            fit, ask = (
                may[:, place] & (of == is_closed) for may, of in zip(possible, closed, strict=True)
            )
            if not won[fit, place].any() or not ask.any():
                continue
            x, asked = (
                np.hstack([told[form][these], numbers[these]])
                for told, numbers, these in zip(counts, known, (fit, ask), strict=True)
            )
            if logistic:
                model = make_pipeline(StandardScaler(), LogisticRegression(C=1 / 3, max_iter=500))
                found[ask, column] = model.fit(x, won[fit, place]).predict_proba(asked)[:, 1]
            else:
                found[ask, column] = LinearRegression().fit(x, won[fit, place]).predict(asked)
    return found


def _line(
    name: str, base: Floats, loss: Floats, total: Floats | None, rows: pd.DataFrame
) -> dict[str, Any]:
    line: dict[str, Any] = {"": name}
    far = rows["shanten"].to_numpy() >= prospects_scores.FAR
    for place, of in (("all", np.full(len(rows), True)), ("far", far)):
        games = rows["game"].to_numpy(object)[of]
        more, half = comparison.difference(loss[of], base[of], games)
        line[place] = float(loss[of].mean())
        line[f"{place}: more"] = more
        line[f"{place}: ±"] = half
        han = rows["han"].to_numpy(float)[of]
        line[f"{place}: correlation"] = (
            None if total is None else float(np.corrcoef(total[of], han)[0, 1])
        )
    return line


if __name__ == "__main__":
    main()
