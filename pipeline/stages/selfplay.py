"""Stage ``selfplay``: without logs, play games; data/selfplay.zip has them as mjlog."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tqdm import tqdm

from houjuu.arena.selfplay import play
from houjuu.logs import mjlog
from houjuu.util.files import atomic_path
from pipeline import log_tasks, settings, stage
from pipeline.engine import open_engine


def main() -> None:
    """Play as many games as params.yaml has, or none if there are logs."""
    params = settings.load()
    count = params.selfplay.games
    if log_tasks.has_logs():
        print(f"{log_tasks.LOGS} has logs: no games are played")
        count = 0
    first = params.selfplay.seed * 1_000_000
    with open_engine(params.run) as engine, atomic_path(log_tasks.SELFPLAY) as path:
        games = engine.map(_game, range(first, first + count))
        _write(path, tqdm(games, total=count, desc="selfplay", unit="game"))


def _game(seed: int) -> tuple[str, bytes]:
    game = play(seed)
    return f"{game.id}.mjlog", mjlog.write(game)


def _write(path: Path, games: tqdm[tuple[str, bytes]]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in games:
            entry = zipfile.ZipInfo(name)  # dated 1980: the same games give the same bytes
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


if __name__ == "__main__":
    stage.run(main)
