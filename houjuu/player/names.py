"""Names of players with their options: "relative:safe=2.5", "estimator:model=mine.npz".

>>> parse("estimator:model=mine.npz,value_scale=0.5")
PlayerName(base='estimator', model='mine.npz', numbers={'value_scale': 0.5})
"""

from __future__ import annotations

import hashlib
from math import isnan
from typing import NamedTuple

from houjuu.estimators.loading import DEFAULT_MODEL
from houjuu.util.errors import Error
from houjuu.util.names import MAX_NAME, shown_name

COMMAND = "mjai:"
"""The start of the name of a player that is a command (`houjuu.player.foreign`)."""
_MODEL = "model"
_DIGEST = 8  # unit: characters


class PlayerName(NamedTuple):
    """The parts of a name.

    Attributes
    ----------
    base : str
        The name without options, such as "estimator".
    model : str or None
        A model as `houjuu.load` takes it.
    numbers : dict of str to float
    """

    base: str
    model: str | None
    numbers: dict[str, float]


def parse(name: str) -> PlayerName:
    """Read the name of a player; it need not exist.

    Raises
    ------
    Error
        An option occurs twice or has no value, a number is no number, or the name is a command.
    """
    if name.startswith(COMMAND):
        raise Error(f"there is no player {name!r} here: a command plays in the arena, or --beside")
    base, _, text = name.partition(":")
    options: dict[str, str] = {}
    for option in filter(None, text.split(",")):
        key, _, value = option.partition("=")
        if not value:
            raise Error(f"player {name!r}: the option {option!r} has no value")
        if key in options:
            raise Error(f"player {name!r}: the option {key!r} occurs twice")
        options[key] = value
    model = options.pop(_MODEL, None)
    return PlayerName(base, model, {key: _number(name, options[key]) for key in options})


def _number(name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise Error(f"player {name!r}: {text!r} is not a number") from None
    if isnan(number):
        raise Error(f"player {name!r}: a number is not a number (NaN)")
    return number


def with_model(name: str, model: str) -> str:
    """The name of the same player with a model.

    >>> with_model("rank", "mine.npz"), with_model("estimator:value_scale=0.5", "mine.npz")
    ('rank:model=mine.npz', 'estimator:value_scale=0.5,model=mine.npz')

    Raises
    ------
    Error
        The name contains a model, or that of the model has a comma.
    """
    if parse(name).model is not None:
        raise Error(f"player {name!r} names a model: it cannot have the model {model!r} too")
    if "," in model:
        raise Error(f"the model {model!r} has a comma, which ends an option of a player's name")
    base, _, options = name.partition(":")
    return f"{base}:{','.join(filter(None, (options, f'{_MODEL}={model}')))}"


def without_model(name: str) -> str:
    """The name without its model.

    >>> without_model("estimator:model=mine.npz,value_scale=0.5")
    'estimator:value_scale=0.5'
    """
    base, colon, text = name.partition(":")
    options = [option for option in text.split(",") if not option.startswith(f"{_MODEL}=")]
    return base + colon + ",".join(options)


def chosen_model(player: str | None, model: str | None) -> str:
    """The model of a command that names a player, a model, both or none.

    Raises
    ------
    Error
        The name of the player contains another model.
    """
    of_player = None if player is None else parse(player).model
    if of_player is not None and model not in (None, of_player):
        raise Error(f"player {player!r} names another model than the one that is chosen: omit it")
    return of_player or model or DEFAULT_MODEL


def short(name: str) -> str:
    """A name as logs and tables show it; long names that differ still differ.

    A name that `houjuu.util.names.shown_name` would cut ends with a digest of the whole name.
    """
    if len(name) <= MAX_NAME:
        return shown_name(name)
    digest = hashlib.sha256(name.encode(errors="replace")).hexdigest()[:_DIGEST]
    return shown_name(f"{name[: MAX_NAME - _DIGEST - 1]}…{digest}")
