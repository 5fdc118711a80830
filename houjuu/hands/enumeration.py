"""Construction of `houjuu.hands.tenpai_hands.TenpaiHands`, after a new meld or dora.

The steps for the hand 1123m 456p of `houjuu.hands.tenpai_hands`, beside a pon of haku:

1. `without_dora` scores the wins of the waiting group 1123m with all classes of rests, and gives
   groups with equal waits and scores equal keys.
2. `_Bundles` merges the rows of such groups: 1123m with 2399m, and 456p without a red five with the
   other runs of simples in pinzu. The dora make other bundles; the keys do not change.
3. `_complete_items` makes items of the bundles of complete groups. Bundles that differ in their own
   waits alone become one item, because only their ways count from there on.
4. `Rests.from_items` combines the items to rests.
5. `_wins` makes items of waiting groups by winning kind: that of 4m contains ten groups, among them
   1123m and 1234m, which score alike on 4m but wait for different kinds. Each product of an item
   and a rest of its type adds to a cell (colour, winning kind, score code).
6. `_hands` does the same for the classes of hands, whichever kind wins. `_shanpon` lists the hands
   with two waiting groups.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.tiles import IS_YAOCHU, KINDS, RANKS
from houjuu.hands.completions import NO_SET, TRIPLET_SIMPLE, TRIPLET_YAOCHU
from houjuu.hands.group_rows import GroupRows, group_rows
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.junctions import WaitingScores
from houjuu.hands.merging import Keys, merge, random_keys
from houjuu.hands.open_yaku import meld_suits
from houjuu.hands.points import CODES, add_han
from houjuu.hands.rests import CompleteItems, Rests, rest_types
from houjuu.hands.set_classes import SetClasses
from houjuu.hands.sets import RUNS, Indices, Masks
from houjuu.hands.suit_groups import SUITS, SuitGroups, suit_groups
from houjuu.hands.tenpai_hands import HAND_CLASSES, NO_SUIT, Products, TenpaiHands
from houjuu.util.arrays import Bools

_COLOUR_OF_SUITS: Indices = np.array([NO_SUIT, 0, 1, 3, 2, 3, 3, 3])
_SUIT_OF_TYPE: Indices = 1 << np.arange(64) % SUITS
_BONUS_KEY, _WAITS_KEY, _SHANPON_KEY, _GOOD_KEY, _LIVE_KEY, _PAIR_KEY, *_SET_KEYS = random_keys(8)
_KIND_KEYS = random_keys(KINDS)


@lru_cache(maxsize=16)
def tenpai_hands(context: ScoringContext, n_sets: int) -> TenpaiHands:
    """The tenpai hands of an opponent; the last results are cached.

    Parameters
    ----------
    context : ScoringContext
        `red_fives` should be 0.
    n_sets : int
        Number of concealed sets of a complete hand, 0–2.
    """
    rows = group_rows(n_sets)
    opponent = _Opponent.from_context(context, n_sets)
    bundles = _Bundles.from_rows(rows, opponent.roles, opponent.dora)
    items, complete_links = _complete_items(opponent, rows, bundles)
    rests = Rests.from_items(
        items, opponent.classes, opponent.scores.junctions, opponent.colours.index_of_suits
    )
    waiting = _WaitingBundles.from_bundles(opponent, bundles)
    wins, win_links = _wins(opponent, waiting, rests)
    hands, hand_links = _hands(opponent, waiting, rests)
    links = (complete_links, win_links, hand_links)
    firsts, shanpon = _shanpon(opponent, items)
    start = np.cumsum([0, *(link.n_items for link in links)]).tolist()
    return TenpaiHands(
        row_low=rows.low[bundles.row],
        row_high=rows.high[bundles.row],
        first_row=bundles.first_row,
        waits=opponent.roles.waits[bundles.role],
        good=opponent.roles.good[bundles.role],
        items=Products(
            (np.concatenate([link.bundle for link in links]),),
            np.concatenate([first + link.item for first, link in zip(start, links, strict=False)]),
        ),
        n_items=start[-1],
        candidates=(rests.left, rests.right),
        rests=Products((rests.candidate,), rests.rest),
        n_rests=len(rests.column),
        wins=wins.with_items_from(start[1]),
        hands=hands.with_items_from(start[2]),
        shanpon_firsts=firsts,
        shanpon=shanpon,
        colours=opponent.colours.colours,
    )


@lru_cache(maxsize=8)
def without_dora(context: ScoringContext, n_sets: int) -> tuple[SetClasses, WaitingScores, _Roles]:
    """Scores without dora; they are cached, so that a new dora is faster than a new meld."""
    groups = suit_groups(n_sets)
    classes = SetClasses.from_context(context, n_sets)
    scores = WaitingScores.from_groups(groups.waiting, classes, n_sets)
    return classes, scores, _Roles.from_groups(groups, group_rows(n_sets), classes, scores)


class _HandColours(NamedTuple):
    """The colours that hands can have beside the melds."""

    colours: list[int]
    index_of_suits: Indices  # (16,), by the bits of the suits of the concealed tiles

    @classmethod
    def from_context(cls, context: ScoringContext) -> _HandColours:
        shown = sum(1 << suit for suit in meld_suits(context.melds))
        colour = _COLOUR_OF_SUITS[np.arange(1 << SUITS) & 7 | shown]
        colours, index = np.unique(colour, return_inverse=True)
        return cls(colours.tolist(), index)


class _Roles(NamedTuple):
    """Arrays by role (`houjuu.hands.group_rows`).

    `item_key`, `sets` and `pair` leave out the waiting groups.

    Roles with equal keys have equal waits and scores, those with equal item keys equal scores.
    """

    key: Keys
    waits: Masks
    good: Bools
    is_possible: Bools
    item_key: Keys
    sets: Indices
    pair: Indices

    @classmethod
    def from_groups(
        cls, groups: SuitGroups, rows: GroupRows, classes: SetClasses, scores: WaitingScores
    ) -> _Roles:
        waiting, complete = groups
        sets = np.sort(classes.set_class[complete.sets[rows.complete]], axis=1)
        pair = np.append(classes.pair_class, len(classes.kind_of_class))
        pair = pair[complete.pair[rows.complete]]
        item_key = _PAIR_KEY * pair.astype(np.uint64)
        item_key += sets.astype(np.uint64) @ _SET_KEYS
        n_complete = len(complete.suit)
        half = complete.waiting[
            rows.complete[n_complete:]
        ]  # halves of a shanpon, as waiting groups
        half_key = item_key[n_complete:]
        half_key += _SHANPON_KEY + scores.is_live[half] * _LIVE_KEY
        # The yaku of a pair follow from its class; those of five tiles depend on their set too.
        half_key += scores.yaku_key[half] * (waiting.tiles[half] == 5)
        # Halves with other waits are in other bundles, because furiten may exclude one of them.
        complete_key = item_key.copy()
        complete_key[n_complete:] += waiting.waits[half] * _WAITS_KEY
        no_waits = np.zeros(n_complete, np.uint64)
        all_roles = np.ones(len(rows.complete), np.bool_)
        return cls(
            key=np.concatenate([scores.group_key, complete_key]),
            waits=np.concatenate([waiting.waits, no_waits, waiting.waits[half]]),
            good=np.append(waiting.good | waiting.is_complete, all_roles),
            is_possible=np.append(scores.is_live, all_roles),
            item_key=item_key,
            sets=sets,
            pair=pair,
        )


class _Opponent(NamedTuple):
    """The scores, colours and dora of an opponent, from its melds, winds and dora."""

    n_sets: int
    groups: SuitGroups
    classes: SetClasses
    scores: WaitingScores
    roles: _Roles
    colours: _HandColours
    dora: Indices
    meld_bonus: int

    @classmethod
    def from_context(cls, context: ScoringContext, n_sets: int) -> _Opponent:
        classes, scores, roles = without_dora(replace(context, dora=()), n_sets)
        return cls(
            n_sets=n_sets,
            groups=suit_groups(n_sets),
            classes=classes,
            scores=scores,
            roles=roles,
            colours=_HandColours.from_context(context),
            dora=np.bincount(context.dora, minlength=KINDS),
            meld_bonus=context.bonus,
        )


class _Bundles(NamedTuple):
    """Bundles of rows: a role and the bonus, dora and red fives, of each; sorted rows."""

    role: Indices
    bonus: Indices
    row: Indices
    first_row: Indices

    @classmethod
    def from_rows(cls, rows: GroupRows, roles: _Roles, dora: Indices) -> _Bundles:
        bonus = np.zeros(len(rows.suit), np.uint8)
        for kind in np.flatnonzero(dora).tolist():
            suit, rank = divmod(kind, RANKS)
            bonus += (rows.suit == suit) * rows.counts[rank] * np.uint8(dora[kind])
        possible = np.flatnonzero(roles.is_possible[rows.role])
        role = rows.role[possible]
        red = rows.red[possible]
        row_bonus = (bonus[role] + red).astype(np.uint64)
        merged = merge(roles.key[role] + row_bonus * _BONUS_KEY)
        first = merged.representatives
        return cls(
            role=role[first],
            bonus=row_bonus[first].astype(np.intp),
            row=possible[merged.order],
            first_row=merged.first,
        )


class _Links(NamedTuple):
    """Items, numbered from 0, and the bundles whose sums they are."""

    n_items: int
    bundle: Indices
    item: Indices


def _complete_items(
    opponent: _Opponent, rows: GroupRows, bundles: _Bundles
) -> tuple[CompleteItems, _Links]:
    """The items of complete groups, after item 0."""
    complete = opponent.groups.complete
    classes = opponent.classes
    roles = opponent.roles
    n_waiting = len(rows.suit) - len(rows.complete)
    bundle = np.flatnonzero(bundles.role >= n_waiting)
    role = bundles.role[bundle] - n_waiting
    bonus = bundles.bonus[bundle]
    merged = merge(roles.item_key[role] + bonus.astype(np.uint64) * _BONUS_KEY)
    first = merged.representatives
    role = role[first]
    group = rows.complete[role]
    no_sets = np.full((1, 2), classes.set_class[NO_SET])
    items = CompleteItems(
        group=np.append(-1, group),
        tiles=np.append(0, complete.tiles[group]),
        suits=np.append(0, 1 << complete.suit[group]),
        sets=np.concatenate([no_sets, roles.sets[role]]),
        pair=np.append(len(classes.kind_of_class), roles.pair[role]),
        bonus=np.append(0, bonus[first]),
        waits=np.append(False, role >= len(complete.suit)),
    )
    return items, _Links(len(items.group), bundle, merged.classes + 1)


class _WaitingBundles(NamedTuple):
    """The bundles of waiting groups, with a representative group and the type of its rests."""

    bundle: Indices
    group: Indices
    bonus: Indices
    rest_type: Indices

    @classmethod
    def from_bundles(cls, opponent: _Opponent, bundles: _Bundles) -> _WaitingBundles:
        waiting = opponent.groups.waiting
        scores = opponent.scores
        bundle = np.flatnonzero(bundles.role < len(waiting.suit))
        group = bundles.role[bundle]
        number = np.zeros(8, np.intp)
        for index, junction in enumerate(scores.junctions):
            number[junction.tiles] = index
        rest_type = rest_types(
            number[waiting.tiles[group]], waiting.is_complete[group], waiting.suit[group]
        )
        return cls(bundle=bundle, group=group, bonus=bundles.bonus[bundle], rest_type=rest_type)


def _wins(opponent: _Opponent, waiting: _WaitingBundles, rests: Rests) -> tuple[Products, _Links]:
    """The wins as products of an item and a rest; the items are numbered from 0."""
    groups = opponent.groups.waiting
    scores = opponent.scores
    dora = opponent.dora
    position, win = groups.wins_of(waiting.group)
    scored = np.flatnonzero(scores.win_key[win])
    position = position[scored]
    win = win[scored]
    kind = groups.win_kind[win]
    bonus = waiting.bonus[position]
    rest_type = waiting.rest_type[position]
    key = scores.win_key[win] + _KIND_KEYS[kind] + bonus.astype(np.uint64) * _BONUS_KEY
    merged = merge(key, rest_type)
    first = merged.representatives
    item, rest = rests.pairs(rest_type[first])
    win, kind, bonus, rest_type = (array[first][item] for array in (win, kind, bonus, rest_type))
    code = scores.codes[scores.first_code[win] + rests.column[rest]]
    total = bonus + dora[kind] + rests.bonus[rest] + opponent.meld_bonus
    code = add_han(code, np.minimum(total, YAKUMAN_HAN))
    colour = opponent.colours.index_of_suits[_SUIT_OF_TYPE[rest_type] | rests.suits[rest]]
    cell = (colour * KINDS + kind) * CODES + code
    is_win = np.flatnonzero(code)
    wins = Products((item[is_win], rest[is_win]), cell[is_win])
    return wins, _Links(len(first), waiting.bundle[position], merged.classes)


def _hands(opponent: _Opponent, waiting: _WaitingBundles, rests: Rests) -> tuple[Products, _Links]:
    """The hands with one waiting group as products of an item and a rest; items from 0."""
    groups = opponent.groups.waiting
    scores = opponent.scores
    single = np.flatnonzero(~groups.is_complete[waiting.group])
    group = waiting.group[single]
    rest_type = waiting.rest_type[single]
    merged = merge(scores.yaku_key[group] + groups.good[group] * _GOOD_KEY, rest_type)
    first = merged.representatives
    item, rest = rests.pairs(rest_type[first])
    group = group[first][item]
    rest_type = rest_type[first][item]
    has_yaku = scores.has_yaku[scores.first_yaku[group] + rests.column[rest]]
    colour = opponent.colours.index_of_suits[_SUIT_OF_TYPE[rest_type] | rests.suits[rest]]
    class_ = colour * HAND_CLASSES + 2 * ~groups.good[group] + ~has_yaku
    return Products((item, rest), class_), _Links(
        len(first), waiting.bundle[single], merged.classes
    )


def _shanpon(opponent: _Opponent, items: CompleteItems) -> tuple[Products, Products]:
    """The hands that wait in two suits: sums of their first items, and products with such a sum."""
    groups = opponent.groups
    scores = opponent.scores
    classes = opponent.classes
    if opponent.n_sets == 0:
        none = np.zeros(0, np.intp)
        nothing = Products((none,), none)
        return nothing, Products((none, none, none), none)  # one tile waits in one suit
    half = groups.complete.waiting[items.group]  # as waiting groups
    is_live = items.waits & scores.is_live[half]
    # Only the rows of items of five tiles are used; the others need an index that exists.
    first_yaku = scores.first_yaku[half] * (items.tiles == 5)
    n_pairs = len(classes.kind_of_class)
    has_yaku = scores.has_yaku[first_yaku[:, None] + np.arange(n_pairs)]
    hands, hand_has_yaku = _shanpon_hands(items, classes, opponent.n_sets, is_live, has_yaku)
    colour = opponent.colours.index_of_suits[np.bitwise_or.reduce(items.suits[hands])]
    class_ = colour * HAND_CLASSES + ~hand_has_yaku
    first, second, third = hands
    # Some five hands differ in their first item alone: their sum is multiplied once.
    key = second.astype(np.uint64) * _SHANPON_KEY + third.astype(np.uint64) * _PAIR_KEY
    merged = merge(key, class_)
    hand = merged.representatives
    firsts = np.arange(len(hand))
    return (
        Products((first,), merged.classes),
        Products((second[hand], third[hand], firsts), class_[hand]),
    )


_TRIPLET_TYPE: Indices = np.where(IS_YAOCHU, TRIPLET_YAOCHU, TRIPLET_SIMPLE)


def _shanpon_hands(
    items: CompleteItems, classes: SetClasses, n_sets: int, is_live: Bools, has_yaku: Bools
) -> tuple[Indices, Bools]:
    """All shanpons across suits (双碰), as three items, and whether they have a yaku.

    The hand 11m 33p 456s wins on 1m, where 33p is the pair, and on 3p. It is the product of three
    items. Its weight is counted here, because it has a yaku if it has one on either wait; its wins
    are counted by waiting group, as those of all other hands.

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
