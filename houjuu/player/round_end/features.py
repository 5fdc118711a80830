"""The features of the models of the round's end.

`ending_blocks`: a conditional logit over the endings (`houjuu.player.round_end.endings`). The logit
of a win is that of its winner, for tsumo and for ron apart, and for a ron that of its payer. The
three opponents share their weights. `size_features`: a multinomial logit over the sizes of a win.
`tenpai_features`: logistic models of tenpai at an exhausted draw, of the seat and of an opponent.

A feature is a function of `States` (`houjuu.util.features`). Its values have the shape (n,), or for
the opponents (n, 3), and (n, 1) where it is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from houjuu.player.round_end.endings import DRAW, IS_TSUMO, PAYER, SELF, WINNER
from houjuu.player.round_end.logit import Block, places
from houjuu.player.states import HAND_CLASSES, OPPONENTS, SHANTENS, States
from houjuu.util.arrays import Bools, Floats, Ints, read_only
from houjuu.util.errors import ParameterError
from houjuu.util.features import Feature, Table, columns_of, feature, take

_MAX_DORA = 4
_LAST_TILES = 8


def _flag(condition: Bools) -> Floats:
    return np.asarray(condition, np.float64)


def _in_each(class_: Feature[States], *features: Feature[States]) -> Feature[States]:
    """The features once for each class: 0 for the states of the other classes.

    The name of a constant is "": its columns have the names of the classes.
    """

    def compute(states: States) -> Floats:
        values = [one.compute(states) for one in features]
        shape = max(value.shape for value in values)  # (n, 1) or (n, 3) for the opponents
        columns = np.empty((*shape, len(values)))
        for index, value in enumerate(values):
            columns[..., index] = value
        flags = class_.compute(states)
        classes = flags.reshape(len(flags), *(1,) * (len(shape) - 1), -1, 1)
        return np.asarray((classes * columns[..., None, :]).reshape(*shape, -1))

    columns = Table(*features).names
    every = [f"{name}, {column}" if column else name for name in class_.names for column in columns]
    return Feature(tuple(every), f"of states of a class ({class_.unit})", compute, several=True)


def _for_each(one: Feature[States]) -> Feature[States]:
    """A feature of the seat beside those of the opponents, (n, 1)."""
    return Feature(one.names, one.unit, lambda states: one.compute(states)[:, None])


@feature(*HAND_CLASSES, several=True)
def hand_class(states: States) -> Floats:
    """0/1, by shanten and whether the hand is closed."""
    return states.by_hand_class


@feature(*HAND_CLASSES[2::2], "open", several=True)
def before_tenpai(states: States) -> Floats:
    """0/1, of hands before tenpai: closed ones by shanten, and open ones."""
    open_hand = (1 - states.hands.closed) * (states.hands.shanten > 0)
    return np.column_stack((states.by_hand_class[:, 2::2], open_hand))


@feature(*SHANTENS, several=True)
def shanten_class(states: States) -> Floats:
    """0/1, by shanten."""
    return states.by_shanten


@feature("")
def constant(states: States) -> Floats:
    """1."""
    return np.ones(len(states))


@feature()
def ways(states: States) -> Floats:
    """Log of the ways over the draws left."""
    return states.log_ways


@feature()
def draws(states: States) -> Floats:
    """Log of the draws left."""
    return states.log_draws


@feature()
def points(states: States) -> Floats:
    """Log2 of the points of a win, from the usual ones."""
    return states.log_points


@feature("points, squared")
def points_squared(states: States) -> Floats:
    """The square of `points`."""
    return np.asarray(states.log_points**2)


def _of_shape(field: str, unit: str) -> Feature[States]:
    """A number of the plain shape of the hand."""
    name = field.replace("_", " ")
    return Feature((name,), unit, lambda states: getattr(states.hands, field))


lone = _of_shape("lone", "tiles that touch no other")
pairs = _of_shape("pairs", "kinds held twice")
triplets = _of_shape("triplets", "kinds held three times")
joined = _of_shape("joined", "pairs of ranks that differ by one")
gapped = _of_shape("gapped", "pairs of ranks that differ by two")
yakuhai_pairs = _of_shape("yakuhai_pairs", "live pairs of yakuhai")
yakuhai_sets = _of_shape("yakuhai_sets", "triplets of yakuhai, melds included")
yaochu = _of_shape("yaochu", "terminals and honours, melds included")
suit_tiles = _of_shape("suit", "tiles of the longest suit and honours, melds included")
dora_held = _of_shape("dora_held", "dora and red fives, melds included")


@feature()
def touching(states: States) -> Floats:
    """Log of 1 plus the unseen tiles of kinds that touch the hand."""
    return np.asarray(np.log1p(states.hands.touching))


SHAPE = (
    *(lone, pairs, triplets, joined, gapped, yakuhai_pairs, yakuhai_sets),
    *(yaochu, suit_tiles, dora_held, touching),
)
"""The features of the plain shape of a hand."""


@feature(*(f"by shape: {name}" for name in SHANTENS), several=True)
def tenpai_class(states: States) -> Floats:
    """0/1, by the distance to tenpai by shape."""
    return states.by_tenpai_shanten


@feature()
def counted(states: States) -> Floats:
    """The logit of P(tenpai) as the draws are counted."""
    chance = np.clip(states.tenpai_count, 0.001, 0.999)
    return np.asarray(np.log(chance / (1 - chance)))


@feature()
def without_a_yaku(states: States) -> Floats:
    """0/1, tenpai that cannot win."""
    hands = states.hands
    return _flag((hands.tenpai_shanten == 0) & ((hands.shanten > 0) | (hands.ways == 0)))


@feature()
def threats(states: States) -> Floats:
    """Opponents, the sum of P(tenpai)."""
    return np.asarray(states.threats.sum(axis=1))


@feature()
def most_dangerous_opponent(states: States) -> Floats:
    """0–1, the largest P(tenpai)."""
    return np.asarray(states.threats.max(axis=1))


@feature("open, shanten beyond 5")
def open_beyond_5(states: States) -> Floats:
    """Shanten above 5 of an open hand."""
    return np.asarray(np.maximum(states.hands.shanten - 5, 0) * (1 - states.hands.closed))


@feature()
def riichi(states: States) -> Floats:
    """0/1, the seat is in riichi or declares it."""
    return states.hands.riichi


@feature("riichi, declared now")
def declares(states: States) -> Floats:
    """0/1, it declares riichi with the discard."""
    return states.hands.declares


@feature()
def tenpai(states: States) -> Floats:
    """0/1."""
    return _flag(states.hands.shanten == 0)


@feature("1 from tenpai")
def one_from_tenpai(states: States) -> Floats:
    """0/1."""
    return _flag(states.hands.shanten == 1)


@feature()
def dama(states: States) -> Floats:
    """0/1, closed and tenpai without riichi."""
    return states.dama


@feature()
def dama_without_a_yaku(states: States) -> Floats:
    """0/1, a dama hand that cannot win by ron."""
    return np.asarray(states.dama * (states.hands.dama_ways == 0))


@feature("ways")
def dama_ways(states: States) -> Floats:
    """Log of the unseen tiles that win by ron without riichi."""
    return np.asarray(np.log(states.hands.dama_ways + 0.5))


@feature()
def improvement(states: States) -> Floats:
    """`ways` less the log of the ways without the draws that better the hand."""
    return states.improvement


@feature()
def several_kinds(states: States) -> Floats:
    """0/1, the hand waits for several kinds."""
    return _flag(states.hands.wait_kinds > 1)


@feature()
def furiten(states: States) -> Floats:
    """0/1."""
    return states.hands.furiten


@feature()
def easy(states: States) -> Floats:
    """Log of 1 plus the waits that are honours, or suji of the own river."""
    return np.asarray(np.log(states.hands.easy + 1.0))


@feature()
def closed(states: States) -> Floats:
    """0/1, the hand is closed."""
    return states.hands.closed


@feature()
def melds(states: States) -> Floats:
    """0–4 own melds."""
    return states.hands.melds


@feature()
def dealer(states: States) -> Floats:
    """0/1, the seat is the dealer."""
    return states.table.is_dealer


@feature()
def opponents_in_riichi(states: States) -> Floats:
    """0–3."""
    return np.asarray(states.table.opponent_riichi.sum(axis=1))


@feature()
def indicators(states: States) -> Floats:
    """Dora indicators beyond the first."""
    return states.table.indicators - 1


@feature("draws")
def draws_left(states: States) -> Floats:
    """Draws left to the seat."""
    return states.table.draws


@feature("draws, squared")
def draws_squared(states: States) -> Floats:
    """The square of the draws left, tenths."""
    return np.asarray(states.table.draws**2 / 10)


@feature()
def last_tiles(states: States) -> Floats:
    """Tiles left, 0 for 8 and more."""
    left = states.table.tiles_left
    return (left < _LAST_TILES) * left


@feature("P(tenpai), sum")
def tenpai_sum(states: States) -> Floats:
    """Opponents, the sum of P(tenpai)."""
    return np.asarray(states.opponent_tenpai.sum(axis=1))


@feature("genbutsu")
def least_genbutsu(states: States) -> Floats:
    """Log of 1 plus the genbutsu of the opponent with the fewest."""
    return np.asarray(np.log1p(states.hands.genbutsu.min(axis=1)))


@feature()
def intercept(states: States) -> Floats:
    """1."""
    return np.ones((len(states), OPPONENTS))


@feature("P(tenpai)")
def opponent_tenpai(states: States) -> Floats:
    """0–1."""
    return states.opponent_tenpai


@feature("P(tenpai), logit")
def tenpai_logit(states: States) -> Floats:
    """The logit of P(tenpai)."""
    return states.tenpai_logit


@feature()
def other_opponents(states: States) -> Floats:
    """The sum of P(tenpai) of the other two."""
    by_opponent = states.opponent_tenpai
    return np.asarray(by_opponent.sum(axis=1, keepdims=True) - by_opponent)


@feature("riichi")
def opponent_riichi(states: States) -> Floats:
    """0/1."""
    return states.table.opponent_riichi


@feature("dealer")
def opponent_dealer(states: States) -> Floats:
    """0/1."""
    return states.table.opponent_dealer


@feature()
def open_melds(states: States) -> Floats:
    """0–4."""
    return states.table.open_melds


@feature("open")
def is_open(states: States) -> Floats:
    """0/1, it has open melds."""
    return _flag(states.table.open_melds > 0)


@feature()
def one_open_meld(states: States) -> Floats:
    """0/1."""
    return _flag(states.table.open_melds == 1)


@feature()
def two_open_melds(states: States) -> Floats:
    """0/1."""
    return _flag(states.table.open_melds == 2)


@feature("two open melds")
def two_open_melds_or_more(states: States) -> Floats:
    """0/1."""
    return _flag(states.table.open_melds >= 2)


@feature("three open melds")
def three_open_melds_or_more(states: States) -> Floats:
    """0/1."""
    return _flag(states.table.open_melds >= 3)


more_open_melds = three_open_melds_or_more.named("more open melds")


@feature()
def dora_in_melds(states: States) -> Floats:
    """Dora and red fives, 4 for more."""
    return np.minimum(states.table.dora, _MAX_DORA)


@feature("dora in melds, squared")
def dora_squared(states: States) -> Floats:
    """The square of `dora_in_melds`."""
    return np.asarray(dora_in_melds.compute(states) ** 2)


def _chooses(states: States) -> Floats:
    """0/1: a hand in riichi cannot choose its discards, so that their safety does not count."""
    return np.asarray(1.0 - states.hands.riichi[:, None])


@feature()
def genbutsu(states: States) -> Floats:
    """Log of 1 plus the genbutsu of the hand; 0 in riichi."""
    return np.asarray(np.log1p(states.hands.genbutsu) * _chooses(states))


@feature()
def no_genbutsu(states: States) -> Floats:
    """0/1; 0 in riichi."""
    return np.asarray((states.hands.genbutsu == 0) * _chooses(states))


@feature()
def suji(states: States) -> Floats:
    """Log of 1 plus the suji of the hand; 0 in riichi."""
    return np.asarray(np.log1p(states.hands.suji) * _chooses(states))


_every_draws = _for_each(draws)
_every_indicators = _for_each(indicators)
_own_riichi = _for_each(riichi).named("own riichi")

_OWN_WIN = Table(
    _in_each(hand_class, constant, ways, draws, ways * draws, threats, points),
    _in_each(before_tenpai, *SHAPE),
    open_beyond_5,
    riichi,
    riichi & ways,
    riichi & draws,
    riichi & threats,
    riichi & points,
    riichi & opponents_in_riichi,
    declares,
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
    most_dangerous_opponent,
    melds,
    dealer,
    opponents_in_riichi,
)
_OPPONENT_WIN = Table(
    intercept,
    _every_draws,
    tenpai_logit,
    opponent_tenpai,
    opponent_tenpai * _every_draws,
    tenpai_logit * _every_draws,
    opponent_riichi,
    opponent_riichi & _every_draws,
    open_melds,
    two_open_melds_or_more,
    three_open_melds_or_more,
    dora_in_melds,
    opponent_dealer,
    other_opponents,
    _own_riichi,
)
_OPPONENT_PAYS = Table(opponent_tenpai, opponent_riichi, is_open, opponent_dealer)
_DEALS_IN = Table(
    _in_each(shanten_class, _for_each(constant), opponent_riichi, _for_each(points)),
    _own_riichi,
    _own_riichi & opponent_riichi,
    genbutsu,
    genbutsu & opponent_riichi,
    no_genbutsu,
    suji,
    suji & opponent_riichi,
    *map(_for_each, (closed, melds, dealer)),
)
_DRAW = Table(
    constant.named("intercept"),
    draws_left,
    draws.named("draws, log"),
    draws_squared,
    last_tiles,
    tenpai_sum,
    tenpai_sum * draws_left,
    opponents_in_riichi.named("riichi"),
    riichi.named("own riichi"),
)

ENDINGS: dict[str, Table[States]] = {
    "own tsumo": _OWN_WIN,
    "own ron": _OWN_WIN,
    "opponent's tsumo": _OPPONENT_WIN,
    "opponent's ron": _OPPONENT_WIN,
    "opponent pays": _OPPONENT_PAYS,
    "opponent pays a riichi": _OPPONENT_PAYS,
    "deals in": _DEALS_IN,
    "draw": _DRAW,
}
"""The features of each block of the logit of the endings."""

OWN_SIZES = Table(
    _in_each(
        hand_class,
        *(constant, points, points_squared, dora_held, suit_tiles),
        *(yakuhai_sets, yakuhai_pairs, yaochu, pairs, triplets),
    ),
    riichi,
    riichi & points,
    melds,
    indicators,
    indicators & riichi,
)
OPPONENT_SIZES = Table(
    intercept,
    opponent_riichi,
    one_open_meld,
    two_open_melds,
    more_open_melds,
    dora_in_melds,
    dora_squared,
    _every_draws,
    opponent_dealer,
    _every_indicators,
    _every_indicators & opponent_riichi,
)
TSUMO = ("tsumo", "riichi, tsumo")
"""The last features of a size: whether the win is by tsumo, and that of a seat in riichi."""

OWN_TENPAI = Table(
    _in_each(tenpai_class, constant, draws, counted, tenpai_sum.named("threats"), least_genbutsu),
    closed,
    riichi,
    furiten,
    without_a_yaku,
    without_a_yaku & draws,
)
OPPONENT_TENPAI = Table(
    intercept,
    tenpai_logit,
    opponent_tenpai,
    _every_draws,
    tenpai_logit * _every_draws,
    opponent_riichi,
    open_melds,
    opponent_dealer,
    other_opponents,
    _own_riichi,
    _own_riichi & tenpai_logit,
    _own_riichi & _every_draws,
    _for_each(melds).named("own melds"),
)

TABLES: dict[str, Table[States]] = {
    "own_sizes": OWN_SIZES,
    "opponent_sizes": OPPONENT_SIZES,
    "own_tenpai": OWN_TENPAI,
    "opponent_tenpai": OPPONENT_TENPAI,
}
"""The features of the other models, by the name of their weights."""


def feature_names() -> dict[str, tuple[str, ...]]:
    """The names of the features, by the name of their weights."""
    return {
        "endings": tuple(
            f"{block}: {name}" for block, table in ENDINGS.items() for name in table.names
        ),
        **{
            weights: (*table.names, *TSUMO) if weights.endswith("sizes") else table.names
            for weights, table in TABLES.items()
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
    return [read_only(_flag(of_endings)) for of_endings in counts]


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
    all_places = places([table.names for table in ENDINGS.values()])
    column = columns_of(chosen, feature_names()["endings"], "the model of the endings")
    if column is None:
        return EndingColumns(all_places, [None] * len(all_places))
    block = np.searchsorted([place.stop for place in all_places], column, side="right")
    if (np.diff(block) < 0).any():
        raise ParameterError("the features of the endings are not in the order of their blocks")
    of_blocks = [column[block == index] - place.start for index, place in enumerate(all_places)]
    return EndingColumns(places(of_blocks), [*of_blocks])


class Range(NamedTuple):
    """The least and the greatest value of each feature among the rows of a fit, (features,)."""

    least: Floats
    greatest: Floats

    def edge(self, values: Floats, place: slice = slice(None)) -> Floats:
        """The values, (…, features), those beyond the rows as at their edge."""
        return np.clip(values, self.least[place], self.greatest[place])


_OF_THE_SEAT = ("own tsumo", "own ron", "draw")
_PAYS_A_RIICHI = "opponent pays a riichi"


def ending_blocks(
    states: States, chosen: EndingColumns | None = None, limits: Range | None = None
) -> list[Block]:
    """The blocks of the logits of the endings; by default with all features, and no limits."""
    chosen = chosen or ending_columns(feature_names()["endings"])
    tables: dict[int, Floats] = {}
    for block, table in ENDINGS.items():
        if id(table) not in tables:
            of_seat = block in _OF_THE_SEAT
            shape = (len(states), 1) if of_seat else (len(states), OPPONENTS)
            columns = table.matrix(states, shape[:1] if of_seat else shape)
            tables[id(table)] = columns.reshape(*shape, -1)
    seats_riichi = np.column_stack((states.hands.riichi, states.table.opponent_riichi))
    blocks = []
    for (block, table), counts, place, kept in zip(ENDINGS.items(), _COUNTS, *chosen, strict=True):
        terms = take(tables[id(table)], kept)
        if block == _PAYS_A_RIICHI:
            terms = terms[:, _PAYERS] * seats_riichi[:, _WINNERS, None]
        terms = terms if limits is None else limits.edge(terms, place)
        blocks.append(Block(place, counts, terms))
    return blocks


def size_features(states: States, *, tsumo: Bools) -> tuple[Floats, Floats]:
    """The features of the size of a win, (n, features) and (n, 3, features).

    The first array is for a win of the seat, the second for those of the opponents.

    Parameters
    ----------
    states : States
    tsumo : (n,) array
        Whether the win is by tsumo; the last features are `TSUMO`.
    """
    own, opponents = _of_seats(states, "sizes", more=len(TSUMO))
    mark_tsumo(own, opponents, states, tsumo)
    return own, opponents


def mark_tsumo(own: Floats, opponents: Floats, states: States, tsumo: Bools) -> None:
    """Write the features `TSUMO` into those of `size_features`: the others do not depend on it."""
    own[:, -2], opponents[..., -2] = tsumo, tsumo[:, None]
    own[:, -1] = tsumo * states.hands.riichi
    opponents[..., -1] = tsumo[:, None] * states.table.opponent_riichi


def tenpai_features(states: States) -> tuple[Floats, Floats]:
    """The features of tenpai at an exhausted draw, (n, features) and (n, 3, features).

    The first array is for the seat, the second for the opponents.
    """
    return _of_seats(states, "tenpai")


def _of_seats(states: States, what: str, more: int = 0) -> tuple[Floats, Floats]:
    """The features of the seat and of the opponents, before more columns that are empty."""
    return (
        _before(TABLES[f"own_{what}"], states, (len(states),), more),
        _before(TABLES[f"opponent_{what}"], states, (len(states), OPPONENTS), more),
    )


def _before(table: Table[States], states: States, shape: tuple[int, ...], more: int) -> Floats:
    stop = len(table.names)
    columns = np.empty((*shape, stop + more))
    table.fill(columns[..., :stop], states)
    return columns
