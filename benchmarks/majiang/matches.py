"""Matches with majiang in them: as `houjuu.arena.matches`, but that players who listen are told.

What majiang and the referee disagree about is kept in the folder of the match.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.majiang.messages import heard
from benchmarks.majiang.player import Majiang
from houjuu.arena import matches
from houjuu.arena.hanchan import Acting, _final, _Hanchan
from houjuu.arena.matches import PLAYERS, SEATS, player, title
from houjuu.events import Event, Game, Player, Rules

MISMATCHES = "mismatches.jsonl"
PLAYERS["majiang"] = Majiang


class _Heard(_Hanchan):
    """A hanchan that tells listening players what their seats hear."""

    def _tell(self, event: Event) -> None:
        super()._tell(event)
        for seat, listening in enumerate(self.players):
            if isinstance(listening, Majiang):
                listening.hear(heard(event, seat))


def play(id: str, walls: int, players: Sequence[Acting], names: Sequence[str]) -> Game:
    """Play one hanchan, as `houjuu.arena.hanchan.play` does."""
    listening = [(seat, who) for seat, who in enumerate(players) if isinstance(who, Majiang)]
    for seat, who in listening:
        who.sit(seat)
    hanchan = _Heard(walls, players)
    hanchan.play()
    scores = hanchan.env.scores()
    for _, who in listening:
        who.leave(scores)
    told = tuple(Player(name) for name in names)
    return Game(id, Rules(), told, tuple(hanchan.events), _final(scores))


class Match(matches.Match):
    """A match that keeps what differed in its folder, a line of JSON each.

    Parameters
    ----------
    line_up, seed
        As `houjuu.arena.matches.Match` takes them; "majiang" is a player too.
    folder : Path
        That the games are kept in.
    """

    _kept: Path  # no field: a match is the same wherever it is kept

    def __init__(self, line_up: tuple[str, ...], folder: Path, seed: int = 1) -> None:
        super().__init__(line_up, seed)
        object.__setattr__(self, "_kept", folder / MISMATCHES)

    def play(self, deal: int, turned: int) -> Game:
        """Play a deal, number 0 and up, with the line-up turned by 0–3 seats."""
        names = [self.line_up[(seat - turned) % SEATS] for seat in range(SEATS)]
        players = [player(name) for name in names]
        game = play(title(deal, turned), self._walls(deal), players, names)
        differed = [told for who in players if isinstance(who, Majiang) for told in who.mismatches]
        lines = [json.dumps({"game": game.id, **told}, ensure_ascii=False) for told in differed]
        if lines:
            with self._kept.open("a", encoding="utf-8") as file:
                file.writelines(f"{line}\n" for line in lines)
        return game


def mismatches(folder: Path) -> list[str]:
    """What differed in a match; a game that was broken off and played again counts once."""
    file = folder / MISMATCHES
    return [*dict.fromkeys(file.read_text("utf-8").splitlines())] if file.exists() else []
