"""How high the winning tiles of an opponent stand among the tiles held, ordered by danger."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from houjuu.util.arrays import Bools, Floats


def wait_ranks(
    rows: pd.DataFrame, hands: Sequence[str], predicted: str = "predicted", label: str = "label"
) -> pd.Series[int]:
    """The rank of the first tile, by falling danger, that an opponent wins on.

    Parameters
    ----------
    rows : DataFrame
        A row per decision, opponent and kind in the hand.
    hands : sequence of str
        The columns that identify a decision and an opponent.
    predicted, label : str
        The columns of P(deals in), and of whether the opponent wins on the kind.

    Returns
    -------
    Series
        A rank, from 1, for each decision and opponent that wins on any kind of the hand; in its
        index the values of `hands`. A winning kind stands behind all others of the same danger.
    """
    keys = [rows[name] for name in hands]
    wins = rows[label].astype(bool)
    best = rows[predicted].where(wins).groupby(keys, observed=True).transform("max")
    ahead = (~wins & (rows[predicted] >= best)).groupby(keys, observed=True).sum()
    any_win = wins.groupby(keys, observed=True).any()
    return ahead[any_win].astype(int) + 1


def hand_aucs(
    rows: pd.DataFrame, hands: Sequence[str], predicted: Floats, label: Bools
) -> pd.Series[float]:
    """The AUC among the kinds of each hand against one opponent: 1 if all that win are ahead.

    Parameters
    ----------
    rows : DataFrame
        A row per decision, opponent and kind in the hand.
    hands : sequence of str
        The columns that identify a decision and an opponent.
    predicted, label : (n,) arrays
        P(deals in), and whether the opponent wins on the kind.

    Returns
    -------
    Series
        By the values of `hands`, for the hands with kinds of both labels. Ties count half.
    """
    frame = pd.DataFrame({"predicted": predicted, "wins": label}, index=rows.index)
    keys = [rows[name] for name in hands]
    frame["rank"] = frame["predicted"].groupby(keys, observed=True).rank().where(label, 0.0)
    sums = frame.groupby(keys, observed=True).agg(
        kinds=("wins", "size"), wins=("wins", "sum"), rank=("rank", "sum")
    )
    both = sums[(sums["wins"] > 0) & (sums["wins"] < sums["kinds"])]
    pairs = both["wins"] * (both["kinds"] - both["wins"])
    aucs: pd.Series[float] = (both["rank"] - both["wins"] * (both["wins"] + 1) / 2) / pairs
    return aucs


def rank_metrics(ranks: pd.Series[int]) -> dict[str, float]:
    """Number of ranks, the shares that are 1 and at most 3, and the mean."""
    return {
        "hands": len(ranks),
        "hit_1": float((ranks <= 1).mean()),
        "hit_3": float((ranks <= 3).mean()),
        "mean": float(ranks.mean()),
    }
