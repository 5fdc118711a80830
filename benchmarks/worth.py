"""The worth of accuracy: the same player with each model, on the same deals, against "relative".

The first table has "estimator" and "rank" with each model that ships; the second has them with two
models, one for P(tenpai) and the other for the waits. All are compared with the player that has the
least accurate model, paired by deal. Matches are stored in FOLDER and continue from there.

    python -m benchmarks.worth FOLDER --deals 500      # --json prints docs/real-run/worth.json
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from benchmarks import output, sweep
from houjuu.arena import match_report
from houjuu.arena.match_report import ByPlayer
from houjuu.arena.text_table import TextTable
from houjuu.estimators.last_answer import LastAnswer
from houjuu.estimators.loading import load_once
from houjuu.estimators.protocol import Estimator, TenpaiPrediction
from houjuu.game.table import View
from houjuu.hands.hand_cache import HandCache
from houjuu.player.players import ESTIMATOR_PLAYERS, PLAYERS
from houjuu.player.protocol import Player
from houjuu.risk.deal_in import DealIn
from houjuu.risk.opponent_risk import FactoredScores, OpponentRisk
from houjuu.risk.unseen import UnseenTiles
from houjuu.util.arrays import Floats
from houjuu.util.languages import DEFAULT, translate

OPPONENT = "relative"
BASE = "kurita-hoki-2017"
BETTER = "houjuu"
MODELS = ("kurita-hoki-2017-printed", BASE, "houjuu-additive", BETTER)
"""From the least to the most accurate."""


class TwoModels:
    """The waits of a model with the P(tenpai) of another.

    P(wins on the kind | u) is P(T|u) of the one times P(wins on the kind | T, u) of the other.

    Parameters
    ----------
    tenpai, waits : Estimator
    """

    def __init__(self, tenpai: Estimator, waits: Estimator) -> None:
        self.model = f"tenpai of {tenpai.model}, waits of {waits.model}"
        self.header: Mapping[str, Any] = {"model": self.model}
        self.tenpai_table = tenpai.tenpai_table
        self.tenpai_of_rows = tenpai.tenpai_of_rows
        self.tenpai: Callable[[View], Floats] = tenpai.tenpai
        self.predict_tenpai: Callable[[View], TenpaiPrediction] = tenpai.predict_tenpai
        self.unseen: Callable[[View], UnseenTiles] = waits.unseen
        self.unseen_many: Callable[[Sequence[View]], list[UnseenTiles]] = waits.unseen_many
        self._waits = waits

    def deal_in(
        self,
        view: View,
        cache: HandCache | None = None,
        prediction: TenpaiPrediction | None = None,
    ) -> DealIn:
        """As `Estimator.deal_in`; `prediction` is ignored."""
        risk = self._waits.deal_in(view, cache)
        tenpai = self.tenpai(view).tolist()
        right, across, left = map(_with_tenpai, risk.opponents, tenpai)
        return replace(risk, opponents=(right, across, left))

    def deal_in_many(self, views: Sequence[View]) -> list[DealIn]:
        """As `Estimator.deal_in_many`."""
        return [*map(self.deal_in, views)]


def _with_tenpai(risk: OpponentRisk, tenpai: float) -> OpponentRisk:
    """The risk with another P(tenpai); where it was 0, all of it stays 0."""
    ratio = tenpai / risk.tenpai if risk.tenpai else 0.0
    scores = risk.scores
    if isinstance(scores, FactoredScores):
        scaled: Floats | FactoredScores = scores._replace(
            p_win=ratio * scores.p_win, by_han=ratio * scores.by_han
        )
    else:
        scaled = ratio * scores
    return replace(risk, tenpai=tenpai, scores=scaled)


@cache
def _two_models(tenpai: str, waits: str) -> Estimator:
    return LastAnswer(TwoModels(load_once(tenpai), load_once(waits)))


def _player(base: str, tenpai: str, waits: str) -> Player:
    return ESTIMATOR_PLAYERS[base](_two_models(tenpai, waits))


BASES = tuple(ESTIMATOR_PLAYERS)


def _register() -> None:
    """Make the players with two models known by name."""
    for base in BASES:
        PLAYERS[f"{base}-better-tenpai"] = partial(_player, base, BETTER, BASE)
        PLAYERS[f"{base}-better-waits"] = partial(_player, base, BASE, BETTER)


TWO_MODELS = {
    f"P(tenpai) of {BETTER}": "better-tenpai",
    f"waits of {BETTER}": "better-waits",
}
"""The players with two models by the heads of their columns; the rest is of `BASE`."""


def main() -> None:
    options = output.parser(__doc__)
    sweep.add_arguments(options, deals=500, seed=3)
    arguments = options.parse_args()
    of_models = {base: {name: f"{base}:model={name}" for name in MODELS} for base in BASES}
    of_two = {base: {head: f"{base}-{name}" for head, name in TWO_MODELS.items()} for base in BASES}
    names = [
        name for tables in (of_models, of_two) for base in BASES for name in tables[base].values()
    ]
    records = sweep.play([OPPONENT, *names], arguments, others=OPPONENT)
    tables = []
    for base in BASES:
        players = {OPPONENT: records[OPPONENT]}
        players |= {head: records[name] for head, name in of_models[base].items()}
        tables.append(compared(players, BASE, base))
        players = {BASE: players[BASE], BETTER: players[BETTER]}
        players |= {head: records[name] for head, name in of_two[base].items()}
        tables.append(compared(players, BASE, f"{base}, two models"))
    output.show_tables(tables, as_json=arguments.json)


def compared(players: ByPlayer, base: str, title: str) -> TextTable:
    """The results of players on the same deals, and each less one of them, paired by deal."""
    t = translate(DEFAULT)
    results, behind = match_report.results(players), match_report.behind(players)
    rows = {row[0]: row for row in (*results.rows, *behind.rows)}
    figures = (
        t("site.games.rank"),
        t("site.rounds.wins"),
        t("site.rounds.deal_ins"),
        t("site.wins.points"),
        t("match.all_points"),
    )
    against = [
        [
            row[1] if name != base else ""
            for row in match_report.against(games, players[base], "").rows
        ]
        for name, games in players.items()
    ]
    ranks, points = zip(*against, strict=True)
    return TextTable(
        title,
        (title, *results.head[1:]),
        (
            *(rows[name] for name in figures),
            (f"average rank less {base}", *ranks),
            (f"those points less {base}", *points),
        ),
    )


if __name__ in ("__main__", "__mp_main__"):  # the second is the name in the processes that play
    _register()
if __name__ == "__main__":
    main()
