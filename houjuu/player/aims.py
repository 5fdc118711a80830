"""What a hand may aim for: yaku by form, those that go together, and what is read of the hand.

小林聡, デジタル麻雀の理論 (役の評価関数). What the source leaves out of its groups, as too rare, is
left out here: 二盃口, 三槓子, 三色同刻, 三連刻 and all 役満 but 国士無双.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from houjuu.events import Meld, MeldKind
from houjuu.player import splits
from houjuu.table import View
from houjuu.tiles import (
    COPIES,
    EAST,
    HONOURS,
    IS_HONOUR,
    IS_YAOCHU,
    KINDS,
    RED_FIVES,
    SUIT,
    yakuhai_kinds,
)

FOUR_SETS, SEVEN_PAIRS, KOKUSHI = range(3)
"""Forms of a winning hand (アガリ形)."""

FORMS = ("four sets", "seven pairs", "kokushi")

DORA, YAKUHAI = "ドラ", "飜牌"

GROUPS = (
    (
        "平和/タンヤオ/三色同順/一盃口/ドラ",
        "平和/タンヤオ/一盃口/清一色/ドラ",
        "平和/一気通貫/一盃口/清一色/ドラ",
        "平和/一気通貫/一盃口/混一色/ドラ",
        "平和/チャンタ/一盃口/混一色/ドラ",
        "平和/純チャン/一盃口/清一色/ドラ",
        "平和/チャンタ/三色同順/一盃口/ドラ",
        "平和/純チャン/三色同順/一盃口/ドラ",
        "タンヤオ/三色同順/一盃口/ドラ",
        "タンヤオ/トイトイ/三暗刻/清一色/ドラ",
        "飜牌/三色同順/チャンタ/ドラ",
        "飜牌/一気通貫/混一色/ドラ",
        "飜牌/チャンタ/一盃口/小三元/ドラ",
        "飜牌/トイトイ/三暗刻/混一色/小三元/混老頭/ドラ",
        "飜牌/混一色/一盃口/小三元/ドラ",
    ),
    ("七対子/タンヤオ/清一色/ドラ", "七対子/混老頭/混一色/ドラ"),
    ("国士無双",),
)
"""By form the yaku that go together, as the source lists them."""


class Yaku(NamedTuple):
    """A yaku as the source counts them: Tenhou's numbers of it, its han closed and open."""

    numbers: tuple[int, ...]
    closed: int
    open: int


YAKU = {
    "平和": Yaku((7,), 1, 0),
    "タンヤオ": Yaku((8,), 1, 1),
    "チャンタ": Yaku((23,), 2, 1),
    "トイトイ": Yaku((28,), 2, 2),
    "混老頭": Yaku((31,), 2, 2),
    "飜牌": Yaku(tuple(range(10, 21)), 1, 1),
    "純チャン": Yaku((33,), 3, 2),
    "混一色": Yaku((34,), 3, 2),
    "清一色": Yaku((35,), 6, 5),
    "三色同順": Yaku((25,), 2, 1),
    "一気通貫": Yaku((24,), 2, 1),
    "三暗刻": Yaku((29,), 2, 2),
    "一盃口": Yaku((9,), 1, 0),
    "小三元": Yaku((30,), 2, 2),
    "七対子": Yaku((22,), 2, 0),
    "国士無双": Yaku((47, 48), 13, 0),
    DORA: Yaku((52, 54), 1, 1),
}
"""Han are a piece for 飜牌 and dora; 裏ドラ are left to riichi."""


WIN = "和了"


class Aim(NamedTuple):
    """To win in a form with a yaku, or, for `WIN`, to win in it at all."""

    form: int
    yaku: str

    @property
    def name(self) -> str:
        """Form and yaku in words."""
        return f"{FORMS[self.form]}: {self.yaku}"


def _aims() -> tuple[Aim, ...]:
    found: list[Aim] = []
    for form, groups in enumerate(GROUPS):
        names = {name for group in groups for name in group.split("/")}
        found += [Aim(form, WIN), *(Aim(form, name) for name in YAKU if name in names)]
    return tuple(found)


AIMS = _aims()
SURE = (WIN, "七対子", "国士無双", DORA)
"""What every win in a form has; dora for as many as there are."""

