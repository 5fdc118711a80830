"""Where a fitted model comes from: the games and the code."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Iterable
from typing import Any

import numpy as np

from houjuu.util.game_hashes import SEEN, Hashes, hashes
from houjuu.util.parameters import Parameters
from pipeline import code, graph, log_tasks, settings
from pipeline.game_shards import accepted_games, select_games

NAME = "HOUJUU_NAME"
"""The environment variable with the name of the fits of a run."""
_LONGEST = 40  # unit: characters
LOGS_OF_PEOPLE = "Tenhou logs"
"""The source of a fit to logs, as the header of its file names it."""


def fitted_on(*, held_out_too: bool = False) -> dict[str, Any]:
    """Header entry about the games that were fitted to."""
    games = accepted_games()
    if not held_out_too:
        games = games[~games["validate"]]
    dates = games["date"].dropna()
    return {
        "source": LOGS_OF_PEOPLE if log_tasks.has_logs() else "self-play of houjuu's own bots",
        "games": len(games),
        "rounds": int(games["rounds"].sum()),
        "dates": [dates.min(), dates.max()] if len(dates) else None,
        "hash": hashlib.sha256("".join(sorted(games["digest"])).encode()).hexdigest(),
    }


def fit_name() -> str:
    """The name of the fits of a run: that of `make train NAME=…`, else that of the logs."""
    logs = sorted(path.stem for path in log_tasks.LOGS.glob("[!.]*")) or ["self-play"]
    more = f"+{len(logs) - 1}" if len(logs) > 1 else ""
    name = os.environ.get(NAME) or logs[0] + more
    return re.sub(r"[^\w+.-]+", "-", name)[:_LONGEST]


def seen_games(
    *priors: Parameters, held_out_too: bool = False, limit: int | None = None
) -> dict[str, Hashes]:
    """The array of a parameter file with the games of a fit, at most so many, and of its priors."""
    games = accepted_games()
    ids = (games if held_out_too else select_games(games, fitted=limit))["game"]
    before = [prior.arrays[SEEN] for prior in priors if SEEN in prior.arrays]
    return {SEEN: np.unique(np.concatenate([hashes(ids), *before]))}


def n_fitted(limit: int | None) -> int:
    """Number of games that were fitted to, if at most so many were; None: all."""
    n_games = int((~accepted_games()["validate"]).sum())
    return n_games if limit is None else min(limit, n_games)


def commit_of(stage: str) -> str | None:
    """The commit that last changed the code or the settings of a stage and of all before it."""
    names = {*graph.needed([stage])} - {graph.CODE_STAGE}
    used = {str(path) for name in names for path in code.code_of(name)}
    return last_commit({str(settings.PATH), *used})


def last_commit(paths: Iterable[str]) -> str | None:
    """The commit that last changed some files, with "+" if they have changed since.

    None outside a repository.
    """
    paths = sorted(paths)
    try:
        last = _git("log", "-1", "--format=%H", "--", *paths)
        changed = _git("status", "--porcelain", "--", *paths)
    except (OSError, subprocess.CalledProcessError):
        return None
    return last + ("+" if changed else "") if last else None


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()
