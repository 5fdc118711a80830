"""The features of the models of the round's end.

`ending_blocks`: a conditional logit over the endings (`houjuu.player.round_end.endings`). The logit
of a win is that of its winner, for tsumo and for ron apart, and for a ron that of its payer. The
three opponents share their weights. `size_features`: a multinomial logit over the sizes of a win.
`tenpai_features`: logistic models of tenpai at an exhausted draw, of the seat and of an opponent.

Each function `_…_columns` yields the columns that the tuple of names above it lists, in that order:
arrays of shape (n,), or (n, 3) for the opponents, where (n, 1) is the same for all of them. An
array with one axis more contains several columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from houjuu.player.round_end.endings import DRAW, IS_TSUMO, PAYER, SELF, WINNER
from houjuu.player.round_end.logit import Block, places
from houjuu.player.states import HAND_CLASSES, OPPONENTS, SHANTENS, States
from houjuu.util.arrays import Bools, Floats, read_only

_MAX_DORA = 4


def _flag(condition: Bools) -> Floats:
    return np.asarray(condition, np.float64)


def _matrix(columns: Iterable[Floats], width: int, shape: tuple[int, ...]) -> Floats:
    """The columns in one array, (*shape, width); `np.stack` of many small arrays is slow."""
    matrix = np.empty((*shape, width))
    start = 0
    for column in columns:
        if column.ndim == len(shape):
            matrix[..., start] = column
            start += 1
        else:
            stop = start + column.shape[-1]
            matrix[..., start:stop] = column
            start = stop
    return matrix


def _names_in_each(classes: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """The names of the columns of `_in_each`; that of a constant is "" in `names`."""
    return tuple(f"{name}, {column}" if column else name for name in classes for column in names)


def _in_each(flags: Floats, *columns: Floats) -> Floats:
    """The columns once for each class: 0 for the states of the other classes.

    Parameters
    ----------
    flags : (n, classes) array
        1 for the class of each state.
    columns : (n,) or (n, 3) arrays
    """
    shape = np.broadcast_shapes(*(column.shape for column in columns))
    matrix = _matrix(columns, len(columns), shape)
    by_class = flags.reshape(len(flags), *(1,) * (len(shape) - 1), -1, 1) * matrix[..., None, :]
    return by_class.reshape(*shape, -1)


_OWN_WIN = (
    *_names_in_each(HAND_CLASSES, ("", "ways", "draws", "ways × draws", "threats", "points")),
    "shanten beyond 5",
    "riichi",
    "riichi, ways",
    "riichi, draws",
    "riichi, threats",
    "riichi, points",
    "riichi, opponents in riichi",
    "riichi, declared now",
    "riichi, several kinds",
    "dama, ways",
    "dama, improvement",
    "1 from tenpai, improvement",
    "1 from tenpai, improvement × draws",
    "dama without a yaku",
    "dama without a yaku, ways",
    "dama without a yaku, draws",
    "tenpai, several kinds",
    "tenpai, furiten",
    "riichi, furiten",
    "tenpai, easy",
    "riichi, easy",
    "most dangerous opponent",
    "melds",
    "dealer",
    "opponents in riichi",
)


def _own_win_columns(states: States) -> Iterator[Floats]:
    hands = states.hands
    table = states.table
    ways = states.log_ways
    draws = states.log_draws
    threats = states.threats
    constant = np.ones_like(ways)
    threat = threats.sum(axis=1)
    yield _in_each(
        states.by_hand_class, constant, ways, draws, ways * draws, threat, states.log_points
    )
    yield np.maximum(hands.shanten - 5, 0)
    riichi = hands.riichi
    tenpai = _flag(hands.shanten == 0)
    yield riichi
    yield riichi * ways
    yield riichi * draws
    yield riichi * threat
    yield riichi * states.log_points
    yield riichi * table.opponent_riichi.sum(axis=1)
    yield hands.declares
    several = _flag(hands.wait_kinds > 1)
    yield riichi * several
    dama = tenpai * hands.closed * (1 - riichi)
    yield dama * np.log(hands.dama_ways + 0.5)
    improvement = ways - np.log(hands.ways + 0.5)
    yield dama * improvement
    near = (hands.shanten == 1) * improvement
    yield near
    yield near * draws
    no_yaku = dama * (hands.dama_ways == 0)
    yield no_yaku
    yield no_yaku * ways
    yield no_yaku * draws
    yield tenpai * several
    yield tenpai * hands.furiten
    yield riichi * hands.furiten
    easy = np.log(hands.easy + 1.0)
    yield tenpai * easy
    yield riichi * easy
    yield threats.max(axis=1)
    yield hands.melds
    yield table.is_dealer
    yield table.opponent_riichi.sum(axis=1)


_OPPONENT_WIN = (
    "intercept",
    "draws",
    "P(tenpai), logit",
    "P(tenpai)",
    "P(tenpai) × draws",
    "P(tenpai), logit × draws",
    "riichi",
    "riichi, draws",
    "open melds",
    "two open melds",
    "three open melds",
    "dora in melds",
    "dealer",
    "other opponents",
    "own riichi",
)


def _opponent_win_columns(states: States) -> Iterator[Floats]:
    table = states.table
    draws = states.log_draws[:, None]
    tenpai = states.opponent_tenpai
    logit = states.tenpai_logit
    yield np.ones_like(tenpai)
    yield draws
    yield logit
    yield tenpai
    yield tenpai * draws
    yield logit * draws
    yield table.opponent_riichi
    yield table.opponent_riichi * draws
    melds = table.open_melds
    yield melds
    yield _flag(melds >= 2)
    yield _flag(melds >= 3)
    yield np.minimum(table.dora, _MAX_DORA)
    yield table.opponent_dealer
    yield tenpai.sum(axis=1, keepdims=True) - tenpai
    yield states.hands.riichi[:, None]


_OPPONENT_PAYS = ("P(tenpai)", "riichi", "open", "dealer")


def _opponent_pays_columns(states: States) -> Iterator[Floats]:
    """Of an opponent who deals in."""
    table = states.table
    yield states.opponent_tenpai
    yield table.opponent_riichi
    yield _flag(table.open_melds > 0)
    yield table.opponent_dealer


_DEALS_IN = (
    *_names_in_each(SHANTENS, ("", "riichi", "points")),
    "own riichi",
    "own riichi, riichi",
    "genbutsu",
    "genbutsu, riichi",
    "no genbutsu",
    "suji",
    "suji, riichi",
    "closed",
    "melds",
    "dealer",
)


def _deals_in_columns(states: States) -> Iterator[Floats]:
    """Of the seat's own later deal-in to an opponent."""
    hands = states.hands
    threat = states.table.opponent_riichi
    points = states.log_points[:, None]
    yield _in_each(states.by_shanten, np.ones_like(points), threat, points)
    # a hand in riichi cannot choose its discards: how safe they are counts for other hands alone
    chooses = 1.0 - hands.riichi[:, None]
    yield 1.0 - chooses
    yield (1.0 - chooses) * threat
    genbutsu = np.log1p(hands.genbutsu) * chooses
    suji = np.log1p(hands.suji) * chooses
    yield genbutsu
    yield genbutsu * threat
    yield (hands.genbutsu == 0) * chooses
    yield suji
    yield suji * threat
    own = (hands.closed, hands.melds, states.table.is_dealer)
    yield from (column[:, None] for column in own)


