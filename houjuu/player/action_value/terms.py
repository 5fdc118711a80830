"""The terms of the models of the round's end.

`of_endings`: a conditional logit over the endings (`houjuu.player.action_value.endings`). The logit
of a win is a part of its winner, for tsumo and for ron apart, and for a ron a part of its payer.
The three opponents share their weights. `of_sizes`: a multinomial logit over the sizes of a win.
`of_tenpai_at_draw`: logistic models of tenpai at an exhausted draw, of the seat and of an opponent.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import accumulate

import numpy as np

from houjuu.arrays import Bools, Floats, read_only
from houjuu.player.action_value.endings import DRAW, IS_TSUMO, PAYER, SELF, WINNER
from houjuu.player.action_value.states import OF_OPPONENTS, OPPONENTS, States
from houjuu.player.choice import Part, places

_EASY_TENPAI = 0.999
"""P(tenpai) is clipped here, so that its logit is finite."""

_LOW = 0.002
_USUAL_POINTS = 4000.0
_SHANTEN = ("tenpai", *(f"{shanten} from tenpai" for shanten in range(1, 5)), "far")
_HAND_CLASSES = tuple(f"{name}, {form}" for name in _SHANTEN for form in ("closed", "open"))

Terms = Mapping[str | tuple[str, ...], Floats]
"""Terms by name, (n,) each, or (n, 3) for the opponents; (n, 1) is the same for all of them.

Several names stand for as many terms along the last axis of one array."""


def _logit(probability: Floats) -> Floats:
    clipped = np.clip(probability, _LOW, _EASY_TENPAI)
    return np.asarray(np.log(clipped / (1 - clipped)))


def _by_shanten(states: States) -> Floats:
    """1 for the states of each shanten of the own hand, else 0: (n, shantens)."""
    shanten = np.minimum(states.shanten, len(_SHANTEN) - 1)
    return _flag(shanten[:, None] == np.arange(len(_SHANTEN)))


def _by_hand_class(states: States) -> Floats:
    """1 for the states of each shanten, of closed and of open hands apart: (n, classes)."""
    forms = np.column_stack((states.closed, 1 - states.closed))
    by_class = _by_shanten(states)[:, :, None] * forms[:, None]
    return by_class.reshape(len(forms), len(_HAND_CLASSES))


def _in_each(classes: tuple[str, ...], flags: Floats, terms: Terms) -> Terms:
    """The terms of each class: those of its own states are as they are, all others 0.

    Parameters
    ----------
    classes : tuple of str
    flags : (n, classes) array
        1 for the class of each state.
    terms : mapping of str to array
        The term with the name "" is named after the class alone.
    """
    columns = _stack(terms, np.broadcast_shapes(*(term.shape for term in terms.values())))
    by_class = flags.reshape(len(flags), *(1,) * (columns.ndim - 2), len(classes), 1)
    names = _names_in_each(classes, tuple(_names(terms)))
    products = by_class * columns[..., None, :]
    return {names: products.reshape(*columns.shape[:-1], len(names))}


@cache
def _names_in_each(classes: tuple[str, ...], terms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name}, {term}" if term else name for name in classes for term in terms)


def _flag(condition: Bools) -> Floats:
    return np.asarray(condition, np.float64)


def _points(states: States) -> Floats:
    """log2 of the points that a win is likely to bring, from the usual ones."""
    dama = (states.shanten == 0) & (states.closed > states.riichi)
    points = np.where(dama, states.dama_points, states.points)
    return np.asarray(np.log2(np.maximum(points, 500.0) / _USUAL_POINTS))


def _own_hand(states: States) -> Terms:
    """The terms of the own win."""
    draws = np.log(states.draws + 0.5)
    ways = np.log(states.ways + 0.5)
    threats = np.clip(states.tenpai, 0, _EASY_TENPAI)
    riichi, closed, points = states.riichi, states.closed, _points(states)
    threat = threats.sum(axis=1)
    in_each: Terms = {
        "": np.ones_like(ways),
        "ways": ways,
        "draws": draws,
        "ways × draws": ways * draws,
        "threats": threat,
        "points": points,
    }
    tenpai = _flag(states.shanten == 0)
    dama = tenpai * closed * (1 - riichi)
    return {
        **_in_each(_HAND_CLASSES, _by_hand_class(states), in_each),
        "shanten beyond 5": np.maximum(states.shanten - 5, 0),
        "riichi": riichi,
        "riichi, ways": riichi * ways,
        "riichi, draws": riichi * draws,
        "dama, ways": dama * np.log(states.dama_ways + 0.5),
        "dama without a yaku": dama * (states.dama_ways == 0),
        "tenpai, furiten": tenpai * states.furiten,
        "riichi, furiten": riichi * states.furiten,
        "tenpai, easy": tenpai * np.log(states.easy + 1.0),
        "riichi, easy": riichi * np.log(states.easy + 1.0),
        "most dangerous opponent": threats.max(axis=1),
        "melds": states.melds,
        "dealer": states.is_dealer,
        "opponents in riichi": states.opponent_riichi.sum(axis=1),
    }


def _opponent_wins(states: States) -> Terms:
    """The terms of an opponent's win, (n, 3) each."""
    draws = np.log(states.draws + 0.5)[:, None]
    tenpai = np.clip(states.tenpai, 0, 1)
    logit, riichi = _logit(tenpai), states.opponent_riichi
    open_melds = states.open_melds
    return {
        "intercept": np.ones_like(tenpai),
        "draws": draws,
        "P(tenpai), logit": logit,
        "P(tenpai)": tenpai,
        "P(tenpai) × draws": tenpai * draws,
        "P(tenpai), logit × draws": logit * draws,
        "riichi": riichi,
        "riichi, draws": riichi * draws,
        "open melds": open_melds,
        "two open melds": _flag(open_melds >= 2),
        "three open melds": _flag(open_melds >= 3),
        "dora in melds": np.minimum(states.dora, 4),
        "dealer": states.opponent_dealer,
        "other opponents": tenpai.sum(axis=1, keepdims=True) - tenpai,
        "own riichi": states.riichi[:, None],
    }


