"""The data of a review page, as plain values that JSON can represent.

All seats are relative: 0 is the reviewed seat, then right, across and left. Tiles are in the usual
notation: "5p", and "0p" for the red five.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from houjuu import __version__
from houjuu.estimators.protocol import Estimator
from houjuu.game.actions import Action, ActionKind
from houjuu.game.decisions import Decision, Follower
from houjuu.game.events import (
    Deal,
    DrawnRound,
    Event,
    Game,
    PerSeat,
    Riichi,
    RiichiAccepted,
    RoundEnd,
    Win,
)
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.table import View
from houjuu.hands.hand_cache import HandCache
from houjuu.review import table_json
from houjuu.review.alternatives import alternatives, index_of, kind_of, named
from houjuu.review.deciding import DEAL_IN
from houjuu.review.discard_context import discard_context
from houjuu.review.luck import round_luck
from houjuu.review.page_types import (
    SCHEMA,
    ActionName,
    AnswerBeside,
    DrawResult,
    EngineBeside,
    EngineValue,
    Review,
    ReviewedChoice,
    ReviewedPosition,
    ReviewedRound,
    WinResult,
)
from houjuu.review.risk_json import hidden_hands, risks, unseen_copies
from houjuu.review.verdict import advised_action, chosen_action, comparison, merge_plans, verdict
from houjuu.review.why import add_reasons
from houjuu.risk.answers import OPPONENTS
from houjuu.risk.own_hand import own_hand
from houjuu.scoring.win_points import ron_loss, win_points
from houjuu.util.errors import Error
from houjuu.util.json_types import RoomName
from houjuu.util.languages import LANGUAGES, problem_text, translate

if TYPE_CHECKING:  # they need the extra "arena"
    from houjuu.player.foreign import ActionValue
    from houjuu.player.values.outcome import Outcome
    from houjuu.review.advice import Advice

Progress = Callable[[float], object]
"""Called with the share of a game that is reviewed, 0 to 1."""

_NO_DELTAS = (0, 0, 0, 0)
_NUMBERS = ("choices", "answered", "played", "advised", "shared")


def review(
    game: Game,
    seat: int,
    estimator: Estimator,
    advice: Advice | None = None,
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
    advice : Advice, optional
        The advice of a player; with the values of all actions if the player has them.
    progress : callable, optional
        Called after each event with the share of the events that are reviewed, 0 to 1.

    Raises
    ------
    Error
        The log does not show the hand of the seat, or the seat makes no discard.
    """
    reviewer = _Reviewer(game, seat, estimator, advice)
    for n_reviewed, (event, decisions) in enumerate(reviewer.follower, 1):
        for decision in decisions:
            reviewer.add(decision)
        reviewer.apply(event)
        if progress is not None:
            progress(n_reviewed / len(game.events))
    if not any(round["decisions"] for round in reviewer.rounds):
        raise Error(f"seat {seat} makes no discard", file=game.id)
    return _completed(reviewer, game, seat, estimator, advice)


def _completed(
    reviewer: _Reviewer, game: Game, seat: int, estimator: Estimator, advice: Advice | None
) -> Review:
    """The review of all that was recorded, with the plans, the luck and the reasons."""
    rounds = reviewer.rounds
    merge_plans(
        reviewer.choices,
        [rounds[one["round"]]["decisions"][one["step"]]["turn"] for one in reviewer.choices],
    )
    losing = {(c["round"], c["step"]) for c in reviewer.choices if c["value_lost"]}
    for place, (position, view) in reviewer.positions.items():
        if place in losing or position["rons"] or len(reviewer.positions) == 1:
            position["hidden"] = hidden_hands(estimator.hands(view), position)
    for number, round in enumerate(rounds):
        choices = [one for one in reviewer.choices if one["round"] == number]
        round["luck"] = round_luck(choices)
    names = list(game.names or "ABCD")
    engines = [*advice.beside] if advice else []
    add_reasons(rounds, reviewer.choices, game.rules, engines)
    return {
        "schema": SCHEMA,
        "houjuu": __version__,
        "id": game.id,
        "date": game.date,
        "hanchan": game.rules.hanchan,
        "seat": seat,
        "names": table_json.relative(names, seat),
        "model": estimator.model,
        "room": reviewer.room,
        "rounds": rounds,
        "choices": reviewer.choices,
        "beside": [
            engine_beside(name, reviewer.choices, number) for number, name in enumerate(engines)
        ],
    }


