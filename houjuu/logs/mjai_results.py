"""The ends of a round of mjai: ``hora`` and ``ryukyoku``."""

from __future__ import annotations

from houjuu.game.events import DrawnRound, DrawReason, PerSeat, RoundEnd, Win, per_seat
from houjuu.logs import mjai_messages as fields
from houjuu.logs.mjai_messages import HIDDEN, Message
from houjuu.logs.mjai_round import NamedRound
from houjuu.logs.names import REASON_NOT_SAID, draw_reason
from houjuu.util.errors import LogError

_WITH_PAYMENT = (None, DrawReason.EXHAUSTED, DrawReason.NAGASHI_MANGAN)
_NO_DELTAS: PerSeat = (0, 0, 0, 0)


def win(message: Message, current: NamedRound) -> Win | RoundEnd:
    """The event of a ``hora``: a RoundEnd if the winning tile is hidden."""
    seat = fields.seat(message, "actor")
    source = fields.seat(message, "target")
    state = current.state
    extra = fields.extra(message)
    tile = _winning_tile(seat, source, message, current)
    hand = current.hand(seat)
    if tile is None:
        return RoundEnd(seat, _deltas(message, current))
    names = (fields.tile_names(message, key) for key in ("ura_markers", "uradora_markers"))
    return Win(
        seat=seat,
        source=source,
        tile=tile,
        hand=() if hand is None else tuple(sorted({*hand, tile})),
        melds=tuple(state.melds[seat]),
        fu=fields.number(message, "fu", 0),
        points=fields.number(message, "hora_points", 0),
        limit=fields.number(extra, "limit", 0),
        yaku=fields.yaku(extra),
        yakuman=fields.integers(extra, "yakuman"),
        dora_indicators=tuple(current.indicators),
        ura_indicators=current.beside(next(filter(None, names), ())),
        honba=current.honba,
        riichi_sticks=state.riichi_sticks,
        scores=per_seat(state.scores),
        deltas=_deltas(message, current),
        liable=None if extra.get("liable") is None else fields.seat(extra, "liable"),
    )


def drawn_round(message: Message, current: NamedRound) -> tuple[DrawnRound, object]:
    """The event of a ``ryukyoku``, and the reason if it is unknown, else None.

    Without ``deltas`` an abortive draw changes no score.
    """
    shown = fields.hands(message, "tehais") if message.get("tehais") else [None] * 4
    name = message.get("reason") or None
    reason = REASON_NOT_SAID if name is None else draw_reason(str(name))
    drawn = DrawnRound(
        reason=reason or REASON_NOT_SAID,
        hands=tuple(current.hand(seat) if names else None for seat, names in enumerate(shown)),
        honba=current.honba,
        riichi_sticks=current.state.riichi_sticks,
        scores=per_seat(current.state.scores),
        deltas=_deltas(message, current) or (None if reason in _WITH_PAYMENT else _NO_DELTAS),
    )
    return drawn, name if reason is None else None


def _deltas(message: Message, current: NamedRound) -> PerSeat | None:
    """Changes of the scores, from the scores after them if the message has those."""
    scores = fields.four_numbers(message, "scores")
    if scores is None:
        return fields.four_numbers(message, "deltas")
    pairs = zip(scores, current.state.scores, strict=True)
    return per_seat(after - before for after, before in pairs)


def _winning_tile(seat: int, source: int, message: Message, current: NamedRound) -> int | None:
    """The winning tile; None for the hidden draw of a hidden hand."""
    last = current.state.last_discard
    drawn = current.state.drawn
    if seat != source:
        if last is None:
            raise LogError(f"seat {source} did not just discard")
        return last.tile
    if drawn is not None or message.get("pai") in (None, HIDDEN):
        return drawn
    return current.from_hand(seat, [fields.tile_name(message, "pai")])[0]
