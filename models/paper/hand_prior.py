"""The prior of open hands in a table: the sums of its rows times the numbers of a model.

P(an open hand wins on a kind | tenpai), and the shares of the han of a win, as the paper's model
enumerates them (Kurita & Hoki 2017, equations 13–18). The rows have the sums
(`features.hand_sums`); the weights of hands and P(colour) are those of the model. A fit adds the
columns to its rows before it reads them.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from features.columns import floats, ints
from features.hand_sums import HandSums
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.game.tiles import HONOURS, KINDS, SUIT_LETTERS
from houjuu.hands.wait_types import HAN
from houjuu.reading.table1 import TYPE1, ColourFeatures
from houjuu.util.arrays import Bools, Floats

PRIOR_WIN = [f"prior_win_{kind}" for kind in range(KINDS)]
"""P(wins on the kind | tenpai); 0 for a closed hand."""

PRIOR_HAN = [f"prior_han_{han}" for han in range(1, HAN + 1)]
"""P(han | wins on the kind of the row); 0 for a closed hand."""

_SUITS = SUIT_LETTERS[:HONOURS]
_TYPE1 = [name for suit in _SUITS for name in TYPE1[suit]]
_ALLOWED = [f"allowed_{suit}" for suit in _SUITS]
_GENBUTSU = [f"genbutsu_{kind}" for kind in range(KINDS)]


def with_prior_win(paper: KuritaHoki, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of `features.schema.waits.WAITS` with the columns `PRIOR_WIN`."""
    is_open = _is_open(rows)
    hands = rows[is_open]
    wins = _wins(paper, hands, KINDS)
    uncovered = (wins == 0) & (ints(hands, _GENBUTSU) == 0)
    wins += paper.hand_model.floors(ints(hands, "n_melds"))[:, None] * uncovered
    return _with_columns(rows, PRIOR_WIN, is_open, wins)


def with_prior_han(paper: KuritaHoki, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of `features.schema.waits.RON_SCORES` with the columns `PRIOR_HAN`."""
    is_open = _is_open(rows)
    wins = _wins(paper, rows[is_open], HAN)
    total = wins.sum(axis=1, keepdims=True)
    shares = np.divide(wins, total, out=np.zeros_like(wins), where=total > 0)
    return _with_columns(rows, PRIOR_HAN, is_open, shares)


def _is_open(rows: pd.DataFrame) -> Bools:
    return np.asarray(ints(rows, "n_open_melds") > 0)


def _wins(paper: KuritaHoki, hands: pd.DataFrame, alternatives: int) -> Floats:
    """P(wins with the alternative | tenpai) of open hands, without a floor, (n, m)."""
    model = paper.hand_model
    sums = HandSums.from_cells(hands["hand_sums"], alternatives)
    form_weights = [1.0, 1.0, model.other_forms, model.other_forms]
    colours = paper.tenpai_model.colours(_colour_features(hands))
    factors = model.factors(sums.by_class * form_weights, colours, ints(hands, "n_melds"))
    by_colour = model.other_forms * sums.all + (1.0 - model.other_forms) * sums.good
    return np.asarray(np.einsum("nc,ncm->nm", factors, by_colour))


def _colour_features(rows: pd.DataFrame) -> ColourFeatures:
    return ColourFeatures(
        type1=floats(rows, _TYPE1).reshape(-1, len(_SUITS), len(_TYPE1) // len(_SUITS)),
        allowed=rows[_ALLOWED].to_numpy(bool),
        n_open_melds=ints(rows, "n_open_melds"),
        n_melds=ints(rows, "n_melds"),
        discards=ints(rows, "river_length"),
    )


def _with_columns(
    rows: pd.DataFrame, names: list[str], is_open: Bools, values: Floats
) -> pd.DataFrame:
    columns = np.zeros((len(rows), len(names)))
    columns[is_open] = values
    return pd.concat([rows, pd.DataFrame(columns, index=rows.index, columns=names)], axis=1)
