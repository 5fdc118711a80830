"""What accuracy is worth: the same player with each model, on the same deals, against "relative".

The first table has "estimator" and "rank" with each model that ships; the second has them with two
models, one for P(tenpai) and the other for the waits. All are compared with the player that has the
least accurate model, paired by deal. Matches are stored in FOLDER and continue from there.

    python -m benchmarks.worth FOLDER --deals 500
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from benchmarks import output, sweep
from houjuu.arena import match_report
from houjuu.arena.match_report import ByPlayer
from houjuu.estimators.last_answer import LastAnswer
from houjuu.estimators.loading import load_once
from houjuu.estimators.protocol import Estimator, TenpaiPrediction
from houjuu.game.table import View
from houjuu.hands.hand_cache import HandCache
from houjuu.player.players import ESTIMATOR_PLAYERS, PLAYERS
from houjuu.player.protocol import Player
from houjuu.risk.deal_in import DealIn
from houjuu.risk.opponent_risk import FactoredScores, OpponentRisk
from houjuu.util.arrays import Floats

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


for _base in ESTIMATOR_PLAYERS:
    PLAYERS[f"{_base}-better-tenpai"] = partial(_player, _base, BETTER, BASE)
    PLAYERS[f"{_base}-better-waits"] = partial(_player, _base, BASE, BETTER)


def variants(base: str) -> Mapping[str, str]:
    """The players of a table by the heads of their columns, the least accurate one first."""
    return {
        **{model: f"{base}:model={model}" for model in MODELS},
        f"P(tenpai) of {BETTER}, waits of {BASE}": f"{base}-better-tenpai",
        f"P(tenpai) of {BASE}, waits of {BETTER}": f"{base}-better-waits",
    }


def main() -> None:
    options = output.parser(__doc__)
    sweep.add_arguments(options, deals=500, seed=3)
    arguments = options.parse_args()
    heads = {name: head for base in ESTIMATOR_PLAYERS for head, name in variants(base).items()}
    records = sweep.play([OPPONENT, *heads], arguments, others=OPPONENT)
    for base in ESTIMATOR_PLAYERS:
        names = variants(base)
        print(f"# {base}\n")
        print(_tables({OPPONENT: records[OPPONENT], **{h: records[names[h]] for h in names}}))
        print()


def _tables(players: ByPlayer) -> str:
    tables = [match_report.results(players), match_report.behind(players)]
    for first in (OPPONENT, MODELS[0], BASE):
        others = {name: games for name, games in players.items() if name != first}
        tables += [
            match_report.against(games, players[first], f"{name} less {first}")
            for name, games in others.items()
        ]
    return "\n\n".join(table.markdown() for table in tables)


if __name__ == "__main__":
    main()
