"""The tables of docs/yaku.md as Markdown, from data/ of a run on real logs.

"far" are hands of shanten 3 and more. "r" is the correlation of the expected han of the best group
with the han of the win, 0 if the hand did not win.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.markdown import head, read_json, row
from pipeline.paths import YAKU_METRICS


def main() -> None:
    print("\n".join(tables(read_json(Path(YAKU_METRICS)))))


def tables(results: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the tables in docs/yaku.md."""
    yaku = results["yaku"]
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
    for name, metrics in yaku["all"].items():
        far = yaku["far"].get(name)
        yield row(
            name,
            f"{metrics['wins']:,} ({metrics['rate']:.3%})",
            f"{metrics['mean']:.3%}",
            _short(metrics["log_loss"]),
            _short(metrics["log_loss_baseline"]),
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


def _short(number: float) -> str:
    return f"{number:.5f}".replace("0.", ".", 1)


def _better(metrics: dict[str, float]) -> str:
    return f"{metrics['improvement']:.5f} ± {metrics['half_interval']:.5f}".replace("0.", ".")


def _han(metrics: dict[str, Any]) -> Iterator[str]:
    yield f"{metrics['rows']:,}"
    yield f"{metrics['measured']:.3f}"
    yield f"{metrics['predicted']:.3f}"
    yield f"{metrics['error']:+.3f} ± {metrics['half_interval']:.3f}".replace("-", "−")
    yield "" if metrics["correlation"] is None else f"{metrics['correlation']:.2f}"


if __name__ == "__main__":
    main()
