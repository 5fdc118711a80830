"""The paper's own evaluation (Kurita & Hoki 2017, section 6) on the held-out games of a run.

Run after `make train`, with the logs that it was given. Table 2: every player's 10th discard where
somebody else is in riichi or has a meld, by the summed probability, against how often it dealt in;
percent, with a 95% interval (games are the units). Table 3: at real deal-ins, the most probable han
against the real one, shares of all; the paper's beside ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

import houjuu
from benchmarks import output
from houjuu.events import Discard, Game, Win
from houjuu.hands.points import CODES
from houjuu.table import View
from houjuu.tiles import COPIES
from models import calibration
from pipeline import corpus, settings
from pipeline.parse import GAMES

TURN = 10
EDGES = [i / 100 for i in range(9)]
PAPER_2 = (0.2, 1.7, 2.8, 4.3, 5.4, 5.8, 7.5, 8.4)
PAPER_3 = (  # by predicted han, then real: 1, 2, 3, 4 and more
    (0.231, 0.126, 0.034, 0.012),
    (0.105, 0.190, 0.112, 0.052),
    (0.025, 0.029, 0.028, 0.012),
    (0.010, 0.012, 0.005, 0.013),
)
HAN = np.arange(CODES) // 16


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("--games", type=int, help="how many of the held-out games (all)")
    arguments = options.parse_args()
    games = pd.read_parquet(GAMES)
    held_out = games[games["validate"]].sort_values("digest")["source"][: arguments.games]
    decisions: list[tuple[str, float, bool]] = []
    wins: list[tuple[int, int]] = []
    with tqdm(total=len(held_out), desc="ask", unit="game") as progress:
        batches = corpus.batches(frozenset(held_out))
        for asked, won in corpus.mapped(ask, batches, settings.load().run):
            decisions += asked
            wins += won
            progress.update(corpus.BATCH)
    output.show(table_2(decisions), as_json=arguments.json)
    output.show(table_3(wins), as_json=arguments.json)


def ask(batch: list[corpus.Entry]) -> tuple[list[tuple[str, float, bool]], list[tuple[int, int]]]:
    """(game, summed probability, dealt in) of 10th discards; (predicted, real) han of deal-ins."""
    estimator = houjuu.load()
    decisions, wins = [], []
    for game in corpus.games(batch):
        for view, tile, won in _discards(game):
            if won or _asked(view):
                risk = estimator.deal_in(view)
                if _asked(view):
                    summed = float(risk.by_opponent[:, tile // COPIES].sum())
                    decisions.append((game.id, summed, bool(won)))
                wins += [(_most_likely_han(risk, win, tile), _han(win)) for win in won]
    return decisions, wins


def _discards(game: Game) -> Iterator[tuple[View, int, list[Win]]]:
    """Yield every discard that was a decision: the view, the tile, and who won on it."""
    table = houjuu.Table(game.rules)
    for event, later in zip(game.events, (*game.events[1:], None), strict=True):
        if isinstance(event, Discard):
            decider = table.seats[event.seat]
            if not decider.in_riichi and not decider.away:
                won = [later] if isinstance(later, Win) and later.source == event.seat else []
                yield table.view(event.seat), event.tile, won
        table.apply(event)


def _asked(view: View) -> bool:
    """Whether it is a 10th discard, and somebody else is in riichi or has a meld."""
    threats = any(seat.in_riichi or seat.open_melds for seat in view.opponents)
    return len(view.seats[view.seat].river) == TURN - 1 and threats


def _han(win: Win) -> int:
    return 13 if win.yakuman else sum(han for _, han in win.yaku)


def _most_likely_han(risk: houjuu.DealIn, win: Win, tile: int) -> int:
    answer = next(opponent for opponent in risk.opponents if opponent.seat == win.seat)
    return int(np.bincount(HAN, answer.scores[tile // COPIES])[1:].argmax()) + 1


def table_2(decisions: list[tuple[str, float, bool]]) -> list[dict[str, Any]]:
    """Predicted against measured by bin, in percent."""
    rows = pd.DataFrame(decisions, columns=["game", "predicted", "measured"])
    rows["bin"] = np.minimum(rows["predicted"] * 100, len(EDGES) - 1).astype(int)
    lines = []
    found: list[dict[Any, Any]] = calibration.calibration(rows, ["bin"]).to_dict("records")
    for line in found:
        low = int(line["bin"])
        last = low == len(EDGES) - 1
        lines.append(
            {
                "predicted %": f"{low}+" if last else f"{low}-{low + 1}",
                "rows": int(line["rows"]),
                "share %": 100 * line["rows"] / len(rows),
                "mean predicted": 100 * line["predicted"],
                **{name: 100 * line[name] for name in ("measured", "low", "high")},
                "paper measured": None if last else PAPER_2[low],
            }
        )
    return lines


def table_3(wins: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Shares of all deal-ins by most probable and by real han, 4 standing for more too."""
    pairs = np.minimum(np.array(wins), 4) - 1
    shares = np.bincount(pairs[:, 0] * 4 + pairs[:, 1], minlength=16).reshape(4, 4) / len(wins)
    lines: list[dict[str, Any]] = [
        {
            "most probable": f"{han + 1} han",
            **{f"real {real + 1}": float(shares[han, real]) for real in range(4)},
            **{f"paper {real + 1}": PAPER_3[han][real] for real in range(4)},
        }
        for han in range(4)
    ]
    ours, theirs = float(np.trace(shares)), sum(PAPER_3[i][i] for i in range(4))
    blank = {f"{who} {i}": None for who in ("real", "paper") for i in range(2, 5)}
    lines.append({"most probable": "diagonal", "real 1": ours, **blank, "paper 1": theirs})
    return [{key: line[key] for key in lines[0]} for line in lines]


if __name__ == "__main__":
    main()
