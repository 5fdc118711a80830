"""All stages in one process: ``python -m tests.pipeline.at_once FOLDER [STAGE…]``.

DVC starts a process for each stage. Here each runs as with ``python -m``, but the modules that the
stages share are imported once.
"""

from __future__ import annotations

import os
import runpy
import sys

from pipeline import graph


def main() -> None:
    """Run the given stages, or all, in the order of dvc.yaml."""
    os.chdir(sys.argv[1])
    wanted = sys.argv[2:]
    for name, stage in graph.stages().items():
        if not wanted or name in wanted:
            print(f"stage {name}", flush=True)
            _, _, module, *arguments = stage.command.split()
            sys.argv = [module, *arguments]
            runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
