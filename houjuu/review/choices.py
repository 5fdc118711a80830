"""Choices: the decisions of a seat with a value for each of its actions.

`houjuu.review.page_types.ReviewedChoice` has the keys of a choice.

An action is a verb, and the tiles that it takes from the hand: ``discard 5p``, ``riichi 5p``,
``chi 45m``, ``pon 55p``, ``daiminkan 555p``, ``ankan 5555p``, ``kakan 5p``, ``win``, ``pass``,
``nine_terminals``. The page translates the parts ``win``, ``draw``, ``others_win``, ``score``,
``riichi_stick``, ``deal_in_later`` and ``deal_in.right`` (``across``, ``left``), and shows other
names as they are. `houjuu.review.action_choices` makes them.

The page opens at the choice with the largest loss (`houjuu.review.verdict`), and lists the choices
with a loss. A step of a choice that is no discard has ``discard_index`` None.
"""

from __future__ import annotations

from collections.abc import Callable

from houjuu.game.events import (
    KANS,
    Call,
    Deal,
    Discard,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    MeldKind,
    Riichi,
    Win,
)
from houjuu.game.table import Table, View
from houjuu.game.tiles import format_tiles
from houjuu.review.page_types import Alternatives, AnsweredChoice
from houjuu.review.verdict import verdict
from houjuu.util.errors import Error

Values = Callable[[View], Alternatives | None]
"""Maps a view to ``kind`` and ``actions`` of the choice of its seat; None without a choice.

It is asked at each own turn, and after each discard and each added kan of another seat.
"""

KINDS = ("discard", "riichi", "call", "kan", "win", "nine_terminals")
"""A discard; riichi or dama; call or pass; kan or not; win or pass; 九種九牌 or not."""


class ChoiceRecorder:
    """Follows a game and records the choices of one seat.

    Parameters
    ----------
    table : Table
        Follows the game: `before` is called before it applies an event, `after` afterwards.
    seat : int
        0–3, absolute.
    values : callable or None
        Without it nothing is recorded.

    Attributes
    ----------
    answered : tuple of View and dict, or None
        The choice that the last event answered, without ``round`` and ``step``.
    """

    def __init__(self, table: Table, seat: int, values: Values | None) -> None:
        self.answered: tuple[View, AnsweredChoice] | None = None
        self._table = table
        self._seat = seat
        self._values = values
        self._pending: tuple[View, Alternatives] | None = None
        self._declares_riichi = False

    def before(self, event: Event) -> None:
        """Find the choice that an event answers."""
        self.answered = None
        if isinstance(event, Riichi) and event.seat == self._seat:
            self._declares_riichi = True
        action = None if self._pending is None else self._answer(event)
        if self._pending is None or action is None:
            return
        view, choice = self._pending
        self._pending = None
        if action == PASS and PASS not in _names(choice):
            return
        check(choice, action)
        self.answered = (
            view,
            {"seat": self._seat, **choice, "chosen": action, **verdict(choice, action)},
        )

    def after(self, event: Event) -> None:
        """Ask for the values of the choice that follows an event."""
        if isinstance(event, Discard) and event.seat == self._seat:
            self._declares_riichi = False
        if self._values is None or not self._offers_choice(event):
            return
        view = self._table.view(self._seat)
        choice = self._values(view)
        self._pending = None if choice is None else (view, choice)

    def _offers_choice(self, event: Event) -> bool:
        match event:
            case Draw():
                return event.seat == self._seat
            case Discard():
                return event.seat != self._seat
            case Call():
                is_kan = event.meld.kind in KANS
                is_own = event.seat == self._seat
                return is_own != is_kan and (is_own or event.meld.kind is MeldKind.KAKAN)
        return False

    def _answer(self, event: Event) -> str | None:
        """The action that an event stands for; None if it answers nothing."""
        is_own = getattr(event, "seat", None) == self._seat
        match event:
            case Discard() if is_own:
                verb = "riichi" if self._declares_riichi else "discard"
                return f"{verb} {self._format(event.tile)}"
            case Call() if is_own:
                return f"{event.meld.kind.value} {self._format(*event.meld.from_hand)}"
            case Win() if is_own:
                return "win"
            case DrawnRound(reason=DrawReason.NINE_TERMINALS):
                return "nine_terminals"
            case Draw() | Call() | Deal() | DrawnRound():
                return PASS
        return None

    def _format(self, *tiles: int) -> str:
        return format_tiles(tiles, red_fives=self._table.rules.red_fives)


PASS = "pass"


def _names(choice: Alternatives) -> list[str]:
    return [action["action"] for action in choice["actions"]]


def check(choice: Alternatives, chosen: str) -> None:
    """Check a choice and the chosen action.

    Raises
    ------
    Error
        The kind is unknown, the chosen action is none of the actions, or parts do not add up.
    """
    if choice["kind"] not in KINDS:
        raise Error(f"there is no kind of choice {choice['kind']!r}")
    if chosen not in _names(choice):
        raise Error(f"{chosen!r} is none of the actions {', '.join(_names(choice))}")
    for action in choice["actions"]:
        if sum(part["value"] for part in action["parts"]) != action["value"]:
            raise Error(f"the parts of {action['action']!r} do not add up to its value")
