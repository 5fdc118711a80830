"""What `houjuu.scoring.riichienv_adapter` has but actions, by `mahjong`, which is Python alone.

For a system without riichienv, such as a browser. The results are the same, later.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
from mahjong.meld import Meld as EngineMeld

from houjuu.game.events import Meld, MeldKind
from houjuu.game.tiles import EAST, NORTH, without_reds
from houjuu.game.yaku import ROUND_WIND, SEAT_WIND, YAKU
from houjuu.hands.wait_decomposition import count_kinds, winning_kinds

WINDS = tuple(range(EAST, NORTH + 1))

_MELD_TYPES = {
    MeldKind.CHI: EngineMeld.CHI,
    MeldKind.PON: EngineMeld.PON,
    MeldKind.DAIMINKAN: EngineMeld.KAN,
    MeldKind.ANKAN: EngineMeld.KAN,
    MeldKind.KAKAN: EngineMeld.SHOUMINKAN,
}
_RULES = OptionalRules(has_open_tanyao=True, has_aka_dora=True, has_double_yakuman=False)


class Conditions(NamedTuple):
    """The circumstances of a win; the winds are kinds."""

    player_wind: int
    round_wind: int
    tsumo: bool = False
    riichi: bool = False
    double_riichi: bool = False
    ippatsu: bool = False
    haitei: bool = False
    houtei: bool = False
    rinshan: bool = False
    chankan: bool = False
    tsumo_first_turn: bool = False


class WinResult(NamedTuple):
    """The fields of riichienv's result that the package reads; `yaku` are Tenhou's numbers."""

    is_win: bool
    han: int
    fu: int
    yaku: tuple[int, ...]
    yakuman: bool
    ron_agari: int


_NO_WIN = WinResult(False, 0, 0, (), False, 0)


def engine_meld(meld: Meld, *, red_fives: bool = True) -> Any:
    """The meld as a meld of `mahjong`; without red fives, of plain copies."""
    tiles = meld.tiles if red_fives else without_reds(meld.tiles)
    return EngineMeld(_MELD_TYPES[meld.kind], list(tiles), opened=meld.is_open)


def is_tenpai(tiles: Sequence[int], melds: Sequence[Meld]) -> bool:
    """Whether concealed tiles (ids) beside some melds are tenpai."""
    return bool(waits(tiles, melds))


def waits(tiles: Sequence[int], melds: Sequence[Meld]) -> set[int]:
    """The kinds on which concealed tiles (ids) wait, beside any melds.

    As for riichienv, a hand may wait for a kind of which a kan of its own has all copies.
    """
    mask = winning_kinds(count_kinds(tiles))
    return {kind for kind in range(mask.bit_length()) if mask >> kind & 1}


def tenhou_yaku(number: int) -> int:
    """Tenhou's number of a yaku in a `WinResult`; every wind has the number of East."""
    return number


def evaluate_win(
    tiles: Sequence[int],
    melds: Sequence[Any],
    tile: int,
    conditions: Conditions,
    *,
    dora_indicators: Sequence[int] = (),
    ura_indicators: Sequence[int] = (),
) -> WinResult:
    """Evaluate a win; the parameters are those of riichienv's adapter."""
    result: Any = HandCalculator.estimate_hand_value(
        [*tiles, *(own for meld in melds for own in meld.tiles)],
        tile,
        melds=melds,
        dora_indicators=dora_indicators,
        config=_config(conditions),
        ura_dora_indicators=ura_indicators,
    )
    if result.error is not None:
        return _NO_WIN
    yaku = tuple(_number(YAKU_ID_TO_TENHOU_ID[one.yaku_id]) for one in result.yaku)
    yakuman = any(YAKU[number].is_yakuman for number in yaku)
    return WinResult(
        is_win=True,
        han=result.han,
        fu=0 if yakuman else result.fu,
        yaku=yaku,
        yakuman=yakuman,
        ron_agari=0 if conditions.tsumo else result.cost["main"],
    )


def _number(tenhou: int) -> int:
    """Every wind has the number of East."""
    if tenhou in range(SEAT_WIND, ROUND_WIND):
        return SEAT_WIND
    return ROUND_WIND if tenhou in range(ROUND_WIND, ROUND_WIND + len(WINDS)) else tenhou


@lru_cache(maxsize=64)
def _config(conditions: Conditions) -> HandConfig:
    first_turn = conditions.tsumo_first_turn
    return HandConfig(
        is_tsumo=conditions.tsumo,
        is_riichi=conditions.riichi,
        is_daburu_riichi=conditions.double_riichi,
        is_ippatsu=conditions.ippatsu,
        is_haitei=conditions.haitei,
        is_houtei=conditions.houtei,
        is_rinshan=conditions.rinshan,
        is_chankan=conditions.chankan,
        is_tenhou=first_turn and conditions.player_wind == EAST,
        is_chiihou=first_turn and conditions.player_wind != EAST,
        player_wind=conditions.player_wind,
        round_wind=conditions.round_wind,
        options=_RULES,
    )
