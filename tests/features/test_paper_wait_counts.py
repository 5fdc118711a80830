"""Waits of riichi: those of a hand, and their counts."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
from riichienv import calculate_shanten

from features import paper_wait_counts as counting
from features.paper_wait_counts import RiichiHand, WaitCounts
from houjuu.estimators.kurita_hoki import riichi_waits
from houjuu.game import tiles
from houjuu.game.events import Game, RiichiAccepted, Win
from houjuu.game.table import Table, mask_to_array
from houjuu.game.tiles import IS_YAOCHU, KINDS, parse_kind, parse_tiles
from houjuu.hands import wait_types
from tests.estimators.test_riichi_waits import name
from tests.kit.games import walk


@pytest.fixture(scope="module")
def counts(own_games: list[Game]) -> WaitCounts:
    return counting.count(own_games)


# Hands


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("123m456m789m11z56p", "56p+47p"),
        ("123m456m789m11z12p", "12p+3p"),
        ("123m456m789m11z68p", "68p+7p"),
        ("123m456m789m11z99p", "11z+1z 99p+9p"),
        ("123m456p789s111z9p", "9p+9p"),
        ("123m789m111z4567p", "56p+47p"),  # 4 and 567, 456 and 7: a 両面単騎
        ("111z222z2345678p", "34p+25p 67p+58p"),
        ("123m789m111z3334p", "4p+4p 34p+25p"),
        ("123m789m111z2344p", "23p+14p 4p+4p"),  # 23 44, and 234 4
        ("1122m3344p5566s7z", "7z+7z"),
        ("2233445566778m", "34m+25m 67m+58m"),  # 七対子 too, on the 8m that 67m+58m has
        ("123m456m789m1111z", ""),  # it holds all four winning tiles
        ("19m19p19s1234567z", ""),
        ("123m456m789m12z15p", ""),
        ("5p", "5p+5p"),
    ],
)
def test_splitting(hand: str, expected: str) -> None:
    assert {name(wait) for wait in hand_of(hand).waits} == set(expected.split())


def hand_of(hand: str) -> RiichiHand:
    table = Table()
    table.round_state.hands[0] = list(parse_tiles(hand))
    return RiichiHand.from_table(table, 0)


def test_nine_gates_win_on_every_rank() -> None:
    kinds = mask_to_array(hand_of("1112345678999s").win_mask)
    assert np.flatnonzero(kinds).tolist() == list(range(18, 27))


def test_thirteen_orphans_are_no_wait() -> None:
    hand = hand_of("19m19p19s1234567z")
    assert not hand.waits
    assert hand.no_wait_wins == sum(1 << kind for kind in range(KINDS) if IS_YAOCHU[kind])
    assert hand_of("119m19p19s123456z").no_wait_wins == 1 << parse_kind("7z")


def oracle(table: Table, seat: int) -> int:
    """Kinds that complete the hand, by the shanten of another library."""
    hand = table.round_state.hands[seat]
    melded = {tile for meld in table.seats[seat].melds for tile in meld.tiles}
    mask = 0
    for kind in range(KINDS):
        copies = [t for t in range(4 * kind, 4 * kind + 4) if t not in hand and t not in melded]
        if copies and calculate_shanten([*hand, copies[0]]) == -1:
            mask |= 1 << kind
    return mask


def test_waits_win_what_the_hand_wins(games: list[Game]) -> None:
    compared = 0
    for game in games:
        table = Table(game.rules)
        for event in game:
            table.apply(event)
            if isinstance(event, RiichiAccepted):
                hand = RiichiHand.from_table(table, event.seat)
                assert hand.win_mask == oracle(table, event.seat)
                assert not hand.no_wait_wins or not hand.waits
                compared += 1
    assert compared > 20


# Counts


def test_counts_add_up(own_games: list[Game], counts: WaitCounts) -> None:
    parts = [counting.count([game]) for game in own_games]
    total = sum(parts, WaitCounts.zeros()).arrays()
    for key, numbers in counts.arrays().items():
        assert np.array_equal(total[key], numbers), key
    read_back = WaitCounts(**total)
    assert np.array_equal(read_back.wait, counts.wait)


def test_counts_are_consistent(games: list[Game]) -> None:
    counts = counting.count(games)
    assert counts.riichi > 20
    assert (counts.form <= counts.riichi).all()
    assert counts.form.sum() + counts.no_wait_wins.any() >= counts.riichi
    assert (counts.wait_given <= counts.wait[:, None]).all()
    assert (counts.form_given <= counts.form[:, None, None]).all()
    assert not counts.wait_given[wait_types.WAIT_SUIT == 3].any()
    assert (counts.live_suji_ryanmen <= counts.live_suji).all()
    assert (
        counts.wait[wait_types.FORM == wait_types.SHANPON].sum() >= counts.form[wait_types.SHANPON]
    )
    rons = [e for g in games for e in g if isinstance(e, Win) and e.seat != e.source]
    in_riichi = [e for e in rons if {1, 21} & {number for number, _ in e.yaku}]
    assert 0 < counts.fu.sum() <= counts.han.sum() <= len(rons)
    assert counts.fu.sum() <= len(in_riichi)
    assert counts.live_suji.sum() > counts.riichi


def test_the_han_without_the_shift_are_at_least_one(games: list[Game]) -> None:
    """The shift by wait and winning tile never includes the han of riichi itself."""
    compared = 0
    for table, event in walk(games, Win):
        if event.yaku and event.source != event.seat:
            han = sum(han for _, han in event.yaku)
            in_riichi = table.seats[event.seat].in_riichi
            assert not in_riichi or han > counting.ron_shifts(table, event)[0]
            compared += in_riichi
    assert compared > 3


def test_the_han_of_a_ron_are_counted_without_the_shift(
    own_games: list[Game], counts: WaitCounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shift of two moves every ron by two, but none below one han."""
    monkeypatch.setattr(counting, "ron_shifts", lambda table, win: (2, 0))
    shifted = counting.count(own_games).han
    one, two, three, *more = counts.han.tolist()
    assert shifted.tolist() == [one + two + three, *more, 0, 0]
    assert two
    assert any(more)