def _opponent_pays(states: States) -> Terms:
    """The terms of an opponent who deals in, (n, 3) each."""
    return {
        "P(tenpai)": np.clip(states.tenpai, 0, 1),
        "riichi": states.opponent_riichi,
        "open": _flag(states.open_melds > 0),
        "dealer": states.opponent_dealer,
    }


def _deals_in(states: States) -> Terms:
    """The terms of the own later deal-in to an opponent, (n, 3) each."""
    against = states.opponent_riichi
    points = _points(states)[:, None]
    in_each: Terms = {"": np.ones_like(points), "riichi": against, "points": points}
    not_riichi = 1.0 - states.riichi[:, None]
    safe, suji = np.log1p(states.genbutsu) * not_riichi, np.log1p(states.suji) * not_riichi
    return {
        **_in_each(_SHANTEN, _by_shanten(states), in_each),
        "own riichi": 1.0 - not_riichi,
        "own riichi, riichi": (1.0 - not_riichi) * against,
        "genbutsu": safe,
        "genbutsu, riichi": safe * against,
        "no genbutsu": (states.genbutsu == 0) * not_riichi,
        "suji": suji,
        "suji, riichi": suji * against,
        "closed": states.closed[:, None],
        "melds": states.melds[:, None],
        "dealer": states.is_dealer[:, None],
    }


def _draw(states: States) -> Terms:
    """The terms of the exhausted draw."""
    draws = states.draws
    tenpai = np.clip(states.tenpai, 0, 1)
    return {
        "intercept": np.ones(len(draws)),
        "draws": draws,
        "draws, log": np.log(draws + 0.5),
        "draws, squared": draws**2 / 10,
        "last tiles": (states.tiles_left < 8) * states.tiles_left,
        "P(tenpai), sum": tenpai.sum(axis=1),
        "P(tenpai), sum × draws": tenpai.sum(axis=1) * draws,
        "riichi": states.opponent_riichi.sum(axis=1),
        "own riichi": states.riichi,
    }


