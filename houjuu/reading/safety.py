"""Suji, and how safe a tile is against one opponent.

Sets of kinds are bit masks: bit h stands for kind h.
"""

from __future__ import annotations

from houjuu.game.tiles import KINDS, SUJI

GENBUTSU, FULL_SUJI, HONOUR, HALF_SUJI, NO_SUJI = range(5)
"""Safety classes of a kind against an opponent, as `safety_class` returns them: furiten forbids the
win; both or the only suji dead; an honour; one of two suji dead (片筋); no suji dead (無筋)."""

_LOWS = sum(1 << low for low, _ in SUJI)
_OTHER_ENDS = tuple(
    sum(1 << low + high - kind for low, high in SUJI if kind in (low, high))
    for kind in range(KINDS)
)


def live_suji(furiten: int) -> int:
    """Count the suji that a seat can still win on, 0–18.

    A suji is dead when either end is in `furiten` (a mask, `View.furiten`). Kurita & Hoki 2017,
    equation 26: the l of a state.
    """
    return (_LOWS & ~(furiten | furiten >> 3)).bit_count()


def dead_suji(kind: int, furiten: int) -> int:
    """Count the suji through a kind that furiten (a mask) makes dead: 0–2, 0 for honours."""
    ends = _OTHER_ENDS[kind]
    return (ends if furiten >> kind & 1 else ends & furiten).bit_count()


def suji_through(kind: int) -> int:
    """Count the suji that a kind is an end of: 2 for 4, 5 and 6, else 1; 0 for honours."""
    return _OTHER_ENDS[kind].bit_count()


def safety_class(kind: int, furiten: int) -> int:
    """Class of a kind against an opponent with this furiten mask: `GENBUTSU` … `NO_SUJI`."""
    if furiten >> kind & 1:
        return GENBUTSU
    through = suji_through(kind)
    if not through:
        return HONOUR
    dead = dead_suji(kind, furiten)
    return FULL_SUJI if dead == through else HALF_SUJI if dead else NO_SUJI
