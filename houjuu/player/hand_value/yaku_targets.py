"""The targets of a hand: yaku by form, the groups of yaku that go together, and the model inputs.

デジタル麻雀の理論 (役の評価関数). The source leaves some yaku out of its groups as too
rare, and so does this module: 二盃口, 三槓子, 三色同刻, 三連刻 and every 役満 except 国士無双.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from houjuu.game.events import Meld
from houjuu.game.table import View
from houjuu.game.tiles import EAST, HONOURS, RED_FIVES, kind_counts, yakuhai_kinds
from houjuu.game.yaku import (
    AKADORA,
    CHANTA,
    CHIITOITSU,
    CHINITSU,
    DORA,
    DRAGON,
    HONITSU,
    HONROUTOU,
    IIPEIKOU,
    ITTSUU,
    JUNCHAN,
    KOKUSHI_MUSOU,
    KOKUSHI_MUSOU_13,
    PINFU,
    SANANKOU,
    SANSHOKU_DOUJUN,
    SEAT_WIND,
    SHOUSANGEN,
    TANYAO,
    TOITOI,
)
from houjuu.hands.open_yaku import DEPENDENT, possible_yaku
from houjuu.player.hand_value import hand_decomposition
from houjuu.player.hand_value.hand_decomposition import CACHED_SUITS

FOUR_SETS, SEVEN_PAIRS, KOKUSHI = range(3)
"""Forms of a winning hand (アガリ形)."""

_MAX_SHANTEN = 6
"""That of the rows of the fit; from a yaku an open hand can be farther."""

FORMS = ("four sets", "seven pairs", "kokushi")

WIN = -1
"""In place of a yaku: any win."""

YAKUHAI = SEAT_WIND
"""All yakuhai, by the lowest of their numbers; all other yaku are by their own."""

_NAMES = {
    WIN: "和了",
    PINFU: "平和",
    TANYAO: "タンヤオ",
    CHANTA: "チャンタ",
    TOITOI: "トイトイ",
    HONROUTOU: "混老頭",
    YAKUHAI: "飜牌",
    JUNCHAN: "純チャン",
    HONITSU: "混一色",
    CHINITSU: "清一色",
    SANSHOKU_DOUJUN: "三色同順",
    ITTSUU: "一気通貫",
    SANANKOU: "三暗刻",
    IIPEIKOU: "一盃口",
    SHOUSANGEN: "小三元",
    CHIITOITSU: "七対子",
    KOKUSHI_MUSOU: "国士無双",
    DORA: "ドラ",
}
"""The yaku of the source, by number, as it spells them."""

_SEVERAL_NUMBERS = {
    YAKUHAI: tuple(range(SEAT_WIND, DRAGON + 3)),
    KOKUSHI_MUSOU: (KOKUSHI_MUSOU, KOKUSHI_MUSOU_13),
    DORA: (DORA, AKADORA),
}

TARGET_YAKU: Mapping[int, tuple[int, ...]] = {
    yaku: _SEVERAL_NUMBERS.get(yaku, (yaku,)) for yaku in _NAMES if yaku != WIN
}
"""Numbers in `houjuu.game.yaku.YAKU` of each yaku of the source; ura dora count to riichi."""

GROUPS = (
    (
        (PINFU, TANYAO, SANSHOKU_DOUJUN, IIPEIKOU, DORA),
        (PINFU, TANYAO, IIPEIKOU, CHINITSU, DORA),
        (PINFU, ITTSUU, IIPEIKOU, CHINITSU, DORA),
        (PINFU, ITTSUU, IIPEIKOU, HONITSU, DORA),
        (PINFU, CHANTA, IIPEIKOU, HONITSU, DORA),
        (PINFU, JUNCHAN, IIPEIKOU, CHINITSU, DORA),
        (PINFU, CHANTA, SANSHOKU_DOUJUN, IIPEIKOU, DORA),
        (PINFU, JUNCHAN, SANSHOKU_DOUJUN, IIPEIKOU, DORA),
        (TANYAO, SANSHOKU_DOUJUN, IIPEIKOU, DORA),
        (TANYAO, TOITOI, SANANKOU, CHINITSU, DORA),
        (YAKUHAI, SANSHOKU_DOUJUN, CHANTA, DORA),
        (YAKUHAI, ITTSUU, HONITSU, DORA),
        (YAKUHAI, CHANTA, IIPEIKOU, SHOUSANGEN, DORA),
        (YAKUHAI, TOITOI, SANANKOU, HONITSU, SHOUSANGEN, HONROUTOU, DORA),
        (YAKUHAI, HONITSU, IIPEIKOU, SHOUSANGEN, DORA),
    ),
    ((CHIITOITSU, TANYAO, CHINITSU, DORA), (CHIITOITSU, HONROUTOU, HONITSU, DORA)),
    ((KOKUSHI_MUSOU,),),
)
"""The groups of yaku that go together, by form, as the source lists them."""

_REDS = frozenset(RED_FIVES)


class YakuTarget(NamedTuple):
    """A win in a form with a yaku; for `WIN`, any win in the form."""

    form: int
    yaku: int

    @property
    def name(self) -> str:
        """Form and yaku as text, the yaku as the source spells it."""
        return f"{FORMS[self.form]}: {yaku_name(self.yaku)}"


def yaku_name(yaku: int) -> str:
    """A yaku as the source spells it.

    >>> yaku_name(TANYAO), yaku_name(WIN)
    ('タンヤオ', '和了')
    """
    return _NAMES[yaku]


def _targets() -> tuple[YakuTarget, ...]:
    targets: list[YakuTarget] = []
    for form, groups in enumerate(GROUPS):
        members = {WIN}.union(*groups)
        targets += [YakuTarget(form, yaku) for yaku in _NAMES if yaku in members]
    return tuple(targets)


TARGETS = _targets()
"""All targets, form by form; the dora come last in each form that has them."""

SURE = (WIN, CHIITOITSU, KOKUSHI_MUSOU, DORA)
"""Yaku that every win in their form has; dora are a number of han, perhaps 0."""

HAND_NUMBERS = (
    ("off_suit", "0–14 tiles neither of the suit of most tiles nor honours"),
    ("honours", "0–14 honours"),
    ("sanshoku", "0–9 kinds held of the nearest three runs of a kind"),
    ("ittsuu", "0–9 kinds held of the suit of most kinds"),
    ("dora", "dora and red fives held"),
    ("draws", "0–17 draws left to each seat"),
    ("shanten", "0–6"),
)
"""Names and units of the inputs besides the classes; they count the melds too."""


class HandSummary(NamedTuple):
    """The inputs of `houjuu.player.hand_value.yaku_model` for one hand.

    Attributes
    ----------
    counts : tuple of 34 ints
        Concealed tiles of every kind.
    yakuhai : tuple of int
        Kinds of which a triplet is a yaku.
    melds : tuple of 21 ints
        Number of melds of each class.
    closed : bool
    possible : int
        Bit i stands for target i of `TARGETS`: the melds still allow it.
    numbers : tuple of ints
        The values of `HAND_NUMBERS`.
    """

    counts: tuple[int, ...]
    yakuhai: tuple[int, ...]
    melds: tuple[int, ...]
    closed: bool
    possible: int
    numbers: tuple[int, ...]


def summarize(
    tiles: Sequence[int],
    melds: Sequence[Meld],
    *,
    round_wind: int,
    seat_wind: int,
    dora: Sequence[int],
    tiles_left: int,
    shanten: int,
    red_fives: bool = True,
    open_tanyao: bool = True,
) -> HandSummary:
    """Extract the inputs of a hand.

    Parameters
    ----------
    tiles : sequence of int
        Ids of the concealed tiles.
    melds : sequence of Meld
    round_wind, seat_wind : int
        Kinds, 27–30.
    dora : sequence of int
        Kinds, one for each indicator.
    tiles_left : int
        In the live wall, 0–70.
    shanten : int
        Of the hand, 0–6.
    red_fives, open_tanyao : bool
        The rules.
    """
    counts = kind_counts(tiles).tolist()
    melded = [tile for meld in melds for tile in meld.tiles]
    all_counts = kind_counts([*tiles, *melded]).tolist()
    n_dora = sum(all_counts[kind] for kind in dora)
    if red_fives:
        n_dora += len(_REDS.intersection(tiles)) + len(_REDS.intersection(melded))
    return HandSummary(
        counts=tuple(counts),
        yakuhai=yakuhai_kinds(round_wind, seat_wind),
        melds=_meld_classes(tuple(melds)),
        closed=not any(meld.is_open for meld in melds),
        possible=_possible(tuple(melds), open_tanyao),
        numbers=(*_suit_numbers(all_counts), n_dora, tiles_left // 4, min(shanten, _MAX_SHANTEN)),
    )


def summarize_view(
    view: View, tiles: Sequence[int], shanten: int, melds: Sequence[Meld] | None = None
) -> HandSummary:
    """Extract the inputs of a hand that the seat of a view has or may get.

    Parameters
    ----------
    view : View
    tiles : sequence of int
        Ids of the concealed tiles.
    shanten : int
        Shanten of the hand.
    melds : sequence of Meld, optional
        The melds of the hand; by default those of the seat.
    """
    return summarize(
        tiles,
        view.seats[view.seat].melds if melds is None else melds,
        round_wind=view.round_wind,
        seat_wind=view.seat_wind(view.seat),
        dora=view.dora,
        tiles_left=view.tiles_left,
        shanten=shanten,
        red_fives=view.rules.red_fives,
        open_tanyao=view.rules.open_tanyao,
    )


def _suit_numbers(counts: Sequence[int]) -> tuple[int, int, int, int]:
    """The first four of `HAND_NUMBERS`, from the tiles of every kind."""
    suits = [_numbers_of_suit(tuple(counts[9 * suit : 9 * suit + 9])) for suit in range(HONOURS)]
    n_tiles, kinds, kinds_by_run = zip(*suits, strict=True)
    sanshoku = max(map(sum, zip(*kinds_by_run, strict=True)))
    return sum(n_tiles) - max(n_tiles), sum(counts[EAST:]), sanshoku, max(kinds)


@lru_cache(maxsize=CACHED_SUITS)
def _numbers_of_suit(counts: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
    """The tiles and the kinds of a suit, and the kinds of each of its runs, the lowest first."""
    kinds = [copies > 0 for copies in counts]
    return sum(counts), sum(kinds), tuple(sum(kinds[low : low + 3]) for low in range(7))


@lru_cache(maxsize=64)
def _meld_classes(melds: tuple[Meld, ...]) -> tuple[int, ...]:
    """The melds by class, (21,)."""
    return tuple(hand_decomposition.meld_counts(melds).tolist())


@lru_cache(maxsize=64)
def _possible(melds: tuple[Meld, ...], open_tanyao: bool) -> int:
    """The targets (bits) that the melds allow."""
    excluded = DEPENDENT - possible_yaku(melds, open_tanyao)
    return sum(
        1 << index
        for index, (form, yaku) in enumerate(TARGETS)
        if excluded.isdisjoint(TARGET_YAKU.get(yaku, ())) and (form == FOUR_SETS or not melds)
    )
