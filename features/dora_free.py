"""The han of a ron without dora, as the paper's model predicts them.

Kurita & Hoki 2017 do not print whether the han of their table 3 include dora. The shares of their
real han fit those without dora and ura dora, but with red fives. For that counting the prediction
must leave them out, too: the model is queried on a view without dora, and the fixed distribution of
riichi (equation 24) is that of the han without them. A closed hand without riichi has the
distribution of riichi (section 5.4).
"""

from __future__ import annotations

from copy import copy
from dataclasses import fields, replace

from features.paper_wait_counts import WaitCounts, frequencies
from houjuu.estimators.kurita_hoki.model import KuritaHoki
from houjuu.estimators.protocol import Estimator
from houjuu.game.table import View
from houjuu.game.view import unchecked_view


def paper_without_dora(estimator: Estimator, counts: WaitCounts) -> KuritaHoki | None:
    """The model whose han are those without dora; None if it is not the paper's model.

    Only its han are meant, on the result of `view_without_dora`.

    Parameters
    ----------
    estimator : Estimator
    counts : WaitCounts
        Those of the games to fit to.
    """
    if not isinstance(estimator, KuritaHoki):
        return None
    without_dora = copy(estimator)
    without_dora.wait_model = replace(
        estimator.wait_model, han=frequencies(counts.han_without_dora)
    )
    return without_dora


def view_without_dora(view: View) -> View:
    """The view with the same unseen tiles, where no tile is dora; red fives still count.

    The indicators become tiles of the hand: they are still seen.
    """
    values = {field.name: getattr(view, field.name) for field in fields(view)}
    values["hand"] = (*view.hand, *view.dora_indicators)
    values["dora_indicators"] = ()
    return unchecked_view(**values)
