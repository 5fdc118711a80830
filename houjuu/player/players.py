"""The players that ship, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module
from typing import Any

from houjuu.estimators.loading import DEFAULT_MODEL, load_once
from houjuu.estimators.protocol import Estimator
from houjuu.player import names as player_names
from houjuu.player.names import parse
from houjuu.player.preference import preferences
from houjuu.player.protocol import DEFAULT_PLAYER, Player
from houjuu.player.round_end import round_ends
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values import final_ranks
from houjuu.player.values.next_round import AVERAGE_RANK, GameValue
from houjuu.player.values.round_values import RankValues
from houjuu.util.errors import Error


def _sources() -> Any:
    """The players of the sources, imported by name: the player "rank" needs none of them."""
    return import_module("houjuu.player.rules.players")


def _of_a_source(name: str, /, *arguments: Estimator, **numbers: float) -> Player:
    player: Player = _sources().PLAYERS[name](*arguments, **numbers)
    return player


def value_player(estimator: Estimator, **ranks: float) -> ValuePlayer:
    """The player by action values; `ranks` are the values of ranks: first, second, third, last."""
    value = AVERAGE_RANK
    if ranks:
        missing = [name for name in _RANKS if name not in ranks]
        if missing:
            raise ValueError(f"the ranks {', '.join(missing)} have no value")
        first, second, third, last = (ranks.pop(name) for name in _RANKS)
        value = GameValue((first, second, third, last), **ranks)
    rank_values = RankValues(_final_ranks(), value)
    return ValuePlayer(estimator, rank_values, _round_ends(), _preferences())


_RANKS = ("first", "second", "third", "last")
_final_ranks = cache(final_ranks.load)
_round_ends = cache(round_ends.load)
_preferences = cache(preferences.load)


PLAYERS: dict[str, Callable[..., Player]] = {
    name: partial(_of_a_source, name) for name in ("v1", "v2", "v3", "value", "relative")
}
"""Constructors of the players without an estimator, by name; their arguments are numbers by name.
"""

ESTIMATOR_PLAYERS: dict[str, Callable[..., Player]] = {
    "rank": value_player,
    "estimator": partial(_of_a_source, "estimator"),
}
"""Constructors of the players that query an estimator: it is their first argument."""


def player(name: str = DEFAULT_PLAYER, estimator: Estimator | None = None) -> Player:
    """Make a player, perhaps with options: "relative:safe=2.5", "estimator:model=mine.npz".

    Parameters
    ----------
    name : str
        A key of `PLAYERS` or `ESTIMATOR_PLAYERS`; after a colon, numbers by name, and of a player
        that queries an estimator its ``model`` as `houjuu.load` takes it.
    estimator : Estimator, optional
        That of a player whose name has no model; by default the default model.

    Raises
    ------
    Error
        There is no player of that name or no such model, or it has no such option.
    """
    base, model, numbers = parse(name)
    if base not in PLAYERS and base not in ESTIMATOR_PLAYERS:
        names = ", ".join((*PLAYERS, *ESTIMATOR_PLAYERS))
        raise Error(f"there is no player {base!r}; there are {names}")
    if model is not None and base not in ESTIMATOR_PLAYERS:
        raise Error(f"player {name!r} queries no estimator: it has no model")
    try:
        if base in PLAYERS:
            return PLAYERS[base](**numbers)
        if model is not None or estimator is None:
            estimator = load_once(model or DEFAULT_MODEL)
        return ESTIMATOR_PLAYERS[base](estimator, **numbers)
    except (TypeError, ValueError) as problem:
        raise Error(f"player {name!r}: {problem}") from None


def check(name: str) -> None:
    """Raise the Error of `player` for a name, but do not load its model."""
    base, _, _ = parse(name)
    player(player_names.without_model(name) if base in ESTIMATOR_PLAYERS else name)


def with_model(names: Sequence[str], model: str | None) -> tuple[str, ...]:
    """The names of players with a model for each that queries an estimator and names no model.

    Raises
    ------
    Error
        There is a model, and no player to use it.
    """
    if model is None:
        return tuple(names)
    users = [
        name.partition(":")[0] in ESTIMATOR_PLAYERS and parse(name).model is None for name in names
    ]
    if not any(users):
        raise Error(f"no player uses the model {model!r}: {', '.join(names)}")
    return tuple(
        player_names.with_model(name, model) if is_user else name
        for name, is_user in zip(names, users, strict=True)
    )


def estimator_of(player: Player) -> Estimator | None:
    """The estimator that a player of this package queries; None for every other player."""
    if isinstance(player, ValuePlayer):
        return player.estimator
    estimator: Estimator | None = _sources().estimator_of(player)
    return estimator
