"""How good the estimator is beside other programs, in positions of games that no fit has seen.

The rows are those of the peers' table: T, is an opponent not in riichi tenpai; R and D, can an
opponent win on a tile of the hand (R: an opponent in riichi); A, is the real discard ronned by
anybody; and the points of real deal-ins. Log loss in nats with p held in [1e-6, 1 - 1e-6]; AUC;
mean absolute error. "difference" is ours minus the peer's, with its 95% interval from a bootstrap
over games, paired row by row; below zero is better than the peer, but for AUC.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from tqdm import tqdm

import houjuu
from benchmarks import output
from benchmarks.yardstick import Yardstick
from houjuu.events import Deal, Discard, Game
from houjuu.hands.points import POINTS
from houjuu.logs import mjlog
from houjuu.melded import Kept
from houjuu.table import View
from models.calibration import CLIP
from pipeline.files import replacing
from pipeline.yardstick import read

NAMES = {
    "akochan": "akochan",
    "manue": "mjai-manue",
    "mahjong-helper": "mahjong-helper",
    "killer": "killer_mortal_gui",
    "yardstick": "trees",
}
YARDSTICK = "yardstick"
KEY = ["game_id", "round", "seat", "discard"]
RESAMPLES = 1000
Key = tuple[str, int, int, int]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--model", default="kurita-hoki-2017", help="a name, or a file (.npz)")
    options.add_argument("--yardstick", type=Path, help="file of trees to show too (.joblib)")
    options.add_argument("--keep", type=Path, help="file for reports (data/peers.json)")
    arguments = options.parse_args()
    games = mjlog.read(arguments.shared / "tenhou" / "peer-bench.tar.xz")
    estimator = houjuu.load(arguments.model)
    path = arguments.yardstick
    yardstick = Yardstick(read(path), estimator) if path else None
    said = answers(games, estimator, yardstick)
    found = list(lines(*filled(arguments.shared / "peers", said)))
    if arguments.keep:
        keep(arguments.keep, estimator.header, found)
    output.show(found, as_json=arguments.json)


def keep(path: Path, header: Mapping[str, Any], found: Sequence[Mapping[str, Any]]) -> None:
    """Put the lines into a file under the name of the model that they are about."""
    known = json.loads(path.read_text()) if path.exists() else {}
    about = {name: header[name] for name in ("fitted_on", "commit")}
    known[header["model"]] = about | {"lines": found}
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n")


class Said(NamedTuple):
    """What somebody says of a position: right, across, left.

    Attributes
    ----------
    tenpai : (3,) array
    by_opponent : (3, 34) array
    points : (3,) array
        Expected points of the real discard if it deals in, NaN where nothing is said.
    """

    tenpai: Floats
    by_opponent: Floats
    points: Floats

    @property
    def any(self) -> Floats:
        """P(deals in to anybody), (34,)."""
        return np.asarray(1.0 - np.prod(1.0 - self.by_opponent, axis=0))


def answers(
    games: Iterable[Game], estimator: houjuu.Estimator, yardstick: Yardstick | None = None
) -> dict[str, dict[Key, Said]]:
    """What the estimator says of every decision, and the yardstick if there is one, by its name."""
    houjuu_says = {}
    for game in tqdm(games, "replay"):
        for key, view, kept, tile in _decisions(game):
            risk = estimator.deal_in(view, kept)
            points = np.array([_points(risk, opponent, tile) for opponent in range(3)])
            houjuu_says[key] = Said(risk.tenpai, risk.by_opponent, points)
            if yardstick is not None:
                yardstick.look(view, kept)
    said = {"houjuu": houjuu_says}
    if yardstick is not None:
        told = zip(yardstick.tenpai(), yardstick.wins(), strict=True)
        nothing = np.full(3, np.nan)
        trees_say = (Said(tenpai, tenpai[:, None] * wins, nothing) for tenpai, wins in told)
        said[YARDSTICK] = dict(zip(houjuu_says, trees_say, strict=True))
    return said


def filled(
    peers: Path, said: Mapping[str, Mapping[Key, Said]]
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """The peers' three tables, with what others say in the same positions."""
    names = ("opponents", "tiles", "discards")
    tables = [pd.read_parquet(peers / f"{name}.parquet").astype({"game_id": str}) for name in names]
    opponents, tiles, discards = tables
    for name, of in said.items():
        opponents[f"tenpai_{name}"] = [
            of[row[:4]].tenpai[_place(row[2], row[4])] for row in _rows(opponents, "opponent")
        ]
        tiles[f"dealin_{name}"] = [
            of[row[:4]].by_opponent[_place(row[2], row[4]), row[5]]
            for row in _rows(tiles, "opponent", "tile")
        ]
        rows = list(_rows(discards, "tile", "winner"))
        discards[f"dealin_{name}"] = [of[row[:4]].any[row[4]] for row in rows]
        discards[f"points_{name}"] = [
            of[row[:4]].points[_place(row[2], row[5])] if row[5] >= 0 else np.nan for row in rows
        ]
    return opponents, tiles, discards


