"""How every stage is run from the shell."""

from __future__ import annotations

from collections.abc import Callable

from houjuu.errors import Error


def run(main: Callable[[], None]) -> None:
    """Run a stage; an Error ends it with one sentence and without a traceback."""
    try:
        main()
    except Error as problem:
        raise SystemExit(str(problem)) from None
