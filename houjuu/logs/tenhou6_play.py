"""Replay of a tenhou.net/6 round: it converts ordered turns to events.

The format has no tile ids, so each tile gets a free copy of its kind at its first appearance. It
does not contain the time of a new dora indicator. As in mjlog, it is turned over at once for a
closed kan; for other kans, just before the following discard or, if an added kan follows, after
nobody has robbed that kan.
"""

from __future__ import annotations

from collections.abc import Sequence

from houjuu.game.events import (
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Meld,
    MeldKind,
    PerSeat,
    Riichi,
    RiichiAccepted,
    Win,
    per_seat,
)
from houjuu.game.round_state import RoundState
from houjuu.game.tiles import KIND, KINDS, RED_FIVES, TILES
from houjuu.game.yaku import URADORA
from houjuu.logs.reading import NoFreeCopyError
from houjuu.logs.tenhou6_lists import DiscardCell, MeldCell, TileType, Turn
from houjuu.logs.tenhou6_results import RoundResult, Winner
from houjuu.util.errors import LogError, TableError


class RoundReplay:
    """A round in one order of its turns; its own RoundState checks each event."""

    def __init__(self, red_fives: bool, indicators: list[TileType], ura: list[TileType]) -> None:
        self.events: list[Event] = []
        self.round_state = RoundState()
        self.free_ids = {tile_type: ids.copy() for tile_type, ids in _IDS[red_fives].items()}
        self.type_of: dict[int, TileType] = {}
        self.hidden_indicators = indicators[::-1]  # the next one last
        self.dora_indicators: list[int] = []
        self.ura = ura
        self.honba = 0
        self.turn: Turn | None = None
        self.is_last_turn = False
        self.is_over = False  # all turns are played
        self.due_at_discard = 0  # number of indicators to turn over before the next discard
        self.due_at_draw = 0  # the same for kans before an added kan, unless that is robbed
        self.last_tile = (-1, -1)  # seat and tile of the last discard or own kan

    @property
    def _element(self) -> str | None:
        """The part of the round for error messages."""
        if self.turn is None:
            return "its result" if self.is_over else None
        return self.turn.description

    def _apply(self, event: Event) -> None:
        try:
            self.round_state.apply(event)
        except TableError as problem:
            raise LogError(problem.reason, element=self._element) from None
        self.events.append(event)

    def _new(self, tile_type: TileType) -> int:
        """Id of a tile that appears for the first time."""
        if not self.free_ids[tile_type]:
            raise NoFreeCopyError(
                f"has more {tile_type} than the rules allow", element=self._element
            )
        tile = self.free_ids[tile_type].pop()
        self.type_of[tile] = tile_type
        return tile

    def _from_hand(
        self, seat: int, tile_types: Sequence[TileType], excluded: int | None = None
    ) -> list[int]:
        """Ids of tiles of these types in a hand, the first drawn of each type."""
        hand = [tile for tile in self.round_state.hands[seat] if tile != excluded]
        tiles = []
        for tile_type in tile_types:
            tile = next((tile for tile in hand if self.type_of[tile] == tile_type), None)
            if tile is None:
                raise LogError(f"seat {seat} does not hold {tile_type}", element=self._element)
            hand.remove(tile)
            tiles.append(tile)
        return tiles

    def deal(
        self, number: int, honba: int, sticks: int, scores: PerSeat, hands: list[list[TileType]]
    ) -> None:
        """Begin the round; the arguments are those of `houjuu.events.Deal`."""
        self.honba = honba
        indicator = self._new(self.hidden_indicators.pop())
        self.dora_indicators.append(indicator)
        dealt = tuple(tuple(map(self._new, hand)) for hand in hands)
        self._apply(
            Deal(
                round=number,
                honba=honba,
                riichi_sticks=sticks,
                dealer=number % 4,
                scores=scores,
                dora_indicator=indicator,
                hands=dealt,
            )
        )

    def play(self, order: list[Turn], result: RoundResult) -> None:
        """Play the turns and end the round; raises LogError if an event is impossible."""
        for turn in order:
            self.turn = turn
            self.is_last_turn = turn is order[-1]
            if isinstance(turn.incoming, MeldCell):
                self._call(turn.seat, turn.incoming)
            else:
                self._draw(turn.seat, turn.incoming)
            if isinstance(turn.outgoing, MeldCell):
                self._own_kan(turn.seat, turn.outgoing)
            elif turn.outgoing is not None:
                self._discard(turn.seat, turn.outgoing, self.is_last_turn and result.by_ron)
        self.turn = None
        self.is_over = True
        self._turn_over(len(self.hidden_indicators))
        if result.reason is None:
            for winner in result.winners:
                self._win(winner)
        else:
            self._end_without_win(result, result.reason)

    def _draw(self, seat: int, tile_type: TileType) -> None:
        self._turn_over(self.due_at_draw)
        self.due_at_draw = 0
        self._apply(Draw(seat, self._new(tile_type)))

    def _call(self, seat: int, cell: MeldCell) -> None:
        source, called = self.last_tile
        own = list(cell.tile_types)
        own.remove(cell.marked)
        tiles = (called, *self._from_hand(seat, own))
        self._apply(Call(seat, Meld(cell.kind, tuple(sorted(tiles)), called, source)))
        self.due_at_discard += cell.kind is MeldKind.DAIMINKAN

    def _own_kan(self, seat: int, kan: MeldCell) -> None:
        if kan.kind is MeldKind.ANKAN:
            tiles = sorted(self._from_hand(seat, kan.tile_types))
            self._apply(Call(seat, Meld(MeldKind.ANKAN, tuple(tiles))))
            self._turn_over(self.due_at_discard + 1)
            self.due_at_discard = 0
        else:
            tiles = self._from_hand(seat, [kan.marked])
            pon = self._pon(seat, kan)
            kan_tiles = tuple(sorted((*pon.tiles, *tiles)))
            self._apply(
                Call(
                    seat,
                    Meld(
                        kind=kan.kind,
                        tiles=kan_tiles,
                        called=pon.called,
                        source=pon.source,
                        added=tiles[0],
                    ),
                )
            )
            self.due_at_draw = self.due_at_discard
            self.due_at_discard = 1
        self.last_tile = (seat, tiles[0])

    def _pon(self, seat: int, kan: MeldCell) -> Meld:
        """The pon of an added kan."""
        source = (seat + kan.source) % 4
        for meld in self.round_state.melds[seat]:
            tile_types = [*map(self.type_of.__getitem__, meld.tiles), kan.marked]
            if meld.source == source and sorted(tile_types) == sorted(kan.tile_types):
                return meld
        raise LogError(f"seat {seat} has no pon for this added kan", element=self._element)

    def _discard(self, seat: int, cell: DiscardCell, is_won: bool) -> None:
        drawn = self.round_state.drawn
        tsumogiri = cell.tsumogiri
        if not tsumogiri and drawn is not None and self.type_of[drawn] == cell.tile_type:
            # Programs that do not track the drawn tile write a tsumogiri as a plain tile.
            hand = self.round_state.hands[seat]
            same = [tile for tile in hand if self.type_of[tile] == cell.tile_type]
            tsumogiri = same == [drawn] or self.round_state.in_riichi[seat]
        if tsumogiri and drawn is not None:
            tile = drawn
        else:
            (tile,) = self._from_hand(seat, [cell.tile_type], excluded=drawn)
        if cell.riichi:
            self._apply(Riichi(seat))
        self._turn_over(self.due_at_discard)
        self.due_at_discard = 0
        self._apply(Discard(seat, tile, tsumogiri))
        if cell.riichi and not is_won:
            self._apply(RiichiAccepted(seat))
        self.last_tile = (seat, tile)

    def _turn_over(self, count: int) -> None:
        """Turn over indicators; some programs omit the last one at the end of a round."""
        for _ in range(count):
            if not self.hidden_indicators:
                if self.is_last_turn:
                    return
                raise LogError("has fewer dora indicators than kans need", element=self._element)
            indicator = self._new(self.hidden_indicators.pop())
            self._apply(Dora(indicator))
            self.dora_indicators.append(indicator)

    def _win(self, winner: Winner) -> None:
        round_state = self.round_state
        seat = winner.seat
        by_tsumo = seat == winner.source
        tile = round_state.drawn if by_tsumo else self.last_tile[1]
        if tile is None or tile < 0:
            raise LogError(
                f"seat {seat} wins, but there is no tile to win on", element=self._element
            )
        hand = round_state.hands[seat] if by_tsumo else [*round_state.hands[seat], tile]
        ura = self._ura_indicators(seat)
        self._apply(
            Win(
                seat=seat,
                source=winner.source,
                tile=tile,
                hand=tuple(sorted(hand)),
                melds=tuple(round_state.melds[seat]),
                fu=winner.fu,
                points=winner.points,
                limit=winner.limit,
                yaku=_with_ura(winner.yaku, ura),
                yakuman=winner.yakuman,
                dora_indicators=tuple(self.dora_indicators),
                ura_indicators=ura,
                honba=self.honba,
                riichi_sticks=round_state.riichi_sticks,
                scores=per_seat(round_state.scores),
                deltas=winner.deltas,
                liable=winner.liable,
            )
        )

    def _ura_indicators(self, seat: int) -> tuple[int, ...] | None:
        """The ura indicators of a win; None if the winner is in riichi and the file lacks them."""
        if not self.round_state.in_riichi[seat]:
            return ()
        earlier = [event.ura_indicators for event in self.events if isinstance(event, Win)]
        return next(filter(None, earlier), None) or tuple(map(self._new, self.ura)) or None

    def _end_without_win(self, result: RoundResult, reason: DrawReason) -> None:
        round_state = self.round_state
        seats: Sequence[int] = [seat for seat, ready in enumerate(result.tenpai) if ready]
        if reason is DrawReason.FOUR_RIICHI:
            seats = range(4)
        elif reason is DrawReason.NINE_TERMINALS:
            seats = (round_state.actor,)
        hands = tuple(
            tuple(sorted(hand)) if seat in seats else None
            for seat, hand in enumerate(round_state.hands)
        )
        sticks = round_state.riichi_sticks
        scores = per_seat(round_state.scores)
        self._apply(
            DrawnRound(
                reason=reason,
                hands=hands,
                tenpai=result.tenpai,
                honba=self.honba,
                riichi_sticks=sticks,
                scores=scores,
                deltas=result.deltas,
            )
        )


def _with_ura(
    yaku: tuple[tuple[int, int], ...], ura: tuple[int, ...] | None
) -> tuple[tuple[int, int], ...]:
    """The yaku with the 裏ドラ of 0 han, which mjlog lists after riichi and files leave out."""
    if not yaku or not ura or URADORA in dict(yaku):
        return yaku
    return tuple(sorted((*yaku, (URADORA, 0))))


def _ids(red_fives: bool) -> dict[TileType, list[int]]:
    """Ids of each tile type, the next one last; without red fives all copies are plain."""
    ids = {TileType(kind, red): list[int]() for kind in range(KINDS) for red in (False, True)}
    for tile in reversed(range(TILES)):
        ids[TileType(KIND[tile], red_fives and tile in RED_FIVES)].append(tile)
    return ids


_IDS = {red_fives: _ids(red_fives) for red_fives in (False, True)}
