"""The edges of a calibration: slopes of the logits, the highest risks, and real discards.

A bin of a calibration table can be right while high predictions are too high and low ones too low
within it, or while the tiles that seats really discard are safer than predicted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

import pandas as pd

from features.columns import floats
from features.schema.predictions import GENBUTSU
from models.metrics import calibration
from models.metrics.evaluation import ALL, by_melds, by_opponent_type

PARTS = (ALL, "discarded", "kept", "highest")
"""All rows, tiles that were discarded, tiles that were kept, and the highest 1% of the risks."""
PAIRS = "pairs"
"""The group of two melded opponents that are both tenpai."""
_TURN = ["game", "round", "turn"]
_HIGHEST = 0.99  # quantile of the predictions


def tenpai_edges(rows: pd.DataFrame) -> pd.DataFrame:
    """Edges of P(tenpai), of all rows, by 0–3 open melds, and of pairs of melded opponents.

    Parameters
    ----------
    rows : DataFrame
        Columns of `features.schema.KEY`, opponent, n_open_melds, predicted and label.

    Returns
    -------
    DataFrame
        As `models.metrics.calibration.calibration` by group and part (of `PARTS`), and slope,
        slope_half, intercept and intercept_half of `logit_line`, and log_loss.
    """
    groups = chain(by_melds(rows), [(PAIRS, melded_pairs(rows))])
    return _table((group, ALL, chosen) for group, chosen in groups)


def melded_pairs(rows: pd.DataFrame) -> pd.DataFrame:
    """P(both are tenpai) of each two melded opponents in one turn, if they were independent.

    The rows of a decision may lack an opponent, whose row is that of another decision then.

    Returns
    -------
    DataFrame
        Columns game, predicted (the product) and label.
    """
    melded = rows.loc[rows["n_open_melds"] > 0, [*_TURN, "opponent", "predicted", "label"]]
    pairs = melded.merge(melded, on=_TURN, suffixes=("", "_other"))
    pairs = pairs[pairs["opponent"] < pairs["opponent_other"]]
    return pd.DataFrame(
        {
            "game": pairs["game"].astype(object),
            "predicted": pairs["predicted"] * pairs["predicted_other"],
            "label": pairs["label"] & pairs["label_other"],
        }
    )


def deal_in_edges(predictions: pd.DataFrame) -> pd.DataFrame:
    """Edges of P(deals in), of all rows and by type of opponent, genbutsu excluded.

    Parameters
    ----------
    predictions : DataFrame
        `features.schema.predictions.PREDICTIONS`.

    Returns
    -------
    DataFrame
        As `tenpai_edges`.
    """
    rows = predictions[predictions["safety_class"] != GENBUTSU]
    rows = rows.assign(predicted=floats(rows, "predicted"))
    groups = by_opponent_type(rows)
    return _table(part for group, chosen in groups for part in _parts(group, chosen))


def _parts(group: str, rows: pd.DataFrame) -> Iterator[tuple[str, str, pd.DataFrame]]:
    was_discarded = rows["was_discarded"].to_numpy(bool)
    predicted = rows["predicted"]
    yield group, ALL, rows
    yield group, "discarded", rows[was_discarded]
    yield group, "kept", rows[~was_discarded]
    yield group, "highest", rows[predicted >= predicted.quantile(_HIGHEST)]


def by_room(tasks: Mapping[str, pd.DataFrame], rooms: pd.Series[str]) -> pd.DataFrame:
    """As `tenpai_edges`: a group is the room of a game, a part is a task.

    Parameters
    ----------
    tasks : mapping of str to DataFrame
        Columns game, predicted and label.
    rooms : Series
        The room of each game, by its id.
    """
    return _table(
        (str(room), task, of_room)
        for task, rows in tasks.items()
        for room, of_room in rows.groupby(rows["game"].astype(object).map(rooms))
    )


def _table(parts: Iterable[tuple[str, str, pd.DataFrame]]) -> pd.DataFrame:
    lines = []
    for group, part, rows in parts:
        if rows.empty:
            continue
        named = rows[["game", "predicted", "label"]].assign(group=group, part=part)
        (line,) = calibration.calibration(named, ["group", "part"]).to_dict("records")
        games = rows["game"].to_numpy(object)
        predicted, label = floats(rows, "predicted"), rows["label"].to_numpy()
        slope = calibration.logit_line(predicted, label, games)
        log_loss = float(calibration.row_losses(predicted, label).mean())
        lines.append(
            line | {name: slope[name] for name in calibration.LINE} | {"log_loss": log_loss}
        )
    return pd.DataFrame(lines)
