"""How long the hands of one opponent take: python -m benchmarks.hands.

Microseconds, the median of many runs. The ratio compares a query with the plain way to do it, the
product of C(unseen, held) over the 34 kinds of every possible shape, in the same run.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from statistics import median
from time import perf_counter

import numpy as np
import numpy.typing as npt

from houjuu.events import Meld, MeldKind, Rules
from houjuu.hands.grid import Setting
from houjuu.hands.grouping import tenpai_hands
from houjuu.hands.score import score
from houjuu.hands.shapes import shapes
from houjuu.hands.tenpai import Reds, reds_unseen
from houjuu.tiles import COPIES, KINDS, parse_tiles

MELDS = tuple(
    Meld(MeldKind.CHI, parse_tiles(run), parse_tiles(run)[0], 3)
    for run in ("234m", "456s", "567p", "678m")
)
WAYS = np.array([[comb(unseen, held) for held in range(5)] for unseen in range(5)], np.float64)
RUNS = 50
Unseen = npt.NDArray[np.int8]


def microseconds(work: Callable[[], object], runs: int = RUNS) -> float:
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(1e6 * (perf_counter() - start))
    return median(times)


def built(tiles: int) -> float:
    def build() -> object:
        shapes.cache_clear()
        return shapes(tiles)

    return microseconds(build, runs=5)


def unseen_of(setting: Setting, seen: int) -> tuple[Unseen, Reds]:
    others = [tile for tile in range(4 * KINDS) if tile not in setting.meld_tiles]
    more = np.random.default_rng(seen).permutation(others)[: seen - len(setting.meld_tiles)]
    visible = [*setting.meld_tiles, *more.tolist()]
    counts = np.bincount([tile // COPIES for tile in visible], minlength=KINDS)
    return (COPIES - counts).astype(np.int8), reds_unseen(visible, Rules())


def plain_ways(held: npt.NDArray[np.uint8], unseen: Unseen) -> float:
    ways = np.ones(len(held))
    for kind in range(KINDS):
        ways *= WAYS[unseen[kind]][held[:, kind]]
    return float(ways.sum())


def line(melds: int, tiles: int, seen: int) -> str:
    of = shapes(tiles)
    setting = Setting(MELDS[:melds], dora=(3,))
    unseen, reds = unseen_of(setting, seen)
    hands = tenpai_hands(of, setting, unseen, reds)
    held = of.held()
    held = held[np.all(held <= unseen, axis=1)]
    scoring = microseconds(lambda: score(of, setting))
    making = microseconds(lambda: tenpai_hands(of, setting, unseen, reds))
    query = microseconds(lambda: hands.scores(hands.ways(unseen, reds)))
    plain = microseconds(lambda: plain_ways(held, unseen))
    sizes = f"{len(held):7,} {len(hands.row_pattern[0]):7,} {len(hands.waits):6,}"
    times = f"{scoring:7,.0f} {making:7,.0f} {query:7,.0f}"
    return f"{melds:5} {tiles:5} {seen:5} {sizes} {times} {plain / query:6.1f}x"


def main() -> None:
    for tiles in (1, 4, 7):
        print(f"{tiles} tiles: {len(shapes(tiles)):,} shapes, built in {built(tiles):,.0f} µs")
    print("melds tiles  seen  shapes    rows groups   score    make   query  plain/query")
    for melds, tiles in ((4, 1), (3, 4), (2, 7), (1, 7)):
        for seen in (25, 50, 75):
            print(line(melds, tiles, seen))


if __name__ == "__main__":
    main()
