"""The view of one seat: `View`, which is immutable.

A `View` contains public information and the own hand of one seat, never another hand. It cannot
be constructed inconsistently: a fifth copy of a tile, a call without its discard or a seat out of
turn is an error. `Table` guarantees all this itself and skips the check (`unchecked_view`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from operator import sub
from typing import ParamSpec

import numpy as np

from houjuu.game.events import KANS, MeldKind, PerSeat, Rules, per_seat
from houjuu.game.limits import MAX_HONBA, MAX_ROUND, MAX_STICKS, points, whole
from houjuu.game.moment import NOTHING, Moment
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.round_state import LIVE_WALL
from houjuu.game.seat import (
    RiverTile,
    Seat,
    check_seat,
    opponents_of,
    public_tiles,
    require,
    river_mask,
)
from houjuu.game.tiles import COPIES, EAST, KIND, KINDS, TILES, dora_of, format_tiles
from houjuu.util.arrays import Bools, Int8s
from houjuu.util.errors import TableError

_Fields = ParamSpec("_Fields")


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """The table as one seat sees it.

    Attributes
    ----------
    seat : int
        The asking seat, 0–3.
    hand : tuple of int
        Concealed tiles of this seat, the drawn one included, in the order of drawing.
    drawn : int or None
        The tile that this seat has just drawn.
    seats : tuple of 4 Seats
        By absolute seat.
    passed : tuple of 4 ints
        By absolute seat, mask of the kinds (bit h for kind h) that others have discarded, and the
        seat let pass, since its own last discard or, in riichi, since its declaration. The last
        discard counts, but not for the asking seat while that can still win on it.
    round : int
        0 for East 1, 4 for South 1 and so on.
    dealer, honba, riichi_sticks, tiles_left : int
    scores : tuple of 4 ints, unit: points
    dora_indicators : tuple of int
        Ids of the visible indicators.
    rules : Rules
    moment : Moment, optional
        The circumstances of a win that is declared now.

    Raises
    ------
    TableError
        The fields contradict each other.
    """

    seat: int
    hand: tuple[int, ...]
    drawn: int | None
    seats: tuple[Seat, Seat, Seat, Seat]
    passed: PerSeat
    round: int
    dealer: int
    honba: int
    riichi_sticks: int
    tiles_left: int
    scores: PerSeat
    dora_indicators: tuple[int, ...]
    rules: Rules
    moment: Moment = NOTHING

    def __post_init__(self) -> None:
        _check_numbers(self)
        _check_tiles(self)
        for seat in self.seats:
            check_seat(seat)
        _check_calls(self)
        _check_counts(self, *_check_turns(self))

    def __repr__(self) -> str:
        """The round, the asking seat, its hand and the seats in riichi."""
        red_fives = self.rules.red_fives
        hand = format_tiles(self.hand, red_fives=red_fives)
        indicators = format_tiles(self.dora_indicators, red_fives=red_fives)
        riichi = [seat.seat for seat in self.seats if seat.in_riichi]
        return (
            f"View(round={self.round}, honba={self.honba}, seat={self.seat}, hand={hand!r}, "
            f"indicators={indicators!r}, tiles_left={self.tiles_left}, in_riichi={riichi})"
        )

    @property
    def opponents(self) -> tuple[Seat, Seat, Seat]:
        """The other seats in playing order: right, across, left."""
        return opponents_of(self.seats, self.seat)

    @property
    def first_turn(self) -> bool:
        """Whether the seat has not discarded yet, and nobody has called or made a kan."""
        return not self.seats[self.seat].river and not any(seat.melds for seat in self.seats)

    @property
    def round_wind(self) -> int:
        """Kind of the round wind, 27–30."""
        return EAST + self.round // 4 % 4

    def seat_wind(self, seat: int) -> int:
        """Kind of the wind of a seat, 27–30."""
        return EAST + (seat - self.dealer) % 4

    @property
    def dora(self) -> tuple[int, ...]:
        """Kinds of the dora, one for each indicator, repeated if two indicators agree."""
        return tuple(dora_of(KIND[indicator]) for indicator in self.dora_indicators)

    def visible(self) -> list[int]:
        """Ids of all tiles that this seat sees: rivers, melds, indicators and own hand."""
        return [*public_tiles(self.seats, self.dora_indicators), *self.hand]

    def unseen(self) -> Int8s:
        """Number of tiles of each kind that this seat does not see, shape (34,), 0–4."""
        kinds = [KIND[tile] for tile in self.visible()]
        return (COPIES - np.bincount(kinds, minlength=KINDS)).astype(np.int8)

    def furiten(self, seat: int) -> int:
        """Mask of the kinds (bit h for kind h) that a seat cannot win on by ron: its genbutsu.

        These are the kinds in its own river, the kinds that others discarded since its last discard
        (同巡), and, in riichi, the kinds that others discarded since the declaration.
        """
        return river_mask(self.seats[seat]) | self.passed[seat]

    def genbutsu(self, seat: int) -> Bools:
        """`furiten` as an array, shape (34,)."""
        return mask_to_array(self.furiten(seat))


def with_riichi_accepted(view: View) -> View:
    """The view as it is once nobody wins on the tile that declares riichi; others as they are."""
    pending = [one.declares and one.riichi_turn is not None for one in view.seats]
    if not any(pending):
        return view
    first, second, third, fourth = (
        replace(one, in_riichi=True) if accepts else one
        for one, accepts in zip(view.seats, pending, strict=True)
    )
    paid = (RIICHI_STICK * accepts for accepts in pending)
    return replace(
        view,
        seats=(first, second, third, fourth),
        scores=per_seat(map(sub, view.scores, paid)),
        riichi_sticks=view.riichi_sticks + 1,
    )


def mask_to_array(mask: int) -> Bools:
    """Convert a mask of kinds (bit h for kind h) to an array, (34,) bool."""
    octets = np.frombuffer(mask.to_bytes(5, "little"), dtype=np.uint8)
    return np.unpackbits(octets, count=KINDS, bitorder="little").view(np.bool_)


def _without_check(view: Callable[_Fields, View]) -> Callable[_Fields, View]:
    setters = {entry.name: View.__dict__[entry.name].__set__ for entry in fields(View)}

    def construct(*_: _Fields.args, **values: _Fields.kwargs) -> View:
        made = object.__new__(View)
        for name, value in values.items():
            setters[name](made, value)
        return made

    return construct


unchecked_view = _without_check(View)
"""A `View` of all its fields by keyword, without the check: for values that are consistent."""


def _check_numbers(view: View) -> None:
    seats = [seat.seat for seat in view.seats]
    require(seats == [0, 1, 2, 3], f"the seats of a view are 0 to 3 in order, not {seats}")
    for name in ("seat", "dealer"):
        require(getattr(view, name) in range(4), f"the {name} is {getattr(view, name)}, not 0 to 3")
    for name, most in (("round", MAX_ROUND), ("honba", MAX_HONBA), ("riichi_sticks", MAX_STICKS)):
        whole(getattr(view, name), name, most, error=TableError)
    require(len(view.scores) == 4, f"there are {len(view.scores)} scores, not 4")
    for seat, score in enumerate(view.scores):
        points(score, f"the score of seat {seat}", TableError)
    masks = [mask for mask in view.passed if 0 <= mask < 1 << KINDS]
    require(len(masks) == 4, "passed is not 4 masks of kinds")
    n_riichi = sum(seat.in_riichi for seat in view.seats)
    require(
        view.riichi_sticks >= n_riichi,
        f"{n_riichi} seats are in riichi, but there are {view.riichi_sticks} riichi sticks",
    )


def _check_tiles(view: View) -> None:
    visible = view.visible()
    for tile in visible:
        require(tile in range(TILES), f"there is no tile {tile}; the ids are 0 to {TILES - 1}")
    twice = [tile for tile, count in Counter(visible).items() if count > 1]
    require(not twice, f"the same tile appears twice: {format_tiles(twice)} (ids {twice})")
    require(view.drawn is None or view.drawn in view.hand, "the drawn tile is not in the hand")


def _check_calls(view: View) -> None:
    """Each called discard is in the meld of its caller, and each open meld has its discard."""
    discarded = {
        (seat.seat, discard.tile, discard.called_by)
        for seat in view.seats
        for discard in seat.river
        if discard.called_by is not None
    }
    melded = set()
    for seat in view.seats:
        for meld in seat.melds:
            if meld.called is not None and meld.source is not None:
                melded.add((meld.source, meld.called, seat.seat))
                chi_or_other = (3,) if meld.kind is MeldKind.CHI else (1, 2, 3)
                require(
                    (meld.source - seat.seat) % 4 in chi_or_other,
                    f"seat {seat.seat} cannot call {meld.kind} from seat {meld.source}",
                )
    for source, tile, caller in discarded ^ melded:
        what = f"{format_tiles([tile])} of seat {source}"
        raise TableError(f"seat {caller} calls {what}, but its river and the melds do not agree")


def _check_turns(view: View) -> tuple[int, bool]:
    """Check that the seats discard in turn; return whose turn it is, and whether after a claim."""
    discards = sorted((tile.order, seat.seat, tile) for seat in view.seats for tile in seat.river)
    require(
        [order for order, _, _ in discards] == list(range(len(discards)))
        and all(list(seat.river) == sorted(seat.river, key=_order) for seat in view.seats),
        "the discards are not numbered from 0 in their order",
    )
    turn, in_riichi = view.dealer, [False] * 4
    for order, seat, discard in discards:
        require(seat == turn, f"discard {order} is of seat {seat}, but it is the turn of {turn}")
        others = sum(in_riichi) - in_riichi[seat]
        require(
            discard.others_in_riichi == others,
            f"discard {order} has {discard.others_in_riichi} others in riichi, not {others}",
        )
        in_riichi[seat] |= discard.riichi
        turn = (seat + 1) % 4 if discard.called_by is None else discard.called_by
    last = discards[-1][2].tile if discards else None
    claims = (MeldKind.CHI, MeldKind.PON)
    claimed = any(meld.called == last for meld in view.seats[turn].melds if meld.kind in claims)
    return turn, claimed


def _order(discard: RiverTile) -> int:
    return discard.order


def _check_counts(view: View, turn: int, claimed: bool) -> None:
    """Check that tiles left, indicators and hand follow from the discards, calls and kans."""
    kinds = [meld.kind for seat in view.seats for meld in seat.melds]
    kans = sum(kind in KANS for kind in kinds)
    require(
        1 <= len(view.dora_indicators) <= 1 + kans,
        f"there are {len(view.dora_indicators)} dora indicators and {kans} kans",
    )
    n_discards = sum(len(seat.river) for seat in view.seats)
    claims = sum(kind in (MeldKind.CHI, MeldKind.PON, MeldKind.KAKAN) for kind in kinds)
    own_kans = sum(kind in (MeldKind.ANKAN, MeldKind.KAKAN) for kind in kinds)
    fewest = n_discards - claims + own_kans + claimed
    draws = range(fewest + (view.drawn is not None), fewest + 2 - claimed)
    require(
        LIVE_WALL - view.tiles_left in draws and view.tiles_left >= 0,
        f"{view.tiles_left} tiles are left, but {n_discards} discards and the melds leave "
        f"{LIVE_WALL - fewest} before the next draw",
    )
    between = view.seats[view.seat].n_concealed
    to_discard = view.drawn is not None or (claimed and turn == view.seat)
    require(not to_discard or turn == view.seat, f"seat {view.seat} draws out of turn")
    require(
        len(view.hand) in (0, between + to_discard),
        f"the hand has {len(view.hand)} tiles; now it has {between + to_discard}, or 0 if hidden",
    )