def _rows(table: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    return table[[*KEY, *columns]].itertuples(index=False, name=None)


def _place(seat: int, opponent: int) -> int:
    """0, 1, 2 for right, across, left."""
    return (opponent - seat) % 4 - 1


def _points(risk: houjuu.DealIn, opponent: int, tile: int) -> float:
    """Expected points of a deal-in that happened, honba not counted."""
    weight = risk.scores_of(tile)[opponent]
    points = POINTS[int(risk.opponents[opponent].dealer)]
    return float(weight @ points / weight.sum()) if weight.any() else np.nan


def _decisions(game: Game) -> Iterator[tuple[Key, View, Kept, int]]:
    """Yield key, view, what the seat keeps and discarded tile of every decision."""
    table = houjuu.Table(game.rules)
    kept = [Kept() for _ in range(4)]
    index = -1
    for event in game:
        index += isinstance(event, Deal)
        if isinstance(event, Discard) and not table.seats[event.seat].in_riichi:
            view = table.view(event.seat)
            key = (game.id, index, event.seat, len(view.seats[event.seat].river))
            yield key, view, kept[event.seat], event.tile
        table.apply(event)


def lines(
    opponents: pd.DataFrame, tiles: pd.DataFrame, discards: pd.DataFrame
) -> Iterator[dict[str, Any]]:
    """Yield the lines of the whole table."""
    waiting = opponents[~opponents["riichi"]]
    yield from _compare("T", waiting, "tenpai", "tenpai", _log_loss)
    for melds in range(4):
        of = waiting[waiting["melds"] == melds]
        yield from _compare(f"T, {melds} melds", of, "tenpai", "tenpai", _log_loss)
    yield from _compare("T, AUC", waiting, "tenpai", "tenpai", _auc)
    riichi = tiles[tiles["riichi"]]
    yield from _compare("R", riichi, "ronable", "dealin", _log_loss)
    unsafe = riichi[~riichi["genbutsu"]]
    yield from _compare("R, genbutsu left out", unsafe, "ronable", "dealin", _log_loss)
    yield from _compare("R, AUC", riichi, "ronable", "dealin", _auc)
    rest = tiles[~tiles["riichi"]]
    for name, of in {
        "D": tiles,
        "D, melded": rest[rest["melds"] > 0],
        "D, closed": rest[rest["melds"] == 0],
    }.items():
        yield from _compare(name, of, "ronable", "dealin", _log_loss)
    yield from _compare("A", discards, "ronned", "dealin", _log_loss)
    ronned = discards[discards["ronned"] & discards["points"].notna()]
    yield from _compare("points", ronned, "points", "points", _absolute_error)


Score = Callable[[Floats], float]
"""A score of some rows, by how often each counts."""


def _compare(
    name: str,
    rows: pd.DataFrame,
    truth: str,
    answer: str,
    scored: Callable[[Floats, Any], Score],
) -> Iterator[dict[str, Any]]:
    """Yield a line per peer that answers all these rows: both scores, and the difference."""
    happened = rows[truth].to_numpy()
    once = np.ones(len(rows))
    answers = {
        c: rows[f"{answer}_{c}"].to_numpy(dtype=float)
        for c in ("houjuu", *NAMES)
        if f"{answer}_{c}" in rows and not rows[f"{answer}_{c}"].isna().any()
    }
    scores = {c: scored(of, happened) for c, of in answers.items()}
    draws = _resamples(rows["game_id"])
    resampled = np.array([[score(draw) for score in scores.values()] for draw in draws])
    middle = np.median(happened) if scored is _absolute_error else happened.mean()
    for number, column in enumerate(list(scores)[1:], start=1):
        low, high = np.quantile(resampled[:, 0] - resampled[:, number], [0.025, 0.975])
        own, other = scores["houjuu"](once), scores[column](once)
        yield {
            "row": name,
            "rows": len(rows),
            "base": float(happened.mean()),
            "prior": scored(np.full(len(rows), middle), happened)(once),
            "houjuu": own,
            "peer": NAMES[column],
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


def _absolute_error(answer: Floats, truth: Floats) -> Score:
    error = np.abs(answer - truth)
    return lambda weight: float(error @ weight / weight.sum())


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
