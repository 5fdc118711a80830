"""The data of a review page, as plain values that JSON can represent.

All seats are relative: 0 is the reviewed seat, then right, across and left. Tiles are in the usual
notation: "5p", and "0p" for the red five.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from houjuu.deal_in import HONBA_POINTS
from houjuu.errors import Error
from houjuu.estimators.protocol import Estimator
from houjuu.events import Deal, Discard, DrawnRound, Event, Game, PerSeat, RoundEnd, Win
from houjuu.hands.hand_cache import HandCache
from houjuu.review import table_json
from houjuu.review.risk_json import ReasonNames, risks
from houjuu.review.win_points import win_points
from houjuu.table import Table, View

Data = dict[str, Any]
Advice = Callable[[View], int]
"""Maps a view to the id of the tile that a player would discard."""

MOST_LISTED = 10  # unit: discards in the lists of the most dangerous and the costliest
_NO_DELTAS = (0, 0, 0, 0)


def review(game: Game, seat: int, estimator: Estimator, advice: Advice | None = None) -> Data:
    """Estimate the risk of every discard that a seat could make in a game.

    Parameters
    ----------
    game : Game
    seat : int
        The reviewed seat, 0–3, absolute.
    estimator : Estimator
    advice : callable, optional
        Returns the discard that a player would make.

    Returns
    -------
    dict
        ``rounds``, each with its ``decisions`` and ``results``; ``most_dangerous`` and
        ``costliest``, pairs of indices (round, decision), the highest risk first;
        ``reason_names``, to which the explanations refer by index.

    Raises
    ------
    Error
        The log does not show the hand of the seat, or the seat makes no discard.
    """
    reviewer = _Reviewer(game, seat, estimator, advice)
    for event in game:
        reviewer.apply(event)
    rounds = reviewer.rounds
    positions = [(i, j) for i, round in enumerate(rounds) for j in range(len(round["decisions"]))]
    if not positions:
        raise Error(f"seat {seat} makes no discard", file=game.id)

    def highest(key: str) -> list[tuple[int, int]]:
        def descending(position: tuple[int, int]) -> float:
            i, j = position
            return -float(discard_risk(rounds[i]["decisions"][j])[key])

        return sorted(positions, key=descending)[:MOST_LISTED]

    names = [player.name for player in game.players] or list("ABCD")
    return {
        "id": game.id,
        "date": game.date,
        "seat": seat,
        "names": table_json.relative(names, seat),
        "model": estimator.model,
        "rounds": rounds,
        "most_dangerous": highest("any"),
        "costliest": highest("points"),
        "reason_names": list(reviewer.reason_names.indices),
    }


def discard_risk(decision: Data) -> Data:
    """The risk of the discard that was made."""
    risk: Data = decision["risks"][decision["hand"][decision["discard_index"]]]
    return risk


def decisions(rounds: list[Data]) -> Iterator[Data]:
    """Yield every decision of a game."""
    for round in rounds:
        yield from round["decisions"]


class _Reviewer:
    """Follows a game and records the decisions of one seat."""

    def __init__(self, game: Game, seat: int, estimator: Estimator, advice: Advice | None) -> None:
        self.rounds: list[Data] = []
        self.reason_names = ReasonNames()
        self._game, self._seat = game, seat
        self._estimator, self._advice = estimator, advice
        self._table, self._cache = Table(game.rules), HandCache()

    def apply(self, event: Event) -> None:
        """Record an event and apply it to the table."""
        match event:
            case Deal():
                self._start_round(event)
            case Discard() if event.seat == self._seat:
                self.rounds[-1]["decisions"].append(self._decision(event))
            case Win():
                self._win(event)
            case DrawnRound():
                self._end_round({"draw": event.reason.value}, event.deltas)
            case RoundEnd():
                self._add_gains(event.deltas)
        self._table.apply(event)

    def _start_round(self, deal: Deal) -> None:
        if deal.hands[self._seat] is None:
            raise Error(f"does not show the hand of seat {self._seat}", file=self._game.id)
        self.rounds.append(
            {
                "round": deal.round,
                "honba": deal.honba,
                "dealer": (deal.dealer - self._seat) % 4,
                "decisions": [],
                "results": [],
                "deltas": list(_NO_DELTAS),
            }
        )

    def _decision(self, discard: Discard) -> Data:
        view = self._table.view(self._seat)
        risk = self._estimator.deal_in(view, self._cache)
        own, red_fives = view.seats[self._seat], view.rules.red_fives
        tiles = sorted(view.hand, key=lambda tile: (tile == view.drawn, tile))
        hand = table_json.names(tiles, red_fives)
        index = -1 if discard.tsumogiri else hand.index(table_json.name(discard.tile, red_fives))
        advised = None if self._advice is None else table_json.name(self._advice(view), red_fives)
        return {
            **table_json.open_table(view),
            "opponent_hands": table_json.opponent_hands(self._table, view),
            "hand": hand,
            "drawn": view.drawn is not None,
            "discard_index": index % len(hand),
            "advice": advised,
            "riichi": own.declared and not own.in_riichi,
            "rons": [],
            **risks(view, risk, self.reason_names),
        }

    def _win(self, win: Win) -> None:
        points = win_points(win, self._table)
        result = table_json.win(win, self._seat, points, self._game.rules.red_fives)
        self._end_round(result, win.deltas)
        river = self._table.seats[self._seat].river
        dealt_in = result["source"] == 0 != result["winner"]
        is_discard = bool(river) and river[-1].tile == win.tile  # otherwise chankan (槍槓)
        if dealt_in and is_discard:
            honba = HONBA_POINTS * win.honba
            lost = -win.deltas[self._seat] if win.deltas else (points or 0) + honba
            self.rounds[-1]["decisions"][-1]["rons"].append(
                {"to": result["winner"], "points": lost}
            )

    def _end_round(self, result: Data, deltas: PerSeat | None) -> None:
        self.rounds[-1]["results"].append(result)
        self._add_gains(deltas)

    def _add_gains(self, deltas: PerSeat | None) -> None:
        round = self.rounds[-1]
        gains = table_json.relative(deltas or _NO_DELTAS, self._seat)
        round["deltas"] = [sum(pair) for pair in zip(round["deltas"], gains, strict=True)]
