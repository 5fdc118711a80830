"""Construction of `houjuu.hands.tenpai_hands.TenpaiHands`, after a new meld or dora."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from houjuu.game.payments import YAKUMAN_HAN
from houjuu.game.tiles import KINDS, RANKS
from houjuu.hands.completions import NO_SET
from houjuu.hands.hand_grid import ScoringContext
from houjuu.hands.junctions import WaitingScores
from houjuu.hands.merging import Keys, merge, random_keys
from houjuu.hands.open_yaku import meld_suits
from houjuu.hands.part_rows import PartRows, part_rows
from houjuu.hands.points import CODES, add_han
from houjuu.hands.rests import CompleteItems, Rests, block_of
from houjuu.hands.set_classes import SetClasses
from houjuu.hands.sets import Indices, Masks
from houjuu.hands.shanpon import shanpon_hands
from houjuu.hands.suit_parts import SUITS, SuitParts, suit_parts
from houjuu.hands.tenpai_hands import HAND_CLASSES, NO_SUIT, Products, TenpaiHands
from houjuu.util.arrays import Bools

_COLOUR_OF_SUITS: Indices = np.array([NO_SUIT, 0, 1, 3, 2, 3, 3, 3])
_BLOCK_SUITS: Indices = 1 << np.arange(64) % SUITS
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
    rows = part_rows(n_sets)
    opponent = _Opponent.of(context, n_sets)
    groups = _Groups.of(rows, opponent.roles, opponent.dora)
    items, complete_links = _complete_items(opponent, rows, groups)
    rests = Rests.of(
        items, opponent.classes, opponent.scores.junctions, opponent.colours.index_of_suits
    )
    waiting = _WaitingGroups.of(opponent, groups)
    wins, win_links = _wins(opponent, waiting, rests)
    hands, hand_links = _hands(opponent, waiting, rests)
    links = (complete_links, win_links, hand_links)
    start = np.cumsum([0, *(link.n_items for link in links)]).tolist()
    return TenpaiHands(
        row_low=rows.low[groups.row],
        row_high=rows.high[groups.row],
        first_row=groups.first_row,
        waits=opponent.roles.waits[groups.role],
        good=opponent.roles.good[groups.role],
        items=Products(
            (np.concatenate([link.group for link in links]),),
            np.concatenate([first + link.item for first, link in zip(start, links, strict=False)]),
        ),
        n_items=start[-1],
        candidates=(rests.left, rests.right),
        rests=Products((rests.candidate,), rests.place),
        n_rests=len(rests.column),
        wins=wins.with_items_from(start[1]),
        hands=hands.with_items_from(start[2]),
        shanpon=_shanpon(opponent, items),
        colours=opponent.colours.colours,
    )


@lru_cache(maxsize=8)
def without_dora(context: ScoringContext, n_sets: int) -> tuple[SetClasses, WaitingScores, _Roles]:
    """Scores without dora; they are cached, so that a new dora is faster than a new meld."""
    parts = suit_parts(n_sets)
    classes = SetClasses.of(context, n_sets)
    scores = WaitingScores.of(parts.waiting, classes, n_sets)
    return classes, scores, _Roles.of(parts, part_rows(n_sets), classes, scores)


class _Colours(NamedTuple):
    """The colours that hands can have beside the melds."""

    colours: list[int]
    index_of_suits: Indices  # (16,), by the bits of the suits of the concealed tiles

    @classmethod
    def of(cls, context: ScoringContext) -> _Colours:
        shown = sum(1 << suit for suit in meld_suits(context.melds))
        colour = _COLOUR_OF_SUITS[np.arange(1 << SUITS) & 7 | shown]
        colours, index = np.unique(colour, return_inverse=True)
        return cls(colours.tolist(), index)


class _Roles(NamedTuple):
    """Arrays by role (`houjuu.hands.part_rows`); `item_key`, `sets`, `pair` without waiting parts.

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
    def of(
        cls, parts: SuitParts, rows: PartRows, classes: SetClasses, scores: WaitingScores
    ) -> _Roles:
        waiting, complete = parts
        sets = np.sort(classes.set_class[complete.sets[rows.complete]], axis=1)
        pair = np.append(classes.pair_class, len(classes.kind_of_class))
        pair = pair[complete.pair[rows.complete]]
        item_key = _PAIR_KEY * pair.astype(np.uint64)
        item_key += sets.astype(np.uint64) @ _SET_KEYS
        own = complete.waiting[rows.complete[len(complete.suit) :]]  # as waiting parts
        shanpon = item_key[len(complete.suit) :]
        shanpon += _SHANPON_KEY + scores.is_live[own] * _LIVE_KEY
        shanpon += scores.yaku_key[own] * (waiting.tiles[own] == 5)
        complete_key = item_key.copy()
        complete_key[len(complete.suit) :] += waiting.waits[own] * _WAITS_KEY
        no_waits = np.zeros(len(complete.suit), np.uint64)
        all_roles = np.ones(len(rows.complete), np.bool_)
        return cls(
            key=np.concatenate([scores.part_key, complete_key]),
            waits=np.concatenate([waiting.waits, no_waits, waiting.waits[own]]),
            good=np.append(waiting.good | waiting.is_complete, all_roles),
            is_possible=np.append(scores.is_live, all_roles),
            item_key=item_key,
            sets=sets,
            pair=pair,
        )


