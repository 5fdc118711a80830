"""The ends of a round of mjai: ``hora`` and ``ryukyoku``."""

from __future__ import annotations

from houjuu.game.events import ABORTED, DrawnRound, DrawReason, PerSeat, RoundEnd, Win, per_seat
from houjuu.logs import mjai_messages as fields
from houjuu.logs.mjai_messages import HIDDEN, Message
from houjuu.logs.mjai_round import NamedRound
from houjuu.logs.names import draw_reason
from houjuu.util.errors import LogError

_HIDDEN: tuple[list[str] | None, ...] = (None,) * 4


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
    ura = current.beside(next(filter(None, names), ())) or None
    return Win(
        seat=seat,
        source=source,
        tile=tile,
        hand=() if hand is None else tuple(sorted({*hand, tile})),
        melds=tuple(state.melds[seat]),
        fu=fields.number_or_none(message, "fu"),
        points=fields.number_or_none(message, "hora_points"),
        limit=fields.number_or_none(extra, "limit"),
        yaku=fields.yaku(extra),
        yakuman=fields.integers(extra, "yakuman"),
        dora_indicators=tuple(current.indicators),
        ura_indicators=ura if state.in_riichi[seat] else ura or (),
        honba=current.honba,
        riichi_sticks=state.riichi_sticks,
        scores=per_seat(state.scores),
        deltas=_deltas(message, current),
        liable=_liable(extra, seat),
    )


def _liable(extra: Message, winner: int) -> int | None:
    if "liable" not in extra:
        return None
    return winner if extra["liable"] is None else fields.seat(extra, "liable")


def drawn_round(message: Message, current: NamedRound) -> tuple[DrawnRound, object]:
    """The event of a ``ryukyoku``, and the name of its reason if that is unknown, else None."""
    shown = fields.hands(message, "tehais") if message.get("tehais") else list(_HIDDEN)
    name = message.get("reason") or None
    reason = None if name is None else draw_reason(str(name))
    drawn = DrawnRound(
        reason=reason,
        hands=tuple(current.hand(seat) if names else None for seat, names in enumerate(shown)),
        tenpai=_tenpai(message, reason, shown),
        honba=current.honba,
        riichi_sticks=current.state.riichi_sticks,
        scores=per_seat(current.state.scores),
        deltas=_deltas(message, current) or ((0, 0, 0, 0) if reason in ABORTED else None),
    )
    return drawn, name if reason is None else None


def _tenpai(
    message: Message, reason: DrawReason | None, shown: list[list[str] | None]
) -> tuple[bool | None, ...]:
    """The tenpai seats: those under ``tenpais``, else those that show their hands."""
    if reason is None or reason in ABORTED:
        return (None,) * 4
    if message.get("tenpais"):
        return fields.flags(message, "tenpais")
    return tuple(names is not None for names in shown) if message.get("tehais") else (None,) * 4


def _deltas(message: Message, current: NamedRound) -> PerSeat | None:
    """Changes of the scores, from the scores after them if the message has those."""
    scores = fields.four_numbers(message, "scores")
    if scores is None or not current.state.scores_known:
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
