"""A search one step ahead by deals of what a seat does not see.

A deal is a whole world: a discard deals in there or not, and the next draws lower the shanten or
not. A search of more steps plays on in the same deals.

    python -m examples.search_deals
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import houjuu
from houjuu.estimators import Estimator
from houjuu.game import KIND, View, format_tiles
from houjuu.hands import shanten_of_counts, useful


class Searched(NamedTuple):
    """A discard and the share of the deals in which it deals in, and in which the hand advances."""

    tile: int
    shanten: int
    deals_in: float
    advances: float


def search(view: View, estimator: Estimator, n: int = 256, draws: int = 4) -> list[Searched]:
    """The different discards, the lowest shanten first.

    Parameters
    ----------
    view : View
        A seat that has to discard.
    estimator : Estimator
    n : int
        Deals.
    draws : int
        Own draws after the discard; a hand advances if it does not deal in, and one of them lowers
        its shanten.
    """
    deals = estimator.hands(view).sample(n)
    drawn = [{KIND[tile] for tile in wall[:draws]} for *_, wall in deals.tiles()]
    options = []
    for kind, tile in {KIND[tile]: tile for tile in view.hand}.items():
        rest = [KIND[other] for other in view.hand if other != tile]
        kinds = useful(rest)
        loses = deals.wins[:, :, kind].any(axis=1)
        advances = np.array([not of_deal.isdisjoint(kinds) for of_deal in drawn]) & ~loses
        shanten = shanten_of_counts(rest)
        options.append(Searched(tile, shanten, float(loses.mean()), float(advances.mean())))
    return sorted(options, key=lambda one: (one.shanten, -one.advances))


def main() -> None:
    """Search the discards of a position by hand."""
    rivers = {"self": "9m", "right": "1z 9p", "across": "9s 4z*", "left": "2z 8m"}
    view = houjuu.position("123m067p1199s555z + 4p", seat="N", dora="3p", rivers=rivers)
    for one in search(view, houjuu.load()):
        name = format_tiles([one.tile])
        print(f"{name}  {one.shanten}-shanten  {one.deals_in:6.1%}  {one.advances:6.1%}")


if __name__ == "__main__":
    main()
