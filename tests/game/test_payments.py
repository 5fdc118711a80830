"""Payments by the published table, by hand, and by the results of recorded games.

``--real-games 100000`` compares every result of the real archives.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from houjuu import logs
from houjuu.game.events import Call, Deal, DrawnRound, DrawReason, Game, Meld, MeldKind, Win
from houjuu.game.payments import (
    base_points,
    draw_payments,
    hand_points,
    liable_seat,
    limit,
    nagashi_payments,
    points_won,
    win_payments,
)
from houjuu.game.tiles import parse_tiles
from houjuu.util.arrays import Ints
from tests.kit import real
from tests.kit.positions import ankan, pon

# han, fu: ron, tsumo from a non-dealer and from the dealer; of the dealer: ron, tsumo from each.
TABLE = """
    2 20: 1300 400 700; 2000 700
    3 20: 2600 700 1300; 3900 1300
    4 20: 5200 1300 2600; 7700 2600
    2 25: 1600 400 800; 2400 800
    3 25: 3200 800 1600; 4800 1600
    4 25: 6400 1600 3200; 9600 3200
    1 30: 1000 300 500; 1500 500
    2 30: 2000 500 1000; 2900 1000
    3 30: 3900 1000 2000; 5800 2000
    4 30: 7700 2000 3900; 11600 3900
    1 40: 1300 400 700; 2000 700
    2 40: 2600 700 1300; 3900 1300
    3 40: 5200 1300 2600; 7700 2600
    4 40: 8000 2000 4000; 12000 4000
    1 50: 1600 400 800; 2400 800
    2 50: 3200 800 1600; 4800 1600
    3 50: 6400 1600 3200; 9600 3200
    1 60: 2000 500 1000; 2900 1000
    2 60: 3900 1000 2000; 5800 2000
    3 60: 7700 2000 3900; 11600 3900
    1 70: 2300 600 1200; 3400 1200
    2 70: 4500 1200 2300; 6800 2300
    3 70: 8000 2000 4000; 12000 4000
    1 80: 2600 700 1300; 3900 1300
    1 90: 2900 800 1500; 4400 1500
    1 100: 3200 800 1600; 4800 1600
    1 110: 3600 900 1800; 5300 1800
    2 110: 7100 1800 3600; 10600 3600
    5 20: 8000 2000 4000; 12000 4000
    6 30: 12000 3000 6000; 18000 6000
    7 30: 12000 3000 6000; 18000 6000
    8 25: 16000 4000 8000; 24000 8000
    10 40: 16000 4000 8000; 24000 8000
    11 30: 24000 6000 12000; 36000 12000
    12 30: 24000 6000 12000; 36000 12000
    13 30: 32000 8000 16000; 48000 16000
    20 30: 32000 8000 16000; 48000 16000