_DRAW = (
    "intercept",
    "draws",
    "draws, log",
    "draws, squared",
    "last tiles",
    "P(tenpai), sum",
    "P(tenpai), sum × draws",
    "riichi",
    "own riichi",
)
_LAST_TILES = 8


def _draw_columns(states: States) -> Iterator[Floats]:
    table = states.table
    draws = states.table.draws
    yield np.ones(len(draws))
    yield draws
    yield states.log_draws
    yield draws**2 / 10
    yield (table.tiles_left < _LAST_TILES) * table.tiles_left
    tenpai = states.opponent_tenpai.sum(axis=1)
    yield tenpai
    yield tenpai * draws
    yield table.opponent_riichi.sum(axis=1)
    yield states.hands.riichi


_ENDING_NAMES = {
    "own tsumo": _OWN_WIN,
    "own ron": _OWN_WIN,
    "opponent's tsumo": _OPPONENT_WIN,
    "opponent's ron": _OPPONENT_WIN,
    "opponent pays": _OPPONENT_PAYS,
    "opponent pays a riichi": _OPPONENT_PAYS,
    "deals in": _DEALS_IN,
    "draw": _DRAW,
}
"""The names of the features of each block of the logit of the endings."""

_WEIGHTS = places(list(_ENDING_NAMES.values()))
ENDING_FEATURES = tuple(
    f"{block}: {name}" for block, names in _ENDING_NAMES.items() for name in names
)
"""Names of the features of the endings, one for each weight."""

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


def ending_blocks(states: States) -> list[Block]:
    """The blocks of the logits of the endings; the weights are those of `ENDING_FEATURES`."""
    hands = states.hands.shanten.shape
    opponents = states.table.tenpai.shape
    own = _matrix(_own_win_columns(states), len(_OWN_WIN), hands)[:, None]
    wins = _matrix(_opponent_win_columns(states), len(_OPPONENT_WIN), opponents)
    pays = _matrix(_opponent_pays_columns(states), len(_OPPONENT_PAYS), opponents)
    deals_in = _matrix(_deals_in_columns(states), len(_DEALS_IN), opponents)
    draw = _matrix(_draw_columns(states), len(_DRAW), hands)[:, None]
    riichi = np.column_stack((states.hands.riichi, states.table.opponent_riichi))
    pays_riichi = pays[:, _PAYERS] * riichi[:, _WINNERS, None]
    blocks = (own, own, wins, wins, pays, pays_riichi, deals_in, draw)
    return [*map(Block, _WEIGHTS, _COUNTS, blocks)]


