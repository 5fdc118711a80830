"""Tasks in flight: results in the order of the tasks, with few tasks submitted ahead.

Thus a sum over the results has the same bytes for any number of workers and any order of
completion, and memory does not depend on the number of tasks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any, Protocol

PER_WORKER = 4
"""Tasks in flight for each worker."""


class Future(Protocol):
    """The answer of a pool or a cluster to a task."""

    def result(self) -> Any:
        """The result, once it is there."""
        ...

    def cancel(self) -> Any:
        """Give up a task that has not started."""
        ...


def in_order(
    submit: Callable[[Any], Future], tasks: Iterable[Any], in_flight: int
) -> Generator[Any, None, None]:
    """Yield results in the order of the tasks, with at most so many tasks submitted ahead."""
    pending: deque[Future] = deque()
    try:
        for task in tasks:
            pending.append(submit(task))
            if len(pending) >= in_flight:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()
