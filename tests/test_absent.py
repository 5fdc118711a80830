"""A test without its program is skipped, and fails where the workflow has all programs."""

from __future__ import annotations

import sys

import pytest

from tests.kit.absent import program

OUTCOMES = {"": pytest.skip.Exception, "true": pytest.fail.Exception}


@pytest.mark.parametrize("all_programs", OUTCOMES)
def test_an_absent_program(all_programs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUJUU_ALL_PROGRAMS", all_programs)
    with pytest.raises(OUTCOMES[all_programs], match="no-such-browser or neither is not installed"):
        program("no-such-browser", "neither")
    assert program("no-such-browser", sys.executable) == sys.executable