def review_position(view: View, estimator: Estimator, advice: Advice) -> Review:
    """The review of one position, in which the seat chooses the advised action.

    Parameters
    ----------
    view : View
        A seat that has to discard.
    estimator : Estimator
    advice : Advice
        Of a player that values all actions.

    Raises
    ------
    Error
        The seat has nothing to choose.
    """
    from houjuu.scoring.legality import own_actions  # needs the extra "arena", as the advice does

    game = Game("position", view.rules, (), ())
    legal = tuple(own_actions(view)) if len(view.hand) % 3 == 2 else ()
    turn = len(view.seats[view.seat].river)
    decision = Decision(0, 0, view.seat, turn, view, legal)
    outcomes = advice.outcomes(decision)
    if not outcomes:
        raise Error("the position leaves nothing to choose: its seat needs a drawn tile")
    reviewer = _Reviewer(game, view.seat, estimator, advice)
    reviewer.start_round(view.round, view.honba, view.dealer)
    best = outcomes[0]
    reviewer.add(replace(decision, chosen=best.action))
    if best.action.kind is ActionKind.RIICHI:
        discard = Action(ActionKind.DISCARD, best.discard)
        reviewer.add(replace(decision, chosen=discard))
    return _completed(reviewer, game, view.seat, estimator, advice)


def engine_beside(name: str, choices: Sequence[ReviewedChoice], number: int) -> EngineBeside:
    """How often an engine agrees; `number` is its place in ``beside`` of the choices."""
    pairs = [(choice["beside"][number], choice) for choice in choices]
    absent = [one["absent"] for one, _ in pairs if one["absent"]]
    answered = sum(one["action"] is not None for one, _ in pairs)
    return {
        "name": name,
        "choices": answered + len(absent),
        "answered": answered,
        "played": sum(agree(one["action"], chosen_action(choice)) for one, choice in pairs),
        "advised": sum(agree(one["action"], advised_action(choice)) for one, choice in pairs),
        "shared": sum(
            choice["value_lost"] > 0
            and agree(one["action"], advised_action(choice))
            and not agree(one["action"], chosen_action(choice))
            for one, choice in pairs
        ),
        "absent": {code: problem_text(translate(code), Error(absent[0])) for code in LANGUAGES}
        if absent
        else None,
    }


def over_games(engines: Iterable[EngineBeside]) -> list[EngineBeside]:
    """Each engine over several reviews: the numbers add up, and its first reason stands."""
    sums: dict[str, Any] = {}
    for one in engines:
        total = sums.setdefault(one["name"], {**one, **dict.fromkeys(_NUMBERS, 0)})
        for key in _NUMBERS:
            total[key] += one[key]  # type: ignore[literal-required]
        total["absent"] = total["absent"] or one["absent"]
    return [*sums.values()]


