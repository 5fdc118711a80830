"""A process for functions that compute with JAX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

Isolated = Callable[..., Any]
"""Calls a function with some arguments in the process."""


@contextmanager
def isolation() -> Iterator[Isolated]:
    """A process of its own: JAX starts threads, and later tests fork.

    It compiles what several calls share once.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield lambda function, *arguments: pool.submit(function, *arguments).result()
