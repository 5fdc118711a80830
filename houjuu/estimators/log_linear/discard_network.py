"""The term for the order of the discards in the logit of P(tenpai): a gated recurrent unit.

Cho et al. 2014 (arXiv:1406.1078). The state h of a seat is 0 at the deal. A discard with the codes
c (`houjuu.reading.discard_sequence`) changes it:

    x = b + Σ_f E[f, c_f]                        three parts: update, reset, candidate
    z = σ(x_z + h U_z),  r = σ(x_r + h U_r),  n = tanh(x_n + r · (h U_n))
    h ← (1 − z) · h + z · n

The term of an opponent with m open melds is a_m + w_m · h.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS
from houjuu.reading import discard_sequence
from houjuu.reading.discard_sequence import SIZES, Codes
from houjuu.util.arrays import Floats, Ints, sigmoid
from houjuu.util.features import columns_of, take
from houjuu.util.parameters import other_features, require_weights

_STATES_CACHED = 4096
_SEQUENCES_AT_ONCE = 512
OFFSETS = np.cumsum(SIZES) - SIZES
"""Row of the embedding for the value 0 of each field, (f,)."""


@dataclass(frozen=True)
class DiscardNetwork:
    """The fitted weights, for h units.

    Parameters
    ----------
    names : (f,) array of str
        Names of the fields f, some of `FIELDS`.
    embedding : (v, 3 h) array
        A row for each value of every field, in order.
    bias : (3 h,) array
    recurrent : (h, 3 h) array
    output : (4, h) array
        By number of open melds.
    constant : (4,) array

    Raises
    ------
    ParameterError
        A field is unknown, the shapes do not fit together, or a weight is not -100 to 100.
    """

    names: npt.NDArray[np.str_]
    embedding: Floats
    bias: Floats
    recurrent: Floats
    output: Floats
    constant: Floats

    def __post_init__(self) -> None:
        units = len(self.recurrent)
        shapes = {
            "embedding": (int(self._sizes.sum()), 3 * units),
            "bias": (3 * units,),
            "recurrent": (units, 3 * units),
            "output": (MELD_GROUPS, units),
            "constant": (MELD_GROUPS,),
        }
        for name, shape in shapes.items():
            weights = getattr(self, name)
            if weights.shape != shape:
                raise other_features(f"the {name} of the network of discards has a wrong shape")
            require_weights(f"the {name} of the network of discards", weights)

    @cached_property
    def _columns(self) -> Ints | None:
        known = [field.name for field in discard_sequence.FIELDS]
        return columns_of(self.names.tolist(), known, "the network of discards")

    @cached_property
    def _sizes(self) -> Ints:
        """Number of values of each field, (f,)."""
        return take(np.array([field.size for field in discard_sequence.FIELDS]), self._columns)

    @cached_property
    def _offsets(self) -> Ints:
        """Row of the embedding for the value 0 of each field, (f,)."""
        return np.asarray(np.cumsum(self._sizes) - self._sizes)

    def terms(self, n_open_melds: Ints, sequences: Sequence[Codes]) -> Floats:
        """The terms of m opponents, (m,); not of their order or number.

        Parameters
        ----------
        n_open_melds : (m,) array
        sequences : sequence of m (d, f) arrays
            The codes of all discards of each opponent.
        """
        group = np.minimum(n_open_melds, MELD_GROUPS - 1)
        terms = self.constant[group]
        for start in range(0, len(sequences), _SEQUENCES_AT_ONCE):
            rows = slice(start, start + _SEQUENCES_AT_ONCE)
            states = self._states(sequences[rows])
            terms[rows] += (self.output[group[rows]] * states).sum(axis=1)
        return terms

    def _states(self, sequences: Sequence[Codes]) -> Floats:
        """State after the last discard of every sequence, (m, h).

        Each beginning that several of them have is read once, and none that is in the cache.
        """
        if len(self._cache) > _STATES_CACHED:
            self._cache.clear()
        states = {b"": np.zeros(len(self.recurrent))}
        unread: defaultdict[int, dict[bytes, npt.NDArray[np.uint8]]] = defaultdict(dict)
        all_codes = [codes.tobytes() for codes in sequences]
        for codes, sequence in zip(all_codes, sequences, strict=True):
            for n in range(len(sequence), 0, -1):
                beginning = codes[: n * sequence.shape[1]]
                if beginning in states or beginning in unread[n]:
                    break
                cached = self._cache.get(beginning)
                if cached is not None:
                    states[beginning] = cached
                    break
                unread[n][beginning] = sequence[n - 1]
        for _, last_codes in sorted(unread.items()):
            if last_codes:
                discards = np.array([*last_codes.values()])
                before = [states[beginning[: -discards.shape[1]]] for beginning in last_codes]
                after = self._next(np.array(before), discards)
                states.update(zip(last_codes, map(np.copy, after), strict=True))
        self._cache.update(states)
        return np.array([states[codes] for codes in all_codes]).reshape(-1, len(self.recurrent))

    @cached_property
    def _cache(self) -> dict[bytes, Floats]:
        return {}

    def _next(self, states: Floats, codes: npt.NDArray[np.uint8]) -> Floats:
        """The states after one more discard, (m, h).

        Each row is multiplied on its own, so that it does not depend on the others.
        """
        units = len(self.recurrent)
        rows = take(codes, self._columns) + self._offsets
        inputs = self.embedding.take(rows, axis=0).sum(axis=1) + self.bias
        recurrent = (states[:, None] @ self.recurrent)[:, 0]
        gates = sigmoid(inputs[:, : 2 * units] + recurrent[:, : 2 * units])
        update = gates[:, :units]
        reset = gates[:, units:]
        candidate = np.tanh(inputs[:, 2 * units :] + reset * recurrent[:, 2 * units :])
        return np.asarray(states + update * (candidate - states))