def agree(engine: ActionName | None, action: ActionName) -> bool:
    """Whether an engine would do so; its riichi names no tile, and agrees with every one."""
    if engine is None or engine["verb"] != action["verb"]:
        return False
    return engine["verb"] == ActionKind.RIICHI.value or engine["tiles"] == action["tiles"]


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
    """Records the decisions of one seat, and the rounds of its game."""

    def __init__(self, game: Game, seat: int, estimator: Estimator, advice: Advice | None) -> None:
        self.follower = Follower(game, [seat], advice.legal if advice else None)
        self.rounds: list[ReviewedRound] = []
        self.choices: list[ReviewedChoice] = []
        self.positions: dict[tuple[int, int], tuple[ReviewedPosition, View]] = {}
        self._game = game
        self._seat = seat
        self._estimator = estimator
        self._advice = advice
        self.room: RoomName | None = None
        self._cache = HandCache()
        self._riichi: tuple[Decision, list[Outcome]] | None = None  # until its discard
        self._last: Decision | None = None  # the discard that can be won on

    def add(self, decision: Decision) -> None:
        """Record a decision: a riichi with its discard, other discards, and choices."""
        judged, outcomes = self._riichi or (decision, self._outcomes(decision))
        self._riichi = None
        if decision.chosen is not None and decision.chosen.kind is ActionKind.RIICHI:
            self._riichi = decision, outcomes
            return
        is_choice = self._add_choice(judged, outcomes, decision.tile)
        illegal = bool(outcomes) and judged.is_free and not is_choice
        if decision.tile is not None:
            advised = self._advised(decision.view, outcomes)
            index = self._discard_index(decision.view, decision.tile)
            self._add_position(decision, index, advised, illegal=illegal)
            self._last = decision
        elif is_choice or illegal:
            self._add_position(decision, illegal=illegal)

    def _outcomes(self, decision: Decision) -> list[Outcome]:
        is_known = self._advice is not None and decision.chosen is not None
        return self._advice.outcomes(decision) if self._advice and is_known else []

    def _add_choice(self, decision: Decision, outcomes: list[Outcome], discard: int | None) -> bool:
        """Add the verdict on a decision, if its actions have values; returns whether they have."""
        chosen = decision.chosen
        if not outcomes or not decision.is_free or chosen not in decision.legal:
            return False
        actions = alternatives(outcomes, decision.view)
        index = index_of(chosen, discard, actions, decision.view)
        if index is None:
            return False
        opponents = self._estimator.deal_in(decision.view, self._cache).opponents
        by_name = zip(OPPONENTS, opponents, strict=True)
        self.choices.append(
            {
                **verdict(
                    kind_of(decision),
                    actions,
                    index,
                    facing_riichi=any(seat.declared for seat in decision.view.opponents),
                    silent=[DEAL_IN + name for name, opponent in by_name if opponent.silent],
                ),
                "actions": actions,
                "chosen": index,
                "comparison": comparison(actions[index], actions[0]) if index else [],
                "round": len(self.rounds) - 1,
                "step": len(self.rounds[-1]["decisions"]),
                "reasons": None,
                "why": None,
                "beside": self._beside(decision),
            }
        )
        return True

    def _beside(self, decision: Decision) -> list[AnswerBeside]:
        """What the other engines would have done."""
        by_engine = self._advice.beside.values() if self._advice else ()
        no_answer: tuple[None, None, tuple[()]] = (None, None, ())
        answers = (by_event.get(decision.event, no_answer) for by_event in by_engine)

        def name_of(action: Action | None) -> ActionName | None:
            return None if action is None else named(action.kind, action.from_hand, decision.view)

        def given(options: Sequence[ActionValue], action: Action | None) -> EngineValue | None:
            for one in options:
                if action is not None and name_of(one.action) == name_of(action):
                    return {"value": one.value, "probability": one.probability}
            return None

        return [
            {
                "action": name_of(one),
                "absent": absent,
                "gives": given(options, one),
                "gives_chosen": given(options, decision.chosen),
            }
            for one, absent, options in answers
        ]

    def apply(self, event: Event) -> None:
        """Record what an event changes in the round."""
        match event:
            case Deal():
                if event.hands[self._seat] is None:
                    reason = f"does not show the hand of seat {self._seat}"
                    raise Error(reason, file=self._game.id)
                self.start_round(event.round, event.honba, event.dealer)
            case Win():
                self._win(event)
            case DrawnRound():
                self._end_round(
                    {"draw": event.reason.value if event.reason else "unknown"}, event.deltas
                )
            case RoundEnd():
                self._add_gains(event.deltas)
            case Riichi() if self.rounds[-1]["first_riichi"] is None:
                self.rounds[-1]["first_riichi"] = (event.seat - self._seat) % 4
            case RiichiAccepted() if event.seat == self._seat:
                self._add(-RIICHI_STICK)

    def start_round(self, round: int, honba: int, dealer: int) -> None:
        """Record that a round begins."""
        self._riichi = None
        self.rounds.append(
            {
                "round": round,
                "honba": honba,
                "dealer": (dealer - self._seat) % 4,
                "decisions": [],
                "results": [],
                "deltas": list(_NO_DELTAS),
                "balance": 0,
                "first_riichi": None,
                "luck": round_luck([]),
            }
        )

    def _discard_index(self, view: View, tile: int) -> int:
        hand = self._hand(view)
        if tile == view.drawn:
            return len(hand) - 1
        return hand.index(table_json.name(tile, view.rules.red_fives))

    def _hand(self, view: View) -> list[str]:
        tiles = sorted(view.hand, key=lambda tile: (tile == view.drawn, tile))
        return table_json.names(tiles, view.rules.red_fives)

    def _advised(self, view: View, outcomes: list[Outcome]) -> str | None:
        if self._advice is None:
            return None
        return table_json.name(self._advice.tile(view, outcomes), view.rules.red_fives)

    def _add_position(
        self,
        decision: Decision,
        discard_index: int | None = None,
        advised: str | None = None,
        *,
        illegal: bool,
    ) -> None:
        """Add a position; without the index of a discard it is that of another choice."""
        view = decision.view
        risk = self._estimator.deal_in(view, self._cache)
        self.room = risk.room
        unseen = self._estimator.unseen(view)
        own = view.seats[self._seat]
        position: ReviewedPosition = {
            "turn": decision.turn + 1,
            **table_json.open_table(view),
            "opponent_hands": self._opponent_hands(view),
            "hand": self._hand(view),
            "drawn": view.drawn is not None,
            "discard_index": discard_index,
            "advice": advised,
            "illegal": illegal,
            "riichi": discard_index is not None and own.declares,
            "situation": None if discard_index is None or own.away else discard_context(view),
            "rons": [],
            "own": own_hand(view, unseen) if len(view.hand) % 3 == 2 else None,
            "unseen": unseen_copies(unseen),
            "hidden": None,
            **risks(view, risk),
        }
        made = self.rounds[-1]["decisions"]
        self.positions[len(self.rounds) - 1, len(made)] = position, view
        made.append(position)

    def _opponent_hands(self, view: View) -> list[list[str] | None]:
        """Those of the log; None for a position by hand."""
        table = self.follower.table
        return table_json.opponent_hands(table, view) if self._game.events else [None] * 3

    def _win(self, win: Win) -> None:
        table = self.follower.table
        points = win_points(win, table)
        result = table_json.win(win, self._seat, points, self._game.rules.red_fives)
        self._end_round(result, win.deltas)
        if self._last is not None and win in self._last.rons:
            list(discards(self.rounds[-1:]))[-1]["rons"].append(
                {"to": result["winner"], "points": ron_loss(win, table)}
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