def test_the_han_without_dora_are_counted_without_them(own_games: list[Game]) -> None:
    """Each ron in riichi by the log: its yaku, less the shanpon of a yakuhai."""
    expected = Counter[int]()
    for table, event in walk(own_games, Win):
        if event.source != event.seat and event.yaku and table.seats[event.seat].in_riichi:
            shift = counting.ron_shifts(table, without_indicators(event))[0]
            yaku = sum(han for number, han in event.yaku if number not in (52, 53))
            expected[yaku - shift] += 1
    counts = counting.count(own_games)
    assert dict(enumerate(counts.han_without_dora[:8].tolist(), 1)) == {
        han: expected[han] for han in range(1, 9)
    }
    assert counts.han_without_dora.sum() == counts.han.sum()
    assert (counts.han_without_dora != counts.han).any()


def without_indicators(win: Win) -> Win:
    return dataclasses.replace(win, dora_indicators=())


def test_every_riichi_adds_the_conditions_of_its_river(
    own_games: list[Game], counts: WaitCounts
) -> None:
    given, n_riichi = np.zeros_like(counts.form_given), Counter[int]()
    for game in own_games:
        table = Table(game.rules)
        for event in game:
            table.apply(event)
            if isinstance(event, RiichiAccepted):
                river = riichi_waits.fulfilled_conditions(table.seats[event.seat], red_fives=True)
                for form in {int(wait_types.FORM[wait]) for wait in waits_of(table, event.seat)}:
                    given[form] += river
                    n_riichi[form] += 1
    assert (counts.form_given == given).all()
    assert max(n_riichi.values()) > len(own_games)  # more than one in a game


def waits_of(table: Table, seat: int) -> frozenset[int]:
    return RiichiHand.from_table(table, seat).waits


def test_the_shift_by_wait_and_winning_tile() -> None:
    none = (0,) * KINDS
    five, six, haku = parse_kind("5p"), parse_kind("6p"), parse_kind("5z")
    yakuhai = tiles.yakuhai_han(27, 27)
    assert yakuhai[27:] == (2, 0, 0, 0, 1, 1, 1)

    def shift(wait: str, kind: int, dora: tuple[int, ...] = (), red: int = 0) -> int:
        pair = [name(w) == wait and k == kind for w, k in zip(*pairs, strict=True)]
        (added,) = riichi_waits.han_shift(dora, yakuhai, red)[pair]
        return int(added)

    pairs = (wait_types.WIN_WAIT.tolist(), wait_types.WIN_KIND.tolist())
    assert not riichi_waits.han_shift((), none).any()
    assert shift("56p+47p", six + 1) == 0
    assert shift("56p+47p", six + 1, (five,)) == 1
    assert shift("56p+47p", six + 1, (five, five, six + 1)) == 3
    assert shift("67p+58p", five, (), 1 << five) == 1
    assert shift("67p+58p", five + 3, (), 1 << five) == 0
    assert shift("55p+5p", five, (five,)) == 3
    assert shift("5p+5p", five, (five,)) == 2
    assert shift("55z+5z", haku) == 1
    assert shift("55z+5z", haku, (haku,)) == 4
    assert shift("5z+5z", haku, (haku,)) == 2
    assert shift("11z+1z", 27) == 2