def _stack(terms: Terms, shape: tuple[int, ...]) -> Floats:
    """The terms in one array, (*shape, terms); `np.stack` of many small arrays takes long."""
    columns, width = _columns(tuple(terms))
    stacked = np.empty((*shape, width))
    for place, term in zip(columns, terms.values(), strict=True):
        stacked[..., place] = term
    return stacked


@cache
def _columns(names: tuple[str | tuple[str, ...], ...]) -> tuple[list[int | slice], int]:
    """The columns of each entry of `Terms`, and the number of all."""
    ends = list(accumulate(1 if isinstance(name, str) else len(name) for name in names))
    columns = [
        end - 1 if isinstance(name, str) else slice(end - len(name), end)
        for name, end in zip(names, ends, strict=True)
    ]
    return columns, ends[-1]


def _names(terms: Terms) -> list[str]:
    """The names of all terms."""
    return [name for names in terms for name in ((names,) if isinstance(names, str) else names)]


def of_endings(states: States) -> list[Part]:
    """The parts of the logits of the endings; the names of all their terms are `ENDING_TERMS`."""
    of_hands, of_opponents = states.shanten.shape, states.tenpai.shape
    own, draw = _stack(_own_hand(states), of_hands), _stack(_draw(states), of_hands)
    wins, pays, deals_in = (
        _stack(part(states), of_opponents) for part in (_opponent_wins, _opponent_pays, _deals_in)
    )
    riichi = np.column_stack((states.riichi, states.opponent_riichi))
    parts = [
        Part(_AT["own tsumo"], _tsumo_of(SELF), own),
        Part(_AT["own ron"], _rons(SELF), own),
        Part(_AT["draw"], np.append(np.zeros(DRAW), 1.0), draw),
    ]
    for seat in range(1, OPPONENTS + 1):
        parts += [
            Part(_AT["opponent's tsumo"], _tsumo_of(seat), wins[:, seat - 1]),
            Part(_AT["opponent's ron"], _rons(seat), wins[:, seat - 1]),
            Part(_AT["deals in"], _rons(seat, SELF), deals_in[:, seat - 1]),
            Part(_AT["opponent pays"], _rons(payer=seat), pays[:, seat - 1]),
        ]
        for winner in {*range(OPPONENTS + 1)} - {seat}:
            to_riichi = pays[:, seat - 1] * riichi[:, winner, None]
            parts.append(Part(_AT["opponent pays a riichi"], _rons(winner, seat), to_riichi))
    return parts


@cache
def _tsumo_of(winner: int) -> Floats:
    """1 for the seat's tsumo, 0 for the other endings, (17,)."""
    return _flags_of_endings((winner == WINNER) & IS_TSUMO)


@cache
def _rons(winner: int | None = None, payer: int | None = None) -> Floats:
    """1 for the rons of the winner off the payer (None: of anyone), 0 for the others, (17,)."""
    won = True if winner is None else winner == WINNER
    paid = True if payer is None else payer == PAYER
    return _flags_of_endings(won & paid & ~IS_TSUMO)


def _flags_of_endings(wins: Bools) -> Floats:
    return read_only(np.append(wins, False).astype(np.float64))


def of_sizes(states: States, winner: int, *, tsumo: Bools) -> Floats:
    """The terms of the size of a win, (n, terms): `OWN_SIZE_TERMS` or `OPPONENT_SIZE_TERMS`.

    Parameters
    ----------
    states : States
    winner : int
        Its relative seat.
    tsumo : (n,) array
        Whether the win is by tsumo; the last of the terms.
    """
    terms = _own_size(states) if winner == SELF else _opponent_size(states, winner - 1)
    return _stack({**terms, "tsumo": _flag(tsumo)}, states.shanten.shape)


def _own_size(states: States) -> Terms:
    points, riichi = _points(states), states.riichi
    indicators = states.indicators - 1
    in_each: Terms = {"": np.ones_like(points), "points": points, "points, squared": points**2}
    return {
        **_in_each(_HAND_CLASSES, _by_hand_class(states), in_each),
        "riichi": riichi,
        "riichi, points": riichi * points,
        "melds": states.melds,
        "indicators": indicators,
        "indicators, riichi": indicators * riichi,
    }