class _Opponent(NamedTuple):
    """The scores, colours and dora of an opponent, from its melds, winds and dora."""

    n_sets: int
    parts: SuitParts
    classes: SetClasses
    scores: WaitingScores
    roles: _Roles
    colours: _Colours
    dora: Indices
    meld_bonus: int

    @classmethod
    def of(cls, context: ScoringContext, n_sets: int) -> _Opponent:
        return cls(
            n_sets,
            suit_parts(n_sets),
            *without_dora(replace(context, dora=(), red_fives=0), n_sets),
            _Colours.of(context),
            np.bincount(context.dora, minlength=KINDS),
            context.bonus,
        )


class _Groups(NamedTuple):
    """Groups of rows: a role and the bonus, dora and red fives, of each; sorted rows."""

    role: Indices
    bonus: Indices
    row: Indices
    first_row: Indices

    @classmethod
    def of(cls, rows: PartRows, roles: _Roles, dora: Indices) -> _Groups:
        bonus = np.zeros(len(rows.suit), np.uint8)
        for kind in np.flatnonzero(dora).tolist():
            suit, rank = divmod(kind, RANKS)
            bonus += (rows.suit == suit) * rows.counts[rank] * np.uint8(dora[kind])
        kept = np.flatnonzero(roles.is_possible[rows.role])
        role, red = rows.role[kept], rows.red[kept]
        row_bonus = (bonus[role] + red).astype(np.uint64)
        merged = merge(roles.key[role] + row_bonus * _BONUS_KEY)
        first = merged.representatives
        return cls(role[first], row_bonus[first].astype(np.intp), kept[merged.order], merged.first)


class _Links(NamedTuple):
    """Items, numbered from 0, and the groups whose sums they are."""

    n_items: int
    group: Indices
    item: Indices


def _complete_items(
    opponent: _Opponent, rows: PartRows, groups: _Groups
) -> tuple[CompleteItems, _Links]:
    """The items of complete parts, after item 0."""
    complete, classes, roles = opponent.parts.complete, opponent.classes, opponent.roles
    n_waiting = len(rows.suit) - len(rows.complete)
    group = np.flatnonzero(groups.role >= n_waiting)
    role, bonus = groups.role[group] - n_waiting, groups.bonus[group]
    merged = merge(roles.item_key[role] + bonus.astype(np.uint64) * _BONUS_KEY)
    first = merged.representatives
    role = role[first]
    part = rows.complete[role]
    no_sets = np.full((1, 2), classes.set_class[NO_SET])
    items = CompleteItems(
        part=np.append(-1, part),
        tiles=np.append(0, complete.tiles[part]),
        suits=np.append(0, 1 << complete.suit[part]),
        sets=np.concatenate([no_sets, roles.sets[role]]),
        pair=np.append(len(classes.kind_of_class), roles.pair[role]),
        bonus=np.append(0, bonus[first]),
        waits=np.append(False, role >= len(complete.suit)),
    )
    return items, _Links(len(items.part), group, merged.run + 1)