"""
LIMITS = {8000: 1, 12000: 2, 16000: 3, 24000: 4, 32000: 5}


@pytest.mark.parametrize("line", TABLE.split("\n")[1:-1], ids=str.strip)
def test_the_published_table(line: str) -> None:
    (han, fu), (ron, small, large), (dealer_ron, each) = (
        map(int, cells.split()) for cells in line.replace(";", ":").split(":")
    )
    base = base_points(han, fu)
    assert limit(han, fu) == LIMITS.get(ron, 0)
    assert hand_points(base, dealer=False) == ron
    assert hand_points(base, dealer=True) == dealer_ron
    tsumo = hand_points(base, dealer=False, tsumo=True)
    assert win_payments(tsumo, 2, 2, dealer=0).tolist() == [-large, -small, int(tsumo), -small]
    assert tsumo == 2 * small + large
    of_dealer = hand_points(base, dealer=True, tsumo=True)
    assert win_payments(of_dealer, 2, 2, dealer=2).tolist() == [-each, -each, 3 * each, -each]


@pytest.mark.parametrize(
    ("seats", "liable", "expected"),
    [
        ((1, 2), None, [0, 8600 + 1000, -8600, 0]),  # ron: the discarder pays the honba
        ((1, 1), None, [-4200, 8600 + 1000, -2200, -2200]),
        ((0, 0), None, [12600 + 1000, -4200, -4200, -4200]),
        ((1, 1), 3, [0, 8600 + 1000, 0, -8600]),  # tsumo: the liable seat pays alone
        ((1, 2), 3, [0, 8600 + 1000, -4000, -4600]),  # ron: each half, the liable seat the honba
        ((1, 3), 3, [0, 8600 + 1000, 0, -8600]),
    ],
)
def test_a_mangan_with_two_honba_and_a_stick(
    seats: tuple[int, int], liable: int | None, expected: list[int]
) -> None:
    points = hand_points(2000, dealer=seats[0] == 0, tsumo=seats[0] == seats[1])
    paid = win_payments(points, *seats, dealer=0, honba=2, sticks=1, liable=liable)
    assert paid.tolist() == expected
    assert points_won(expected, seats[0], honba=2) == points


def test_the_tile_that_completes_the_dragons_or_winds_makes_liable() -> None:
    daisangen, daisuushii = [39], [49]
    left = Meld(MeldKind.PON, parse_tiles("777z"), called=parse_tiles("7z")[0], source=3)
    assert liable_seat(daisangen, [pon("555z"), pon("666z"), left]) == 3
    assert liable_seat(daisangen, [left, pon("999s"), pon("666z"), pon("555z")]) == 2
    assert liable_seat([47, *daisangen], [left, ankan("6666z"), pon("555z")]) == 2
    assert liable_seat(daisangen, [left, pon("555z"), ankan("6666z")]) is None
    assert liable_seat(daisangen, [left, pon("555z")]) is None
    winds = [pon("111z"), pon("222z"), pon("333z")]
    assert liable_seat(daisuushii, [*winds, pon("444z")]) == 2
    assert liable_seat(daisuushii, winds) is None
    assert liable_seat([], [*winds, pon("444z")]) is None


def test_draws_by_hand() -> None:
    assert draw_payments([True, True, False, False]).tolist() == [1500, 1500, -1500, -1500]
    assert draw_payments([True, True, True, False]).tolist() == [1000, 1000, 1000, -3000]
    for nobody_pays in (np.zeros((1, 4), int), np.ones((1, 4), int)):
        assert draw_payments(nobody_pays).tolist() == [[0, 0, 0, 0]]
    assert nagashi_payments([1], dealer=0).tolist() == [-4000, 8000, -2000, -2000]
    assert nagashi_payments([0], dealer=0).tolist() == [12000, -4000, -4000, -4000]
    assert nagashi_payments([0, 1], dealer=0).tolist() == [8000, 4000, -6000, -6000]


@given(
    base=st.builds(base_points, st.integers(1, 13), st.sampled_from([20, 25, *range(30, 120, 10)])),
    seats=st.tuples(*[st.integers(0, 3)] * 3),
    honba=st.integers(0, 9),
    sticks=st.integers(0, 9),
    liable=st.none() | st.integers(0, 3),
)
def test_the_payments_of_a_win_add_up(
    base: int, seats: tuple[int, int, int], honba: int, sticks: int, liable: int | None
) -> None:
    winner, source, dealer = seats
    liable = None if liable == winner else liable
    base = base if liable is None else 8000  # only a yakuman has a liable seat
    tsumo = source == winner
    points = int(hand_points(base, dealer=winner == dealer, tsumo=tsumo))

    def paid_for(points: int | Ints) -> Ints:
        counts = {"honba": honba, "sticks": sticks}
        return win_payments(points, winner, source, dealer=dealer, liable=liable, **counts)

    paid = paid_for(points).tolist()
    assert sum(paid) == 1000 * sticks
    assert paid[winner] == points + 300 * honba + 1000 * sticks
    assert all(change % 100 == 0 for change in paid)
    payers = {0, 1, 2, 3} if tsumo else {source}
    if liable is not None:
        payers = {liable} if tsumo else {source, liable}
    assert {seat for seat, change in enumerate(paid) if change < 0} == payers - {winner}
    factor = 6 if winner == dealer else 4
    assert 0 <= points - factor * base < (300 if tsumo else 100)
    assert paid_for(np.array([[8000], [points]]))[1, 0].tolist() == paid


def test_the_results_of_own_games(own_games: list[Game]) -> None:
    compared = compare(own_games)
    assert compared["win"] > 20
    assert compared["draw"] > 3


@pytest.mark.real_logs
@pytest.mark.parametrize(
    "archive",
    [
        *("lower-rooms", "peer-bench", "phoenix-2024", "phoenix-hanchan"),
        *("phoenix-tonpuu", "tokujou-hanchan", "with-wall-seed"),
    ],
)
def test_the_results_of_real_games(archive: str, real_limit: int) -> None:
    games = (logs.parse(data, name) for name, data in real.games(archive, real_limit))
    compared = compare(games)
    print(archive, dict(compared))
    assert compared["win"]
    assert compared["draw"]


def compare(games: Iterable[Game]) -> Counter[str]:
    """Compare the results of games, and count them."""
    compared: Counter[str] = Counter()
    for game in games:
        for deal, melds, ends in rounds(game):
            for index, end in enumerate(ends):
                if isinstance(end, Win):
                    compare_win(deal, melds[end.seat], end, first=index == 0)
                    compared.update({"win": 1, "later win": index > 0})
                    compared["liable"] += end.liable != end.seat
                else:
                    compare_draw(deal, end)
                    compared[str(end.reason)] += 1
        compared["game"] += 1
    compared["draw"] = compared["exhausted"] + compared["nm"]
    return compared


def rounds(game: Game) -> Iterator[tuple[Deal, dict[int, list[Meld]], list[Win | DrawnRound]]]:
    """Yield each deal, the melds of the seats without added tiles, and how the round ended."""
    results: list[tuple[Deal, dict[int, list[Meld]], list[Win | DrawnRound]]] = []
    for event in game:
        if isinstance(event, Deal):
            results.append((event, defaultdict(list), []))
        elif isinstance(event, (Win, DrawnRound)):
            results[-1][2].append(event)
        elif isinstance(event, Call) and event.meld.kind is not MeldKind.KAKAN:
            results[-1][1][event.seat].append(event.meld)
    return iter(results)


def compare_win(deal: Deal, melds: list[Meld], win: Win, *, first: bool) -> None:
    han, tsumo = sum(han for _, han in win.yaku), win.seat == win.source
    assert win.fu is not None
    assert win.points is not None
    base = 8000 * len(win.yakuman) or base_points(han, win.fu)
    assert win.limit == (5 if win.yakuman else limit(han, win.fu)), win
    assert win.points == hand_points(base, dealer=win.seat == deal.dealer, tsumo=tsumo), win
    liable = liable_seat(win.yakuman, melds)
    nobody = win.liable == win.seat and liable in (None, win.source)
    assert liable == win.liable or nobody, win
    paid = win_payments(
        win.points,
        win.seat,
        win.source,
        dealer=deal.dealer,
        honba=deal.honba * first,
        sticks=win.riichi_sticks * first,
        liable=win.liable,
    )
    assert win.deltas == tuple(paid.tolist()), win
    assert points_won(win.deltas, win.seat, deal.honba * first) == win.points, win


def compare_draw(deal: Deal, drawn: DrawnRound) -> None:
    expected = [0, 0, 0, 0]
    if drawn.reason is DrawReason.EXHAUSTED:
        expected = draw_payments([hand is not None for hand in drawn.hands]).tolist()
    elif drawn.reason is DrawReason.NAGASHI_MANGAN:
        assert drawn.deltas is not None
        seats = [seat for seat, change in enumerate(drawn.deltas) if change > 0]
        expected = nagashi_payments(seats, deal.dealer).tolist()
    assert drawn.deltas == tuple(expected), drawn
