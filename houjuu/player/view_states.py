"""What a seat knows when it decides, and the states that its actions lead to.

The rows of the fits and the answers to a query read the same `DecisionContext`. Needs the extra
"arena".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from houjuu.game.events import Meld
from houjuu.game.game_end import order
from houjuu.game.seat import Seat, river_mask
from houjuu.game.tiles import (
    EAST,
    HONOURS,
    KIND,
    KIND_OF_TILE,
    KINDS,
    RANKS,
    RED_FIVES,
    TILES,
    kind_counts,
    yakuhai_kinds,
)
from houjuu.game.view import View
from houjuu.hands.shanten import shanten
from houjuu.hands.wait_decomposition import winning_kinds
from houjuu.player.hand_value.improvement import share_of_draws
from houjuu.player.hand_value.scores import raised
from houjuu.player.hand_value.shape import shapes
from houjuu.player.hand_value.value import FAR, MAY_IMPROVE, HandValuer, Outlook, Wait
from houjuu.player.hand_value.win_scores import NONE
from houjuu.player.states import MAX_SHANTEN, States
from houjuu.reading.safety import FULL_SUJI, HONOUR, safety_class
from houjuu.util.arrays import Bools, Floats, Ints

_FLUSH = 9  # tiles of one suit and honours
_IS_RED = np.isin(np.arange(TILES), RED_FIVES)


class HandsLeft(NamedTuple):
    """The hands that some actions leave, all with the same melds.

    Attributes
    ----------
    concealed : sequence of sequences of int
        Ids of the 3n + 1 concealed tiles that each action leaves; at least one hand.
    discards : sequence of int or None
        The tile that each action discards, or adds to a kan.
    melds : tuple of Meld, optional
        By default those of the seat.
    riichi : bool
        Whether the actions declare riichi. A seat that is in riichi stays in it.
    turns_until_draw : int
        Turns until the seat's next draw (1–4).
    new_indicators : int
        Dora indicators that the actions turn over.
    passes_ron : bool
        Whether the seat passes a ron, which makes it furiten.
    """

    concealed: Sequence[Sequence[int]]
    discards: Sequence[int | None]
    melds: tuple[Meld, ...] | None = None
    riichi: bool = False
    turns_until_draw: int = 4
    new_indicators: int = 0
    passes_ron: bool = False


@dataclass(frozen=True, eq=False)
class DecisionContext:
    """A decision as its seat sees it: the endings, the values and the preferences all read this.

    Parameters
    ----------
    view : View
        Before the actions.
    tenpai : (3,) array
        P(tenpai) of the opponents.
    wall_weights : (34,) array, optional
        As `houjuu.risk.unseen.UnseenTiles.wall_weights`: the tiles that a hand needs count by them.
        Without them every unseen tile counts 1.
    """

    view: View
    tenpai: Floats
    wall_weights: Floats | None = None

    @property
    def own(self) -> Seat:
        """The seat that decides."""
        return self.view.seats[self.view.seat]

    @property
    def is_dealer(self) -> bool:
        """Whether it is dealer."""
        return self.view.seat == self.view.dealer

    @cached_property
    def opponent_riichi(self) -> list[bool]:
        """Whether each opponent is in riichi, (3,)."""
        return [seat.declared for seat in self.view.opponents]

    @property
    def last_round(self) -> bool:
        """South 4 of a hanchan, East 4 of an East-only game, or later."""
        return self.view.round >= self.view.rules.last_round

    @cached_property
    def hand(self) -> Ints:
        """Copies of each kind among the concealed tiles, the drawn one included, (34,)."""
        return kind_counts(self.view.hand).astype(np.intp)

    @property
    def tiles(self) -> list[int]:
        """The ids of the tiles in hand and melds."""
        return [*self.view.hand, *_melded(self.own.melds)]

    @cached_property
    def held(self) -> Ints:
        """Copies of each kind in hand and melds, (34,)."""
        return kind_counts(self.tiles).astype(np.intp)

    @cached_property
    def unseen(self) -> Ints:
        """Copies of each kind that the seat does not see, (34,)."""
        return self.view.unseen().astype(np.intp)

    @cached_property
    def n_unseen(self) -> float:
        """The tiles that the seat does not see."""
        return float(self.unseen.sum())

    @cached_property
    def in_wall(self) -> Floats:
        """The unseen copies of each kind, weighted, (34,)."""
        return np.asarray(self.unseen * (1.0 if self.wall_weights is None else self.wall_weights))

    @cached_property
    def dora(self) -> Ints:
        """How often each kind is a dora, (34,)."""
        return np.bincount(self.view.dora, minlength=KINDS)

    @cached_property
    def dora_of(self) -> Ints:
        """Dora of each tile, that of a red five included, (136,)."""
        return self.dora[KIND_OF_TILE] + self.view.rules.red_fives * _IS_RED

    @cached_property
    def yakuhai(self) -> tuple[int, ...]:
        """Kinds."""
        return yakuhai_kinds(self.view.round_wind, self.view.seat_wind(self.view.seat))

    @cached_property
    def flush(self) -> tuple[int, int]:
        """The suit of most tiles, and how far it and the honours exceed nine tiles."""
        by_suit = self.held[:EAST].reshape(HONOURS, RANKS).sum(axis=1)
        most = int(by_suit.argmax())
        return most, max(int(by_suit[most] + self.held[EAST:].sum()) - _FLUSH, 0)

    @cached_property
    def place(self) -> tuple[int, float, float]:
        """The place by the scores, from 0, and the points to the next place above and below."""
        scores = self.view.scores
        ranked = order(np.array(scores)).tolist()
        place = ranked.index(self.view.seat)
        above, below = (scores[ranked[min(max(place + step, 0), 3)]] for step in (-1, 1))
        return place, above - scores[self.view.seat], scores[self.view.seat] - below

    def states(self, hands: HandsLeft) -> States:
        """The states after some actions of the seat."""
        melds = self.own.melds if hands.melds is None else hands.melds
        riichi = hands.riichi or self.own.declared
        shared = self._table | {
            "draws": self._draws(hands),
            "indicators": len(self.view.dora_indicators) + hands.new_indicators,
            "closed": not any(meld.is_open for meld in melds),
            "melds": len(melds),
            "riichi": riichi,
            "declares": riichi and not self.own.in_riichi,
        }
        repeated = {
            name: np.asarray(number, np.float64)[None].repeat(len(hands.concealed), axis=0)
            for name, number in shared.items()
        }
        return States(**repeated, **self._hands(hands, melds, riichi=riichi))

    @cached_property
    def _table(self) -> dict[str, Any]:
        """The fields that all actions share."""
        view, opponents = self.view, self.view.opponents
        once = (self.dora > 0)[KIND_OF_TILE] + view.rules.red_fives * _IS_RED.astype(np.intp)
        return {
            "is_dealer": self.is_dealer,
            "tiles_left": view.tiles_left,
            "unseen": self.n_unseen,
            "tenpai": self.tenpai,
            "opponent_riichi": self.opponent_riichi,
            "opponent_dealer": [seat.seat == view.dealer for seat in opponents],
            "open_melds": [seat.n_open_melds for seat in opponents],
            "dora": [once[_melded(seat.melds)].sum() for seat in opponents],
        }

    @cached_property
    def _genbutsu(self) -> Bools:
        """The kinds that each opponent cannot win on, (3, 34)."""
        return np.stack([self.view.genbutsu(seat.seat) for seat in self.view.opponents])

    def _draws(self, hands: HandsLeft) -> int:
        """Draws left to the seat."""
        return (self.view.tiles_left - hands.turns_until_draw) // 4 + 1

    def _hands(
        self, hands: HandsLeft, melds: tuple[Meld, ...], *, riichi: bool
    ) -> dict[str, Floats]:
        """The fields of the hands, by name.

        A hand whose useful tiles are all visible counts as far, with what touches it.
        """
        valued = self._outlooks(melds, hands)
        tenpai = np.zeros((len(valued), len(_Tenpai._fields)))
        later = np.array([outlook.scores for outlook, _ in valued])
        by_tsumo = np.zeros((len(valued), NONE))
        for row, (outlook, valuer) in enumerate(valued):
            if outlook.shanten <= 0:
                discard, tiles = hands.discards[row], hands.concealed[row]
                river = river_mask(self.own) | (0 if discard is None else 1 << KIND[discard])
                waits = valuer.waits(tiles)
                tenpai[row] = _tenpai(waits, tiles, river)
                by_tsumo[row] = _by_tsumo(waits, riichi=riichi)
        of_tenpai = dict(zip(_Tenpai._fields, tenpai.T, strict=True))
        if hands.passes_ron:
            of_tenpai["furiten"] = np.ones(len(valued))
        shantens, _, ways = np.array([outlook[:3] for outlook, _ in valued], np.float64).T
        if not riichi:
            self._improve(later, by_tsumo, hands, valued)
        far_from = shantens > 0
        closed = not any(meld.is_open for meld in melds)
        by_tsumo[far_from] = raised(later[far_from, 0], int(closed))
        later_ways = np.where(shantens < FAR, later[:, 0].sum(axis=1), ways)
        # a closed hand that is tenpai wins by ron without riichi, or after declaring it later
        without = (shantens == 0) & (not riichi) & (later[:, 1].sum(axis=1) > 0)
        by_ron = later[np.arange(len(later)), without.astype(np.intp)]
        ids = np.array(hands.concealed)
        safe = self._genbutsu[:, KIND_OF_TILE[ids]]
        tenpai_shanten, tenpai_tiles = valued[0][1].formal(hands.concealed)
        shape = self._shapes(ids, melds)
        dead = (shantens > 0) & (shantens < FAR) & (later_ways == 0)
        shantens[dead] = FAR
        ways[dead] = later_ways[dead] = shape["touching"][dead]
        return {
            "shanten": np.clip(shantens, 0, MAX_SHANTEN),
            "ways": ways,
            "later_ways": later_ways,
            "by_ron": _shares(by_ron),
            "by_tsumo": _shares(by_tsumo),
            "genbutsu": safe.sum(axis=2, dtype=np.float64).T,
            "tenpai_shanten": np.clip(tenpai_shanten, 0, MAX_SHANTEN),
            "tenpai_tiles": tenpai_tiles,
            **of_tenpai,
            **shape,
        }

    def _shapes(self, tiles: Ints, melds: tuple[Meld, ...]) -> dict[str, Floats]:
        """The shapes of hands, (n, tiles), and their dora."""
        counts = (KIND_OF_TILE[tiles][..., None] == np.arange(KINDS)).sum(axis=1)
        melded = _melded(melds)
        dora = self.dora_of[tiles].sum(axis=1) + self.dora_of[melded].sum()
        made = shapes(counts, kind_counts(melded), self.in_wall, yakuhai=self.yakuhai)
        return made | {"dora_held": dora.astype(np.float64)}

    def _outlooks(
        self, melds: tuple[Meld, ...], hands: HandsLeft
    ) -> list[tuple[Outlook, HandValuer]]:
        """The outlook of each hand, and the valuer that found it.

        An open hand that is nearer to any winning form than to its goals counts as near as that if
        it can win there with a yaku: 三色 or 一通, which are no goals.
        """
        concealed = hands.concealed
        valuer = HandValuer(self.view, melds, weights=self.wall_weights, riichi=hands.riichi)
        outlooks = [(outlook, valuer) for outlook in valuer.outlooks(concealed)]
        if not any(meld.is_open for meld in melds):
            return outlooks
        by_shape = HandValuer(self.view, melds, by_shape=True, weights=self.wall_weights)
        nearer = [
            index
            for index, (outlook, _) in enumerate(outlooks)
            if outlook.shanten > 0
            and shanten([KIND[tile] for tile in concealed[index]]) < min(outlook.shanten, FAR)
        ]
        shapes = by_shape.outlooks([concealed[index] for index in nearer])
        for index, outlook in zip(nearer, shapes, strict=True):
            if outlook.ways > 0:
                outlooks[index] = outlook, by_shape
        return outlooks

    def _improve(
        self,
        later: Floats,
        by_tsumo: Floats,
        hands: HandsLeft,
        valued: Sequence[tuple[Outlook, HandValuer]],
    ) -> None:
        """Make the ways by score, (n, 2, scores) and (n, scores), those over the draws left.

        A tsumo of a hand that is bettered is counted as a ron in riichi: the yaku is worth as much.
        """
        draws = self._draws(hands)
        groups: dict[HandValuer, list[int]] = {}
        for row, (outlook, valuer) in enumerate(valued):
            if outlook.shanten <= MAY_IMPROVE:
                groups.setdefault(valuer, []).append(row)
        for valuer, rows in groups.items():
            improvements = valuer.improvements([hands.concealed[row] for row in rows])
            for row, better in zip(rows, improvements, strict=True):
                share = share_of_draws(better.tiles, self.n_unseen, draws)
                later[row] += share * (better.scores - later[row])
                by_tsumo[row] += share * (better.scores[0] - by_tsumo[row])  # of a tenpai hand


def _melded(melds: Sequence[Meld]) -> list[int]:
    return [tile for meld in melds for tile in meld.tiles]


def _shares(ways: Floats) -> Floats:
    """Ways by score, (n, scores), as shares of all; 0 where there is none."""
    total = ways.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(ways, total, out=np.zeros_like(ways), where=total > 0))


class _Tenpai(NamedTuple):
    """The numbers of a tenpai hand; the fields as in `States`."""

    ron_ways: float
    wait_kinds: float
    easy: float
    furiten: float


def _tenpai(waits: Sequence[Wait], tiles: Sequence[int], river: int) -> _Tenpai:
    """The numbers of a tenpai hand; a wait without a yaku counts nothing."""
    winning = [(wait.kind, wait.left) for wait in waits if wait.tsumo[0] != NONE]
    easy = sum(left for kind, left in winning if safety_class(kind, river) in (FULL_SUJI, HONOUR))
    return _Tenpai(
        ron_ways=sum(wait.left for wait in waits if wait.ron[1] != NONE),
        wait_kinds=len(winning),
        easy=easy,
        furiten=bool(river & winning_kinds(kind_counts(tiles).tolist())),
    )


def _by_tsumo(waits: Sequence[Wait], *, riichi: bool) -> Floats:
    """The waits of a tenpai hand by the score of a tsumo, (scores,)."""
    by_score = np.zeros(NONE + 1)
    for wait in waits:
        by_score[wait.tsumo[not riichi]] += wait.left
    return by_score[:NONE]
