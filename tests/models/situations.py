"""Contexts and options for tests of the preferences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from houjuu.game.actions import ActionKind
from houjuu.game.tiles import KIND, KINDS, parse_tiles
from houjuu.player.preference.decision import DecisionContext, Option

PASS = Option(ActionKind.PASS, 0.0, 0.2, shanten=2.0, ways=50.0, points=4000.0)
CALLED = parse_tiles("3p")[0]
CALL = PASS._replace(kind=ActionKind.CHI, value=300.0, shanten=1.0, called=CALLED)


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
        drawn=kind("4z"),
        declared=False,
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


def discard(
    tile: str, kind: ActionKind = ActionKind.DISCARD, shanten: float = 2.0, ways: float = 50.0
) -> Option:
    tile_id = parse_tiles(tile)[0]
    return PASS._replace(kind=kind, discard=tile_id, shanten=shanten, ways=ways)
