"""How every stage is run from the shell."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from threadpoolctl import threadpool_limits

from houjuu.util.errors import Error

_THREADS = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"),
    "PJRT_NPROC",  # of JAX
)


TIMES = Path("data/times")
"""Begin and end of each stage, in seconds since 1970, and its processor time, by its name."""
_started = [time.time()]


class StageError(Error):
    """The machine or the cluster failed, and not the input."""


@cache
def one_thread() -> None:
    """Let linear algebra use one thread in this process.

    Several add up in another order, so that the last bits of a fit would depend on the number of
    cores.
    """
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    threadpool_limits(1)


def run(main: Callable[[], None]) -> None:
    """Run a stage, and note its time; an Error, or a full disk, ends it with one sentence."""
    one_thread()
    _started[0] = time.time()
    try:
        main()
        _note_time()
    except Error as problem:
        reason = str(problem)
    except OSError as problem:  # a full disk, a missing folder
        reason = str(problem) if problem.strerror else repr(problem)
    else:
        return
    raise SystemExit(reason)


def _note_time() -> None:
    """Write the times of the stage to a file that no stage depends on."""
    module = Path(sys.argv[0]).name.removesuffix(".py").rpartition(".")[2]
    path = TIMES / f"{'@'.join([module, *sys.argv[1:2]]).replace('/', '_')}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([*_started, time.time(), sum(os.times()[:4])]))


def times(stages: Iterable[str] = ()) -> dict[str, tuple[float, float]]:
    """Begin and end of stages that have run, by name; without names of this one, up to now."""
    files = {name: TIMES / f"{name}.json" for name in stages}
    noted = {name: json.loads(path.read_text()) for name, path in files.items() if path.exists()}
    of_stages = {name: (begin, end) for name, (begin, end, *_) in noted.items()}
    return of_stages if stages else {"fit": (_started[0], time.time())}
