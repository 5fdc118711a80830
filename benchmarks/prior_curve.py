"""What few games are worth without a prior: P(tenpai) beside a logistic regression of scikit-learn.

A line has the log losses of both fits to so many games, on the same other games, and their
difference with half of its 95% interval by game.

    python -m benchmarks.prior_curve LOGS --games 30 100 300 --without ⓝ
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from benchmarks import output
from features import tenpai_rows
from houjuu.game.events import Game
from houjuu.logs import any_format as logs
from houjuu.util.game_hashes import hashes
from houjuu.util.intervals import clustered_mean
from models.fitting.shards import FrameShards
from models.houjuu import tenpai_gam
from models.houjuu.tenpai_gam import baseline_columns
from models.metrics.calibration import row_losses
from pipeline import paths, settings


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("logs", help="log, folder or archive")
    options.add_argument("--games", type=int, nargs="+", default=[30, 100, 300])
    options.add_argument("--held-out", type=int, default=300, help="games (%(default)s)")
    options.add_argument("--without", help="how names begin whose seats are left out")
    arguments = options.parse_args()
    by_game = {game.id: rows_of(game, arguments.without) for game in logs.games(arguments.logs)}
    ids = sorted(by_game)
    shuffled = [by_game[ids[index]] for index in hashes(ids).argsort()]
    held_out = pd.concat(shuffled[: arguments.held_out], ignore_index=True)
    others = shuffled[arguments.held_out :]
    parts = [pd.concat(others[:count], ignore_index=True) for count in arguments.games]
    output.show([line(part, held_out) for part in parts], as_json=arguments.json)


def rows_of(game: Game, without: str | None) -> pd.DataFrame:
    """The rows of a game, but for those about some seats."""
    rows = tenpai_rows.rows([game])
    left_out = [n for n, name in enumerate(game.names) if without and name.startswith(without)]
    return rows[~rows["opponent"].isin(left_out)].astype({"game": str})


def line(fitted: pd.DataFrame, held_out: pd.DataFrame) -> dict[str, Any]:
    """The log losses of both fits to some rows, on others."""
    n_games, params = fitted["game"].nunique(), settings.load().train[paths.TENPAI_FIT]
    logit = tenpai_gam.baseline().fit(baseline_columns(fitted), fitted["tenpai"])
    own = tenpai_gam.from_nothing(params, FrameShards(fitted), n_games)
    predicted = logit.predict_proba(baseline_columns(held_out)), own.predict_proba(held_out)
    label = held_out["tenpai"].to_numpy()
    of_logit, of_own = (row_losses(p[:, 1], label) for p in predicted)
    less, half = clustered_mean(of_own - of_logit, held_out["game"].to_numpy(object))
    return {
        "games": n_games,
        "logistic regression": float(np.mean(of_logit)),
        "from nothing": float(np.mean(of_own)),
        "less": less,
        "half": half,
        "C": own.C[0],
    }


if __name__ == "__main__":
    main()