class _WaitingGroups(NamedTuple):
    """The groups of waiting parts, with a representative part and the block of each."""

    group: Indices
    part: Indices
    bonus: Indices
    block: Indices

    @classmethod
    def of(cls, opponent: _Opponent, groups: _Groups) -> _WaitingGroups:
        waiting, scores = opponent.parts.waiting, opponent.scores
        group = np.flatnonzero(groups.role < len(waiting.suit))
        part = groups.role[group]
        number = np.zeros(8, np.intp)
        for index, junction in enumerate(scores.junctions):
            number[junction.tiles] = index
        block = block_of(number[waiting.tiles[part]], waiting.is_complete[part], waiting.suit[part])
        return cls(group, part, groups.bonus[group], block)


def _wins(opponent: _Opponent, waiting: _WaitingGroups, rests: Rests) -> tuple[Products, _Links]:
    """The wins as products of an item and a rest; the items are numbered from 0."""
    parts, scores, dora = opponent.parts.waiting, opponent.scores, opponent.dora
    position, win = parts.wins_of(waiting.part)
    scored = np.flatnonzero(scores.win_key[win])
    position, win = position[scored], win[scored]
    kind, bonus, block = parts.win_kind[win], waiting.bonus[position], waiting.block[position]
    key = scores.win_key[win] + _KIND_KEYS[kind] + bonus.astype(np.uint64) * _BONUS_KEY
    merged = merge(key, block)
    first = merged.representatives
    item, rest = rests.pairs(block[first])
    win, kind, bonus, block = (array[first][item] for array in (win, kind, bonus, block))
    code = scores.codes[scores.win_row[win] + rests.column[rest]]
    total = bonus + dora[kind] + rests.bonus[rest] + opponent.meld_bonus
    code = add_han(code, np.minimum(total, YAKUMAN_HAN))
    colour = opponent.colours.index_of_suits[_BLOCK_SUITS[block] | rests.suits[rest]]
    cell = (colour * KINDS + kind) * CODES + code
    is_win = np.flatnonzero(code)
    wins = Products((item[is_win], rest[is_win]), cell[is_win])
    return wins, _Links(len(first), waiting.group[position], merged.run)


def _hands(opponent: _Opponent, waiting: _WaitingGroups, rests: Rests) -> tuple[Products, _Links]:
    """The hands with one waiting part as products of an item and a rest; items from 0."""
    parts, scores = opponent.parts.waiting, opponent.scores
    single = np.flatnonzero(~parts.is_complete[waiting.part])
    part, block = waiting.part[single], waiting.block[single]
    merged = merge(scores.yaku_key[part] + parts.good[part] * _GOOD_KEY, block)
    first = merged.representatives
    item, rest = rests.pairs(block[first])
    part, block = part[first][item], block[first][item]
    has_yaku = scores.has_yaku[scores.yaku_row[part] + rests.column[rest]]
    colour = opponent.colours.index_of_suits[_BLOCK_SUITS[block] | rests.suits[rest]]
    class_ = colour * HAND_CLASSES + 2 * ~parts.good[part] + ~has_yaku
    return Products((item, rest), class_), _Links(len(first), waiting.group[single], merged.run)


def _shanpon(opponent: _Opponent, items: CompleteItems) -> Products:
    """The hands that wait in two suits."""
    parts, scores, classes = opponent.parts, opponent.scores, opponent.classes
    if opponent.n_sets == 0:
        none = np.zeros(0, np.intp)
        return Products((none, none, none), none)
    own = parts.complete.waiting[items.part]  # as waiting parts
    is_live = items.waits & scores.is_live[own]
    place = scores.yaku_row[own] * (items.tiles == 5)
    n_pairs = len(classes.kind_of_class)
    has_yaku = scores.has_yaku[place[:, None] + np.arange(n_pairs)]
    hands, hand_has_yaku = shanpon_hands(items, classes, opponent.n_sets, is_live, has_yaku)
    colour = opponent.colours.index_of_suits[np.bitwise_or.reduce(items.suits[hands])]
    return Products(tuple(hands), colour * HAND_CLASSES + ~hand_has_yaku)
