"""How good the estimator is beside other programs, in positions of games that no fit has seen.

Row T of the peers' table: is an opponent who is not in riichi tenpai? Log loss in nats with p held
in [1e-6, 1 - 1e-6], and AUC. "difference" is ours minus the peer's, with its 95% interval from a
bootstrap over games, paired row by row; for log loss, below zero is better than the peer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from tqdm import tqdm

import houjuu
from benchmarks import output
from houjuu.events import Deal, Discard, Game
from houjuu.logs import mjlog
from models.calibration import CLIP

PEERS = {"akochan": "akochan", "manue": "mjai-manue", "mahjong-helper": "mahjong-helper"}
KEY = ["game_id", "round", "seat", "discard"]
RESAMPLES = 2000
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--model", default="kurita-hoki-2017", help="a name, or a file (.npz)")
    arguments = options.parse_args()
    rows = opponents(arguments.shared, houjuu.load(arguments.model))
    output.show(list(table_t(rows)), as_json=arguments.json)


def opponents(shared: Path, estimator: houjuu.Estimator) -> pd.DataFrame:
    """The peers' rows about opponents not in riichi, with what the estimator says of them."""
    truth = pd.read_parquet(shared / "peers" / "opponents.parquet")
    truth = truth[~truth["riichi"]].astype({"game_id": str})
    games = mjlog.read(shared / "tenhou" / "peer-bench.tar.xz")
    answers = [answer for game in tqdm(games, "replay") for answer in _answers(game, estimator)]
    ours = pd.DataFrame(answers, columns=[*KEY, "opponent", "tenpai_houjuu"])
    rows = truth.merge(ours, on=[*KEY, "opponent"], how="left", validate="one_to_one")
    if rows["tenpai_houjuu"].isna().any():
        raise SystemExit(f"{rows['tenpai_houjuu'].isna().sum()} of the peers' rows are not met")
    return rows


def _answers(game: Game, estimator: houjuu.Estimator) -> Iterator[tuple[Any, ...]]:
    table = houjuu.Table(game.rules)
    index = -1
    for event in game:
        index += isinstance(event, Deal)
        if isinstance(event, Discard) and not table.seats[event.seat].in_riichi:
            view = table.view(event.seat)
            key = (game.id, index, event.seat, len(view.seats[event.seat].river))
            answer = zip(view.opponents, estimator.tenpai(view), strict=True)
            yield from ((*key, opponent.seat, float(p)) for opponent, p in answer)
        table.apply(event)


def table_t(rows: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the lines of row T: everybody, by open melds, and the AUC."""
    yield from _compare("T", rows, "tenpai", _log_loss)
    for melds in range(4):
        of = rows[rows["melds"] == melds]
        yield from _compare(f"T, {melds} melds", of, "tenpai", _log_loss)
    yield from _compare("T, AUC", rows, "tenpai", _auc)


Score = Callable[[Floats], float]
"""A score of some rows, by how often each counts."""


def _compare(
    name: str, rows: pd.DataFrame, question: str, scored: Callable[[Floats, Bools], Score]
) -> Iterator[dict[str, Any]]:
    """Yield a line per peer: both scores, and the difference with its interval."""
    truth = rows[question].to_numpy(dtype=bool)
    once = np.ones(len(rows))
    columns = ("houjuu", *PEERS)
    scores = {c: scored(rows[f"{question}_{c}"].to_numpy(dtype=float), truth) for c in columns}
    resampled = np.array(
        [[scores[c](draw) for c in columns] for draw in _resamples(rows["game_id"])]
    )
    for number, column in enumerate(columns[1:], start=1):
        low, high = np.quantile(resampled[:, 0] - resampled[:, number], [0.025, 0.975])
        own, other = scores["houjuu"](once), scores[column](once)
        yield {
            "row": name,
            "rows": len(rows),
            "base": float(truth.mean()),
            "prior": scored(np.full(len(rows), truth.mean()), truth)(once),
            "houjuu": own,
            "peer": PEERS[column],
            "theirs": other,
            "difference": own - other,
            "95%": [float(low), float(high)],
        }


def _resamples(games: pd.Series[str]) -> Iterator[Floats]:
    """Yield how often each row counts when as many games are drawn with replacement."""
    codes, names = pd.factorize(games)
    rng = np.random.default_rng(1)
    for _ in range(RESAMPLES):
        drawn = rng.integers(len(names), size=len(names))
        yield np.bincount(drawn, minlength=len(names)).astype(float)[codes]


def _log_loss(p: Floats, truth: Bools) -> Score:
    held = np.clip(p, CLIP, 1 - CLIP)
    loss = -np.log(np.where(truth, held, 1 - held))
    return lambda weight: float(loss @ weight / weight.sum())


def _auc(p: Floats, truth: Bools) -> Score:
    """Share of pairs (a true row, a false one) that p puts in order, half of those it ties."""
    levels, place = np.unique(p, return_inverse=True)

    def score(weight: Floats) -> float:
        true = np.bincount(place, weight * truth, len(levels))
        false = np.bincount(place, weight * ~truth, len(levels))
        below = np.cumsum(false) - false / 2
        return float(true @ below / (true.sum() * false.sum()))

    return score


if __name__ == "__main__":
    main()
