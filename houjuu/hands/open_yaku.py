"""Yaku that a hand can still have beside its melds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houjuu.game.events import Meld, MeldKind
from houjuu.game.tiles import HONOURS, IS_HONOUR, IS_YAOCHU, KIND, SUIT
from houjuu.game.yaku import (
    CHANTA,
    CHIITOITSU,
    CHINITSU,
    HONITSU,
    HONROUTOU,
    IIPEIKOU,
    JUNCHAN,
    KOKUSHI_MUSOU,
    PINFU,
    SANANKOU,
    TANYAO,
    TOITOI,
)

DEPENDENT = frozenset(
    {
        *(PINFU, TANYAO, IIPEIKOU, CHIITOITSU, CHANTA, TOITOI, SANANKOU, HONROUTOU, JUNCHAN),
        *(HONITSU, CHINITSU, KOKUSHI_MUSOU),
    }
)
"""The yaku (Tenhou's numbers) that `possible_yaku` decides; melds rarely exclude any other."""


def possible_yaku(melds: Sequence[Meld], open_tanyao: bool = True) -> frozenset[int]:
    """Those of `DEPENDENT` that the melds do not exclude, closed kans included.

    Parameters
    ----------
    melds : sequence of Meld
    open_tanyao : bool, default=True
        Whether tanyao counts in an open hand (喰いタン).
    """
    kinds_by_meld = [[KIND[tile] for tile in meld.tiles] for meld in melds]
    kinds = [kind for meld_kinds in kinds_by_meld for kind in meld_kinds]
    n_open = sum(meld.is_open for meld in melds)
    has_honour = any(IS_HONOUR[kind] for kind in kinds)
    has_yaochu = any(IS_YAOCHU[kind] for kind in kinds)
    outside = all(any(IS_YAOCHU[kind] for kind in meld_kinds) for meld_kinds in kinds_by_meld)
    one_suit = bool(flush_suits(melds))
    possible = {
        PINFU: not melds,
        TANYAO: not has_yaochu and (open_tanyao or not n_open),
        IIPEIKOU: not n_open and len(melds) <= 2,
        CHIITOITSU: not melds,
        CHANTA: outside,
        JUNCHAN: outside and not has_honour,
        TOITOI: not any(meld.kind is MeldKind.CHI for meld in melds),
        SANANKOU: n_open <= 1,
        HONROUTOU: all(IS_YAOCHU[kind] for kind in kinds),
        HONITSU: one_suit,
        CHINITSU: one_suit and not has_honour,
        KOKUSHI_MUSOU: not melds,
    }
    return frozenset(yaku for yaku, is_possible in possible.items() if is_possible)


def meld_suits(melds: Iterable[Meld]) -> set[int]:
    """Suits 0–2 of the melds; honours have none."""
    return {SUIT[KIND[meld.tiles[0]]] for meld in melds} - {HONOURS}


def flush_suits(melds: Iterable[Meld]) -> tuple[int, ...]:
    """Suits 0–2 of which the whole hand, honours aside, can still be."""
    shown = meld_suits(melds)
    return tuple(shown) if len(shown) == 1 else () if shown else (0, 1, 2)


def has_yakuhai(melds: Iterable[Meld], yakuhai: Sequence[int] | set[int]) -> bool:
    """Whether one of the melds is a triplet or kan of a kind of `yakuhai`."""
    return any(KIND[meld.tiles[0]] in yakuhai for meld in melds)
