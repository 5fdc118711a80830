"""How every stage is run from the shell."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache

from threadpoolctl import threadpool_limits

from houjuu.util.errors import Error

_THREADS = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"),
    "PJRT_NPROC",  # of JAX
)


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
    """Run a stage; an Error, or a full disk, ends it with one sentence."""
    one_thread()
    try:
        main()
    except Error as problem:
        reason = str(problem)
    except OSError as problem:  # a full disk, a missing folder
        reason = str(problem) if problem.strerror else repr(problem)
    else:
        return
    raise SystemExit(reason)
