"""The tasks on which programs are compared, and their metrics on the same rows.

T: is an opponent not in riichi tenpai? S: is one without open melds, too: a silent tenpai? Its AUC,
and the share that is found: how many of the silent hands stand among the 5% of such rows with the
highest P(tenpai). R and D: can an opponent win on a tile of the hand (R: an
opponent in riichi)? H: the same ranking inside one hand: the AUC among the kinds of a hand against
one opponent, on average over the hands with winning and other kinds. A: does the real discard deal
in to anybody? W: where an opponent wins on a tile held, is it the one with the highest risk?
"position": the place of the first winning kind among all 34 by falling risk. "order": the places of
the safest, the mean and the most dangerous winning kind by rising risk, from 0 to 1, as
MahjongRepository/mahjong-ai counts them. "points": absolute error of the expected points of real
deal-ins. U: which tile is drawn next? Its "base" and "prior" are the log loss of counting.
Metrics: log loss in nats, with p clipped to [1e-6, 1 - 1e-6]; AUC; for W the share that is right.
Intervals are of a bootstrap over games; differences are paired by row.

The predictions of a program are columns that end with its name, such as ``tenpai_houjuu``. A
program without a prediction for every row of a task is left out of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from features.columns import floats
from houjuu.game.tiles import KINDS
from houjuu.util.arrays import Floats, Ints
from models.metrics.calibration import row_losses
from models.metrics.wait_ranks import hand_aucs, wait_ranks

KEY = ["game_id", "round", "seat", "discard"]
HAND = [*KEY, "opponent"]
RESAMPLES = 1000
_LATE = 9
_TOP = 0.05

Score = Callable[[Floats], float]
"""Maps weights of games to the metric of the weighted rows."""


class Games(NamedTuple):
    """The game of each row as a number, and how many games there are."""

    codes: Ints
    n_games: int


Metric = Callable[[Floats, Any, Games], Score]
"""Maps predictions, labels and games of n rows to a score."""


class Task(NamedTuple):
    """The metrics of several programs on the rows of a task.

    Attributes
    ----------
    name : str
    rows : int
    base : float
        The mean of the label; for W and positions that of a random order.
    prior : float
        The metric of that constant prediction; of points, that of the median.
    scores : dict of str to float
        By program.
    resampled : dict of str to (1000,) array
        The metric of each bootstrap sample of the games, the same samples for each program.
    """

    name: str
    rows: int
    base: float
    prior: float
    scores: dict[str, float]
    resampled: dict[str, Floats]

    def interval(self, program: str, less: str | None = None) -> list[float]:
        """The 95% interval of the metric, or of its difference to that of another program."""
        values = self.resampled[program]
        if less is not None:
            values = values - self.resampled[less]
        return [float(end) for end in np.nanquantile(values, [0.025, 0.975])]


def tenpai_tasks(opponents: pd.DataFrame, programs: Sequence[str]) -> Iterator[Task]:
    """Yield T and S of a row per decision and opponent: columns riichi, melds and tenpai."""
    waiting = opponents[~opponents["riichi"]]
    by_melds = [waiting[waiting["melds"] == n_open_melds] for n_open_melds in range(4)]
    closed = by_melds[0]
    late = closed[closed["discard"] >= _LATE]
    for name, rows, metric in (
        ("T", waiting, log_loss),
        *((f"T, {n_open_melds} melds", of, log_loss) for n_open_melds, of in enumerate(by_melds)),
        ("T, AUC", waiting, auc),
        ("S", closed, auc),
        ("S, from the 10th discard on", late, auc),
        ("S, found", closed, found),
        ("S, found, from the 10th discard on", late, found),
    ):
        yield from _task(name, rows, ("tenpai", "tenpai"), metric, programs)


def _by_type(kinds: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows of opponents in riichi, with open melds and without."""
    rest = kinds[~kinds["riichi"]]
    melded = rest["melds"] > 0
    return {"riichi": kinds[kinds["riichi"]], "melded": rest[melded], "closed": rest[~melded]}


