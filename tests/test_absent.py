"""A test without its program is skipped on a machine of a user, and fails in CI."""

from __future__ import annotations

import sys

import pytest

from tests.absent import program

OUTCOMES = {"": pytest.skip.Exception, "true": pytest.fail.Exception}


@pytest.mark.parametrize("ci", OUTCOMES)
def test_an_absent_program(ci: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(OUTCOMES[ci], match="no-such-browser or neither is not installed"):
        program("no-such-browser", "neither")
    assert program("no-such-browser", sys.executable) == sys.executable
