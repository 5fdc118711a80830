"""The terms of the models of the round's end.

`of_endings`: a conditional logit over the endings (`houjuu.player.round_end.endings`). The logit
of a win is a part of its winner, for tsumo and for ron apart, and for a ron a part of its payer.
The three opponents share their weights. `of_sizes`: a multinomial logit over the sizes of a win.
`of_tenpai_at_draw`: logistic models of tenpai at an exhausted draw, of the seat and of an opponent.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import accumulate

import numpy as np

from houjuu.player.round_end.endings import DRAW, IS_TSUMO, PAYER, SELF, WINNER
from houjuu.player.round_end.logit import Block, places
from houjuu.player.states import (
    EASY_TENPAI,
    HAND_CLASSES,
    OF_OPPONENTS,
    OPPONENTS,
    SHANTENS,
    States,
)
from houjuu.util.arrays import Bools, Floats, read_only

Terms = Mapping[str | tuple[str, ...], Floats]
"""Terms by name, (n,) each, or (n, 3) for the opponents; (n, 1) is the same for all of them.

Several names stand for as many terms along the last axis of one array."""


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


def _own_hand(states: States) -> Terms:
    """The terms of the own win."""
    draws = states.log_draws
    ways = states.log_ways
    threats = np.clip(states.tenpai, 0, EASY_TENPAI)
    riichi, closed, points = states.riichi, states.closed, states.log_points
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
        **_in_each(HAND_CLASSES, states.by_hand_class, in_each),
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
    draws = states.log_draws[:, None]
    tenpai = states.opponent_tenpai
    logit, riichi = states.tenpai_logit, states.opponent_riichi
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
        "P(tenpai)": states.opponent_tenpai,
        "riichi": states.opponent_riichi,
        "open": _flag(states.open_melds > 0),
        "dealer": states.opponent_dealer,
    }


def _deals_in(states: States) -> Terms:
    """The terms of the own later deal-in to an opponent, (n, 3) each."""
    against = states.opponent_riichi
    points = states.log_points[:, None]
    in_each: Terms = {"": np.ones_like(points), "riichi": against, "points": points}
    not_riichi = 1.0 - states.riichi[:, None]
    safe, suji = np.log1p(states.genbutsu) * not_riichi, np.log1p(states.suji) * not_riichi
    return {
        **_in_each(SHANTENS, states.by_shanten, in_each),
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
    tenpai = states.opponent_tenpai
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


def of_endings(states: States) -> list[Block]:
    """The parts of the logits of the endings; the names of all their terms are `ENDING_TERMS`."""
    of_hands, of_opponents = states.shanten.shape, states.tenpai.shape
    own, draw = _stack(_own_hand(states), of_hands), _stack(_draw(states), of_hands)
    wins, pays, deals_in = (
        _stack(part(states), of_opponents) for part in (_opponent_wins, _opponent_pays, _deals_in)
    )
    riichi = np.column_stack((states.riichi, states.opponent_riichi))
    to_riichi = pays[:, _PAYERS] * riichi[:, _WINNERS, None]
    terms = {
        "own tsumo": own[:, None],
        "own ron": own[:, None],
        "opponent's tsumo": wins,
        "opponent's ron": wins,
        "opponent pays": pays,
        "opponent pays a riichi": to_riichi,
        "deals in": deals_in,
        "draw": draw[:, None],
    }
    return [Block(_AT[name], _COUNTS[name], of_part) for name, of_part in terms.items()]


_WINNERS, _PAYERS = np.nonzero(np.arange(OPPONENTS + 1)[:, None] != np.arange(1, OPPONENTS + 1))
"""The seats that may win off an opponent, and the opponent, 0–2: each pair once."""


def _counts() -> dict[str, Floats]:
    """The endings that each part of the logits counts in, (times that the part occurs, 17)."""
    tsumo, ron, opponents = IS_TSUMO, ~IS_TSUMO, np.arange(1, OPPONENTS + 1)[:, None]
    own, theirs, paid = SELF == WINNER, opponents == WINNER, opponents == PAYER
    wins = {
        "own tsumo": (tsumo & own)[None],
        "own ron": (ron & own)[None],
        "opponent's tsumo": tsumo & theirs,
        "opponent's ron": ron & theirs,
        "opponent pays": ron & paid,
        "opponent pays a riichi": paid[_PAYERS] & (_WINNERS[:, None] == WINNER),
        "deals in": theirs & (PAYER == SELF),
    }
    counts = {name: np.pad(of_wins, ((0, 0), (0, 1))) for name, of_wins in wins.items()}
    counts["draw"] = np.arange(DRAW + 1)[None] == DRAW
    return {name: read_only(_flag(of_endings)) for name, of_endings in counts.items()}


_COUNTS = _counts()


def of_sizes(states: States, *, tsumo: Bools) -> tuple[Floats, Floats]:
    """The terms of the size of a win: of the seat's, (n, terms), and of the opponents'.

    Those of the opponents are (n, 3, terms).

    Parameters
    ----------
    states : States
    tsumo : (n,) array
        Whether the win is by tsumo; the last of the terms.
    """
    by_tsumo = _flag(tsumo)
    own, opponents = _own_size(states), _opponent_size(states)
    return (
        _stack({**own, "tsumo": by_tsumo}, states.shanten.shape),
        _stack({**opponents, "tsumo": by_tsumo[:, None]}, states.tenpai.shape),
    )


def _own_size(states: States) -> Terms:
    points, riichi = states.log_points, states.riichi
    indicators = states.indicators - 1
    in_each: Terms = {"": np.ones_like(points), "points": points, "points, squared": points**2}
    return {
        **_in_each(HAND_CLASSES, states.by_hand_class, in_each),
        "riichi": riichi,
        "riichi, points": riichi * points,
        "melds": states.melds,
        "indicators": indicators,
        "indicators, riichi": indicators * riichi,
    }


def _opponent_size(states: States) -> Terms:
    riichi, open_melds = states.opponent_riichi, states.open_melds
    dora, indicators = np.minimum(states.dora, 4), (states.indicators - 1)[:, None]
    return {
        "intercept": np.ones_like(riichi),
        "riichi": riichi,
        "one open meld": _flag(open_melds == 1),
        "two open melds": _flag(open_melds == 2),
        "more open melds": _flag(open_melds > 2),
        "dora in melds": dora,
        "dora in melds, squared": dora**2,
        "draws": states.log_draws[:, None],
        "dealer": states.opponent_dealer,
        "indicators": indicators,
        "indicators, riichi": indicators * riichi,
    }


def of_tenpai_at_draw(states: States) -> tuple[Floats, Floats]:
    """The terms of tenpai at an exhausted draw: of the seat, (n, terms), and of the opponents.

    Those of the opponents are (n, 3, terms).
    """
    own = _stack(_own_tenpai(states), states.shanten.shape)
    return own, _stack(_opponent_tenpai(states), states.tenpai.shape)


def _own_tenpai(states: States) -> Terms:
    draws, ways = states.log_draws, states.log_ways
    threat = states.opponent_tenpai.sum(axis=1)
    genbutsu = np.log1p(states.genbutsu.min(axis=1))
    in_each: Terms = {
        "": np.ones_like(ways),
        "draws": draws,
        "ways": ways,
        "threats": threat,
        "genbutsu": genbutsu,
    }
    return {
        **_in_each(SHANTENS, states.by_shanten, in_each),
        "shanten beyond 5": np.maximum(states.shanten - 5, 0),
        "closed": states.closed,
        "riichi": states.riichi,
        "furiten": states.furiten,
    }


def _opponent_tenpai(states: States) -> Terms:
    draws = states.log_draws[:, None]
    tenpai = states.opponent_tenpai
    logit = states.tenpai_logit
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
OPPONENT_SIZE_TERMS = (*_names(_opponent_size(_blank())), "tsumo")
OWN_TENPAI_TERMS = tuple(_names(_own_tenpai(_blank())))
OPPONENT_TENPAI_TERMS = tuple(_names(_opponent_tenpai(_blank())))
"""Names of the terms."""
