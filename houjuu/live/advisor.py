"""Advice behind mjai: the answer is always ``none``, and `meta` contains the risks. numpy alone.

`houjuu.player.bot.Bot` adds the play.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from houjuu.estimators.protocol import Estimator
from houjuu.game.rules import Rules
from houjuu.live.live import Live
from houjuu.live.overlay import Meta, meta, with_card
from houjuu.logs.mjai_messages import Message, decoded
from houjuu.util.errors import Error, ThreePlayerError
from houjuu.util.json_types import RoomName
from houjuu.util.languages import translate

NONE: Message = {"type": "none"}

_STARTS = ("start_game", "start_kyoku")
_PLAYS = ("dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "hora", "ryukyoku")
_TURNS = (*_STARTS, "tsumo", *_PLAYS, "end_kyoku", "end_game")
_LOG = logging.getLogger(__name__)
_Result = TypeVar("_Result")


class Advisor:
    """Follows the game of a seat and answers with its risks.

    Problems are logged (by default: printed on stderr) and never raised, but for an unknown seat.

    Parameters
    ----------
    seat : int or str, optional
        0–3, as a number or a digit; by default the ``id`` of ``start_game``.
    estimator : Estimator, optional
        The estimator of `meta`, by default `houjuu.load()`.
    card : str, optional
        The language of a card in `meta` (`houjuu.live.with_card`); without it there is none.
    unseen : bool
        Whether `meta` contains where the unseen tiles are.
    deals : int
        Number of deals of the unseen tiles in `meta`.
    rules : Rules, optional
    room : str, optional
        As in `Live`.

    Attributes
    ----------
    live : Live
        The table of the seat.
    """

    def __init__(
        self,
        seat: int | str | None = None,
        estimator: Estimator | None = None,
        card: str | None = None,
        *,
        unseen: bool = False,
        deals: int = 0,
        rules: Rules | None = None,
        room: RoomName | None = None,
    ) -> None:
        if card is not None:
            translate(card)  # raises the Error of a language before the first answer
        self.live = Live(seat, estimator, rules=rules, room=room)
        self._card = card
        self._unseen = unseen
        self._deals = deals
        self._logged = False  # whether the present problem is in the log

    def __repr__(self) -> str:
        """The seat at its game."""
        return f"{type(self).__name__}({self.live!r})"

    def react(self, events: str | bytes) -> str:
        """Hear one message or an array of messages, and answer the last one.

        Parameters
        ----------
        events : str or bytes
            JSON, as mjai sends it (an object) or mjai.app (an array of objects).

        Returns
        -------
        str
            One message as JSON, without the line break.

        Raises
        ------
        Error
            A game starts, and neither ``start_game`` nor the caller names the seat.
        """
        turns = [
            message
            for message in decoded(events)
            if isinstance(message, Mapping) and message["type"] in _TURNS
        ]
        self._hear(events)
        seat = self.live.seat
        if self.live.is_refused or not turns:
            return json.dumps(NONE)
        if seat is None and any(turn["type"] in _STARTS for turn in turns):
            raise Error("the own seat is unknown: start_game has no id 0 to 3, so pass --seat")
        return json.dumps(NONE if seat is None else self._answer(turns[-1], seat))

    def _hear(self, events: str | bytes) -> None:
        """Follow the messages; the reason for being out of step is logged once."""
        error: Error | None = None
        try:
            self.live.hear(events)
        except Error as first:
            error = first
        problem = error or self.live.problem
        if problem and (not self._logged or isinstance(error, ThreePlayerError)):
            _LOG.warning("%s", problem)
        self._logged = self.live.problem is not None

    def _answer(self, turn: Message, seat: int) -> Message:
        """The answer to the last message of a turn; the seat is the own one."""
        decides = self.live.decision is not None or is_own_draw(turn, seat)
        return self._with_meta(NONE) if decides else NONE

    def _with_meta(self, answer: Message) -> Message:
        risks = attempt(self._meta, "the risks are missing in this answer")
        return answer if risks is None else {**answer, "meta": risks}

    def _meta(self) -> Meta:
        answer = meta(self.live, unseen=self._unseen, deals=self._deals)
        return answer if self._card is None else with_card(answer, self._card)


def is_own_draw(message: Message, seat: int) -> bool:
    """Whether a message is a draw of the seat."""
    return bool(message["type"] == "tsumo" and message.get("actor") == seat)


def attempt(call: Callable[[], _Result], consequence: str) -> _Result | None:
    """The result of a call; None, and a line in the log, if it fails in any way.

    A panic of riichienv is a BaseException.
    """
    try:
        return call()
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException:
        _LOG.exception("%s", consequence)
        return None


def answers(bot: Advisor, lines: Iterable[str | bytes]) -> Iterator[str]:
    """Yield the answer to every line that is not blank."""
    for line in lines:
        if line.strip():
            yield bot.react(line)
