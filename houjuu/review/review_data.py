"""The data of a review page, as plain values that JSON can represent.

All seats are relative: 0 is the reviewed seat, then right, across and left. Tiles are in the usual
notation: "5p", and "0p" for the red five.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from houjuu.estimators.protocol import Estimator
from houjuu.game.events import (
    Deal,
    Discard,
    DrawnRound,
    Event,
    Game,
    PerSeat,
    RiichiAccepted,
    RoundEnd,
    Win,
)
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.table import Table, View
from houjuu.hands.hand_cache import HandCache
from houjuu.review import table_json
from houjuu.review.choices import ChoiceRecorder, Values
from houjuu.review.luck import round_luck
from houjuu.review.own_hand import own_hand
from houjuu.review.page_types import (
    AnsweredChoice,
    DrawResult,
    Review,
    ReviewedChoice,
    ReviewedPosition,
    ReviewedRound,
    WinResult,
)
from houjuu.review.risk_json import ReasonNames, risks
from houjuu.review.unseen_json import unseen_copies
from houjuu.review.why import add_sentences
from houjuu.scoring.win_points import ron_loss, win_points
from houjuu.util.errors import Error

Advice = Callable[[View], int]
"""Maps a view to the id of the tile that a player would discard."""

Progress = Callable[[float], object]
"""Called with the share of a game that is reviewed, 0 to 1."""

_NO_DELTAS = (0, 0, 0, 0)


def review(
    game: Game,
    seat: int,
    estimator: Estimator,
    advice: Advice | None = None,
    values: Values | None = None,
    *,
    progress: Progress | None = None,
) -> Review:
    """Estimate the risk of every discard that a seat could make in a game.

    Parameters
    ----------
    game : Game
    seat : int
        The reviewed seat, 0–3, absolute.
    estimator : Estimator
    advice : callable, optional
        Returns the discard that a player would make.
    values : callable, optional
        Values of the actions, see `houjuu.review.choices`.
    progress : callable, optional
        Called after each event with the share of the events that are reviewed, 0 to 1.

    Raises
    ------
    Error
        The log does not show the hand of the seat, or the seat makes no discard.
    """
    reviewer = _Reviewer(game=game, seat=seat, estimator=estimator, advice=advice, values=values)
    for n_reviewed, event in enumerate(game, 1):
        reviewer.apply(event)
        if progress is not None:
            progress(n_reviewed / len(game.events))
    rounds = reviewer.rounds
    if not any(round["decisions"] for round in rounds):
        raise Error(f"seat {seat} makes no discard", file=game.id)
    for number, round in enumerate(rounds):
        choices = [one for one in reviewer.choices if one["round"] == number]
        round["luck"] = round_luck(choices)
    add_sentences(rounds, reviewer.choices)
    for choice in reviewer.choices:
        _advise_tile(rounds[choice["round"]]["decisions"][choice["step"]], choice)

    names = list(game.names or "ABCD")
    return {
        "id": game.id,
        "date": game.date,
        "hanchan": game.rules.hanchan,
        "seat": seat,
        "names": table_json.relative(names, seat),
        "model": estimator.model,
        "rounds": rounds,
        "choices": reviewer.choices,
        "reason_names": list(reviewer.reason_names.indices),
    }


def _advise_tile(decision: ReviewedPosition, choice: ReviewedChoice) -> None:
    """Where riichi was a choice, its advised tile: the other advice is the best after riichi."""
    verb, _, tile = choice["advised"].partition(" ")
    if choice["kind"] == "riichi" and decision["advice"] and verb in ("discard", "riichi"):
        decision["advice"] = tile


def discarded_tile(decision: ReviewedPosition) -> str:
    """The tile of a decision that is a discard."""
    index = decision["discard_index"]
    assert index is not None
    return decision["hand"][index]


def decisions(rounds: Sequence[ReviewedRound]) -> Iterator[ReviewedPosition]:
    """Yield every decision of a game."""
    for round in rounds:
        yield from round["decisions"]


def discards(rounds: Sequence[ReviewedRound]) -> Iterator[ReviewedPosition]:
    """Yield every decision of a game that is a discard."""
    return (one for one in decisions(rounds) if one["discard_index"] is not None)


class _Reviewer:
    """Follows a game and records the decisions of one seat."""

    def __init__(
        self,
        game: Game,
        seat: int,
        estimator: Estimator,
        advice: Advice | None,
        values: Values | None,
    ) -> None:
        self.rounds: list[ReviewedRound] = []
        self.choices: list[ReviewedChoice] = []
        self.reason_names = ReasonNames()
        self._game = game
        self._seat = seat
        self._estimator = estimator
        self._advice = advice
        self._table = Table(game.rules)
        self._cache = HandCache()
        self._recorder = ChoiceRecorder(self._table, seat, values)

    def apply(self, event: Event) -> None:
        """Record an event and apply it to the table."""
        self._recorder.before(event)
        if self._recorder.answered is not None:
            self._add_choice(*self._recorder.answered, is_discard=isinstance(event, Discard))
        match event:
            case Deal():
                self._start_round(event)
            case Discard() if event.seat == self._seat:
                self.rounds[-1]["decisions"].append(self._decision(event))
            case Win():
                self._win(event)
            case DrawnRound():
                self._end_round(
                    {"draw": event.reason.value if event.reason else "unknown"}, event.deltas
                )
            case RoundEnd():
                self._add_gains(event.deltas)
            case RiichiAccepted() if event.seat == self._seat:
                self._add(-RIICHI_STICK)
        self._table.apply(event)
        self._recorder.after(event)

    def _add_choice(self, view: View, choice: AnsweredChoice, *, is_discard: bool) -> None:
        """Add a choice; its step is that of the discard, else a step of its own."""
        steps = self.rounds[-1]["decisions"]
        number = len(self.rounds) - 1
        self.choices.append({**choice, "round": number, "step": len(steps), "why": None})
        if not is_discard:
            steps.append(self._step(view, None))

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
                "balance": 0,
                "luck": round_luck([]),
            }
        )

    def _decision(self, discard: Discard) -> ReviewedPosition:
        view = self._table.view(self._seat)
        hand = self._hand(view)
        tile = table_json.name(discard.tile, view.rules.red_fives)
        return self._step(view, len(hand) - 1 if discard.tsumogiri else hand.index(tile))

    def _hand(self, view: View) -> list[str]:
        tiles = sorted(view.hand, key=lambda tile: (tile == view.drawn, tile))
        return table_json.names(tiles, view.rules.red_fives)

    def _step(self, view: View, discard_index: int | None) -> ReviewedPosition:
        """A position; without the index of a discard it is the position of another choice."""
        risk = self._estimator.deal_in(view, self._cache)
        unseen = self._estimator.unseen(view)
        own = view.seats[self._seat]
        is_discard = discard_index is not None
        return {
            "turn": 1 + sum(1 for _ in discards(self.rounds[-1:])),
            **table_json.open_table(view),
            "opponent_hands": table_json.opponent_hands(self._table, view),
            "hand": self._hand(view),
            "drawn": view.drawn is not None,
            "discard_index": discard_index,
            "advice": self._advised(view) if is_discard else None,
            "riichi": is_discard and own.declared and not own.in_riichi,
            "rons": [],
            "own": own_hand(view, unseen) if len(view.hand) % 3 == 2 else None,
            "unseen": unseen_copies(unseen),
            **risks(view, risk, self.reason_names),
        }

    def _advised(self, view: View) -> str | None:
        if self._advice is None:
            return None
        return table_json.name(self._advice(view), view.rules.red_fives)

    def _win(self, win: Win) -> None:
        points = win_points(win, self._table)
        result = table_json.win(win, self._seat, points, self._game.rules.red_fives)
        self._end_round(result, win.deltas)
        river = self._table.seats[self._seat].river
        dealt_in = result["source"] == 0 != result["winner"]
        is_discard = bool(river) and river[-1].tile == win.tile  # otherwise chankan (槍槓)
        if dealt_in and is_discard:
            list(discards(self.rounds[-1:]))[-1]["rons"].append(
                {"to": result["winner"], "points": ron_loss(win, self._table)}
            )

    def _end_round(self, result: WinResult | DrawResult, deltas: PerSeat | None) -> None:
        self.rounds[-1]["results"].append(result)
        self._add_gains(deltas)

    def _add_gains(self, deltas: PerSeat | None) -> None:
        round = self.rounds[-1]
        if deltas is None or round["deltas"] is None:
            round["deltas"] = round["balance"] = None
            return
        gains = table_json.relative(deltas, self._seat)
        round["deltas"] = [sum(pair) for pair in zip(round["deltas"], gains, strict=True)]
        self._add(gains[0])

    def _add(self, points: int) -> None:
        round = self.rounds[-1]
        if round["balance"] is not None:
            round["balance"] += points
