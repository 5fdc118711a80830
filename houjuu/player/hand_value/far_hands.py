"""The value of any hand (評価値): far from tenpai by the tiles and the han that it may have.

Up to shanten 2 it is that of `houjuu.player.hand_value.value`. A higher shanten leaves too many
lines to search. There the value is the number of unseen tiles that lower the shanten, counted in
the same way, times the expected han of the hand (`houjuu.player.hand_value.yaku_model`). Yakuhai of
which two are in hand count four times in a closed hand too. Of the variants that were tried, this
one agrees with most discards of strong players (docs/yaku.md). A tile and a han are worth eight
points, and a tenth of that for each further shanten: less than the same hand is worth nearer to
tenpai.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from houjuu.game.tiles import KIND, dora_of
from houjuu.hands.shanten_tables import shanten_tables
from houjuu.player.hand_value import yaku_model, yaku_targets
from houjuu.player.hand_value.hand_names import HandName, tiles_of
from houjuu.player.hand_value.value import FAR, HandValuer, Seen, Value
from houjuu.player.hand_value.yaku_model import YakuModel

_POINTS_PER_TILE_AND_HAN = 8.0
"""Unit: points; small compared with values nearer to tenpai."""


class AnyHandValuer(HandValuer):
    """The values of the hands of one seat, also of hands far from tenpai."""

    def values(self, hands: Sequence[Sequence[int]]) -> tuple[Value, ...]:
        """Shanten and value of hands; the parameter as in `outlooks`."""
        outlooks = self.outlooks(hands)
        values = [Value(*outlook[:2]) for outlook in outlooks]
        far = [index for index, value in enumerate(values) if value.shanten >= FAR]
        if far:
            names = tuple(self._names([hands[index] for index in far]))
            away = tuple(values[index].shanten for index in far)
            all_han = _expected_han(self._seen, names, away)
            for index, shanten, han in zip(far, away, all_han, strict=True):
                per_tile = _POINTS_PER_TILE_AND_HAN * han / 10.0 ** (shanten - FAR)
                values[index] = Value(shanten, outlooks[index].ways * per_tile)
        return tuple(values)


@cache
def _yaku_model() -> YakuModel:
    return yaku_model.load()


def prepare() -> None:
    """Load what all values need; otherwise the first value takes a tenth of a second longer."""
    shanten_tables()
    _yaku_model()


@lru_cache(maxsize=1_000)
def _expected_han(
    seen: Seen, hands: tuple[HandName, ...], shanten: tuple[int, ...]
) -> tuple[float, ...]:
    """Expected han of hands, 0 where one does not win, by the yaku model."""
    context = seen.context
    dora = [dora_of(KIND[indicator]) for indicator in context.indicators]
    totals = _yaku_model().totals(
        [
            yaku_targets.summarize(
                tiles_of(hand),
                context.melds,
                round_wind=context.round_wind,
                seat_wind=context.seat_wind,
                dora=dora,
                tiles_left=4 * seen.draws,
                shanten=away,
                red_fives=context.rules.red_fives,
                open_tanyao=context.rules.open_tanyao,
            )
            for hand, away in zip(hands, shanten, strict=True)
        ]
    )
    return tuple(totals.tolist())
