"""A player behind mjai: messages in, answers out.

`houjuu.live.Live` follows the game for the player, and riichienv follows it for the legal actions.
The bot always answers. At its own draw it discards the drawn tile where it knows no better: after a
lost message, after a failure of the player, of riichienv or of the table.
"""

from __future__ import annotations

from collections.abc import Sequence

from riichienv import Action, ActionType

from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Discard
from houjuu.game.table import View
from houjuu.game.tiles import mjai_name, parse_mjai
from houjuu.logs.mjai_messages import Message
from houjuu.player import players
from houjuu.player.advisor import NONE, Advisor, attempt, is_own_draw
from houjuu.player.protocol import Player
from houjuu.player.referee import Referee
from houjuu.player.rules.calls import legal_discards
from houjuu.util.errors import Error

_WITHOUT_TILES = {
    ActionType.RIICHI: {"type": "reach"},
    ActionType.KYUSHU_KYUHAI: {"type": "ryukyoku", "reason": "kyushukyuhai"},
}
_CALLS = {ActionType.CHI: "chi", ActionType.PON: "pon", ActionType.DAIMINKAN: "daiminkan"}


class Bot(Advisor):
    """Plays one seat. It has the shape of the bots of mjai.app: ``Bot(seat).react(events)``.

    Parameters
    ----------
    seat : int, optional
        0–3; by default the ``id`` of ``start_game``.
    player : Player or str
        A player, or the name of one (`houjuu.player.players.player`).
    estimator : Estimator, optional
        The estimator of `meta`, by default `houjuu.load()`.
    """

    def __init__(
        self,
        seat: int | None = None,
        player: Player | str = players.DEFAULT_PLAYER,
        estimator: Estimator | None = None,
    ) -> None:
        super().__init__(seat, estimator or players.shared_estimator())
        self.player = players.player(player) if isinstance(player, str) else player
        self._referee = Referee()

    def _hear(self, events: str | bytes) -> None:
        super()._hear(events)
        if self.live.seat is not None:
            self._referee.follow(self.live.table, self.live.seat)

    def _answer(self, turn: Message, seat: int) -> Message:
        live = self.live
        legal = self._referee.legal_actions(live.table, seat)
        if live.table.round_state.n_unknown[seat]:
            return NONE
        if legal and (live.in_step or live.decision):
            return self._with_meta(self._played(live.view, legal))
        if live.decision == "discard":  # riichienv failed in this round
            return self._with_meta(_dahai(live.view, legal_discards(live.view)[-1]))
        return self._with_meta(_tsumogiri(turn, seat)) if is_own_draw(turn, seat) else NONE

    def _played(self, view: View, legal: Sequence[Action]) -> Message:
        """The player's action; if the player fails, the safest legal one."""
        action = attempt(lambda: self._chosen(view, legal), "the player failed: pass or discard")
        last = self.live.table.round_state.last_discard
        return _message(view, last, _default(view, legal) if action is None else action)

    def _chosen(self, view: View, legal: Sequence[Action]) -> Action:
        action = self.player.act(view, legal)
        if _key(action) not in map(_key, legal):
            raise Error(f"the player answers {action}, which is illegal")
        return action


def _key(action: Action) -> tuple[object, ...]:
    return action.action_type, action.tile, tuple(action.consume_tiles)


def _default(view: View, legal: Sequence[Action]) -> Action:
    """Pass, or discard the drawn tile."""
    passes = [action for action in legal if action.action_type == ActionType.PASS]
    discards = [action for action in legal if action.action_type == ActionType.DISCARD]
    drawn = [action for action in discards if action.tile == view.drawn]
    return (*passes, *drawn, *reversed(discards), *legal)[0]


def _tsumogiri(draw: Message, seat: int) -> Message:
    """The discard of the tile that a message names; ``none`` if it names none."""
    try:
        parse_mjai(str(draw.get("pai")))
    except Error:
        return NONE
    return {"type": "dahai", "actor": seat, "pai": draw["pai"], "tsumogiri": True}


def _dahai(view: View, tile: int) -> Message:
    tsumogiri = tile == view.drawn
    return {"type": "dahai", "actor": view.seat, "pai": _name(view, tile), "tsumogiri": tsumogiri}


def _name(view: View, tile: int) -> str:
    return mjai_name(tile, red_fives=view.rules.red_fives)


def _message(view: View, last: Discard | None, action: Action) -> Message:
    """The action as an mjai message; `last` is the discard, or the tile of a kan, before it."""
    kind, actor = action.action_type, {"actor": view.seat}
    consumed = {"consumed": [_name(view, tile) for tile in action.consume_tiles]}
    if kind == ActionType.DISCARD:
        return _dahai(view, action.tile)
    if kind in _WITHOUT_TILES:
        return {**_WITHOUT_TILES[kind], **actor}
    if kind == ActionType.ANKAN:
        return {"type": "ankan", **actor, **consumed}
    if kind == ActionType.KAKAN:
        return {"type": "kakan", **actor, "pai": _name(view, action.tile), **consumed}
    if kind == ActionType.TSUMO:
        return {"type": "hora", **actor, "target": view.seat, "pai": _name(view, view.hand[-1])}
    if kind == ActionType.PASS or last is None:
        return NONE
    claimed = {**actor, "target": last.seat, "pai": _name(view, last.tile)}
    if kind == ActionType.RON:
        return {"type": "hora", **claimed}
    return {"type": _CALLS[kind], **claimed, **consumed}
