"""The line from logs to a bot, as docs/for-researchers.md shows it, on a small run."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from houjuu.arena.matches import read_match
from houjuu.logs import mjai, mjlog
from tests.kit.dialects import masked
from tests.pipeline.repository import ROOT, environment, run

SEAT = 0


def commands() -> list[str]:
    """The commands of the block that begins with the logs, without comments."""
    text = (ROOT / "docs" / "for-researchers.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```console\n(\$ houjuu parse logs/.*?)^```", text, re.M | re.S)
    return [line.removeprefix("$ ").partition("#")[0].strip() for line in block.splitlines()]


def test_there_are_ten() -> None:
    assert len(commands()) == 10


@pytest.mark.slow
def test_they_run(finished_run: Path, copied: Callable[[Path], Path]) -> None:
    """But for `make train`, whose results are those of the run, and with one deal of a match."""
    folder = copied(finished_run)
    (folder / "logs").mkdir()
    for copy in ("game.mjlog", "logs/game.mjlog"):
        shutil.copy(ROOT / "docs" / "game.mjlog", folder / copy)
    parse, train, *others, serve, bot = commands()
    assert train == "make train LOGS=logs/"
    printed = [
        run(folder, *shlex.split(command.replace("--deals 1000", "--deals 1 --jobs 1"))).stdout
        for command in (parse, *others)
    ]
    assert len(printed) == 7
    assert all(printed)
    assert (folder / "report.html").exists()
    assert (folder / "review.html").exists()
    name = "estimator:model=models/houjuu.npz"
    for match, first in (("shipped", "estimator"), ("mine", name)):
        played, _ = read_match(folder / "matches" / match, 1, 1, 1)
        assert played.line_up == (first, *["relative"] * 3)
    assert f"mine: {name} less shipped: estimator" in printed[-2]
    assert f"{name} less estimator" in printed[-1]

    game = mjlog.parse((ROOT / "docs" / "game.mjlog").read_bytes(), "game.mjlog")
    lines = [{"type": "start_game", "id": SEAT}]
    lines += [masked(message, SEAT) for message in list(mjai.messages(game))[1:40]]
    stream = "".join(f"{json.dumps(line)}\n" for line in lines)
    answers = run(folder, *shlex.split(bot), text=stream).stdout.splitlines()
    metas = [answer["meta"] for answer in map(json.loads, answers) if "meta" in answer]
    (model,) = {meta["model"] for meta in metas}
    assert model.startswith("houjuu:self-play@")  # a fit of one's own, with name and digest

    command = [*shlex.split(serve), "--port", "0", "--workers", "1"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment(folder)
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("houjuu serve: http://")
        finally:
            process.terminate()
            assert process.wait(timeout=60) == 0
