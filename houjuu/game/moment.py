"""What a win counts by the moment, beyond tiles, melds and riichi: part of the state of a round.

The last event does not tell it: a dora indicator may be turned over between a kan and the win.
"""

from __future__ import annotations

from typing import NamedTuple, Self

from houjuu.game.events import MeldKind, PerSeat

_NOBODY = (0, 0, 0, 0)


class Moment(NamedTuple):
    """The circumstances of a win that is declared now; all of them are public.

    The last tile and the first turn follow from the wall, the rivers and the melds of a view.

    Attributes
    ----------
    from_dead_wall : bool
        Whether the tile just drawn replaces one of a kan (嶺上牌).
    offered_kan : MeldKind or None
        The kind of the kan whose tile the others may win on (搶槓); None for a discard.
    ippatsu : tuple of 4 ints
        By seat, 1 from an accepted riichi until the next discard of the seat or a call (一発). A
        kan is a call once its tile can no longer be won on.
    double_riichi : tuple of 4 ints
        By seat, 1 in riichi since the first discard without a call before it (ダブル立直).
    """

    from_dead_wall: bool = False
    offered_kan: MeldKind | None = None
    ippatsu: PerSeat = _NOBODY
    double_riichi: PerSeat = _NOBODY

    def after_draw(self) -> Self:
        """The moment after the draw that follows a kan."""
        return self._replace(from_dead_wall=True, offered_kan=None, ippatsu=_NOBODY)

    def after_discard(self, seat: int) -> Self:
        """The moment after a discard of the seat."""
        return self._replace(from_dead_wall=False, ippatsu=_with(self.ippatsu, seat, 0))

    def after_call(self, kind: MeldKind) -> Self:
        """The moment after a call."""
        if kind in (MeldKind.ANKAN, MeldKind.KAKAN):
            return self._replace(from_dead_wall=False, offered_kan=kind)
        return self._replace(ippatsu=_NOBODY)

    def after_riichi(self, seat: int, *, double: bool) -> Self:
        """The moment after the riichi of the seat is accepted."""
        ippatsu = _with(self.ippatsu, seat, 1)
        return self._replace(
            ippatsu=ippatsu, double_riichi=_with(self.double_riichi, seat, int(double))
        )


NOTHING = Moment()
"""The moment of most draws and discards."""


def _with(flags: PerSeat, seat: int, value: int) -> PerSeat:
    first, second, third, fourth = (value if i == seat else flag for i, flag in enumerate(flags))
    return first, second, third, fourth