OWN_SIZE_FEATURES = (
    *_names_in_each(HAND_CLASSES, ("", "points", "points, squared")),
    "riichi",
    "riichi, points",
    "melds",
    "indicators",
    "indicators, riichi",
    "tsumo",
)


def _own_size_columns(states: States) -> Iterator[Floats]:
    points = states.log_points
    riichi = states.hands.riichi
    yield _in_each(states.by_hand_class, np.ones_like(points), points, points**2)
    yield riichi
    yield riichi * points
    indicators = states.table.indicators - 1
    yield states.hands.melds
    yield indicators
    yield indicators * riichi


OPPONENT_SIZE_FEATURES = (
    "intercept",
    "riichi",
    "one open meld",
    "two open melds",
    "more open melds",
    "dora in melds",
    "dora in melds, squared",
    "draws",
    "dealer",
    "indicators",
    "indicators, riichi",
    "tsumo",
)


def _opponent_size_columns(states: States) -> Iterator[Floats]:
    table = states.table
    riichi = table.opponent_riichi
    melds = table.open_melds
    yield np.ones_like(riichi)
    yield riichi
    yield _flag(melds == 1)
    yield _flag(melds == 2)
    yield _flag(melds > 2)
    dora = np.minimum(table.dora, _MAX_DORA)
    yield dora
    yield dora**2
    yield states.log_draws[:, None]
    yield table.opponent_dealer
    indicators = (table.indicators - 1)[:, None]
    yield indicators
    yield indicators * riichi


def size_features(states: States, *, tsumo: Bools) -> tuple[Floats, Floats]:
    """The features of the size of a win, (n, features) and (n, 3, features).

    The first array is for a win of the seat, the second for those of the opponents.

    Parameters
    ----------
    states : States
    tsumo : (n,) array
        Whether the win is by tsumo; the last of the features.
    """
    by_tsumo = _flag(tsumo)
    own = (*_own_size_columns(states), by_tsumo)
    opponents = (*_opponent_size_columns(states), by_tsumo[:, None])
    return (
        _matrix(own, len(OWN_SIZE_FEATURES), states.hands.shanten.shape),
        _matrix(opponents, len(OPPONENT_SIZE_FEATURES), states.table.tenpai.shape),
    )


OWN_TENPAI_FEATURES = (
    *_names_in_each(SHANTENS, ("", "draws", "ways", "threats", "genbutsu")),
    "shanten beyond 5",
    "closed",
    "riichi",
    "furiten",
)


def _own_tenpai_columns(states: States) -> Iterator[Floats]:
    hands = states.hands
    ways = states.log_ways
    threat = states.opponent_tenpai.sum(axis=1)
    genbutsu = np.log1p(hands.genbutsu.min(axis=1))
    yield _in_each(states.by_shanten, np.ones_like(ways), states.log_draws, ways, threat, genbutsu)
    yield np.maximum(hands.shanten - 5, 0)
    yield hands.closed
    yield hands.riichi
    yield hands.furiten


OPPONENT_TENPAI_FEATURES = (
    "intercept",
    "P(tenpai), logit",
    "P(tenpai)",
    "draws",
    "P(tenpai), logit × draws",
    "riichi",
    "open melds",
    "dealer",
    "other opponents",
)


def _opponent_tenpai_columns(states: States) -> Iterator[Floats]:
    table = states.table
    draws = states.log_draws[:, None]
    tenpai = states.opponent_tenpai
    logit = states.tenpai_logit
    yield np.ones_like(tenpai)
    yield logit
    yield tenpai
    yield draws
    yield logit * draws
    yield table.opponent_riichi
    yield table.open_melds
    yield table.opponent_dealer
    yield tenpai.sum(axis=1, keepdims=True) - tenpai


def tenpai_features(states: States) -> tuple[Floats, Floats]:
    """The features of tenpai at an exhausted draw, (n, features) and (n, 3, features).

    The first array is for the seat, the second for the opponents.
    """
    own = _own_tenpai_columns(states)
    opponents = _opponent_tenpai_columns(states)
    return (
        _matrix(own, len(OWN_TENPAI_FEATURES), states.hands.shanten.shape),
        _matrix(opponents, len(OPPONENT_TENPAI_FEATURES), states.table.tenpai.shape),
    )
