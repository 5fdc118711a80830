"""A test without its program is skipped on a machine of a user, and fails in the workflow."""

from __future__ import annotations

import sys

import pytest

from tests.absent import program

OUTCOMES = {"": pytest.skip.Exception, "true": pytest.fail.Exception}


@pytest.mark.parametrize("workflow", OUTCOMES)
def test_an_absent_program(workflow: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", workflow)
    with pytest.raises(OUTCOMES[workflow], match="no-such-browser or neither is not installed"):
        program("no-such-browser", "neither")
    assert program("no-such-browser", sys.executable) == sys.executable