NUMBERS = (
    ("off_suit", "0–14 tiles neither of the suit of most tiles nor honours"),
    ("honours", "0–14 honours"),
    ("sanshoku", "0–9 kinds held of the nearest three runs of a kind"),
    ("ittsuu", "0–9 kinds held of the suit of most kinds"),
    ("dora", "dora and red fives held"),
    ("draws", "0–17 draws left to each seat"),
    ("shanten", "0–6"),
)
"""What is told of a hand besides its classes, sets on the table included."""


class Hand(NamedTuple):
    """A hand as the evaluation reads it.

    Attributes
    ----------
    counts : tuple of 34 ints
        Concealed tiles of every kind.
    yakuhai : tuple of int
        Kinds of which a triplet is a yaku.
    melds : tuple of 21 ints
        The classes of the sets on the table.
    closed : bool
    possible : int
        Bit i for aim i of `AIMS`: the sets on the table still allow it.
    numbers : tuple of ints
        `NUMBERS`.
    """

    counts: tuple[int, ...]
    yakuhai: tuple[int, ...]
    melds: tuple[int, ...]
    closed: bool
    possible: int
    numbers: tuple[int, ...]


def read(
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
) -> Hand:
    """Read a hand.

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
    counts = [0] * KINDS
    for tile in tiles:
        counts[tile // COPIES] += 1
    every = [*tiles, *(tile for meld in melds for tile in meld.tiles)]
    held = [0] * KINDS
    for tile in every:
        held[tile // COPIES] += 1
    reds = sum(tile in RED_FIVES for tile in every) if red_fives else 0
    return Hand(
        tuple(counts),
        yakuhai_kinds(round_wind, seat_wind),
        tuple(splits.of_melds(melds).tolist()),
        not any(meld.is_open for meld in melds),
        _possible(melds, open_tanyao),
        (*_suits(held), sum(held[kind] for kind in dora) + reds, tiles_left // 4, shanten),
    )


def of_view(
    view: View, tiles: Sequence[int], shanten: int, melds: Sequence[Meld] | None = None
) -> Hand:
    """Read a hand that the seat of a view may come to.

    Parameters
    ----------
    view : View
    tiles : sequence of int
        Ids of its concealed tiles.
    shanten : int
        Of the hand.
    melds : sequence of Meld, optional
        Its sets, where they are to be others than they are.
    """
    return read(
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


def _suits(held: Sequence[int]) -> tuple[int, int, int, int]:
    """The first four of `NUMBERS`."""
    suits = [held[9 * suit : 9 * suit + 9] for suit in range(HONOURS)]
    tiles = [sum(suit) for suit in suits]
    has = [[min(copies, 1) for copies in suit] for suit in suits]
    return (
        sum(tiles) - max(tiles),
        sum(held[EAST:]),
        max(sum(sum(suit[low : low + 3]) for suit in has) for low in range(7)),
        max(map(sum, has)),
    )


def _possible(melds: Sequence[Meld], open_tanyao: bool) -> int:
    """The aims (bits) that the sets on the table allow."""
    kinds = [[tile // COPIES for tile in meld.tiles] for meld in melds]
    shown = [kind for of in kinds for kind in of]
    closed = not any(meld.is_open for meld in melds)
    runs = sum(meld.kind is MeldKind.CHI for meld in melds)
    suits = {SUIT[kind] for kind in shown}
    ends = all(any(IS_YAOCHU[kind] for kind in of) for of in kinds)
    honours = any(IS_HONOUR[kind] for kind in shown)
    allowed = {
        "平和": not melds,
        "一盃口": closed and len(melds) <= 2,
        "タンヤオ": not any(IS_YAOCHU[kind] for kind in shown) and (closed or open_tanyao),
        "チャンタ": ends,
        "純チャン": ends and not honours,
        "トイトイ": not runs,
        "混老頭": all(IS_YAOCHU[kind] for kind in shown),
        "混一色": len(suits - {HONOURS}) <= 1,
        "清一色": len(suits) <= 1 and not honours,
        "三暗刻": sum(meld.is_open for meld in melds) <= 1,
    }
    found = 0
    for place, (form, yaku) in enumerate(AIMS):
        if allowed.get(yaku, True) and (form == FOUR_SETS or not melds):
            found |= 1 << place
    return found
