"""Writer of mjai; `houjuu.logs.mjai` parses the result as the same events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from houjuu.game.actions import meld_message
from houjuu.game.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    Event,
    Game,
    PlayerInfo,
    Riichi,
    RiichiAccepted,
    RoundEnd,
    Win,
)
from houjuu.game.rules import TENHOU, Rules
from houjuu.game.tiles import mjai_name

Namer = Callable[[int | None], str]


def write(game: Game) -> str:
    """The game as JSON lines."""
    return "".join(json.dumps(message, ensure_ascii=False) + "\n" for message in messages(game))


def messages(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the messages of a game, from ``start_game`` to ``end_game``."""
    last = start_game(game.rules, game.players)
    for event, following in zip(game.events, (*game.events[1:], None), strict=True):
        if isinstance(event, (Away, Back)):  # they have no message of their own
            details = last.setdefault("tenhou", {})
            details.setdefault("presence", []).append([type(event).__name__.lower(), event.seat])
            continue
        for message in event_messages(event, game.rules):
            yield last
            last = message
        ends = isinstance(event, (Win, DrawnRound, RoundEnd))
        if ends and not isinstance(following, Win):
            yield last
            last = {"type": "end_kyoku"}
    yield last
    yield {"type": "end_game", "tenhou": {"final": game.final}}


def start_game(rules: Rules, players: Sequence[PlayerInfo]) -> dict[str, Any]:
    """The first message of a game."""
    profile = rules.profile
    return {
        "type": "start_game",
        "names": [player.name for player in players] or list("ABCD"),
        "aka_flag": rules.red_fives,
        "tenhou": {
            **({"type": rules.flags} if rules.stated else {}),
            "lobby": rules.lobby,
            **({"rules": profile.name} if profile.name != TENHOU.name else {}),
            **({"room": rules.named_room} if rules.named_room else {}),
            "players": [[player.dan, player.rate, player.sex] for player in players],
        },
    }


def event_messages(event: Event, rules: Rules) -> Iterator[dict[str, Any]]:
    """Yield the message of an event; none where mjai has none."""

    def name(tile: int | None) -> str:
        return "?" if tile is None else mjai_name(tile, red_fives=rules.red_fives)

    match event:
        case Deal():
            yield _deal(event, name)
        case Draw(seat, tile):
            yield {"type": "tsumo", "actor": seat, "pai": name(tile)}
        case Discard(seat, tile, tsumogiri):
            yield {"type": "dahai", "actor": seat, "pai": name(tile), "tsumogiri": tsumogiri}
        case Call():
            yield meld_message(event.seat, event.meld, name)
        case Riichi(seat):
            yield {"type": "reach", "actor": seat}
        case RiichiAccepted(seat):
            yield {"type": "reach_accepted", "actor": seat}
        case Dora(indicator):
            yield {"type": "dora", "dora_marker": name(indicator)}
        case Win():
            yield _win(event, name)
        case DrawnRound():
            yield _drawn_round(event, name)
        case RoundEnd(winner, deltas) if winner is not None:
            yield {"type": "hora", "actor": winner, "target": winner, "deltas": deltas}
        case _:
            pass  # `messages` adds who disconnects or comes back to the message before


def _names(tiles: Iterable[int], name: Namer) -> list[str]:
    return [name(tile) for tile in tiles]


def _deal(deal: Deal, name: Namer) -> dict[str, Any]:
    wind, number = divmod(deal.round, 4)
    return {
        "type": "start_kyoku",
        "bakaze": "ESWN"[wind % 4],
        "kyoku": number + 1,
        "honba": deal.honba,
        "kyotaku": deal.riichi_sticks,
        "oya": deal.dealer,
        "scores": deal.scores and list(deal.scores),
        "dora_marker": name(deal.dora_indicator),
        "tehais": [["?"] * 13 if hand is None else _names(hand, name) for hand in deal.hands],
        "tenhou": {} if deal.dice is None else {"dice": list(deal.dice)},
    }


def _win(win: Win, name: Namer) -> dict[str, Any]:
    liable = None if win.liable == win.seat else win.liable
    return {
        "type": "hora",
        "actor": win.seat,
        "target": win.source,
        "pai": name(win.tile),
        "hora_tehais": _names(win.hand, name),
        "ura_markers": _names(win.ura_indicators or (), name),
        "fu": win.fu,
        "fan": sum(han for _, han in win.yaku),
        "hora_points": win.points,
        "deltas": win.deltas,
        "tenhou": {
            "limit": win.limit,
            "yaku": win.yaku,
            "yakuman": win.yakuman,
            **({} if win.liable is None else {"liable": liable}),
        },
    }


def _drawn_round(drawn: DrawnRound, name: Namer) -> dict[str, Any]:
    return {
        "type": "ryukyoku",
        "reason": drawn.reason and drawn.reason.value,
        "tehais": [["?"] if hand is None else _names(hand, name) for hand in drawn.hands],
        "tenpais": list(drawn.tenpai),
        "deltas": drawn.deltas,
    }
