"""The fits of the default model under other linear-algebra kernels, on the rows in data/.

Prints the largest relative difference of any metric to the first kernel. A fit that has converged
gives the same metrics to six digits on every processor.

    python -m benchmarks.kernels                  # after `make train`
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import output
from pipeline import paths

KERNELS = ("Haswell", "SkylakeX", "Zen")
INPUTS = (
    "params.yaml",
    "dvc.yaml",
    paths.GAMES,
    paths.TENPAI_ROWS,
    paths.WAIT_ROWS,
    paths.RON_SCORE_ROWS,
    paths.PAPER_MODEL,
    "data/logs",
)


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--kernels", nargs="+", default=KERNELS, help="OPENBLAS_CORETYPE values")
    arguments = options.parse_args()
    metrics = {kernel: dict(_numbers(fit_metrics(kernel))) for kernel in arguments.kernels}
    first = arguments.kernels[0]
    lines = []
    for kernel in arguments.kernels[1:]:
        name, worst = max(
            (
                (name, abs(metrics[kernel][name] / value - 1))
                for name, value in metrics[first].items()
                if value
            ),
            key=lambda difference: difference[1],
        )
        lines.append(
            {
                "kernels": f"{first}, {kernel}",
                "metrics": len(metrics[first]),
                "largest relative difference": f"{worst:.1e}",
                "of": name,
            }
        )
    output.show(lines, as_json=arguments.json)


def fit_metrics(kernel: str) -> Any:
    """The metrics of the stage `train` under a kernel, run in a folder of its own."""
    root = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        for path in INPUTS:
            (Path(name) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(name) / path).symlink_to(root / path)
        subprocess.run(
            [sys.executable, "-m", "pipeline.stages.train"],
            cwd=name,
            env=os.environ | {"OPENBLAS_CORETYPE": kernel, "PYTHONPATH": str(root)},
            check=True,
        )
        return json.loads((Path(name) / paths.FIT_METRICS).read_text())


def _numbers(metrics: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Yield every number of nested metrics, with its path."""
    if isinstance(metrics, dict):
        for key, value in metrics.items():
            yield from _numbers(value, f"{name}.{key}" if name else key)
    elif isinstance(metrics, (int, float)):
        yield name, float(metrics)


if __name__ == "__main__":
    main()
