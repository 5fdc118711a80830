"""The features of the models of the round's end.

`ending_blocks`: a conditional logit over the endings (`houjuu.player.round_end.endings`). The logit
of a win is that of its winner, for tsumo and for ron apart, and for a ron that of its payer. The
three opponents share their weights. `win_features`: multinomial logits of what is unknown of a win:
the han beyond those that are counted in the own hand, and the sizes of the other wins.
`tenpai_features`: logistic models of tenpai at an exhausted draw, of the seat and of an opponent.

A feature is a function of `States` (`houjuu.util.features`). Its values have the shape (n,), or by
opponent (n, 3).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from houjuu.player.hand_value.scores import BASE
from houjuu.player.round_end.endings import DRAW, IS_TSUMO, PAYER, SELF, WINNER
from houjuu.player.round_end.logit import Block, places
from houjuu.player.states import (
    HAND_CLASSES,
    MAX_SHANTEN,
    MAX_TENPAI,
    OPPONENTS,
    SHANTENS,
    States,
    by_class,
)
from houjuu.util.arrays import Bools, Floats, Ints, read_only
from houjuu.util.errors import ParameterError
from houjuu.util.features import Columns, Feature, columns_of, feature, take, together

_MAX_DORA = 4
_LAST_TILES = 8
_MIN_TENPAI = 0.002
_USUAL_BASE = 1000.0
_MIN_BASE = 125.0


_row = Feature[States].row


def _field(name: str, unit: str, field: str | None = None, by: str = "") -> Feature[States]:
    """A field of the states, by default that of the name."""
    return _row(name, unit, lambda one: getattr(one, field or name.replace(" ", "_")), by=by)


hand_class = Feature[States](
    HAND_CLASSES, "0/1, by shanten and whether the hand is closed", lambda one: one.by_hand_class
)
shanten_class = Feature[States](SHANTENS, "0/1, by shanten", lambda one: one.by_shanten)
tenpai_class = Feature[States](
    tuple(f"by shape: {name}" for name in SHANTENS),
    "0/1, by the distance to tenpai by shape",
    lambda one: by_class(one.tenpai_shanten),
)


@feature("riichi", "dama", *HAND_CLASSES[1:6])
def counted_class(states: States) -> Floats:
    """0/1, by shanten up to 2, and whether the hand is closed, and in riichi."""
    classes, riichi = states.by_hand_class, states.riichi
    return np.column_stack((classes[:, 0] * riichi, classes[:, 0] * (1 - riichi), classes[:, 1:6]))


@feature(*HAND_CLASSES[2::2], "open")
def before_tenpai(states: States) -> Floats:
    """0/1, of hands before tenpai: closed ones by shanten, and open ones."""
    open_hand = (1 - states.closed) * (states.shanten > 0)
    return np.column_stack((states.by_hand_class[:, 2::2], open_hand))


constant = _row("", "1", lambda states: np.ones(len(states)))
intercept = constant.named("intercept")

# The hand

ways = _field("ways", "log of the ways over the draws left", "log_ways")
draws = _row("draws", "log of the draws left", lambda states: np.log(states.draws + 0.5))
pairs = _field("pairs", "kinds held twice")
triplets = _field("triplets", "kinds held three times")
yakuhai_pairs = _field("yakuhai pairs", "live pairs of yakuhai")
yakuhai_sets = _field("yakuhai sets", "triplets of yakuhai, melds included")
yaochu = _field("yaochu", "terminals and honours, melds included")
suit = _field("suit", "tiles of the longest suit and honours, melds included")
dora_held = _field("dora held", "dora and red fives, melds included")
riichi = _field("riichi", "0/1, the seat is in riichi or declares it")
own_riichi = riichi.named("own riichi")
riichi_declared = _field(
    "riichi, declared now", "0/1, it declares riichi with the discard", "declares"
)
form = Feature[States](
    ("closed", "open"),
    "0/1, by whether the hand is closed",
    lambda states: np.column_stack((states.closed, 1 - states.closed)),
)
shanten = _field("shanten", "0–8")
tenpai = _row("tenpai", "0/1", lambda states: states.shanten == 0)
one_from_tenpai = _row("1 from tenpai", "0/1", lambda states: states.shanten == 1)
dama = _field("dama", "0/1, closed and tenpai without riichi")
improvement = _row(
    "improvement",
    "`ways` less the log of the ways without the draws that better the hand",
    lambda states: states.log_ways - np.log(states.ways + 0.5),
)
several_kinds = _row(
    "several kinds",
    "0/1, the hand waits for several kinds",
    lambda states: states.wait_kinds > 1,
)
furiten = _field("furiten", "0/1")
closed = _field("closed", "0/1, the hand is closed")
melds = _field("melds", "0–4 own melds")
dealer = _field("dealer", "0/1, the seat is the dealer", "is_dealer")
indicators = _row(
    "indicators", "dora indicators beyond the first", lambda states: states.indicators - 1
)
draws_left = _field("draws", "draws left to the seat")


@feature()
def touching(states: States) -> Floats:
    """Log of 1 plus the unseen tiles of kinds that touch the hand."""
    return np.asarray(np.log1p(states.touching))


@feature("base points")
def base(states: States) -> Floats:
    """Log2 of the mean base points of a win by ron, else by tsumo, from the usual ones."""
    by_ron, by_tsumo = (shares @ BASE for shares in (states.by_ron, states.by_tsumo))
    mean = np.maximum(np.where(by_ron > 0, by_ron, by_tsumo), _MIN_BASE)
    return np.asarray(np.log2(mean / _USUAL_BASE))


@feature()
def counted(states: States) -> Floats:
    """The logit of P(the draws that are left bring tenpai), as if the hand drew alone."""
    chance = np.clip(tenpai_count(states), 0.001, 0.999)
    return np.asarray(np.log(chance / (1 - chance)))


def tenpai_count(states: States) -> Floats:
    """P(the draws that are left bring tenpai), counted, (n,).

    Of N unseen tiles u bring a hand nearer: D draws bring a hand that is s from tenpai there
    with the binomial probability of s useful draws or more, each as likely as the first.
    """
    draws, away = states.draws, states.tenpai_shanten
    chance = np.clip(states.tenpai_tiles / states.unseen, 1e-9, 1 - 1e-9)
    fewer = np.zeros(len(draws))
    exactly = (1 - chance) ** draws
    for useful in range(MAX_SHANTEN):
        fewer += (useful < away) * exactly
        left = np.maximum(draws - useful, 0)
        exactly = exactly * left / (useful + 1) * chance / (1 - chance)
    return np.clip(1 - fewer, 0.0, 1.0)


@feature()
def without_a_yaku(states: States) -> Bools:
    """0/1, tenpai that cannot win."""
    cannot_win = (states.shanten > 0) | (states.ways == 0)
    return np.asarray((states.tenpai_shanten == 0) & cannot_win)


@feature()
def threats(states: States) -> Floats:
    """Opponents, the sum of P(tenpai)."""
    return np.asarray(states.threats.sum(axis=1))


@feature("open, shanten beyond 5")
def open_beyond_5(states: States) -> Floats:
    """Shanten above 5 of an open hand."""
    return np.asarray(np.maximum(states.shanten - 5, 0) * (1 - states.closed))


@feature()
def dama_without_a_yaku(states: States) -> Floats:
    """0/1, a dama hand that cannot win by ron."""
    return np.asarray(states.dama * (states.ron_ways == 0))


@feature("ways")
def dama_ways(states: States) -> Floats:
    """Log of the unseen tiles that win by ron without riichi."""
    return np.asarray(np.log(states.ron_ways + 0.5))


@feature()
def easy(states: States) -> Floats:
    """Log of 1 plus the waits that are honours, or suji of the own river."""
    return np.asarray(np.log(states.easy + 1.0))


@feature()
def opponents_in_riichi(states: States) -> Floats:
    """0–3."""
    return np.asarray(states.opponent_riichi.sum(axis=1))


@feature()
def last_tiles(states: States) -> Floats:
    """Tiles left, 0 for 8 and more."""
    left = states.tiles_left
    return (left < _LAST_TILES) * left


@feature("P(tenpai), sum")
def tenpai_sum(states: States) -> Floats:
    """Opponents, the sum of P(tenpai)."""
    return np.asarray(states.opponent_tenpai.sum(axis=1))


@feature("genbutsu")
def least_genbutsu(states: States) -> Floats:
    """Log of 1 plus the genbutsu of the opponent with the fewest."""
    return np.asarray(np.log1p(states.genbutsu.min(axis=1)))


# The opponents


def _by_melds(name: str, unit: str, fits: Callable[[Floats], Bools]) -> Feature[States]:
    """Of the open melds of an opponent."""
    return _row(name, unit, lambda one: fits(one.open_melds), by="opponent")


opponent_tenpai = _field("P(tenpai)", "0–1", "opponent_tenpai", "opponent")
opponent_riichi = _field("riichi", "0/1", "opponent_riichi", "opponent")
opponent_dealer = _field("dealer", "0/1", "opponent_dealer", "opponent")
open_melds = _field("open melds", "0–4", by="opponent")
dora_in_melds = _row(
    "dora in melds",
    "dora and red fives, 4 for more",
    lambda states: np.minimum(states.dora, _MAX_DORA),
    by="opponent",
)


@feature("P(tenpai), logit", by="opponent")
def tenpai_logit(states: States) -> Floats:
    """The logit of P(tenpai), which is finite."""
    clipped = np.clip(states.tenpai, _MIN_TENPAI, MAX_TENPAI)
    return np.asarray(np.log(clipped / (1 - clipped)))


@feature(by="opponent")
def other_opponents(states: States) -> Floats:
    """The sum of P(tenpai) of the other two."""
    by_opponent = states.opponent_tenpai
    return np.asarray(by_opponent.sum(axis=1, keepdims=True) - by_opponent)


ENDINGS = {
    "own tsumo": "own win",
    "own ron": "own win",
    "opponent's tsumo": "opponent's win",
    "opponent's ron": "opponent's win",
    "opponent pays": "opponent pays",
    "opponent pays a riichi": "opponent pays",
    "deals in": "deals in",
    "draw": "draw",
}
"""The blocks of the logit of the endings, and of each the columns, in `TABLES`."""

TABLES: dict[str, Columns[States]] = {
    "own win": Columns(
        hand_class & together(constant, ways, draws, ways * draws, threats, base),
        before_tenpai
        & together(
            _field("lone", "tiles that touch no other"),
            pairs,
            triplets,
            _field("joined", "pairs of ranks that differ by one"),
            _field("gapped", "pairs of ranks that differ by two"),
            *(yakuhai_pairs, yakuhai_sets, yaochu, suit, dora_held, touching),
        ),
        open_beyond_5,
        riichi,
        riichi & ways,
        riichi & draws,
        riichi & threats,
        riichi & base,
        riichi & opponents_in_riichi,
        riichi_declared,
        riichi & several_kinds,
        dama & dama_ways,
        dama & improvement,
        one_from_tenpai & improvement,
        one_from_tenpai & improvement * draws,
        dama_without_a_yaku,
        dama_without_a_yaku & ways,
        dama_without_a_yaku & draws,
        tenpai & several_kinds,
        tenpai & furiten,
        riichi & furiten,
        tenpai & easy,
        riichi & easy,
        _row(
            "most dangerous opponent",
            "0–1, the largest P(tenpai)",
            lambda states: states.threats.max(axis=1),
        ),
        melds,
        dealer,
        opponents_in_riichi,
    ),
    "opponent's win": Columns(
        intercept,
        draws,
        tenpai_logit,
        opponent_tenpai,
        opponent_tenpai * draws,
        tenpai_logit * draws,
        opponent_riichi,
        opponent_riichi & draws,
        open_melds,
        _by_melds("two open melds", "0/1, or more", lambda melds: melds >= 2),
        _by_melds("three open melds", "0/1, or more", lambda melds: melds >= 3),
        dora_in_melds,
        opponent_dealer,
        other_opponents,
        own_riichi,
        by="opponent",
    ),
    "opponent pays": Columns(
        opponent_tenpai,
        opponent_riichi,
        _by_melds("open", "0/1, it has open melds", lambda melds: melds > 0),
        opponent_dealer,
        by="opponent",
    ),
    "deals in": Columns(
        shanten_class & together(constant, opponent_riichi),
        own_riichi,
        own_riichi & opponent_riichi,
        by="opponent",
    ),
    "draw": Columns(
        intercept,
        draws_left,
        draws.named("draws, log"),
        _row(
            "draws, squared",
            "the square of the draws left, tenths",
            lambda states: states.draws**2 / 10,
        ),
        last_tiles,
        tenpai_sum,
        tenpai_sum * draws_left,
        opponents_in_riichi.named("riichi"),
        own_riichi,
    ),
    "own_han": Columns(
        counted_class & together(constant, draws, base, indicators),
        riichi_declared,
        dama_without_a_yaku,
    ),
    "own_sizes": Columns(
        form
        & together(
            *(constant, shanten, dora_held, suit, yakuhai_sets, yakuhai_pairs, yaochu, pairs),
            *(triplets, indicators),
        ),
        melds,
    ),
    "opponent_sizes": Columns(
        intercept,
        opponent_riichi,
        _by_melds("one open meld", "0/1", lambda melds: melds == 1),
        _by_melds("two open melds", "0/1", lambda melds: melds == 2),
        _by_melds("more open melds", "0/1", lambda melds: melds > 2),
        dora_in_melds,
        (dora_in_melds * dora_in_melds).named("dora in melds, squared"),
        draws,
        opponent_dealer,
        indicators,
        indicators & opponent_riichi,
        by="opponent",
    ),
    "own_tenpai": Columns(
        tenpai_class
        & together(constant, draws, counted, tenpai_sum.named("threats"), least_genbutsu),
        closed,
        riichi,
        furiten,
        without_a_yaku,
        without_a_yaku & draws,
    ),
    "opponent_tenpai": Columns(
        intercept,
        tenpai_logit,
        opponent_tenpai,
        draws,
        tenpai_logit * draws,
        opponent_riichi,
        open_melds,
        opponent_dealer,
        other_opponents,
        own_riichi,
        own_riichi & tenpai_logit,
        own_riichi & draws,
        melds.named("own melds"),
        by="opponent",
    ),
}
"""The features of the blocks of the endings, and of the other models by the name of their weights.
"""

OF_WINS = ("own_han", "own_sizes", "opponent_sizes")
"""The models of a win: each of their features counts a second time if it is by tsumo."""


def feature_names() -> dict[str, tuple[str, ...]]:
    """The names of the features, by the name of their weights."""
    return {
        "endings": tuple(
            f"{block}: {name}" for block, table in ENDINGS.items() for name in TABLES[table].names
        ),
        **{
            weights: (*table.names, *(f"tsumo, {name}" for name in table.names))
            if weights in OF_WINS
            else table.names
            for weights, table in TABLES.items()
            if weights not in ENDINGS.values()
        },
    }


_WINNERS, _PAYERS = np.nonzero(np.arange(OPPONENTS + 1)[:, None] != np.arange(1, OPPONENTS + 1))
"""The seats that may win off an opponent, and the opponent, 0–2: each pair once."""


def _ending_counts() -> list[Floats]:
    """The endings that each block counts in, (times that it occurs, 17) each."""
    tsumo = IS_TSUMO
    ron = ~IS_TSUMO
    opponents = np.arange(1, OPPONENTS + 1)[:, None]
    own = SELF == WINNER
    theirs = opponents == WINNER
    paid = opponents == PAYER
    wins = (
        (tsumo & own)[None],
        (ron & own)[None],
        tsumo & theirs,
        ron & theirs,
        ron & paid,
        paid[_PAYERS] & (_WINNERS[:, None] == WINNER),
        theirs & (PAYER == SELF),
    )
    counts = [np.pad(of_wins, ((0, 0), (0, 1))) for of_wins in wins]
    counts.append(np.arange(DRAW + 1)[None] == DRAW)
    return [read_only(of_endings.astype(np.float64)) for of_endings in counts]


_COUNTS = _ending_counts()


class EndingColumns(NamedTuple):
    """Which features each block of the logit of the endings has.

    Attributes
    ----------
    places : list of slice
        Its weights.
    columns : list of arrays
        The columns of its features among those of `ENDINGS`; None for all.
    """

    places: list[slice]
    columns: list[Ints | None]


def ending_columns(chosen: Sequence[str]) -> EndingColumns:
    """The blocks of the logit with features chosen by name, in the order of the weights.

    Raises
    ------
    ParameterError
        A feature is unknown, or those of a block do not stand together.
    """
    all_places = places([TABLES[table].names for table in ENDINGS.values()])
    column = columns_of(chosen, feature_names()["endings"], "the model of the endings")
    if column is None:
        return EndingColumns(all_places, [None] * len(all_places))
    block = np.searchsorted([place.stop for place in all_places], column, side="right")
    if (np.diff(block) < 0).any():
        raise ParameterError("the features of the endings are not in the order of their blocks")
    of_blocks = [column[block == index] - place.start for index, place in enumerate(all_places)]
    return EndingColumns(places(of_blocks), [*of_blocks])


class FeatureRange(NamedTuple):
    """The least and the greatest value of each feature among the rows of a fit, (features,)."""

    least: Floats
    greatest: Floats

    def edge(self, values: Floats, place: slice = slice(None)) -> Floats:
        """The values, (…, features), those beyond the rows as at their edge."""
        return np.clip(values, self.least[place], self.greatest[place])


_PAYS_A_RIICHI = "opponent pays a riichi"


def ending_blocks(
    states: States, chosen: EndingColumns | None = None, limits: FeatureRange | None = None
) -> list[Block]:
    """The blocks of the logits of the endings; by default with all features, and no limits."""
    chosen = chosen or ending_columns(feature_names()["endings"])
    by_table = {table: _matrix(table, states) for table in {*ENDINGS.values()}}
    seats_riichi = np.column_stack((states.riichi, states.opponent_riichi))
    blocks = []
    for (block, table), counts, place, kept in zip(ENDINGS.items(), _COUNTS, *chosen, strict=True):
        terms = take(by_table[table], kept)
        terms = terms if terms.ndim == 3 else terms[:, None]
        if block == _PAYS_A_RIICHI:
            terms = terms[:, _PAYERS] * seats_riichi[:, _WINNERS, None]
        terms = terms if limits is None else limits.edge(terms, place)
        blocks.append(Block(place, counts, terms))
    return blocks


def win_features(name: str, states: States, tsumo: Floats | float) -> Floats:
    """The features of a model of `OF_WINS`, (n, features), or of the opponents (n, 3, features).

    Parameters
    ----------
    name : str
    states : States
    tsumo : (n,) array or number
        1 for a win by tsumo, 0 for a ron.
    """
    columns = _matrix(name, states)
    factor = np.reshape(tsumo, (-1, *(1,) * (columns.ndim - 1)))
    return np.concatenate((columns, columns * factor), axis=-1)


def tenpai_features(states: States) -> tuple[Floats, Floats]:
    """The features of tenpai at an exhausted draw, (n, features) and (n, 3, features).

    The first array is for the seat, the second for the opponents.
    """
    return _matrix("own_tenpai", states), _matrix("opponent_tenpai", states)


def _matrix(name: str, states: States) -> Floats:
    """The columns of a table, (n, columns) or (n, 3, columns)."""
    table = TABLES[name]
    shape = (len(states), OPPONENTS)[: 1 + bool(table.by)]
    values = {one: one.compute(states) for one in table.inputs}
    if table.by:
        values |= {one: value[:, None] for one, value in values.items() if not one.by}
    return table.matrix(values, shape)
