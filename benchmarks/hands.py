"""Time to enumerate the hands of one opponent: python -m benchmarks.hands.

Medians of many runs, in microseconds. The ratio compares a query with the naive computation in the
same run: the product of C(unseen, held) over the 34 kinds of every possible shape.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from statistics import median
from time import perf_counter

import numpy as np

from houjuu.arrays import Int8s, UInt8s
from houjuu.events import Meld, MeldKind, Rules
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.score import score
from houjuu.hands.shapes import shapes
from houjuu.hands.tenpai_groups import tenpai_hands
from houjuu.hands.tenpai_hands import Reds, reds_unseen
from houjuu.tiles import COPIES, KIND, KINDS, TILES, parse_tiles

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


def build_time(tiles: int) -> float:
    def build() -> object:
        shapes.cache_clear()
        return shapes(tiles)

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


def result_line(n_melds: int, tiles: int, seen: int) -> str:
    hand_shapes = shapes(tiles)
    context = ScoringContext(MELDS[:n_melds], dora=(3,))
    unseen, reds = unseen_tiles(context, seen)
    hands = tenpai_hands(hand_shapes, context, unseen, reds)
    counts = hand_shapes.counts()
    counts = counts[np.all(counts <= unseen, axis=1)]
    score_time = microseconds(lambda: score(hand_shapes, context))
    build = microseconds(lambda: tenpai_hands(hand_shapes, context, unseen, reds))
    query = microseconds(lambda: hands.weight_by_score(hands.ways(unseen, reds)))
    naive = microseconds(lambda: naive_ways(counts, unseen))
    sizes = f"{len(counts):7,} {len(hands.row_pattern[0]):7,} {len(hands.waits):6,}"
    times = f"{score_time:7,.0f} {build:7,.0f} {query:7,.0f}"
    return f"{n_melds:5} {tiles:5} {seen:5} {sizes} {times} {naive / query:6.1f}x"


def main() -> None:
    for tiles in (1, 4, 7):
        print(f"{tiles} tiles: {len(shapes(tiles)):,} shapes, built in {build_time(tiles):,.0f} µs")
    print("melds tiles  seen  shapes    rows groups   score    make   query  naive/query")
    for n_melds, tiles in ((4, 1), (3, 4), (2, 7), (1, 7)):
        for seen in (25, 50, 75):
            print(result_line(n_melds, tiles, seen))


if __name__ == "__main__":
    main()
