"""The cost of every stage of the last run in this folder: time, processor time, games a second.

Processor time is that of all processes of a stage; a worker of a cluster is none of them.

    make train LOGS=… && python -m benchmarks.pipeline
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from benchmarks import output
from pipeline import graph, stage
from pipeline.game_shards import accepted_games


def main() -> None:
    arguments = output.parser(__doc__).parse_args()
    output.show([*lines(len(accepted_games()))], as_json=arguments.json)


def lines(n_games: int) -> Iterator[dict[str, Any]]:
    """Yield a line for each stage that has run, in the order of dvc.yaml, and one for all."""
    total, all_processor = 0.0, 0.0
    for name in graph.stages():
        path = stage.TIMES / f"{name}.json"
        if path.exists():
            begin, end, processor = json.loads(path.read_text())
            total, all_processor = total + end - begin, all_processor + processor
            yield _line(name, end - begin, processor, n_games)
    yield _line("all", total, all_processor, n_games)


def _line(name: str, seconds: float, processor: float, n_games: int) -> dict[str, Any]:
    per_second = n_games / seconds
    return {"stage": name, "seconds": seconds, "processor": processor, "games/s": per_second}


if __name__ == "__main__":
    main()
