"""Stage ``selfplay``: when there are no logs, play some; data/selfplay.zip holds them as mjlog."""

from __future__ import annotations

import zipfile
from pathlib import Path

from tqdm import tqdm

from houjuu.arena.selfplay import play
from houjuu.logs import mjlog
from pipeline import corpus, settings, stage
from pipeline.files import replacing


def main() -> None:
    """Play the games that params.yaml asks for, or none where logs are given."""
    params = settings.load()
    count = params.selfplay.games
    if corpus.has_logs():
        print(f"{corpus.LOGS} holds logs: nothing to play")
        count = 0
    first = params.selfplay.seed * 1_000_000
    games = corpus.mapped(_game, range(first, first + count), params.run)
    with replacing(corpus.SELFPLAY) as path:
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
