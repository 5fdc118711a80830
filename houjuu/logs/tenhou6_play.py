"""Playing a tenhou.net/6 round: its turns, once in order, become events.

The format has no tile ids, so each tile gets a free copy of its kind when it first appears, and
keeps it. Nor does it say when an indicator is turned over: as in mjlog, that is at once for a
closed kan; for another, just before the discard that follows or, when the next is an added kan,
once nobody has robbed that.
"""

from __future__ import annotations

from collections.abc import Sequence

from houjuu.errors import LogError, TableError
from houjuu.events import (
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Four,
    Meld,
    MeldKind,
    Riichi,
    RiichiAccepted,
    Win,
)
from houjuu.ledger import Ledger
from houjuu.logs.tenhou6_lists import Face, Given, Shown, Turn
from houjuu.logs.tenhou6_results import Result, Winner
from houjuu.tiles import COPIES, KINDS, RED_FIVES, TILES

_HONBA = 300  # unit: points


class Play:
    """A round in one order of its turns; a Ledger of its own checks every event."""

    def __init__(self, red_fives: bool, indicators: list[Face], ura: list[Face]) -> None:
        self.events: list[Event] = []
        self.ledger = Ledger()
        self.copies = {face: ids.copy() for face, ids in _COPIES[red_fives].items()}
        self.faces: dict[int, Face] = {}
        self.indicators = indicators[::-1]  # still to be turned over, the next one last
        self.shown: list[int] = []
        self.ura = ura
        self.honba = 0
        self.turn: Turn | None = None
        self.is_last = False  # this turn ends the round
        self.ending = False  # all turns are played
        self.with_discard = 0  # indicators to turn over with the next discard,
        self.with_draw = 0  # and, for a kan before an added one, unless that is robbed
        self.offered = (-1, -1)  # seat and tile that may be called or won on

    @property
    def _place(self) -> str | None:
        if self.turn is None:
            return "its result" if self.ending else None
        return self.turn.place

    def _apply(self, event: Event) -> None:
        try:
            self.ledger.apply(event)
        except TableError as problem:
            raise LogError(problem.reason, element=self._place) from None
        self.events.append(event)

    def _new(self, face: Face) -> int:
        """Give a tile that appears for the first time its id."""
        if not self.copies[face]:
            raise LogError(f"there are more {face} than these rules have", element=self._place)
        tile = self.copies[face].pop()
        self.faces[tile] = face
        return tile

    def _held(self, seat: int, faces: Sequence[Face], apart_from: int | None = None) -> list[int]:
        """Ids of such tiles in a hand, the earlier drawn first."""
        hand = [tile for tile in self.ledger.hands[seat] if tile != apart_from]
        found = []
        for face in faces:
            tile = next((tile for tile in hand if self.faces[tile] == face), None)
            if tile is None:
                raise LogError(f"seat {seat} does not hold {face}", element=self._place)
            hand.remove(tile)
            found.append(tile)
        return found

    def deal(
        self, number: int, honba: int, sticks: int, scores: Four, hands: list[list[Face]]
    ) -> None:
        """Begin the round; the arguments are those of `houjuu.events.Deal`."""
        self.honba = honba
        indicator = self._new(self.indicators.pop())
        self.shown.append(indicator)
        dealt = tuple(tuple(map(self._new, hand)) for hand in hands)
        self._apply(Deal(number, honba, sticks, number % 4, scores, indicator, dealt))

    def play(self, order: list[Turn], ended: Result) -> None:
        """Play the turns and end the round; raises LogError when an event cannot happen."""
        for turn in order:
            self.turn = turn
            self.is_last = turn is order[-1]
            self._take(turn, turn.take)
            if isinstance(turn.give, Shown):
                self._own_kan(turn.seat, turn.give)
            elif turn.give is not None:
                self._discard(turn.seat, turn.give, self.is_last and ended.by_ron)
        self.turn, self.ending = None, True
        self._turn_over(len(self.indicators))
        if ended.reason is None:
            for winner in ended.winners:
                self._win(winner)
        else:
            self._draw_round(ended, ended.reason)

    def _take(self, turn: Turn, taken: Face | Shown) -> None:
        if isinstance(taken, Face):
            self._turn_over(self.with_draw)
            self.with_draw = 0
            self._apply(Draw(turn.seat, self._new(taken)))
            return
        source, called = self.offered
        rest = list(taken.faces)
        rest.remove(taken.marked)
        tiles = (called, *self._held(turn.seat, rest))
        self._apply(Call(turn.seat, Meld(taken.kind, tuple(sorted(tiles)), called, source)))
        self.with_discard += taken.kind is MeldKind.DAIMINKAN

    def _own_kan(self, seat: int, kan: Shown) -> None:
        if kan.kind is MeldKind.ANKAN:
            tiles = sorted(self._held(seat, kan.faces))
            self._apply(Call(seat, Meld(MeldKind.ANKAN, tuple(tiles))))
            self._turn_over(self.with_discard + 1)
            self.with_discard = 0
        else:
            tiles, pon = self._held(seat, [kan.marked]), self._pon(seat, kan)
            every = tuple(sorted((*pon.tiles, *tiles)))
            self._apply(Call(seat, Meld(kan.kind, every, pon.called, pon.source, tiles[0])))
            self.with_draw, self.with_discard = self.with_discard, 1
        self.offered = (seat, tiles[0])

    def _pon(self, seat: int, kan: Shown) -> Meld:
        """The pon that an added kan grows from."""
        source = (seat + kan.source) % 4
        for meld in self.ledger.melds[seat]:
            faces = [*map(self.faces.__getitem__, meld.tiles), kan.marked]
            if meld.source == source and sorted(faces) == sorted(kan.faces):
                return meld
        raise LogError(f"seat {seat} has no such pon", element=self._place)

    def _discard(self, seat: int, given: Given, is_won: bool) -> None:
        drawn = self.ledger.drawn
        tsumogiri = given.tsumogiri
        if not tsumogiri and drawn is not None and self.faces[drawn] == given.face:
            # Programs that do not know which tile was drawn spell a tsumogiri out.
            same = [tile for tile in self.ledger.hands[seat] if self.faces[tile] == given.face]
            tsumogiri = same == [drawn] or self.ledger.in_riichi[seat]
        if tsumogiri and drawn is not None:
            tile = drawn
        else:
            (tile,) = self._held(seat, [given.face], apart_from=drawn)
        if given.riichi:
            self._apply(Riichi(seat))
        self._turn_over(self.with_discard)
        self.with_discard = 0
        self._apply(Discard(seat, tile, tsumogiri))
        if given.riichi and not is_won:
            self._apply(RiichiAccepted(seat))
        self.offered = (seat, tile)

    def _turn_over(self, count: int) -> None:
        """Turn over so many indicators; at the end of a round, some programs leave the last out."""
        for _ in range(count):
            if not self.indicators:
                if self.is_last:
                    return
                raise LogError("has fewer indicators than its kans turn over", element=self._place)
            indicator = self._new(self.indicators.pop())
            self._apply(Dora(indicator))
            self.shown.append(indicator)

    def _win(self, winner: Winner) -> None:
        ledger, seat = self.ledger, winner.seat
        by_tsumo = seat == winner.source
        tile = ledger.drawn if by_tsumo else self.offered[1]
        if tile is None or tile < 0:
            raise LogError(f"seat {seat} wins on no tile", element=self._place)
        hand = ledger.hands[seat] if by_tsumo else [*ledger.hands[seat], tile]
        ura = self._ura_of(seat)
        self._apply(
            Win(
                seat=seat,
                source=winner.source,
                tile=tile,
                hand=tuple(sorted(hand)),
                melds=tuple(reversed(ledger.melds[seat])),
                fu=winner.fu,
                points=winner.points or self._worth(winner),
                limit=winner.limit,
                yaku=winner.yaku,
                yakuman=winner.yakuman,
                dora_indicators=tuple(self.shown),
                ura_indicators=ura,
                honba=self.honba,
                riichi_sticks=ledger.riichi_sticks,
                scores=self._scores(),
                deltas=winner.deltas,
                liable=winner.liable,
            )
        )

    def _worth(self, winner: Winner) -> int:
        """The worth of a hand by what it gained, without the sticks and, if paid, the honba."""
        gained = winner.deltas[winner.seat] - sum(winner.deltas)
        first = not any(isinstance(event, Win) for event in self.events)
        return max(0, gained - _HONBA * self.honba * first)

    def _ura_of(self, seat: int) -> tuple[int, ...]:
        if not self.ledger.in_riichi[seat]:
            return ()
        before = [event.ura_indicators for event in self.events if isinstance(event, Win)]
        return next(filter(None, before), ()) or tuple(map(self._new, self.ura))

    def _draw_round(self, ended: Result, reason: DrawReason) -> None:
        ledger = self.ledger
        shown: Sequence[int] = ended.tenpai
        if reason is DrawReason.FOUR_RIICHI:
            shown = range(4)
        elif reason is DrawReason.NINE_TERMINALS:
            shown = (ledger.actor,)
        hands = tuple(
            tuple(sorted(hand)) if seat in shown else None for seat, hand in enumerate(ledger.hands)
        )
        self._apply(
            DrawnRound(
                reason, hands, self.honba, ledger.riichi_sticks, self._scores(), ended.deltas
            )
        )

    def _scores(self) -> Four:
        first, second, third, fourth = self.ledger.scores
        return first, second, third, fourth


def _copies(red_fives: bool) -> dict[Face, list[int]]:
    """Ids of every face, the next one last; without red fives all copies of a five are plain."""
    copies = {Face(kind, red): list[int]() for kind in range(KINDS) for red in (False, True)}
    for tile in reversed(range(TILES)):
        copies[Face(tile // COPIES, red_fives and tile in RED_FIVES)].append(tile)
    return copies


_COPIES = {red_fives: _copies(red_fives) for red_fives in (False, True)}
