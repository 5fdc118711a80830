"""A player behind mjai: messages in, answers out, a line each.

Two follow the game: a `Table`, which the player is shown, and riichienv, which says what is legal.
Whatever goes wrong with a message or with the player, the game goes on: a message that cannot be
understood is answered in words and passed over, and a player that fails discards what it drew.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from riichienv import Action, ActionType, GameRule, RiichiEnv

from houjuu.arena.hanchan import Acting
from houjuu.errors import Error
from houjuu.events import Call, Discard
from houjuu.logs import mjai
from houjuu.table import Table, View
from houjuu.tiles import mjai_name

Message = Mapping[str, Any]
NONE: Message = {"type": "none"}

_CLAIMS = (ActionType.CHI, ActionType.PON, ActionType.DAIMINKAN, ActionType.RON)
_OWN_KANS = ("ankan", "kakan", "daiminkan")
_BEGINS = ("start_game", "start_kyoku")
_ENDS = ("hora", "ryukyoku", "end_kyoku")
_LOG = logging.getLogger(__name__)


class Bot:
    """Plays one seat.

    Parameters
    ----------
    player : Acting
    seat : int, optional
        0–3, where ``start_game`` does not tell it.
    """

    def __init__(self, player: Acting, seat: int | None = None) -> None:
        self.player = player
        self.seat = seat
        self._reader, self._table, self._referee = mjai.Reader(), Table(), _referee()

    def answer(self, message: Message) -> Message:
        """What to answer to a message; ``none`` where there is nothing to do.

        Raises
        ------
        Error
            The message cannot be understood, or cannot happen; the next may.
        """
        kind = message["type"]
        if kind == "start_game":
            self.seat = message.get("id", self.seat)
            self._referee = _referee()
        if kind in _BEGINS:  # nothing of an earlier round bears on this one
            self._reader, self._table = mjai.Reader(), Table()
        event = None if kind in _ENDS else self._reader.event(message)
        if event is not None:
            self._table.apply(event)
        if self.seat is None:
            return NONE
        legal = self._legal({"type": kind} if kind == "start_game" else dict(message), self.seat)
        if not legal or (kind in _OWN_KANS and message["actor"] == self.seat):
            return NONE  # after a kan of its own the next draw comes first
        view = self._table.view(self.seat)
        last = self._table.ledger.last_discard
        ours = [_ours(view, action, last.tile if last else None) for action in legal]
        chosen = self._chosen(view, ours)
        if chosen.action_type == ActionType.DISCARD and chosen.tile is not None:
            return {
                "type": "dahai",
                "actor": self.seat,
                "pai": mjai_name(chosen.tile),
                "tsumogiri": chosen.tile == view.drawn,
            }
        told: dict[str, Any] = json.loads(legal[_place(ours, chosen)].to_mjai())
        if chosen.action_type in _CLAIMS:
            told["target"] = self._claimed_from()
        elif chosen.action_type == ActionType.TSUMO:
            told["target"] = self.seat
        return told

    def _claimed_from(self) -> int:
        """Who discarded last, or made the kan that is robbed."""
        done = (of for of in reversed(self._table.events) if isinstance(of, (Call, Discard)))
        return next(done).seat

    def _legal(self, message: dict[str, Any], seat: int) -> list[Action]:
        try:
            seen = self._referee.observe_event(message, seat)
        except ValueError as problem:
            raise Error(f"cannot be read ({problem})") from None
        return [] if seen is None else list(seen.legal_actions())

    def _chosen(self, view: View, actions: Sequence[Action]) -> Action:
        """What the player picks; what it drew, or to pass, where it fails."""
        try:
            return self.player.act(view, actions)
        except Exception:
            _LOG.exception("the player failed; the game goes on without it")
            careful = (a for a in actions if a.action_type == ActionType.PASS)
            drawn = (a for a in actions if view.drawn is not None and a.tile == view.drawn)
            return next(chain(careful, drawn), actions[-1])


def _place(actions: Sequence[Action], chosen: Action) -> int:
    return next(place for place, action in enumerate(actions) if action is chosen)


def _referee() -> RiichiEnv:
    return RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou())


def _ours(view: View, action: Action, claimed: int | None) -> Action:
    """A legal action in the ids of our table: riichienv tells copies apart in a way of its own.

    Of copies that are alike the drawn one goes: in riichi it alone may.
    """
    free = sorted(view.hand, key=lambda tile: tile != view.drawn)

    def held(tile: int) -> int:
        found = next((own for own in free if mjai_name(own) == mjai_name(tile)), tile)
        if found in free:
            free.remove(found)
        return found

    used = [held(tile) for tile in action.consume_tiles]
    tile = action.tile
    if tile is not None:
        tile = claimed if action.action_type in _CLAIMS else held(tile)
    return Action(action.action_type, tile=tile, consume_tiles=used)


def serve(bot: Bot, lines: Iterable[str]) -> Iterator[str]:
    """Yield the answer to every line, as a line of JSON without its end."""
    for number, line in enumerate(lines, 1):
        try:
            answer = bot.answer(_decoded(line))
        except Error as problem:
            answer = {"type": "error", "message": f"line {number}: {problem.reason}"}
        yield json.dumps(answer)


def _decoded(line: str) -> Message:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise Error(f"is no JSON ({problem})") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Error("is no message of mjai: it has no type")
    return message
