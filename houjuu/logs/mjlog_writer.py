"""Writer of mjlog; `houjuu.logs.mjlog` parses the result as the same events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar
from urllib.parse import quote

from houjuu.game.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    FinalScores,
    Game,
    PlayerInfo,
    Riichi,
    RiichiAccepted,
    RoundEnd,
    Win,
)
from houjuu.game.payments import RIICHI_STICK
from houjuu.logs.meld_codes import encode_meld
from houjuu.logs.xml_elements import tag
from houjuu.util.errors import LogError

_T = TypeVar("_T")


def write(game: Game) -> bytes:
    """The game as an mjlog document; `houjuu.logs.mjlog.parse` gives the same game again.

    mjlog has no unknown dice: they are written as 0,0.

    Raises
    ------
    LogError
        mjlog cannot contain the game: a tile, a result or a change of the scores is unknown, a
        score is not in hundreds, or the fourth player has no name.
    """
    try:
        return _write(game)
    except LogError as problem:
        raise LogError(f"cannot be written as mjlog: {problem.reason}", file=game.id) from None


def _write(game: Game) -> bytes:
    lines = [tag("GO", type=game.rules.flags, lobby=game.rules.lobby)]
    if game.players:
        lines.append(_write_players(game.players))
    elif any(isinstance(event, Back) for event in game.events):
        raise LogError("a player comes back, but the players have no names")
    dealers = [event.dealer for event in game.events if isinstance(event, Deal)]
    lines.append(tag("TAIKYOKU", oya=dealers[0] if dealers else 0))
    ends = [i for i, event in enumerate(game.events) if isinstance(event, (Win, DrawnRound))]
    if game.final is not None and not ends:
        raise LogError("it has final scores but no end of a round")
    scores = [0] * 4
    for index, event in enumerate(game.events):
        if isinstance(event, Deal):
            scores = list(_known(event.scores, "a score"))
        elif isinstance(event, RiichiAccepted):
            scores[event.seat] -= RIICHI_STICK
        final = game.final if ends and index == ends[-1] else None
        lines.append(_write_event(event, scores, final))
    return f'<mjloggm ver="2.3">{"".join(lines)}</mjloggm>'.encode()


def _known(value: _T | None, name: str) -> _T:
    """The value; raises LogError if it is None."""
    if value is None:
        raise LogError(f"{name} is unknown")
    return value


def _write_players(players: tuple[PlayerInfo, ...]) -> str:
    if not players[-1].name:
        raise LogError("the fourth player has no name")
    names = {f"n{seat}": quote(player.name) for seat, player in enumerate(players)}
    return tag(
        "UN",
        **names,
        dan=_row(player.dan for player in players),
        rate=_row(player.rate for player in players),
        sx=_row(player.sex for player in players),
    )


def _row(values: Iterable[object]) -> str:
    return ",".join("" if value is None else str(value) for value in values)


def _hundreds(values: Iterable[int]) -> str:
    return _row(map(_hundred, values))


def _hundred(points: int) -> int:
    if points % 100:
        raise LogError(f"{points} points are not hundreds")
    return points // 100


def _write_event(event: Event, scores: list[int], final: FinalScores) -> str:
    match event:
        case Draw(seat, tile):
            return f"<{'TUVW'[seat]}{_known(tile, 'a drawn tile')}/>"
        case Discard(seat, tile, _):
            return f"<{'DEFG'[seat]}{tile}/>"
        case Call(seat, meld):
            return tag("N", who=seat, m=encode_meld(seat, meld))
        case Riichi(seat):
            return tag("REACH", who=seat, step=1)
        case RiichiAccepted(seat):
            return tag("REACH", who=seat, ten=_hundreds(scores), step=2)
        case Dora(indicator):
            return tag("DORA", hai=indicator)
        case Away(seat):
            return tag("BYE", who=seat)
        case Back(seat):
            return tag("UN", **{f"n{seat}": ""})
        case Deal():
            return _write_deal(event)
        case Win():
            return _write_win(event, final)
        case DrawnRound():
            return _write_drawn_round(event, final)
        case RoundEnd():
            raise LogError("a round ends without a result")


def _write_deal(deal: Deal) -> str:
    dice = deal.dice or (0, 0)
    seed = (deal.round, deal.honba, deal.riichi_sticks, *dice, deal.dora_indicator)
    hands = {f"hai{seat}": _row(_known(hand, "a hand")) for seat, hand in enumerate(deal.hands)}
    return tag(
        "INIT",
        seed=_row(seed),
        ten=_hundreds(_known(deal.scores, "a score")),
        oya=deal.dealer,
        **hands,
    )


def _changes(event: Win | DrawnRound, final: FinalScores) -> dict[str, str | None]:
    before = _known(event.scores, "a score")
    deltas = _known(event.deltas, "a change of the scores")
    pairs = (value for pair in zip(before, deltas, strict=True) for value in pair)
    owari = None
    if final is not None:
        owari = _row(value for score, result in final for value in (_hundred(score), result))
    return {"sc": _hundreds(pairs), "owari": owari}


def _write_win(win: Win, final: FinalScores) -> str:
    if not win.hand or not (win.yaku or win.yakuman):
        raise LogError("the hand or the yaku of a win are unknown")
    yaku = [value for pair in win.yaku for value in pair]
    return tag(
        "AGARI",
        ba=f"{win.honba},{win.riichi_sticks}",
        hai=_row(win.hand),
        m=_row(encode_meld(win.seat, meld) for meld in reversed(win.melds)) or None,
        machi=win.tile,
        ten=_row(_known(value, "the score of a win") for value in (win.fu, win.points, win.limit)),
        yaku=_row(yaku) or None,
        yakuman=_row(win.yakuman) or None,
        doraHai=_row(win.dora_indicators),
        doraHaiUra=_row(_known(win.ura_indicators, "an ura indicator")) or None,
        who=win.seat,
        fromWho=win.source,
        paoWho=None if win.liable == win.seat else _known(win.liable, "the liable seat"),
        **_changes(win, final),
    )


def _write_drawn_round(drawn: DrawnRound, final: FinalScores) -> str:
    reason = _known(drawn.reason, "the reason of a draw")
    hands = {
        f"hai{seat}": None if hand is None else _row(hand) for seat, hand in enumerate(drawn.hands)
    }
    return tag(
        "RYUUKYOKU",
        type=None if reason is DrawReason.EXHAUSTED else reason,
        ba=f"{drawn.honba},{drawn.riichi_sticks}",
        **hands,
        **_changes(drawn, final),
    )
