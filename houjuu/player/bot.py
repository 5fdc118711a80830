"""A player behind mjai: messages in, answers out, one a line.

A `Table` follows the game for the player, and riichienv follows it for the legal actions. An error
does not end the game. A message that cannot be read is answered with an error and skipped, and a
player that raises an exception discards the drawn tile.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from riichienv import Action, ActionType, GameRule, RiichiEnv

from houjuu.errors import Error
from houjuu.events import Call, Discard
from houjuu.logs import mjai
from houjuu.player.protocol import Player
from houjuu.table import Table, View
from houjuu.tiles import mjai_name

Message = Mapping[str, Any]
NONE: Message = {"type": "none"}

_CLAIMS = (ActionType.CHI, ActionType.PON, ActionType.DAIMINKAN, ActionType.RON)
_OWN_KANS = ("ankan", "kakan", "daiminkan")
_START_TYPES = ("start_game", "start_kyoku")
_END_TYPES = ("hora", "ryukyoku", "end_kyoku")
_LOG = logging.getLogger(__name__)


class Bot:
    """Plays one seat.

    Parameters
    ----------
    player : Player
    seat : int, optional
        0–3, for games whose ``start_game`` does not contain it.
    """

    def __init__(self, player: Player, seat: int | None = None) -> None:
        self.player = player
        self.seat = seat
        self._reader, self._table, self._referee = mjai.Reader(), Table(), _referee()

    def answer(self, message: Message) -> Message:
        """Answer a message; the answer is ``none`` where there is nothing to do.

        Raises
        ------
        Error
            The message cannot be read, or is impossible here. Later messages are still accepted.
        """
        kind = message["type"]
        if kind == "start_game":
            self.seat = message.get("id", self.seat)
            self._referee = _referee()
        if kind in _START_TYPES:  # a round does not depend on earlier ones
            self._reader, self._table = mjai.Reader(), Table()
        if kind not in _END_TYPES:
            for event in self._reader.events(message):
                self._table.apply(event)
        if self.seat is None:
            return NONE
        legal = self._legal({"type": kind} if kind == "start_game" else dict(message), self.seat)
        if not legal or (kind in _OWN_KANS and message["actor"] == self.seat):
            return NONE  # after its own kan the next draw comes first
        view = self._table.view(self.seat)
        last = self._table.round_state.last_discard
        actions = [_with_table_ids(view, action, last.tile if last else None) for action in legal]
        chosen = self._chosen(view, actions)
        if chosen.action_type == ActionType.DISCARD and chosen.tile is not None:
            return {
                "type": "dahai",
                "actor": self.seat,
                "pai": mjai_name(chosen.tile),
                "tsumogiri": chosen.tile == view.drawn,
            }
        answer: dict[str, Any] = json.loads(legal[_index(actions, chosen)].to_mjai())
        if chosen.action_type in _CLAIMS:
            answer["target"] = self._claimed_from()
        elif chosen.action_type == ActionType.TSUMO:
            answer["target"] = self.seat
        return answer

    def _claimed_from(self) -> int:
        """The seat that made the last discard, or the kan that is robbed."""
        events = (e for e in reversed(self._table.events) if isinstance(e, (Call, Discard)))
        return next(events).seat

    def _legal(self, message: dict[str, Any], seat: int) -> list[Action]:
        try:
            observation = self._referee.observe_event(message, seat)
        except ValueError as problem:
            raise Error(f"cannot be read ({problem})") from None
        return [] if observation is None else list(observation.legal_actions())

    def _chosen(self, view: View, actions: Sequence[Action]) -> Action:
        """The player's choice; if the player fails, pass or discard the drawn tile."""
        try:
            return self.player.act(view, actions)
        except Exception:
            _LOG.exception("the player failed; the game goes on without it")
            passes = (a for a in actions if a.action_type == ActionType.PASS)
            drawn = (a for a in actions if view.drawn is not None and a.tile == view.drawn)
            return next(chain(passes, drawn), actions[-1])


def _index(actions: Sequence[Action], chosen: Action) -> int:
    return next(index for index, action in enumerate(actions) if action is chosen)


def _referee() -> RiichiEnv:
    return RiichiEnv(game_mode="4p-red-half", rule=GameRule.default_tenhou())


def _with_table_ids(view: View, action: Action, claimed: int | None) -> Action:
    """A legal action with the tile ids of the `Table`: riichienv numbers copies differently.

    Of identical copies the drawn one comes first: in riichi only that one may be discarded.
    """
    free = sorted(view.hand, key=lambda tile: tile != view.drawn)

    def in_hand(tile: int) -> int:
        own = next((own for own in free if mjai_name(own) == mjai_name(tile)), tile)
        if own in free:
            free.remove(own)
        return own

    consumed = [in_hand(tile) for tile in action.consume_tiles]
    tile = action.tile
    if tile is not None:
        tile = claimed if action.action_type in _CLAIMS else in_hand(tile)
    return Action(action.action_type, tile=tile, consume_tiles=consumed)


def serve(bot: Bot, lines: Iterable[str]) -> Iterator[str]:
    """Yield the answer to every line, as JSON without the line break."""
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
        raise Error(f"is not JSON ({problem})") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Error("is not an mjai message: it has no type")
    return message
