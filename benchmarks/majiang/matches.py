"""Matches with majiang: as `houjuu.arena.matches`, with the events sent to its players.

Disagreements between majiang and the referee are recorded in the folder of the match.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.majiang.host import VERSIONS, routines
from benchmarks.majiang.messages import visible_event
from benchmarks.majiang.player import Majiang
from houjuu.arena import matches
from houjuu.arena.hanchan import Hanchan, final_results
from houjuu.arena.matches import title, walls
from houjuu.game.events import SEATS, Event, Game, PlayerInfo, Rules
from houjuu.player.names import short
from houjuu.player.players import PLAYERS
from houjuu.player.players import player as make_player
from houjuu.player.protocol import Player

MISMATCHES = "mismatches.jsonl"
PLAYERS["majiang"] = Majiang
PLAYERS.update({f"majiang-{name}": partial(Majiang, name) for name in (*VERSIONS, *routines())})


class _MajiangHanchan(Hanchan):
    """A hanchan that sends the events to the players of majiang."""

    def _apply(self, event: Event) -> None:
        super()._apply(event)
        for seat, player in enumerate(self.players):
            if isinstance(player, Majiang):
                player.receive(visible_event(event, seat))


def play(id: str, walls: int, players: Sequence[Player], names: Sequence[str]) -> Game:
    """Play one hanchan, as `houjuu.arena.hanchan.play` does."""
    majiangs = [player for player in players if isinstance(player, Majiang)]
    for seat, player in enumerate(players):
        if isinstance(player, Majiang):
            player.sit(seat)
    hanchan = _MajiangHanchan(walls, players)
    hanchan.play()
    scores = hanchan.env.scores()
    for player in majiangs:
        player.leave(scores)
    infos = tuple(PlayerInfo(name) for name in names)
    return Game(
        id=id,
        rules=Rules(),
        players=infos,
        events=tuple(hanchan.events),
        final=final_results(scores),
    )


class Match(matches.Match):
    """A match that records mismatches in its folder, a line of JSON each.

    Parameters
    ----------
    line_up, seed
        As in `houjuu.arena.matches.Match`; "majiang" is an additional player.
    folder : Path
        Folder of the games.
    """

    _mismatches: Path  # not a field: equality of matches ignores the folder

    def __init__(self, line_up: tuple[str, ...], folder: Path, seed: int = 1) -> None:
        super().__init__(line_up, seed)
        object.__setattr__(self, "_mismatches", folder / MISMATCHES)

    def play(self, deal: int, rotation: int) -> Game:
        """Play a deal, from 0, with the line-up rotated by 0–3 seats."""
        names = [self.line_up[(seat - rotation) % SEATS] for seat in range(SEATS)]
        players = [make_player(name) for name in names]
        game = play(title(deal, rotation), walls(self.seed, deal), players, [*map(short, names)])
        lines = [
            json.dumps({"game": game.id, **mismatch}, ensure_ascii=False)
            for player in players
            if isinstance(player, Majiang)
            for mismatch in player.mismatches
        ]
        if lines:
            with self._mismatches.open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
        return game

    def play_with(
        self, others: Sequence[str], deal: int, rotation: int
    ) -> tuple[Game, list[Game | None]]:
        """Play a deal; the others play games of their own, because majiang follows the events."""
        return self.play(deal, rotation), [None] * len(others)


def mismatches(folder: Path) -> list[str]:
    """The mismatches of a match as lines of JSON; a game that was played twice counts once."""
    file = folder / MISMATCHES
    return [*dict.fromkeys(file.read_text("utf-8").splitlines())] if file.exists() else []
