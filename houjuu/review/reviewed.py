"""What the page of a game shows, as plain data that JSON can hold.

Seats are relative in all of it: 0 is the reviewed seat, then right, across and left. Tiles are
written as everywhere else, "5p", and "0p" for the red one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from houjuu.deal_in import HONBA_POINTS
from houjuu.errors import Error
from houjuu.estimator import Estimator
from houjuu.events import Deal, Discard, DrawnRound, Event, Four, Game, Win
from houjuu.melded import Kept
from houjuu.review import shown
from houjuu.review.risks import Words, risks
from houjuu.table import Table, View

Data = dict[str, Any]
Advice = Callable[[View], int]
"""The tile that a player would discard."""

WORST = 10  # unit: discards in the lists of the most dangerous and the costliest
_NOTHING = (0, 0, 0, 0)


def reviewed(game: Game, seat: int, estimator: Estimator, advice: Advice | None = None) -> Data:
    """Every decision of a seat, with what the estimator says of it.

    Parameters
    ----------
    game : Game
    seat : int
        0–3, absolute.
    estimator : Estimator
    advice : callable, optional
        What a player would have discarded.

    Returns
    -------
    dict
        ``rounds``, each with its ``decisions`` and how it ``ends``; ``dangerous`` and ``costly``,
        discards as pairs of indices (round, decision), the worst first; ``words``, which the
        reasons name by their index.

    Raises
    ------
    Error
        The log does not show the hand of that seat, or the seat discards nothing.
    """
    follower = _Follower(game, seat, estimator, advice)
    for event in game:
        follower.see(event)
    rounds = follower.rounds
    places = [(i, j) for i, round in enumerate(rounds) for j in range(len(round["decisions"]))]
    if not places:
        raise Error(f"seat {seat} discards nothing", file=game.id)

    def worst(by: str) -> list[tuple[int, int]]:
        return sorted(places, key=lambda at: -made(rounds[at[0]]["decisions"][at[1]])[by])[:WORST]

    return {
        "id": game.id,
        "date": game.date,
        "seat": seat,
        "names": shown.turned([player.name for player in game.players] or list("ABCD"), seat),
        "model": estimator.model,
        "rounds": rounds,
        "dangerous": worst("any"),
        "costly": worst("lost"),
        "words": list(follower.words.numbers),
    }


def made(decision: Data) -> Data:
    """The risk of the discard that was made."""
    risk: Data = decision["risks"][decision["hand"][decision["discarded"]]]
    return risk


def decisions(rounds: list[Data]) -> Iterator[Data]:
    """Yield every decision of a game."""
    for round in rounds:
        yield from round["decisions"]


class _Follower:
    """Follows a game and keeps what one seat decides."""

    def __init__(self, game: Game, seat: int, estimator: Estimator, advice: Advice | None) -> None:
        self.rounds: list[Data] = []
        self.words = Words()
        self._game, self._seat = game, seat
        self._estimator, self._advice = estimator, advice
        self._table, self._kept = Table(game.rules), Kept()

    def see(self, event: Event) -> None:
        """Let an event happen; a discard of the seat is a decision."""
        match event:
            case Deal():
                self._begin(event)
            case Discard() if event.seat == self._seat:
                self.rounds[-1]["decisions"].append(self._decision(event))
            case Win():
                self._win(event)
            case DrawnRound():
                self._end({"drawn": event.reason.value}, event.deltas)
        self._table.apply(event)

    def _begin(self, deal: Deal) -> None:
        if deal.hands[self._seat] is None:
            raise Error(f"does not show the hand of seat {self._seat}", file=self._game.id)
        told = {"round": deal.round, "honba": deal.honba, "dealer": (deal.dealer - self._seat) % 4}
        self.rounds.append({**told, "decisions": [], "ends": [], "deltas": list(_NOTHING)})

    def _decision(self, discard: Discard) -> Data:
        view = self._table.view(self._seat)
        risk = self._estimator.deal_in(view, self._kept)
        own, red_fives = view.seats[self._seat], view.rules.red_fives
        tiles = sorted(view.hand, key=lambda tile: (tile == view.drawn, tile))
        hand = shown.names(tiles, red_fives)
        place = -1 if discard.tsumogiri else hand.index(shown.name(discard.tile, red_fives))
        advised = None if self._advice is None else shown.name(self._advice(view), red_fives)
        return {
            **shown.open_table(view),
            "hidden": shown.hidden_hands(self._table, view),
            "hand": hand,
            "drawn": view.drawn is not None,
            "discarded": place % len(hand),
            "advised": advised,
            "riichi": own.declared and not own.in_riichi,
            "rons": [],
            **risks(view, risk, self.words),
        }

    def _win(self, win: Win) -> None:
        how = shown.won(win, self._seat, self._game.rules.red_fives)
        self._end(how, win.deltas)
        river = self._table.seats[self._seat].river
        dealt_in = how["source"] == 0 != how["winner"]
        if dealt_in and river and river[-1].tile == win.tile:  # else it is a kan that was robbed
            lost = -win.deltas[self._seat] if win.deltas else win.points + HONBA_POINTS * win.honba
            self.rounds[-1]["decisions"][-1]["rons"].append({"to": how["winner"], "lost": lost})

    def _end(self, how: Data, deltas: Four | None) -> None:
        round = self.rounds[-1]
        round["ends"].append(how)
        gained = shown.turned(deltas or _NOTHING, self._seat)
        round["deltas"] = [sum(both) for both in zip(round["deltas"], gained, strict=True)]
