from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houjuu.game import tiles
from houjuu.game.table import RiverTile, Seat, river_mask
from houjuu.game.tiles import HONOURS, KINDS, MANZU, PINZU, SOUZU, SUIT, parse_kind
from houjuu.reading import safety, table1
from tests.kit.positions import ankan, chi, pon, seat


def mask(*names: str) -> int:
    return sum(1 << parse_kind(name) for name in names)


def suits_of(river: str) -> list[int]:
    return [SUIT[tile.kind] for tile in seat(river).river]


def test_off_suit_run_counts_the_other_two_suits() -> None:
    suits = suits_of("1z 2p 3s 4m 5p 6s 7p 1m 2p")
    assert table1.off_suit_run(suits, MANZU) == (4, 3)  # 5p 6s 7p
    assert table1.off_suit_run(suits, PINZU) == (2, 2)  # 3s 4m
    assert table1.off_suit_run(suits, SOUZU) == (6, 3)  # 7p 1m 2p
    assert table1.off_suit_run(suits_of("1z 2z 3z"), MANZU) == (0, 0)
    assert table1.off_suit_run([], MANZU) == (0, 0)


def test_the_first_of_several_longest_runs_counts() -> None:
    river = "2p 3p 1z 5m 4p 6p"
    assert table1.off_suit_run(suits_of(river), MANZU) == (0, 2)
    assert table1.type1(seat(river))[MANZU] == (2, 0, 0, 0)


def test_an_honour_or_the_suit_before_the_run() -> None:
    assert table1.type1(seat("1z 5m 2p 3s 4p 9m"))[MANZU][2:] == (1, 1)
    assert table1.type1(seat("2p 5m 2p 3s 4p 1z"))[MANZU][2:] == (0, 1)
    assert table1.type1(seat("1z 2p 3s 5m"))[MANZU][2:] == (1, 0)
    assert table1.type1(seat("2p 3s 1z"))[MANZU][2:] == (0, 0)


def test_last_tedashi() -> None:
    assert table1.last_tedashi_in_colour(seat("2p 5m 3s'"), MANZU)
    assert table1.last_tedashi_in_colour(seat("2p 5z 3s' 4p'"), MANZU)
    assert not table1.last_tedashi_in_colour(seat("5m 2p"), MANZU)
    assert not table1.last_tedashi_in_colour(seat("5m'"), MANZU)


def test_kinds_are_counted_once() -> None:
    river = seat("1z 1z 2z 1m 1m 9m 5p 0p 2s")
    assert table1.kinds_of_suit(river, HONOURS) == 2
    assert table1.kinds_of_suit(river, MANZU) == 2
    assert table1.kinds_of_suit(river, PINZU) == 1
    assert table1.yaochu_kinds(river_mask(river)) == 4  # 1z 2z 1m 9m
    assert table1.simple_kinds(river_mask(river)) == 2  # 5p 2s


def test_tedashi() -> None:
    river = seat("1z 9m' 2p 3p'! 4p! 5p!")
    assert table1.tedashi(river) == 4
    assert table1.tedashi_after_riichi(river) == 2


def test_the_three_types_of_table_1() -> None:
    river = seat("1z 5m 2p 3s 4p 9m")
    assert table1.type1(river)[MANZU] == (3, 3, 1, 1)
    assert table1.type1(river)[PINZU] == (1, 0, 1, 0)  # the 5m, after the 1z; 9m came last
    assert table1.type2(river)[PINZU] == (1, 2)
    assert table1.type3(river) == (6, 0, 2, 4)


@pytest.mark.parametrize(
    ("melds", "colours"),
    [
        ((), (0, 1, 2, 3)),
        ((pon("111z"),), (0, 1, 2, 3)),
        ((chi("123p"),), (1, 3)),
        ((chi("123p"), pon("555z"), pon("999p")), (1, 3)),
        ((chi("123p"), pon("111m")), (3,)),
        ((ankan("8888s"),), (2, 3)),
    ],
)
def test_allowed_colours(melds: tuple[object, ...], colours: tuple[int, ...]) -> None:
    assert table1.allowed_colours(seat(melds=melds)) == colours  # type: ignore[arg-type]


