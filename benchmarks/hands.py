"""Time to sum the hands of one opponent: python -m benchmarks.hands.

Medians of many runs, in microseconds. The ratio compares a query with the naive computation in the
same run: the product of C(unseen, held) over the 34 kinds of every possible hand.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from statistics import median
from time import perf_counter

import numpy as np

from houjuu.game.events import Meld, MeldKind, Rules
from houjuu.game.tiles import COPIES, KIND, KINDS, TILES, parse_tiles
from houjuu.hands import enumeration
from houjuu.hands.group_rows import group_rows
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.suit_groups import suit_groups
from houjuu.hands.suit_ways import Reds, reds_unseen
from houjuu.util.arrays import Int8s, UInt8s
from tests.hands.shapes import shapes

MELDS = tuple(
    Meld(MeldKind.CHI, parse_tiles(run), parse_tiles(run)[0], 3)
    for run in ("234m", "456s", "567p", "678m")
)
WAYS = np.array([[comb(unseen, held) for held in range(5)] for unseen in range(5)], np.float64)
RUNS = 50


def microseconds(work: Callable[[], object], runs: int = RUNS) -> float:
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(1e6 * (perf_counter() - start))
    return median(times)


def groups_time(n_sets: int) -> float:
    def build() -> object:
        suit_groups.cache_clear()
        group_rows.cache_clear()
        return group_rows(n_sets)

    return microseconds(build, runs=5)


def unseen_tiles(context: ScoringContext, seen: int) -> tuple[Int8s, Reds]:
    others = [tile for tile in range(TILES) if tile not in context.meld_tiles]
    drawn = np.random.default_rng(seen).permutation(others)[: seen - len(context.meld_tiles)]
    visible = [*context.meld_tiles, *drawn.tolist()]
    counts = np.bincount([KIND[tile] for tile in visible], minlength=KINDS)
    return (COPIES - counts).astype(np.int8), reds_unseen(visible, Rules())


def naive_ways(counts: UInt8s, unseen: Int8s) -> float:
    ways = np.ones(len(counts))
    for kind in range(KINDS):
        ways *= WAYS[unseen[kind]][counts[:, kind]]
    return float(ways.sum())


def result_line(n_melds: int, n_sets: int, seen: int) -> str:
    context = ScoringContext(MELDS[:n_melds], dora=(3,))
    unseen, reds = unseen_tiles(context, seen)
    construct = enumeration.tenpai_hands.__wrapped__
    hands = construct(context, n_sets)

    def after_meld() -> object:
        enumeration.without_dora.cache_clear()
        return construct(context, n_sets)

    counts = shapes(3 * n_sets + 1).counts()
    counts = counts[np.all(counts <= unseen, axis=1)]
    meld, dora = microseconds(after_meld), microseconds(lambda: construct(context, n_sets))
    query = microseconds(lambda: hands.weights(unseen, reds))
    naive = microseconds(lambda: naive_ways(counts, unseen), runs=10)
    products = len(hands.wins.target) + len(hands.hands.target) + len(hands.shanpon.target)
    sizes = f"{len(counts):7,} {len(hands.row_low):7,} {products:8,}"
    times = f"{meld:10,.0f} {dora:10,.0f} {query:7,.0f}"
    return f"{n_melds:5} {seen:5} {sizes} {times} {naive / query:6.1f}x"


def main() -> None:
    for n_sets in range(3):
        n_shapes = len(shapes(3 * n_sets + 1))
        print(f"{n_shapes:,} hands: groups in {groups_time(n_sets):,.0f} µs")
    print("melds  seen   hands    rows products after meld after dora   query  naive")
    for n_melds, n_sets in ((4, 0), (3, 1), (2, 2), (1, 2)):
        for seen in (25, 50, 75):
            print(result_line(n_melds, n_sets, seen))


if __name__ == "__main__":
    main()
