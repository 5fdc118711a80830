"""Hands that wait in two suits: the pair of each is completed by the other's wait (双碰).

Their weights are counted here, hand by hand, because the hand has a yaku if it has one on either
wait. Their wins are counted by waiting group, as those of all other hands.

The hand 1123m 456p of `houjuu.hands.tenpai_hands` is not one of them: 456p does not wait. In the
hand 11m 33p 456s the groups 11m and 33p are both complete and waiting. It wins on 1m, where 33p is
the pair, and on 3p, where 11m is the pair. Here it is the product of three items: 11m, 33p, 456s.
"""

from __future__ import annotations

import numpy as np

from houjuu.game.tiles import IS_YAOCHU
from houjuu.hands.completions import NO_SET, TRIPLET_SIMPLE, TRIPLET_YAOCHU
from houjuu.hands.rests import CompleteItems
from houjuu.hands.set_classes import SetClasses
from houjuu.hands.sets import RUNS, Indices
from houjuu.util.arrays import Bools

_TRIPLET_TYPE: Indices = np.where(IS_YAOCHU, TRIPLET_YAOCHU, TRIPLET_SIMPLE)


def shanpon_hands(
    items: CompleteItems, classes: SetClasses, n_sets: int, is_live: Bools, has_yaku: Bools
) -> tuple[Indices, Bools]:
    """All shanpons across suits, as three items, and whether they have a yaku.

    Parameters
    ----------
    items : CompleteItems
        n items.
    classes : SetClasses
    n_sets : int
        Number of concealed sets, 1 or 2.
    is_live : (n,) bool
        Whether the item's own waits are not all exhausted.
    has_yaku : (n, p) bool
        Whether an item of five tiles has a yaku on its own waits, by class of the other pair.

    Returns
    -------
    hands : (3, h) intp
        Items: a pair; another pair, or a pair and a set; a set, or 0.
    has_yaku : (h,) bool
    """
    hands = np.concatenate([_two_pairs(items, n_sets), _pair_and_five(items)], axis=1)
    first, second, _ = hands
    hands = hands[:, is_live[first] | is_live[second]]
    first, second, third = hands
    pair = items.pair[first]
    second_pair = items.pair[second]
    # The set is an item of its own, or belongs to the five tiles of the second item.
    set_ = np.where(third > 0, items.sets[third, 0], items.sets[second, 0])
    yaku_on_first = is_live[first] & _has_yaku(classes, pair, set_, second_pair)
    yaku_on_second = is_live[second] & np.where(
        items.tiles[second] == 2,
        _has_yaku(classes, second_pair, set_, pair),
        has_yaku[second, pair],
    )
    return hands, yaku_on_first | yaku_on_second


def _two_pairs(items: CompleteItems, n_sets: int) -> Indices:
    """Two pairs and, if the hands have two sets, a set: all of different suits."""
    pairs = items.select(2, waits=True)
    sets = items.select(3) if n_sets == 2 else np.zeros(1, np.intp)
    suits = items.suits[pairs]
    first, second = np.nonzero(suits[:, None] < suits)  # each two pairs once
    both_suits = suits[first] | suits[second]
    index, third = np.nonzero((both_suits[:, None] & items.suits[sets]) == 0)
    first = first[index]
    second = second[index]
    return np.stack([pairs[first], pairs[second], sets[third]])


def _pair_and_five(items: CompleteItems) -> Indices:
    """A pair, and a pair and a set of another suit."""
    pairs = items.select(2, waits=True)
    fives = items.select(5, waits=True)
    first, second = np.nonzero(items.suits[pairs][:, None] != items.suits[fives])
    return np.stack([pairs[first], fives[second], np.zeros(len(first), np.intp)])


def _has_yaku(classes: SetClasses, winning: Indices, set_: Indices, pair: Indices) -> Bools:
    """Whether hands have a yaku: the triplet of the winning pair, a set and a pair, by class."""
    kind = classes.kind_of_class[winning]
    sets_of_class = np.append(classes.set_of_class, NO_SET)
    offset = _TRIPLET_TYPE[kind] * classes.type_offset + classes.set_offsets[0, RUNS + kind]
    offset += classes.set_offsets[1, sets_of_class[set_]] + pair
    has_yaku: Bools = classes.codes[offset] > 0
    return has_yaku
