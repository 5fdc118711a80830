"""The model that a fit to real logs starts from.

`params.yaml` has it, for few games; ``make train PRIOR=…`` sets it for any number, "none" for no
prior at all.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from houjuu.estimators import seen_games
from houjuu.estimators.loading import DEFAULT_MODEL, parameter_file
from houjuu.estimators.log_linear.tenpai_model import TenpaiModel
from houjuu.util import parameters
from houjuu.util.errors import ParameterError
from houjuu.util.parameters import Parameters
from pipeline import log_tasks, settings
from pipeline.settings import PriorSettings

if TYPE_CHECKING:
    import pandas as pd

VARIABLE = "HOUJUU_PRIOR"
"""The environment variable with the name or the path of the prior."""
NONE = "none"


def listing() -> str:
    """What a fit would start from, as text that changes with its content."""
    name = _named(settings.load().prior)
    if name is None:
        return f"{NONE}\n"
    how = "for any number of games" if _forced() else "for few games"
    return f"{name} {parameters.digest(parameter_file(name))} {how}\n"


def chosen(limits: PriorSettings, games: pd.DataFrame) -> tuple[str, Parameters] | None:
    """The name of the prior and its parameters; None for a fit from nothing.

    Self-played games have none, unless it is set: bots play as nobody else does. Where the default
    model has seen held-out games, its evaluated fit takes its place. The games are those of
    `pipeline.game_shards.accepted_games`.

    Raises
    ------
    ParameterError
        There is no such model, it is not of the family of the default model, or it has seen every
        held-out game.
    """
    name = _named(limits)
    is_few = log_tasks.has_logs() and (~games["validate"]).sum() < limits.below
    if name is None or not (_forced() or is_few):
        return None
    held_out = games.loc[games["validate"], "game"]
    if name == DEFAULT_MODEL:
        name = seen_games.least_seen(held_out)
    if len(held_out) and seen_games.are_seen(held_out, name).all():
        reason = "has seen every held-out game, so that nothing can be measured: set another PRIOR"
        raise ParameterError(reason, file=name)
    prior = parameters.from_bytes(parameter_file(name), name)
    if prior.header.get("family") != "log_linear":
        reason = "cannot be a prior: it has not the parts of the default model"
        raise ParameterError(reason, file=name)
    TenpaiModel.from_parameters(prior)
    return name, prior


def _forced() -> str:
    return os.environ.get(VARIABLE, "").strip()


def _named(limits: PriorSettings) -> str | None:
    name = _forced() or limits.model
    return None if name in (None, NONE) else name