def _opponent_size(states: States, opponent: int) -> Terms:
    riichi = states.opponent_riichi[:, opponent]
    dora = np.minimum(states.dora[:, opponent], 4)
    open_melds = states.open_melds[:, opponent]
    return {
        "intercept": np.ones(len(riichi)),
        "riichi": riichi,
        "one open meld": _flag(open_melds == 1),
        "two open melds": _flag(open_melds == 2),
        "more open melds": _flag(open_melds > 2),
        "dora in melds": dora,
        "dora in melds, squared": dora**2,
        "draws": np.log(states.draws + 0.5),
        "dealer": states.opponent_dealer[:, opponent],
        "indicators": states.indicators - 1,
        "indicators, riichi": (states.indicators - 1) * riichi,
    }


def of_tenpai_at_draw(states: States) -> tuple[Floats, Floats]:
    """The terms of tenpai at an exhausted draw: of the seat, (n, terms), and of the opponents.

    The latter are (n, 3, terms).
    """
    own = _stack(_own_tenpai(states), states.shanten.shape)
    return own, _stack(_opponent_tenpai(states), states.tenpai.shape)


def _own_tenpai(states: States) -> Terms:
    draws, ways = np.log(states.draws + 0.5), np.log(states.ways + 0.5)
    threat = np.clip(states.tenpai, 0, 1).sum(axis=1)
    genbutsu = np.log1p(states.genbutsu.min(axis=1))
    in_each: Terms = {
        "": np.ones_like(ways),
        "draws": draws,
        "ways": ways,
        "threats": threat,
        "genbutsu": genbutsu,
    }
    return {
        **_in_each(_SHANTEN, _by_shanten(states), in_each),
        "shanten beyond 5": np.maximum(states.shanten - 5, 0),
        "closed": states.closed,
        "riichi": states.riichi,
        "furiten": states.furiten,
    }


def _opponent_tenpai(states: States) -> Terms:
    draws = np.log(states.draws + 0.5)[:, None]
    tenpai = np.clip(states.tenpai, 0, 1)
    logit = _logit(tenpai)
    return {
        "intercept": np.ones_like(tenpai),
        "P(tenpai), logit": logit,
        "P(tenpai)": tenpai,
        "draws": draws,
        "P(tenpai), logit × draws": logit * draws,
        "riichi": states.opponent_riichi,
        "open melds": states.open_melds,
        "dealer": states.opponent_dealer,
        "other opponents": tenpai.sum(axis=1, keepdims=True) - tenpai,
    }


def _blank() -> States:
    """States without a row."""
    shapes = ((0, OPPONENTS) if name in OF_OPPONENTS else (0,) for name in States._fields)
    return States._make(map(np.zeros, shapes))


def _parts() -> dict[str, list[str]]:
    """The names of the terms of each part of the endings."""
    blank = _blank()
    own, wins, pays = map(_names, (_own_hand(blank), _opponent_wins(blank), _opponent_pays(blank)))
    return {
        "own tsumo": own,
        "own ron": own,
        "opponent's tsumo": wins,
        "opponent's ron": wins,
        "opponent pays": pays,
        "opponent pays a riichi": pays,
        "deals in": _names(_deals_in(blank)),
        "draw": _names(_draw(blank)),
    }


_AT = dict(zip(_parts(), places(list(_parts().values())), strict=True))
ENDING_TERMS = tuple(f"{part}: {name}" for part, names in _parts().items() for name in names)
OWN_SIZE_TERMS = (*_names(_own_size(_blank())), "tsumo")
OPPONENT_SIZE_TERMS = (*_names(_opponent_size(_blank(), 0)), "tsumo")
OWN_TENPAI_TERMS = tuple(_names(_own_tenpai(_blank())))
OPPONENT_TENPAI_TERMS = tuple(_names(_opponent_tenpai(_blank())))
"""Names of the terms."""