def tile_tasks(tiles: pd.DataFrame, programs: Sequence[str]) -> Iterator[Task]:
    """Yield R, D, W and H of a row per kind in the hand: riichi, melds, genbutsu and ronable."""
    by_type = _by_type(tiles)
    riichi, melded, closed = by_type.values()
    unsafe = riichi[~riichi["genbutsu"]]
    for name, subset, metric in (
        ("R", riichi, log_loss),
        ("R, genbutsu left out", unsafe, log_loss),
        ("R, AUC", riichi, auc),
        ("D", tiles, log_loss),
        ("D, melded", melded, log_loss),
        ("D, closed", closed, log_loss),
    ):
        yield from _task(name, subset, ("ronable", "dealin"), metric, programs)
    for name, subset in by_type.items():
        yield from _task(
            f"W, {name}", _hits(subset, programs), ("by_chance", "hit"), mean, programs
        )
    for name, subset in {
        "H": tiles,
        "H, riichi": riichi,
        "H, genbutsu left out": tiles[~tiles["genbutsu"]],
        "H, melded": melded,
        "H, closed": closed,
    }.items():
        yield from _task(name, _within(subset, programs), ("by_chance", "within"), mean, programs)


def position_tasks(kinds: pd.DataFrame, programs: Sequence[str]) -> Iterator[Task]:
    """Yield the mean position of a row per kind, all 34 of each hand: columns as `tile_tasks`."""
    subsets = _by_type(kinds)
    for name, subset in subsets.items():
        ranks = _ranks(subset, programs)
        n_wins = subset.groupby(HAND, observed=True)["ronable"].sum()[ranks.index]
        rows = ranks.assign(by_chance=(KINDS + 1) / (n_wins + 1)).reset_index()
        yield from _task(f"position, {name}", rows, ("by_chance", "rank"), mean, programs)
    for name, subset in subsets.items():
        for which, places in _orders(subset, programs).items():
            yield from _task(
                f"order, {name}: {which}", places, ("by_chance", "place"), mean, programs
            )


def discard_tasks(discards: pd.DataFrame, programs: Sequence[str]) -> Iterator[Task]:
    """Yield A of a row per decision: column ronned."""
    yield from _task("A", discards, ("ronned", "dealin"), log_loss, programs)


def points_tasks(rons: pd.DataFrame, programs: Sequence[str]) -> Iterator[Task]:
    """Yield the error of a row per real deal-in: column points."""
    yield from _task("points", rons, ("points", "points"), absolute_error, programs)


def draw_tasks(draws: pd.DataFrame, programs: Sequence[str]) -> Iterator[Task]:
    """Yield U of a row per decision: columns counted and draw_PROGRAM, P(the tile drawn next)."""
    losses = {
        f"loss_{program}": row_losses(p, np.ones(len(p), bool))
        for program, p in _predicted(draws, "draw", programs).items()
    }
    by_counting = row_losses(floats(draws, "counted"), np.ones(len(draws), bool))
    rows = draws.assign(by_chance=by_counting, **losses)
    yield from _task("U", rows, ("by_chance", "loss"), mean, programs)


def _task(
    name: str, rows: pd.DataFrame, columns: tuple[str, str], metric: Metric, programs: Sequence[str]
) -> Iterator[Task]:
    """Yield the task, if it has rows and some program predicts all of them.

    The columns are that of the label, and the beginning of those of the predictions.
    """
    truth, prediction = columns
    predicted = _predicted(rows, prediction, programs)
    if rows.empty or not predicted:
        return
    label = rows[truth].to_numpy()
    codes, ids = pd.factorize(rows["game_id"])
    games = Games(codes, len(ids))
    scores = {name: metric(values, label, games) for name, values in predicted.items()}
    draws = list(_resamples(games.n_games))
    constant = np.median(label) if metric is absolute_error else label.mean()
    whole = np.ones(games.n_games)
    yield Task(
        name=name,
        rows=len(rows),
        base=float(label.mean()),
        prior=metric(np.full(len(rows), float(constant)), label, games)(whole),
        scores={program: score(whole) for program, score in scores.items()},
        resampled={
            program: np.array([score(draw) for draw in draws]) for program, score in scores.items()
        },
    )


def _predicted(rows: pd.DataFrame, prediction: str, programs: Sequence[str]) -> dict[str, Floats]:
    columns = {program: f"{prediction}_{program}" for program in programs}
    return {
        program: floats(rows, column)
        for program, column in columns.items()
        if column in rows and not rows[column].isna().any()
    }


def _resamples(n_games: int) -> Iterator[Floats]:
    """Yield weights of the games, one for each bootstrap sample."""
    rng = np.random.default_rng(1)
    for _ in range(RESAMPLES):
        drawn = rng.integers(n_games, size=n_games)
        yield np.bincount(drawn, minlength=n_games).astype(float)


