"""The state of a round, hidden tiles included: hands, melds, scores and the turn.

`RoundState` checks every event, so that parsers and the table need no checks of their own. It
rejects impossible events: an absent tile, a call that the hand cannot make, a turn out of order.
A hand may be partly hidden (a live stream shows one seat): `n_unknown` counts the hidden tiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from typing import Any, ClassVar

from houjuu.game.events import (
    SEATS,
    START_SCORES,
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    Event,
    Meld,
    MeldKind,
    Riichi,
    RiichiAccepted,
    RoundEnd,
    Win,
)
from houjuu.game.limits import (
    MAX_DICE,
    MAX_FU,
    MAX_HAN,
    MAX_HONBA,
    MAX_LIMIT,
    MAX_ROUND,
    MAX_SCORE,
    MAX_STICKS,
    points,
    whole,
)
from houjuu.game.moment import NOTHING, Moment
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.tiles import IS_HONOUR, KIND, SUIT, TILES, format_tiles
from houjuu.game.yaku import YAKU
from houjuu.util.errors import TableError

DEAD_WALL = 14
"""Tiles that nobody draws, but for the replacements of kans; the live wall refills it then."""
LIVE_WALL = TILES - DEAD_WALL - 4 * 13
_LIMITS = {"honba": MAX_HONBA, "sticks": MAX_STICKS, "fu": MAX_FU, "han": MAX_HAN}
_NOTHING, _DRAW, _ACT, _DISCARD = range(4)  # what `_seat` has to do next
_CALLS = (MeldKind.CHI, MeldKind.PON, MeldKind.DAIMINKAN)
_SOURCES = {MeldKind.CHI: (3,), MeldKind.PON: (1, 2, 3), MeldKind.DAIMINKAN: (1, 2, 3)}


class RoundState:
    """Tiles and scores of a round, event by event.

    Attributes
    ----------
    hands : list of 4 lists of int
        The known concealed tiles, in the order of drawing.
    n_unknown : list of 4 ints
        Number of concealed tiles that are not known.
    melds : list of 4 lists of Meld
    scores : list of 4 ints, unit: points
    scores_known : bool
        Whether the source of the events shows them, the changes of the last round included; until
        then they are those of a new game.
    riichi_sticks : int
    in_riichi : list of 4 bools
        Whether the riichi of the seat was accepted.
    drawn : int or None
        The tile that the seat to discard has just drawn, if known.
    tiles_left : int
        Tiles left in the live wall, 0–70.
    moment : Moment
        The circumstances of a win that is declared now.
    """

    __slots__ = (
        "_dealt",
        "_declaring",
        "_double",
        "_draws_for_kan",
        "_indicators",
        "_kans",
        "_last",
        "_phase",
        "_seat",
        "_seen",
        "_winners",
        "drawn",
        "hands",
        "in_riichi",
        "melds",
        "moment",
        "n_unknown",
        "riichi_sticks",
        "scores",
        "scores_known",
        "tiles_left",
    )

    def __init__(self) -> None:
        self.hands: list[list[int]] = [[], [], [], []]
        self.n_unknown = [0, 0, 0, 0]
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.scores = [0, 0, 0, 0]
        self.scores_known = False
        self.riichi_sticks = 0
        self.in_riichi = [False] * 4
        self.drawn: int | None = None
        self.tiles_left = 0
        self._seat = 0
        self._phase = _NOTHING
        self._dealt = False
        self._winners: list[int] | None = None  # None until the round is over
        self._seen = bytearray(TILES)
        self._last: Discard | None = None  # may be called or won on
        self._declaring = -1  # the seat between its declaration and the acceptance
        self._double = False  # whether that riichi is a double one
        self._draws_for_kan = False
        self.moment: Moment = NOTHING
        self._kans = 0
        self._indicators = 1

    @property
    def round_over(self) -> bool:
        """Whether the round has ended."""
        return self._winners is not None

    @property
    def is_played(self) -> bool:
        """Whether a round has been dealt and has not ended."""
        return self._dealt and self._winners is None

    @property
    def actor(self) -> int:
        """The seat to discard, declare or win; -1 while no seat is to act on its own turn."""
        return self._seat if self._phase >= _ACT else -1

    @property
    def last_discard(self) -> Discard | None:
        """The discard that may be called or won on, or the tile of a kan, which may be robbed."""
        return self._last

    @property
    def claimable(self) -> Discard | None:
        """`last_discard` while another seat can still call it or win on it."""
        return self._last if self._phase < _ACT and self._winners is None else None

    @property
    def missing_indicators(self) -> int:
        """Number of kans whose dora indicator is not turned over yet."""
        return self._kans + 1 - self._indicators

    def apply(self, event: Event) -> None:
        """Apply an event; raises TableError, and changes nothing, if it is impossible."""
        self._ON[type(event)](self, event)

    def _deal(self, deal: Deal) -> None:
        if self.is_played:
            raise TableError("a round is dealt before the last one ended")
        _check_deal(deal)
        follows = self.scores_known and not deal.round == deal.honba == 0
        if follows and deal.scores is not None and list(deal.scores) != self.scores:
            raise TableError(f"the scores {deal.scores} do not follow from {tuple(self.scores)}")
        if deal.dealer not in range(4) or len(deal.hands) != 4:
            raise TableError(f"seat {deal.dealer} deals to {len(deal.hands)} hands")
        seen = bytearray(TILES)
        for seat, hand in enumerate(deal.hands):
            if hand is not None and len(hand) != 13:
                raise TableError(f"seat {seat} is dealt {len(hand)} tiles")
        dealt = chain((deal.dora_indicator,), *filter(None, deal.hands))
        for tile in dealt:
            if not 0 <= tile < TILES or seen[tile]:
                self._mark(seen, tile)
            seen[tile] = 1
        self._seen = seen
        self._dealt = True
        self._winners = None
        self.hands = [list(hand or ()) for hand in deal.hands]
        self.n_unknown = [0 if hand is not None else 13 for hand in deal.hands]
        self.melds = [[], [], [], []]
        if deal.scores is not None or not follows:
            self.scores = list(deal.scores or START_SCORES)
            self.scores_known = deal.scores is not None
        self.riichi_sticks = deal.riichi_sticks
        self.in_riichi = [False] * 4
        self.tiles_left = LIVE_WALL
        self.drawn = None
        self._seat = deal.dealer
        self._phase = _DRAW
        self._last = None
        self._declaring = -1
        self._draws_for_kan = False
        self.moment = NOTHING
        self._kans = 0
        self._indicators = 1

    @staticmethod
    def _mark(seen: bytearray, tile: int) -> None:
        if not 0 <= tile < TILES:
            raise TableError(f"tile {tile} is out of range")
        if seen[tile]:
            raise TableError(f"the same tile {format_tiles([tile])} ({tile}) appears twice")
        seen[tile] = 1

    def draw(self, draw: Draw) -> None:
        """Apply a draw: the same as `apply`, but faster."""
        seat = draw.seat
        tile = draw.tile
        if seat != self._seat or self._phase != _DRAW:
            raise TableError(f"seat {seat} draws out of turn")
        if not self.tiles_left:
            raise TableError(f"seat {seat} draws from an empty wall")
        if tile is None:
            self.n_unknown[seat] += 1
        else:
            if self._seen[tile]:
                self._mark(self._seen, tile)
            self._seen[tile] = 1
            self.hands[seat].append(tile)
        self.tiles_left -= 1
        self._phase = _ACT
        self.drawn = tile
        if self._draws_for_kan:
            self._draws_for_kan = False
            self.moment = self.moment.after_draw()

    def discard(self, discard: Discard) -> None:
        """Apply a discard: the same as `apply`, but faster."""
        seat = discard.seat
        tile = discard.tile
        if seat != self._seat or self._phase < _ACT:
            raise TableError(f"seat {seat} discards out of turn")
        if discard.tsumogiri:
            if tile != self.drawn and not (self._has_drawn(seat) and self.drawn is None):
                raise TableError(f"seat {seat} did not draw the {_names([tile])} it discards")
        elif tile == self.drawn or self.in_riichi[seat]:
            raise TableError(f"seat {seat} cannot discard {_names([tile])} from its hand")
        try:
            self.hands[seat].remove(tile)
        except ValueError:
            self._remove(seat, (tile,))
        self.drawn = None
        self._last = discard
        self._seat = (seat + 1) % 4
        self._phase = _NOTHING if seat == self._declaring else _DRAW
        moment = self.moment
        if moment is not NOTHING and (moment.from_dead_wall or moment.ippatsu[seat]):
            self.moment = moment.after_discard(seat)

    def _has_drawn(self, seat: int) -> bool:
        return seat == self._seat and self._phase == _ACT

    def _remove(self, seat: int, tiles: tuple[int, ...]) -> None:
        """Remove tiles from a hand: known tiles first, the rest from its hidden tiles."""
        hand = self.hands[seat]
        missing = [tile for tile in tiles if tile not in hand]
        if not missing:
            for tile in tiles:
                hand.remove(tile)
            return
        seen = self._seen.copy()
        if len(missing) > self.n_unknown[seat]:
            raise TableError(f"seat {seat} does not hold {_names(missing)}")
        for tile in missing:
            self._mark(seen, tile)
        self._seen = seen
        self.n_unknown[seat] -= len(missing)
        for tile in tiles:
            if tile not in missing:
                hand.remove(tile)

    def _call(self, call: Call) -> None:
        seat = call.seat
        meld = call.meld
        problem = meld_problem(meld) if seat in range(4) else "there is no such seat"
        if problem:
            raise TableError(f"seat {seat}: {problem}")
        if meld.kind in _CALLS:
            self._check_call(seat, meld)
        else:
            self._check_own_kan(seat, meld)
        self._remove(seat, meld.from_hand)
        if meld.kind is MeldKind.KAKAN:
            index = self._pon_of(seat, meld)
            self.melds[seat][index] = meld
        else:
            self.melds[seat].append(meld)
        self.drawn = None
        self._last = None
        self._seat = seat
        self.moment = self.moment.after_call(meld.kind)
        if meld.kind in (MeldKind.CHI, MeldKind.PON):
            self._phase = _DISCARD
            return
        self._phase = _DRAW
        self._draws_for_kan = True
        self._kans += 1
        if meld.kind is not MeldKind.DAIMINKAN:
            self._last = Discard(seat, meld.from_hand[0], tsumogiri=False)  # it may be robbed

    def _check_call(self, seat: int, meld: Meld) -> None:
        last = self._last
        if last is None or (last.seat, last.tile) != (meld.source, meld.called):
            raise TableError(f"seat {seat} calls a tile that was not just discarded")
        if self._phase != _DRAW or (last.seat - seat) % 4 not in _SOURCES[meld.kind]:
            raise TableError(f"seat {seat} cannot call {meld.kind} from seat {last.seat} now")
        if self.in_riichi[seat]:
            raise TableError(f"seat {seat} is in riichi and calls {meld.kind}")

    def _check_own_kan(self, seat: int, meld: Meld) -> None:
        if not self._has_drawn(seat) or self._declaring == seat:
            raise TableError(f"seat {seat} calls {meld.kind} out of turn")
        if meld.kind is MeldKind.KAKAN and self._pon_of(seat, meld) is None:
            raise TableError(f"seat {seat} has no pon to add {format_tiles(meld.from_hand)} to")

    def _pon_of(self, seat: int, kakan: Meld) -> Any:
        pon = Meld(
            MeldKind.PON,
            tuple(tile for tile in kakan.tiles if tile != kakan.added),
            kakan.called,
            kakan.source,
        )
        return self.melds[seat].index(pon) if pon in self.melds[seat] else None

    def _riichi(self, riichi: Riichi) -> None:
        seat = riichi.seat
        if not self._has_drawn(seat) or self.in_riichi[seat] or self._declaring >= 0:
            raise TableError(f"seat {seat} declares riichi out of turn")
        if any(meld.is_open for meld in self.melds[seat]):
            raise TableError(f"seat {seat} declares riichi with an open hand")
        self._declaring = seat
        self._double = self.tiles_left >= LIVE_WALL - SEATS and not any(self.melds)

    def _accept(self, accepted: RiichiAccepted) -> None:
        seat = accepted.seat
        if seat != self._declaring or self._phase != _NOTHING or self._winners is not None:
            raise TableError(f"seat {seat} pays for a riichi that it did not declare")
        _check_numbers(sticks=self.riichi_sticks + 1)
        _check_scores([self.scores[seat] - RIICHI_STICK])
        self._declaring = -1
        self._phase = _DRAW
        self.in_riichi[seat] = True
        self.moment = self.moment.after_riichi(seat, double=self._double)
        self.scores[seat] -= RIICHI_STICK
        self.riichi_sticks += 1

    def _dora(self, dora: Dora) -> None:
        if self._winners is not None or self._indicators > self._kans:
            raise TableError("an indicator is turned over without a kan")
        self._mark(self._seen, dora.indicator)
        self._indicators += 1

    def _win(self, win: Win) -> None:
        seat = win.seat
        source = win.source
        if seat not in range(4) or not self._dealt:
            raise TableError(
                f"seat {seat} wins, but there is no such seat or no round is being played"
            )
        if self._winners is not None and (source == seat or seat in self._winners):
            raise TableError(f"seat {seat} wins after the round has ended")
        if source == seat:
            if not self._has_drawn(seat) or self.drawn not in (None, win.tile):
                raise TableError(f"seat {seat} wins on a tile that it did not draw")
        elif not self._may_ron(source, win.tile):
            raise TableError(f"seat {seat} wins on a tile that seat {source} did not discard")
        if any(
            not 0 <= yaku < len(YAKU) for yaku in (*win.yakuman, *(yaku for yaku, _ in win.yaku))
        ):
            raise TableError(f"seat {seat} wins with an unknown yaku")
        _check_win(win)
        if win.hand:
            own = self.hands[seat] if source == seat else [*self.hands[seat], win.tile]
            self._check_shown(seat, win.hand, own)
        self._settle(win.scores, win.deltas)
        self._winners = [*(self._winners or ()), seat]
        self._phase = _NOTHING
        self.riichi_sticks = 0

    def _may_ron(self, source: int, tile: int) -> bool:
        last = self._last
        return last is not None and (last.seat, last.tile) == (source, tile) and self._phase < _ACT

    def _check_shown(self, seat: int, shown: tuple[int, ...], hand: list[int]) -> None:
        n_unknown = self.n_unknown[seat]
        if len(shown) != len(hand) + n_unknown or (not n_unknown and set(shown) != set(hand)):
            raise TableError(f"seat {seat} shows {_names(shown)} but holds {_names(hand)}")

    def _drawn_round(self, drawn: DrawnRound) -> None:
        if not self.is_played:
            raise TableError("a round ends, but none is being played")
        _check_numbers(honba=drawn.honba, sticks=drawn.riichi_sticks)
        for seat, hand in enumerate(drawn.hands):
            if hand is not None:
                self._check_shown(seat, hand, self.hands[seat])
        self._settle(drawn.scores, drawn.deltas)
        self._winners = []
        self._phase = _NOTHING

    def _round_end(self, end: RoundEnd) -> None:
        if not self.is_played:
            raise TableError("a round ends, but none is being played")
        if end.winner is not None and not self._has_drawn(end.winner):
            raise TableError(f"seat {end.winner} wins on a tile that it did not draw")
        self._settle(None, end.deltas)
        self._winners = []
        self._phase = _NOTHING

    def _settle(self, before: tuple[int, ...] | None, deltas: tuple[int, ...] | None) -> None:
        if before is not None and list(before) != self.scores:
            raise TableError(f"the scores {before} do not follow from {tuple(self.scores)}")
        if deltas is not None:
            _check_scores(deltas, "the change of the score")
            scores = [score + delta for score, delta in zip(self.scores, deltas, strict=True)]
            _check_scores(scores)
            self.scores = scores
        self.scores_known &= deltas is not None

    def _pass(self, event: Away | Back) -> None:
        if event.seat not in range(4):
            raise TableError(f"there is no seat {event.seat}")

    # of the class: bound methods in an instance would keep it alive until a garbage collection
    _ON: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        Deal: _deal,
        Draw: draw,
        Discard: discard,
        Call: _call,
        Riichi: _riichi,
        RiichiAccepted: _accept,
        Dora: _dora,
        Win: _win,
        DrawnRound: _drawn_round,
        RoundEnd: _round_end,
        Away: _pass,
        Back: _pass,
    }


def _check_numbers(**numbers: int) -> None:
    """Raise TableError if a number of honba, sticks and so on is beyond the limit of its name."""
    for name, value in numbers.items():
        whole(value, f"the number of {name}", _LIMITS[name], error=TableError)


def _check_scores(scores: Iterable[int], name: str = "the score") -> None:
    for seat, score in enumerate(scores):
        points(score, f"{name} of seat {seat}", TableError)


def _check_deal(deal: Deal) -> None:
    whole(deal.round, "the round", MAX_ROUND, error=TableError)
    _check_numbers(honba=deal.honba, sticks=deal.riichi_sticks)
    _check_scores(deal.scores or ())
    for die in deal.dice or ():
        whole(die, "a die", MAX_DICE, error=TableError)


def _check_win(win: Win) -> None:
    _check_numbers(honba=win.honba, sticks=win.riichi_sticks, fu=win.fu or 0)
    whole(win.points or 0, "the hand", MAX_SCORE, error=TableError)
    whole(win.limit or 0, "the limit of the hand", MAX_LIMIT, error=TableError)
    for _, han in win.yaku:
        _check_numbers(han=han)


def _names(tiles: Iterable[int]) -> str:
    """Notation for a message; ids out of range are listed as numbers."""
    tiles = list(tiles)
    return format_tiles(tiles) if _all_ids(tiles) else f"tiles {tiles}"


def _all_ids(tiles: Iterable[int]) -> bool:
    return all(0 <= tile < TILES for tile in tiles)


@lru_cache(maxsize=4096)
def meld_problem(meld: Meld) -> str | None:
    """The reason why a meld is impossible in itself, or None if it is possible."""
    size = 3 if meld.kind in (MeldKind.CHI, MeldKind.PON) else 4
    shown = f"{meld.kind} of {_names(meld.tiles)}"
    if len(set(meld.tiles)) != size or not _all_ids(meld.tiles):
        return f"a {shown} must have {size} different tiles with ids 0 to {TILES - 1}"
    kinds = [KIND[tile] for tile in meld.tiles]
    if meld.kind is MeldKind.CHI:
        low = min(kinds)
        in_row = sorted(kinds) == [low, low + 1, low + 2] and SUIT[low] == SUIT[low + 2]
        if not in_row or IS_HONOUR[low]:
            return f"a {shown} is not a run"
    elif len(set(kinds)) != 1:
        return f"a {shown} is not of one kind"
    if meld.is_open:
        if meld.called not in meld.tiles or meld.source is None:
            return f"a {shown} lacks the called tile or its source"
    elif meld.called is not None or meld.source is not None:
        return f"a {shown} is concealed and cannot have a called tile or a source"
    addable = set(meld.tiles) - {meld.called} if meld.kind is MeldKind.KAKAN else {None}
    return None if meld.added in addable else f"a {shown} has {meld.added} as its added tile"
