"""The rows of the tenpai GAM as compact arrays, computed once for all passes of the fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from features.columns import ints
from features.tenpai_rows import codes_of_rows, feature_matrix
from houjuu.estimators.log_linear.discard_network import DiscardNetwork
from houjuu.estimators.log_linear.rooms import FACED, TenpaiRows
from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS, NO_EDGE, Bins, TenpaiGAMModel
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.reading.tenpai_features import NAMES
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting.counts import Counts
from models.fitting.logistic import CodedRows
from models.fitting.lookups import Codes, grouped, packed
from models.fitting.shards import Arrays, game_hashes

_CHUNK = 1 << 15  # unit: rows


def value_counts(rows: pd.DataFrame) -> list[Counts]:
    """The values of every feature."""
    return [_counted(ints(rows, name)) for name in NAMES]


def _counted(values: Ints) -> Counts:
    """As `counts.counted`, faster for small values."""
    lowest = int(values.min(initial=NO_EDGE))
    n_rows = np.bincount(values - lowest)
    present = np.flatnonzero(n_rows)
    return present + lowest, n_rows[present]


def edges(counts: list[Counts], most: int) -> Ints:
    """The lowest value of every bin but the first, a row for each feature, padded with `NO_EDGE`.

    A feature with few values has a bin for each; others have bins of about equal numbers of rows.
    """
    by_feature = [_lowest_values(*feature_counts, most)[1:] for feature_counts in counts]
    longest = max(map(len, by_feature))
    all_edges = np.full((len(counts), longest), NO_EDGE, dtype=np.int64)
    for row, lowest in zip(all_edges, by_feature, strict=True):
        row[: len(lowest)] = lowest
    return all_edges


def _lowest_values(values: Ints, n_rows: Ints, most: int) -> Ints:
    """The lowest value of every bin of a feature, from its distinct values."""
    if len(values) <= most:
        return values
    cumulative = n_rows.cumsum()
    shares = np.linspace(0, 1, most + 1)[:-1]
    quantiles = shares * cumulative[-1]
    index = np.searchsorted(cumulative, quantiles, side="right")
    return np.unique(values[index])


def subsample_mask(rows: pd.DataFrame, stride: int) -> Bools:
    """Rows that are used, (m,): every n-th without a meld and not tenpai, and all others.

    The first one of each game is that of its hash: the mask does not depend on other games.
    """
    frequent = np.asarray((rows["n_open_melds"] == 0) & ~rows["tenpai"])
    game = pd.factorize(rows["game"])[0]
    number = pd.Series(frequent).groupby(game).cumsum().to_numpy()
    # The lowest bit of the hash is the half of the games, which must not depend on the shift.
    higher_bits = game_hashes(rows["game"]) >> np.uint64(1)
    shift = higher_bits % np.uint64(stride)
    is_nth = (number + shift.astype(np.int64)) % stride == 0
    return np.asarray(~frequent | is_nth)


def blocks(bins: Bins) -> list[slice]:
    """The terms of every block, those of the features first."""
    sizes = np.diff(bins.offsets).tolist()
    n_features = len(bins.fine)
    all_terms = grouped(sizes[:n_features])
    for pairs in grouped(sizes[n_features:]):
        terms = slice(n_features + pairs.start, n_features + pairs.stop)
        all_terms.append(terms)
    return all_terms


def compact(
    bins: Bins,
    stride: int,
    prior: TenpaiGAMModel | None,
    network: DiscardNetwork | None,
    rows: pd.DataFrame,
) -> Arrays:
    """The used rows, sorted by half of the games and number of open melds.

    Returns
    -------
    dict
        codes, (blocks, m): the code of each block of features; coarse, (n, m): the coarse bins;
        tenpai, (m,); offset, (m,): the logit of the prior and its network, 0 without; starts, (9,):
        first row of each half and number of melds, and the total.
    """
    has_group = (rows["n_open_melds"] < MELD_GROUPS).to_numpy()
    used = rows[subsample_mask(rows, stride) & has_group]
    half = (game_hashes(used["game"]) & np.uint64(1)).astype(np.int64)
    group = MELD_GROUPS * half + ints(used, "n_open_melds")
    order = np.argsort(group, kind="stable")
    used = used.iloc[order]
    features = [ints(used, name) for name in NAMES]
    fine = [_bins(*feature) for feature in zip(features, bins.fine, strict=True)]
    coarse = [_bins(*feature) for feature in zip(features, bins.coarse, strict=True)]
    sizes = np.diff(bins.offsets).tolist()
    codes = [packed(fine[terms], sizes[terms]) for terms in blocks(bins)]
    offset = np.zeros(len(used))
    if prior is not None:
        offset = logits(prior, network, used)
    all_groups = np.arange(2 * MELD_GROUPS + 1)
    return {
        "codes": np.stack(codes),
        "coarse": np.stack(coarse),
        "tenpai": used["tenpai"].to_numpy(),
        "offset": offset,
        "starts": np.searchsorted(group[order], all_groups),
    }


def logits(gam: TenpaiGAMModel, network: DiscardNetwork | None, rows: pd.DataFrame) -> Floats:
    """The logit of rows of `TENPAI`, (m,); without a network `TENPAI_FEATURES` are enough."""
    n_open_melds = ints(rows, "n_open_melds")
    logits = gam.logits(n_open_melds, gam.chosen(feature_matrix(rows)))
    if network is not None:
        logits = logits + network.terms(n_open_melds, codes_of_rows(rows))
    return logits


def line_rows(tenpai: TenpaiModel, rows: pd.DataFrame) -> TenpaiRows:
    """The terms of rows of `TENPAI`, for factors of them."""
    gam, both = logits(tenpai.gam, None, rows), logits(tenpai.gam, tenpai.network, rows)
    terms = gam, both - gam, np.ones(len(rows)), ints(rows, FACED) > 0
    melds, label = ints(rows, "n_open_melds"), rows["tenpai"].to_numpy(bool)
    return TenpaiRows(np.array(terms, float).T, melds, label, game_hashes(rows["game"]))


def _bins(values: Ints, edges: Ints) -> npt.NDArray[Any]:
    """The bin of every value, (m,), from a table of all values."""
    lowest = int(values.min(initial=NO_EDGE))
    highest = int(values.max(initial=lowest))
    all_values = np.arange(lowest, highest + 1)
    bin_of_value = np.searchsorted(edges, all_values, side="right")
    smallest_type = np.min_scalar_type(len(edges))
    return bin_of_value.astype(smallest_type)[values - lowest]


@dataclass(frozen=True)
class RowReader:
    """Reads the rows of some numbers of open melds from the arrays of `compact`.

    Attributes
    ----------
    bins : Bins
        With the pairs that have terms of their own.
    groups : range
        The numbers of melds; each is a class.
    stride : int
        As in `subsample_mask`.
    """

    bins: Bins
    groups: range
    stride: int

    def __call__(self, arrays: Arrays) -> Iterator[CodedRows]:
        """Yield the rows in chunks that fit into the cache."""
        for half in range(2):
            yield from self.half(arrays, half)

    def half(self, arrays: Arrays, half: int) -> Iterator[CodedRows]:
        """Yield the rows of a half of the games."""
        for group in self.groups:
            number = MELD_GROUPS * half + group
            first, end = arrays["starts"][number : number + 2].tolist()
            for start in range(first, end, _CHUNK):
                stop = min(start + _CHUNK, end)
                yield self._rows(arrays, group, slice(start, stop))

    def coarse(self, arrays: Arrays, half: int) -> npt.NDArray[Any]:
        """The coarse bins of the rows of `half`, (n, m)."""
        first = MELD_GROUPS * half + self.groups.start
        end = MELD_GROUPS * half + self.groups.stop
        starts = arrays["starts"]
        return np.asarray(arrays["coarse"][:, starts[first] : starts[end]])

    def _rows(self, arrays: Arrays, group: int, rows: slice) -> CodedRows:
        tenpai = arrays["tenpai"][rows]
        stride = self.stride if group == 0 else 1
        pair_codes = self._pair_codes(arrays["coarse"][:, rows])
        codes = [*arrays["codes"][:, rows], *pair_codes]
        weight = np.where(tenpai, 1.0, float(stride))
        return CodedRows(group - self.groups[0], codes, tenpai, weight, arrays["offset"][rows])

    def _pair_codes(self, coarse: npt.NDArray[Any]) -> Codes:
        n_features = len(self.bins.fine)
        sizes = self.bins.coarse_sizes.tolist()
        codes = []
        for terms in blocks(self.bins):
            if terms.start >= n_features:  # those of pairs
                pairs = self.bins.pairs[terms.start - n_features : terms.stop - n_features]
                features = pairs.ravel().tolist()
                pair_sizes = [sizes[feature] for feature in features]
                codes.append(packed(coarse[features], pair_sizes))
        return codes
