"""The players that ship, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import isnan

from houjuu.estimators.loading import load
from houjuu.estimators.protocol import Estimator, TenpaiPrediction
from houjuu.game.table import View
from houjuu.hands.hand_cache import HandCache
from houjuu.player.preference import preferences
from houjuu.player.protocol import DEFAULT_PLAYER, Player
from houjuu.player.round_end import round_ends
from houjuu.player.rules import absolute_danger
from houjuu.player.rules.discard import RULES
from houjuu.player.rules.hand_value_player import HandValuePlayer
from houjuu.player.rules.policies import ExpectedValue, NoFold, RelativeDanger
from houjuu.player.rules.push_fold import Limits
from houjuu.player.rules.relative_danger import Scale
from houjuu.player.rules.shanten_player import ShantenPlayer
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values import final_ranks
from houjuu.player.values.next_round import AVERAGE_RANK, GameValue
from houjuu.player.values.round_values import RankValues
from houjuu.risk.deal_in import DealIn
from houjuu.util.errors import Error


class _LastAnswer:
    """An estimator that keeps its last answer: a player and `meta` query the same view."""

    def __init__(self, estimator: Estimator) -> None:
        self.header = estimator.header
        self.model = estimator.model
        self.tenpai_table = estimator.tenpai_table
        self.tenpai_of_rows = estimator.tenpai_of_rows
        self.tenpai = estimator.tenpai
        self.predict_tenpai = estimator.predict_tenpai
        self.deal_in_many = estimator.deal_in_many
        self._deal_in = estimator.deal_in
        self._last: tuple[View, DealIn] | None = None

    def deal_in(
        self,
        view: View,
        cache: HandCache | None = None,
        prediction: TenpaiPrediction | None = None,
    ) -> DealIn:
        if self._last is None or self._last[0] != view:
            self._last = view, self._deal_in(view, cache, prediction)
        return self._last[1]


@cache
def shared_estimator() -> Estimator:
    """The default model, loaded once for all players of the process."""
    return _LastAnswer(load())


def _absolute(scale: Scale, safe: float) -> Player:
    return HandValuePlayer(RelativeDanger(absolute_danger.limits(safe), scale))


def value_player(**ranks: float) -> ValuePlayer:
    """The player by action values; `ranks` are the values of ranks: first, second, third, last."""
    value = AVERAGE_RANK
    if ranks:
        names = ("first", "second", "third", "last")
        first, second, third, last = (ranks.pop(name) for name in names)
        value = GameValue((first, second, third, last), **ranks)
    rank_values = RankValues(_final_ranks(), value)
    return ValuePlayer(shared_estimator(), rank_values, _round_ends(), _preferences())


_final_ranks = cache(final_ranks.load)
_round_ends = cache(round_ends.load)
_preferences = cache(preferences.load)


PLAYERS: dict[str, Callable[..., Player]] = {
    **{rule: partial(ShantenPlayer, rule) for rule in RULES},
    "value": lambda: HandValuePlayer(NoFold()),
    "before": lambda: _absolute(absolute_danger.suji, 6),
    "improved-1": lambda: _absolute(absolute_danger.walls, 10),
    "improved-2": lambda: _absolute(absolute_danger.as_held, 10),
    "relative": lambda **limits: HandValuePlayer(RelativeDanger(Limits(**limits))),
    "rank": value_player,
    "estimator": lambda **weights: HandValuePlayer(ExpectedValue(shared_estimator(), **weights)),
}
"""Constructors of the players by name; their arguments are numbers by name."""


def player(name: str = DEFAULT_PLAYER) -> Player:
    """Make a player of `PLAYERS`, perhaps with other numbers: "relative:safe=2.5,no_safe=2.5".

    Raises
    ------
    Error
        There is no player of that name, or it has no such number.
    """
    base, _, options = name.partition(":")
    if base not in PLAYERS:
        raise Error(f"there is no player {base!r}; there are {', '.join(PLAYERS)}")
    try:
        pairs = [option.split("=") for option in options.split(",") if option]
        numbers = {key: float(value) for key, value in pairs}
        if any(map(isnan, numbers.values())):
            raise ValueError("a number is not a number (NaN)")
        return PLAYERS[base](**numbers)
    except (TypeError, ValueError) as problem:
        raise Error(f"player {name!r}: {problem}") from None
