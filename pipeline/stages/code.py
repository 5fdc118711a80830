"""Stage ``code``: a listing of the code of each stage, and one of the prior, in data/code."""

from __future__ import annotations

from pathlib import Path

from houjuu.util.files import atomic_path
from pipeline import code, graph, prior, stage

FOLDER = Path("data/code")


def main() -> None:
    """Write the listings."""
    listings = {name: code.listing(name) for name in graph.stages() if name != graph.CODE_STAGE}
    for name, text in {**listings, "prior": prior.listing()}.items():
        with atomic_path(FOLDER / f"{name}.txt") as path:
            path.write_text(text)


if __name__ == "__main__":
    stage.run(main)