def test_suji() -> None:
    assert len(set(tiles.SUJI)) == 18
    assert safety.live_suji(0) == 18
    assert safety.live_suji(mask("1m")) == 17
    assert safety.live_suji(mask("5p")) == 16  # 2-5 and 5-8
    assert safety.live_suji(mask("2p", "5p", "8p")) == 16
    assert safety.live_suji(mask("1z", "7z")) == 18
    assert safety.live_suji((1 << 34) - 1) == 0


def test_suji_of_a_kind() -> None:
    four, one, seven = parse_kind("4m"), parse_kind("1m"), parse_kind("7m")
    assert [safety.suji_through(k) for k in (one, four, seven, parse_kind("1z"))] == [1, 2, 1, 0]
    assert safety.dead_suji(four, 0) == 0
    assert safety.dead_suji(four, mask("1m")) == 1
    assert safety.dead_suji(four, mask("1m", "7m")) == 2
    assert safety.dead_suji(one, mask("4m")) == 1


@given(st.integers(0, (1 << KINDS) - 1))
def test_suji_are_pairs(furiten: int) -> None:
    """Checked one by one: a suji is dead if either end is."""
    is_dead = [any(furiten >> end & 1 for end in pair) for pair in tiles.SUJI]
    assert safety.live_suji(furiten) == len(tiles.SUJI) - sum(is_dead)
    for kind in range(KINDS):
        through = [dead for pair, dead in zip(tiles.SUJI, is_dead, strict=True) if kind in pair]
        assert safety.suji_through(kind) == len(through)
        assert safety.dead_suji(kind, furiten) == sum(through)


def test_order_of_discards() -> None:
    river = seat("0p 3s 1z' 3s 6z 9m* 4m 5z")
    assert [d.tile for d in table1.discards_before_riichi(river)] == [
        d.tile for d in river.river[:5]
    ]
    assert table1.red_five_discarded(river, PINZU)
    assert not table1.red_five_discarded(river, SOUZU)
    # neither 9m, which declared riichi, nor 4m, after it
    assert table1.kinds_before_riichi(river) == mask("5p", "3s", "1z", "6z")
    assert table1.kinds_then_honour(river) == mask("5p", "3s", "1z")  # 6z is the last honour
    assert not table1.kinds_then_honour(seat("3s 1z' 2m"))  # tsumogiri


rivers = st.lists(
    st.builds(
        RiverTile,
        tile=st.integers(0, 135),
        tsumogiri=st.booleans(),
        riichi=st.just(False),
        order=st.integers(0, 80),
        others_in_riichi=st.integers(0, 3),
    ),
    max_size=24,
).map(lambda river: Seat(0, tuple(river)))


@given(rivers)
def test_every_number_is_in_its_range(river: Seat) -> None:
    total = len(river.river)
    honours = table1.kinds_of_suit(river, HONOURS)
    assert 0 <= honours <= 7
    for suit in range(3):
        run, run_last, honour, before = table1.type1(river)[suit]
        assert 0 <= run <= total
        assert run_last in (0, run)
        assert {honour, before} <= {0, 1}
        assert run + honour + before <= total
    tedashi, after, yaochu, simple = table1.type3(river)
    assert 0 <= after <= tedashi <= total
    assert honours <= yaochu <= 13
    assert 0 <= simple <= 21
    assert yaochu + simple == len({discard.kind for discard in river.river})


@given(rivers, st.permutations([0, 1, 2]))
def test_suits_are_alike(river: Seat, order: list[int]) -> None:
    """Permuting the suits permutes the features."""

    def renamed(discard: RiverTile) -> RiverTile:
        suit, rest = divmod(discard.tile, 36)
        return discard._replace(tile=order[suit] * 36 + rest if suit < 3 else discard.tile)

    other = Seat(0, tuple(renamed(discard) for discard in river.river))
    for suit in range(3):
        assert table1.type1(river)[suit] == table1.type1(other)[order[suit]]
        assert table1.type2(river)[suit] == table1.type2(other)[order[suit]]
    assert table1.type3(river) == table1.type3(other)
