"""The plain shape of hands: what sees the hand itself, and no way to a win.

A search of useful draws leaves out the draws that better a hand without lowering its shanten, and
counts nothing for a shape whose tiles are all visible. These counts know both, for every shanten.

The hand 1334m 99p 24s 5z, for three sets and a pair, has one tile that touches no other (5z), two
pairs (33m, 99p), one joined pair of ranks (34m) and two gapped ones (13m, 24s).

>>> from houjuu.game.tiles import kind_counts, parse_tiles
>>> hand = kind_counts(parse_tiles("1334m99p24s5z"))[None]
>>> made = shapes(hand, np.zeros(34, int), np.full(34, 4) - hand[0], yakuhai=(31, 32, 33))
>>> [made[name].tolist() for name in ("lone", "pairs", "joined", "gapped")]
[[1.0], [2.0], [1.0], [2.0]]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from houjuu.game.tiles import EAST, HONOURS, IS_YAOCHU
from houjuu.util.arrays import Bools, Floats, Ints

_YAOCHU = np.array(IS_YAOCHU)


def padded_ranks(held: Bools) -> Bools:
    """Whether each rank of a suit is held, (n, 3, 13): two absent ranks more lie on both sides.

    Index 2 is rank 1.
    """
    ranks = np.zeros((len(held), HONOURS, 13), np.bool_)
    ranks[..., 2:-2] = held[:, :EAST].reshape(-1, HONOURS, 9)
    return ranks


def shapes(
    counts: Ints, melded: Ints, unseen: Ints | Floats, *, yakuhai: Sequence[int]
) -> dict[str, Floats]:
    """The shapes of hands with the same melds, (n,) each: fields of `houjuu.player.states.States`.

    Parameters
    ----------
    counts : (n, 34) array
        Concealed copies of each kind.
    melded : (34,) array
        Copies of each kind in the melds.
    unseen : (34,) array
        Unseen copies of each kind; they may be weighted.
    yakuhai : sequence of int
        Kinds of which a triplet is a yaku.
    """
    held = counts > 0
    ranks = padded_ranks(held)
    joined = (ranks[..., 2:11] & ranks[..., 3:12]).sum(axis=(1, 2))
    gapped = (ranks[..., 2:11] & ranks[..., 4:13]).sum(axis=(1, 2))
    beside = ranks[..., :9] | ranks[..., 1:10] | ranks[..., 3:12] | ranks[..., 4:13]
    near = np.zeros_like(held)
    near[:, :EAST] = beside.reshape(-1, EAST)
    own = counts + melded
    suits = own[:, :EAST].reshape(-1, HONOURS, 9).sum(axis=2).max(axis=1)
    of_value = [*yakuhai]
    pairs = counts == 2
    live = pairs[:, of_value] & (unseen[of_value] > 0)
    made = {
        "lone": ((counts == 1) & ~near).sum(axis=1),
        "pairs": pairs.sum(axis=1),
        "triplets": (counts > 2).sum(axis=1),
        "joined": joined,
        "gapped": gapped,
        "yakuhai_pairs": live.sum(axis=1),
        "yakuhai_sets": (own[:, of_value] > 2).sum(axis=1),
        "yaochu": own[:, _YAOCHU].sum(axis=1),
        "suit": suits + own[:, EAST:].sum(axis=1),
        "touching": (near | held) @ unseen,
    }
    return {name: np.asarray(number, np.float64) for name, number in made.items()}
