"""Tasks over processes: order, the number in flight, errors, killed workers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator

import pytest

from houjuu.util.errors import Error
from houjuu.util.in_flight import in_order
from pipeline.engine import open_engine
from pipeline.settings import RunSettings
from pipeline.stage import StageError

TWO = RunSettings(jobs=2, scheduler=None)


def _slow_first(number: int) -> int:
    time.sleep(0.3 if number == 0 else 0)
    return number * number


def _refused(number: int) -> int:
    if number == 3:
        raise Error("is refused", file=f"{number}.xml")
    return number


def _kill(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    with open_engine(RunSettings(jobs=jobs, scheduler=None)) as engine:
        assert engine.n_workers == jobs
        assert list(engine.map(_slow_first, range(20))) == [n * n for n in range(20)]
        assert list(engine.map(_slow_first, range(2))) == [0, 1]  # a second pass


class _Future:
    def __init__(self, value: int) -> None:
        self.value, self.cancelled = value, False

    def result(self) -> int:
        return self.value

    def cancel(self) -> None:
        self.cancelled = True


def test_few_tasks_are_in_flight() -> None:
    submitted: list[_Future] = []

    def submit(task: int) -> _Future:
        submitted.append(_Future(task))
        return submitted[-1]

    results: Iterator[int] = in_order(submit, range(1000), in_flight=5)
    for expected in range(10):
        assert next(results) == expected
        assert len(submitted) == expected + 5
    results.close()  # type: ignore[attr-defined]
    assert [future.cancelled for future in submitted] == [False] * 10 + [True] * 4


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_a_task_ends_the_map(jobs: int) -> None:
    with (
        pytest.raises(Error, match=r"^3\.xml: is refused"),
        open_engine(RunSettings(jobs=jobs, scheduler=None)) as engine,
    ):
        list(engine.map(_refused, range(6)))


def test_a_killed_worker_is_one_clear_error() -> None:
    with (
        pytest.raises(StageError, match="a worker process was killed"),
        open_engine(TWO) as engine,
    ):
        list(engine.map(_kill, range(6)))
