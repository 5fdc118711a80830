"""P(tenpai) of the default model: the tenpai GAM, and the term of the network of discards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from houjuu.estimators.log_linear.discard_network import DiscardNetwork
from houjuu.estimators.log_linear.tenpai_gam import TenpaiGAMModel
from houjuu.reading import discard_sequence, tenpai_features
from houjuu.reading.discard_sequence import Codes
from houjuu.reading.opponent import OpponentContext
from houjuu.util.arrays import Floats, sigmoid
from houjuu.util.attributions import Attributions
from houjuu.util.parameters import Parameters

ORDER_OF_DISCARDS = "the order of its discards"
"""Name of the network's part in explanations."""


@dataclass(frozen=True)
class TenpaiModel:
    """P(tenpai), from the sum of the logits of both.

    Parameters
    ----------
    gam : TenpaiGAMModel
    network : DiscardNetwork or None
        None: the GAM alone.
    """

    gam: TenpaiGAMModel
    network: DiscardNetwork | None

    @classmethod
    def from_parameters(cls, parameters: Parameters) -> Self:
        """From the part ``tenpai_gam``, and ``discard_network`` where the file has it."""
        has_network = parameters.has("discard_network")
        network = DiscardNetwork(**parameters.part("discard_network")) if has_network else None
        return cls(TenpaiGAMModel(**parameters.part("tenpai_gam")), network)

    def predict(self, contexts: Sequence[OpponentContext]) -> Floats:
        """P(tenpai) of m opponents, (m,), riichi ignored."""
        gam, network = self.terms(contexts)
        return sigmoid(gam + network)

    def terms(self, contexts: Sequence[OpponentContext]) -> tuple[Floats, Floats]:
        """The logits of the GAM and the terms of the network of m opponents, (m,) each."""
        n_open_melds = np.array([context.seat.n_open_melds for context in contexts], np.intp)
        features = np.array([tenpai_features.extract(context) for context in contexts])
        logits = self.gam.logits(n_open_melds, self.gam.chosen(features))
        if self.network is None:
            return logits, np.zeros(len(contexts))
        return logits, self.network.terms(n_open_melds, _codes(contexts))

    def predict_rows(self, columns: Mapping[str, npt.ArrayLike]) -> Floats:
        """P(tenpai) of rows, (n,), from columns with the names of the features."""
        features = [np.asarray(columns[name], np.intp) for name in self.gam.names]
        n_open_melds = np.asarray(columns["n_open_melds"], np.intp)
        logits = self.gam.logits(n_open_melds, np.column_stack(features))
        if self.network is not None:
            rows = np.asarray(columns["discard_codes"], object)
            codes = [discard_sequence.from_bytes(row) for row in rows]
            logits = logits + self.network.terms(n_open_melds, codes)
        return sigmoid(logits)

    def explain(self, context: OpponentContext) -> Attributions:
        """Parts of P(tenpai) by feature group; they add up to it."""
        n_open_melds = context.seat.n_open_melds
        further = {}
        if self.network is not None:
            (term,) = self.network.terms(np.array([n_open_melds]), _codes([context])).tolist()
            further = {ORDER_OF_DISCARDS: term}
        (features,) = self.gam.chosen(np.array([tenpai_features.extract(context)])).tolist()
        return self.gam.explain(n_open_melds, features, further)


def _codes(contexts: Sequence[OpponentContext]) -> list[Codes]:
    """The codes of the discards of every opponent; those of a view are computed once."""
    by_view: dict[int, list[Codes]] = {}
    for context in contexts:
        if id(context.view) not in by_view:
            by_view[id(context.view)] = discard_sequence.discard_codes(context.view)
    return [by_view[id(context.view)][context.seat.seat] for context in contexts]
