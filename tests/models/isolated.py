"""A function in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any


def isolated(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a function that computes with JAX, from a process of its own.

    JAX starts threads, and later tests fork.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()
