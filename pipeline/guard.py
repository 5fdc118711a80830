"""``python -m pipeline.guard MODULE …``: runs a module, and ends with the process that started it.

The standard input is a pipe that only the starter holds: it is at its end as soon as the starter
has ended, by whatever signal. Then the whole process group is killed, of which this must be the
leader.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from threading import Thread


def _end_with_the_starter() -> None:
    os.read(0, 1)
    if os.name == "posix":
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    Thread(target=_end_with_the_starter, daemon=True).start()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
