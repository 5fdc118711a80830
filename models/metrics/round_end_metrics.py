"""Evaluation of the models of the round's end on held-out games.

The baseline of an ending is how often it occurred at the same shanten with about as many draws left
in the games that were fitted to. That of a size and of tenpai at a draw is how often each occurred.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from features.columns import ints
from features.round_end_rows import state_arrays
from houjuu.player.round_end.endings import DRAW, IS_TSUMO, PAYER, SELF, SIZES, WINNER
from houjuu.player.round_end.round_ends import RoundEndModel
from houjuu.player.states import MAX_SHANTEN, OPPONENTS, States
from houjuu.util.arrays import Bools, Floats, Ints
from models.fitting.shards import Shards, sums
from models.metrics import calibration
from models.player.round_ends import OF_SIZE

EDGES = [0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
"""Edges of the bins of the predicted probability."""

_DRAWS_PER_CLASS = 4
_DRAW_CLASSES = 5
_WON = np.append(WINNER == SELF, False)
_DEALT_IN = np.append((PAYER == SELF) & (WINNER != SELF), False)
_TSUMO_OF_OTHERS = np.append(IS_TSUMO & (WINNER != SELF), False)
OWN_WIN = "own win"
EVENTS = {
    OWN_WIN: _WON,
    "deals in": _DEALT_IN,
    "tsumo of an opponent": _TSUMO_OF_OTHERS,
    "draw": np.arange(DRAW + 1) == DRAW,
}
"""The endings that each event consists of, (17,)."""

_SIZE_QUESTIONS = (("size of own wins", "own"), ("size of wins of opponents", "opponent's"))
_AT_DRAW = {"own tenpai at a draw": [SELF], "tenpai of opponents at a draw": [1, 2, 3]}
_LARGE = SIZES.index("8,000")
CALIBRATED = (
    *EVENTS,
    *(f"{whose} win of 8,000 or more" for _, whose in _SIZE_QUESTIONS),
    *_AT_DRAW,
)
"""The events with a calibration by shanten: the endings, and sizes and tenpai given an ending."""

GROUPS = (
    *("one kind", "several kinds"),
    *("13 draws or more", "9 to 12 draws", "5 to 8 draws", "4 draws or fewer"),
    *("no riichi", "facing a riichi"),
    *("with a yaku", "without a yaku"),
)
"""Classes of tenpai hands: by the kinds waited for, the draws left, threat and yaku."""

_FEWEST_DRAWS = (12, 8, 4)
_LAST_RIICHI_TILE = 4  # tiles left after the discard: fewer allow no riichi at the next draw

Rates = dict[str, Floats]
_Evaluated = tuple[dict[str, dict[str, float]], list[pd.DataFrame]]


def rates(shards: Shards) -> Rates:
    """The frequencies of the baselines, each count plus one."""
    endings, sizes, tenpai = (counts + 1.0 for counts in sums(shards.map(_counts)))
    return {
        "endings": endings / endings.sum(axis=2, keepdims=True),
        "sizes": sizes / sizes.sum(axis=1, keepdims=True),
        "tenpai": tenpai[:, 0] / tenpai.sum(axis=1),
    }


def evaluate(model: RoundEndModel, rates: Rates, rows: pd.DataFrame) -> dict[str, Any]:
    """Log loss of each model, and the calibration of each event by the shanten of the hand.

    Parameters
    ----------
    model : RoundEndModel
    rates : dict
        `rates` of the games that were fitted to.
    rows : DataFrame
        `features.round_end_rows.ROUND_ENDS` of held-out games.

    Returns
    -------
    dict
        ``log_loss`` by question: rows, log_loss and log_loss_base (nats), the difference and half
        of its 95% interval. ``calibration``: a line for each event of `CALIBRATED`, shanten (0–3, 3
        for more) and bin. ``riichi_or_dama``: that of the own win as `riichi_or_dama` returns it.
    """
    states = state_arrays(rows)
    endings = ints(rows, "ending")
    predicted = model.predict_endings(states)
    base = rates["endings"][_cells(rows)]
    games = rows["game"].to_numpy()
    losses = _class_losses(predicted, endings)
    base_losses = _class_losses(base, endings)
    scores = {"endings": calibration.compared(losses, base_losses, games)}
    tables = []
    for event, consists in EVENTS.items():
        p = predicted @ consists
        p_base = base @ consists
        label = consists[endings]
        losses = calibration.row_losses(p, label)
        base_losses = calibration.row_losses(p_base, label)
        scores[event] = calibration.compared(losses, base_losses, games)
        tables.append(_by_shanten(event, p, label, rows))
    for more_scores, more_tables in (
        _sizes(model, rates["sizes"], rows),
        _tenpai_at_draw(model, rates["tenpai"], rows),
    ):
        scores |= more_scores
        tables += more_tables
    table = pd.concat(tables, ignore_index=True)
    return {
        "log_loss": scores,
        "calibration": calibration.records(table),
        "riichi_or_dama": riichi_or_dama(model, rows),
    }


def riichi_or_dama(model: RoundEndModel, rows: pd.DataFrame) -> list[dict[str, Any]]:
    """The calibration of the own win of tenpai hands that could declare riichi.

    Returns
    -------
    list of dict
        Lines by ``action``: "riichi" for hands that declare it with the discard, "dama" for closed
        hands that may do so later. Each is grouped by the number of kinds waited for, by the draws
        left, by the threat, and by a yaku without riichi: ``group`` is one of `GROUPS`.
    """
    enough_tiles = rows["tiles_left"] > _LAST_RIICHI_TILE
    may_declare = (rows["shanten"] == 0) & (rows["closed"] == 1) & enough_tiles
    waiting = rows[may_declare & ((rows["riichi"] == 0) | (rows["declares"] == 1))]
    predicted = model.predict_endings(state_arrays(waiting)) @ EVENTS[OWN_WIN]
    frame = pd.DataFrame(
        {
            "game": waiting["game"].to_numpy(),
            "action": np.where(waiting["declares"] == 1, "riichi", "dama"),
            "predicted": predicted,
            "label": EVENTS[OWN_WIN][ints(waiting, "ending")],
        }
    )
    threat = waiting[[f"opponent_riichi_{seat}" for seat in range(OPPONENTS)]].any(axis=1)
    early, middle, late = (ints(waiting, "draws") > least for least in _FEWEST_DRAWS)
    classes = (
        np.where(waiting["wait_kinds"] > 1, "several kinds", "one kind"),
        np.select([early, middle, late], GROUPS[2:5], GROUPS[5]),
        np.where(threat, "facing a riichi", "no riichi"),
        np.where(waiting["ron_ways"] > 0, "with a yaku", "without a yaku"),
    )
    by_group = pd.concat([frame.assign(group=group) for group in classes])
    by_group["group"] = pd.Categorical(by_group["group"], GROUPS)
    return calibration.records(calibration.calibration(by_group, ["action", "group"]))


def _cells(rows: pd.DataFrame) -> tuple[Ints, Ints]:
    draws = ints(rows, "draws") // _DRAWS_PER_CLASS
    return ints(rows, "shanten"), np.minimum(draws, _DRAW_CLASSES - 1)


def _counts(rows: pd.DataFrame) -> tuple[Floats, Floats, Floats]:
    endings = np.zeros((MAX_SHANTEN + 1, _DRAW_CLASSES, DRAW + 1))
    shanten, draws = _cells(rows)
    np.add.at(endings, (shanten, draws, ints(rows, "ending")), 1.0)
    sizes = np.zeros((2, len(SIZES)))
    tenpai = np.zeros((2, 2))
    own, size = _won(rows)
    winner = np.where(own, 0, 1)
    np.add.at(sizes, (winner, size), 1.0)
    _, pattern = _tenpai(rows)
    for seat in range(4):
        is_tenpai = pattern >> seat & 1
        np.add.at(tenpai[int(seat != SELF)], 1 - is_tenpai, 1.0)
    return endings, sizes, tenpai


def _won(rows: pd.DataFrame) -> tuple[Bools, Ints]:
    """Whether the seat itself won, and the size, for the rows of rounds that were won."""
    won = rows[rows["size"] >= 0]
    winner = WINNER[ints(won, "ending")]
    return np.asarray(winner == SELF), ints(won, "size")


def _tenpai(rows: pd.DataFrame) -> tuple[pd.DataFrame, Ints]:
    drawn = rows[rows["tenpai_at_draw"] >= 0]
    return drawn, ints(drawn, "tenpai_at_draw")


def _sizes(model: RoundEndModel, rates: Floats, rows: pd.DataFrame) -> _Evaluated:
    """The sizes of the wins that occurred: log losses, and the calibration of large ones."""
    won = rows[rows["size"] >= 0]
    own, size = _won(rows)
    predicted = sizes_of_wins(model, state_arrays(won), ints(won, "ending"))
    base = rates[np.where(own, 0, 1)]
    large = predicted[:, _LARGE:].sum(axis=1)
    scores = {}
    tables = []
    for (name, whose), mask in zip(_SIZE_QUESTIONS, (own, ~own), strict=True):
        wins = won[mask]
        true = size[mask]
        losses = _class_losses(predicted[mask], true)
        base_losses = _class_losses(base[mask], true)
        scores[name] = calibration.compared(losses, base_losses, wins["game"].to_numpy())
        event = f"{whose} win of 8,000 or more"
        tables.append(_by_shanten(event, large[mask], true >= _LARGE, wins))
    return scores, tables


def sizes_of_wins(model: RoundEndModel, states: States, endings: Ints) -> Floats:
    """P(size) of the wins that occurred, (n, sizes)."""
    own, others = model.predict_scores(states) @ OF_SIZE, model.predict_sizes(states)
    by_seat = np.concatenate((own[:, None], others), axis=1)
    ways = WINNER[endings], IS_TSUMO[endings].astype(np.intp)
    return np.asarray(by_seat[np.arange(len(endings)), *ways])


def _tenpai_at_draw(model: RoundEndModel, rates: Floats, rows: pd.DataFrame) -> _Evaluated:
    """Tenpai at the draws that occurred: log losses and calibration."""
    drawn, pattern = _tenpai(rows)
    predicted = model.predict_tenpai_at_draw(state_arrays(drawn))
    is_tenpai = (pattern[:, None] >> np.arange(4) & 1) > 0
    scores = {}
    tables = []
    for name, seats in _AT_DRAW.items():
        p = predicted[:, seats].ravel()
        label = is_tenpai[:, seats].ravel()
        row_of_seat = np.repeat(np.arange(len(drawn)), len(seats))
        seat_rows = drawn.iloc[row_of_seat]
        base = np.full(len(p), rates[int(SELF not in seats)])
        losses = calibration.row_losses(p, label)
        base_losses = calibration.row_losses(base, label)
        scores[name] = calibration.compared(losses, base_losses, seat_rows["game"].to_numpy())
        tables.append(_by_shanten(name, p, label, seat_rows))
    return scores, tables


def _class_losses(table: Floats, true: Ints) -> Floats:
    """Log loss of each row, (n,), by the probabilities of all classes, (n, classes)."""
    predicted = table[np.arange(len(true)), true]
    clipped = np.maximum(predicted, calibration.CLIP)
    return np.asarray(-np.log(clipped))


def _by_shanten(event: str, predicted: Floats, label: Bools, rows: pd.DataFrame) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "game": rows["game"].to_numpy(),
            "event": event,
            "shanten": np.minimum(ints(rows, "shanten"), 3),
            "bin": calibration.bins(predicted, EDGES),
            "predicted": predicted,
            "label": label,
        }
    )
    return calibration.calibration(frame, ["event", "shanten", "bin"])
