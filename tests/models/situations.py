"""Contexts and outcomes for tests of the preferences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from houjuu.game.actions import CALLS, OWN_KANS, WINS, Action, ActionKind
from houjuu.game.events import Meld, MeldKind
from houjuu.game.tiles import KIND, KINDS, parse_tiles
from houjuu.player.preference.decision import DecisionContext
from houjuu.player.states import HandStates
from houjuu.player.values.outcome import NO_HAND, PARTS, Outcome, ValuePart

CALLED = parse_tiles("3p")[0]


def outcome(
    kind: ActionKind = ActionKind.PASS,
    *,
    discard: int | None = None,
    called: int = CALLED,
    dealt_in: float = 0.0,
    score_situation: float = 0.0,
    **numbers: Any,
) -> Outcome:
    """An action; a call is of the tile `called`, whatever the other tiles of its meld."""
    own = {ValuePart.DEALS_IN_NOW_RIGHT: dealt_in, ValuePart.SCORE_SITUATION: score_situation}
    figures: dict[str, Any] = {"value": 0.0, "win": 0.2, "shanten": 2.0, "ways": 50.0}
    figures |= {"win_points": 4000.0, "tenpai_shanten": numbers.get("shanten", 2.0)} | numbers
    hand = {name: figures.pop(name) for name in HandStates._fields if name in figures}
    return Outcome(
        _action(kind, discard, called),
        parts={**dict.fromkeys(PARTS, 0.0), **own},
        discard=discard,
        declares=kind is ActionKind.RIICHI,
        left=NO_HAND._replace(**hand),
        **figures,
    )


def _action(kind: ActionKind, discard: int | None, called: int) -> Action:
    if kind in CALLS:
        return Action.from_meld(Meld(MeldKind(kind.value), (called, 0, 0), called, source=1))
    if kind in OWN_KANS:
        return Action.from_meld(Meld(MeldKind(kind.value), (0, 1, 2, 3)))
    tile = {ActionKind.DISCARD: discard}.get(kind, called if kind in WINS else None)
    return Action(kind, tile)


PASS = outcome()


def call(**numbers: Any) -> Outcome:
    """A chi that leaves the hand 1 from tenpai, unless changed."""
    return outcome(ActionKind.CHI, **({"value": 300.0, "shanten": 1.0} | numbers))


CALL = call()


def decision_context(hand: str = "12456m24p11567s4z", **changes: Any) -> DecisionContext:
    """A quiet decision with a closed hand, and the dora 9p."""
    tiles = parse_tiles(hand)
    at = DecisionContext(
        hand=tuple(counts(tiles)),
        melded=(0,) * KINDS,
        elsewhere=(0,) * KINDS,
        red_fives=0,
        dora=(kind("9p"),),
        yakuhai=(kind("1z"), *range(KINDS - 3, KINDS)),
        closed=True,
        was_tenpai=False,
        last_round=False,
        rounds_left=5,
        rank=2,
        behind=3000,
        ahead=1000,
        facing_riichi=False,
        tenpai=0.25,
        dealer=False,
        tiles_left=40,
    )
    return replace(at, **changes)


def counts(tiles: Sequence[int]) -> list[int]:
    return [sum(KIND[tile] == one for tile in tiles) for one in range(KINDS)]


def kind(tile: str) -> int:
    return KIND[parse_tiles(tile)[0]]


def seen(**copies: int) -> tuple[int, ...]:
    """Copies seen elsewhere, by kind with the suit first: p9=1."""
    by_kind = {kind(name[1:] + name[0]): count for name, count in copies.items()}
    return tuple(by_kind.get(one, 0) for one in range(KINDS))


def discard(tile: str, kind: ActionKind = ActionKind.DISCARD, **numbers: Any) -> Outcome:
    return outcome(kind, discard=parse_tiles(tile)[0], **numbers)