def _hits(tiles: pd.DataFrame, programs: Sequence[str]) -> pd.DataFrame:
    """Whether each program has a winning tile first, where an opponent wins on a tile held."""
    ranks = _ranks(tiles, programs)
    hits = (ranks == 1).rename(columns=lambda name: name.replace("rank_", "hit_", 1))
    by_chance = tiles.groupby(HAND, observed=True)["ronable"].mean()
    return hits.assign(by_chance=by_chance[hits.index]).reset_index()


def _within(tiles: pd.DataFrame, programs: Sequence[str]) -> pd.DataFrame:
    """The AUC of each program in each hand, where it is defined."""
    aucs = pd.DataFrame(
        {
            f"within_{program}": hand_aucs(tiles, HAND, p, tiles["ronable"].to_numpy(bool))
            for program, p in _predicted(tiles, "dealin", programs).items()
        }
    )
    return aucs.assign(by_chance=0.5).reset_index()


def _ranks(rows: pd.DataFrame, programs: Sequence[str]) -> pd.DataFrame:
    """The rank of the first winning kind for each program that predicts all rows, by hand."""
    names = list(_predicted(rows, "dealin", programs))
    return pd.DataFrame(
        {f"rank_{name}": wait_ranks(rows, HAND, f"dealin_{name}", "ronable") for name in names}
    )


def _orders(kinds: pd.DataFrame, programs: Sequence[str]) -> dict[str, pd.DataFrame]:
    """The places of the winning kinds of each hand, from 0 to 1, for each program.

    Of w winning kinds the safest has at least 0 and at most 34 - w kinds below it. From the most
    dangerous w are taken off, as the source does, where w - 1 would give 1 to the best order.
    """
    by_hand = {name: kinds[name] for name in HAND}
    wins = kinds["ronable"].astype(bool)
    n_wins = wins.groupby([*by_hand.values()], observed=True).sum()
    places: dict[str, dict[str, pd.Series[float]]] = {"safest": {}, "mean": {}, "riskiest": {}}
    for program in _predicted(kinds, "dealin", programs):
        below = kinds.groupby(HAND, observed=True)[f"dealin_{program}"].rank() - 1
        of_wins = below[wins].groupby([column[wins] for column in by_hand.values()], observed=True)
        found = {
            "safest": of_wins.min(),
            "mean": of_wins.mean() - (n_wins - 1) / 2,
            "riskiest": of_wins.max() - n_wins,
        }
        for which, of_hand in places.items():
            of_hand[f"place_{program}"] = found[which] / (KINDS - n_wins)
    by_chance = {
        "safest": 1 / (n_wins + 1),
        "mean": 0 * n_wins + 0.5,
        "riskiest": (n_wins * (KINDS + 1) / (n_wins + 1) - 1 - n_wins) / (KINDS - n_wins),
    }
    return {
        which: pd.DataFrame({**columns, "by_chance": by_chance[which]}).reset_index()
        for which, columns in places.items()
    }


def mean(values: Floats, _: Any, games: Games) -> Score:
    """The mean of the values."""
    sums = np.bincount(games.codes, values, games.n_games)
    rows = np.bincount(games.codes, minlength=games.n_games)
    return lambda weight: float(sums @ weight / (rows @ weight))


def log_loss(p: Floats, truth: Any, games: Games) -> Score:
    """Log loss, nats."""
    return mean(row_losses(p, truth.astype(bool)), truth, games)


def absolute_error(predicted: Floats, truth: Any, games: Games) -> Score:
    """Mean absolute error."""
    return mean(np.abs(predicted - truth), truth, games)


def auc(p: Floats, truth: Any, games: Games) -> Score:
    """Share of pairs (true row, false row) that p ranks correctly; ties count half.

    NaN where only one label occurs.
    """
    levels, level = np.unique(p, return_inverse=True)
    truth = truth.astype(bool)

    def score(weight: Floats) -> float:
        of_row = weight[games.codes]
        true = np.bincount(level, of_row * truth, len(levels))
        false = np.bincount(level, of_row * ~truth, len(levels))
        below = np.cumsum(false) - false / 2
        pairs = true.sum() * false.sum()
        return float(true @ below / pairs) if pairs else float("nan")

    return score


def found(p: Floats, truth: Any, games: Games) -> Score:
    """Share of the true rows among the `_TOP` part of all rows with the highest p.

    NaN where no row is true.
    """
    order = np.argsort(-p, kind="stable")
    codes, truth = games.codes[order], truth[order].astype(bool)

    def score(weight: Floats) -> float:
        of_row = weight[codes]
        inside = np.cumsum(of_row) <= _TOP * of_row.sum()
        true = of_row * truth
        return float(true @ inside / true.sum()) if true.any() else float("nan")

    return score
