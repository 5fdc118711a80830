"""params.yaml, typed."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

import yaml

from houjuu.util.errors import Error
from houjuu.util.files import read_file

_ACCEPTED: dict[Any, Any] = {
    int: int,
    float: (int, float),
    str: str,
    bool: bool,
    int | None: (int, type(None)),
    str | None: (str, type(None)),
}
PATH = Path("params.yaml")
_MAX_BYTES = 1 << 20  # unit: bytes
SCHEDULER = "HOUJUU_SCHEDULER"
"""The environment variable with the address of a Dask scheduler."""


@dataclass(frozen=True)
class RunSettings:
    """How to run; changes no result.

    The environment variable HOUJUU_SCHEDULER, which ``make train SCHEDULER=…`` sets, takes the
    place of `scheduler`.
    """

    jobs: int
    scheduler: str | None


@dataclass(frozen=True)
class SelfPlaySettings:
    """The games to play while there are no logs."""

    games: int
    seed: int


@dataclass(frozen=True)
class ParseSettings:
    """Games of a shard, strict checks, the limit on rejected files, and the held-out games."""

    games_per_shard: int
    strict: bool
    max_reject_share: float
    validate_share: float
    salt: str


@dataclass(frozen=True)
class RowSettings:
    """Number of games of each split; null: all."""

    games: int | None
    held_out: int | None


@dataclass(frozen=True)
class StridedRowSettings(RowSettings):
    """One of `decision_stride` decisions of a seat is used."""

    decision_stride: int


@dataclass(frozen=True)
class ActionRowSettings(StridedRowSettings):
    """One of `rare_stride` decisions about a call, riichi or kan is used."""

    rare_stride: int


@dataclass(frozen=True)
class PriorSettings:
    """What the fit of fewer than so many real games starts from; see `pipeline.prior`."""

    model: str | None
    below: int


@dataclass(frozen=True)
class PredictSettings:
    """Number of held-out games."""

    games: int


@dataclass(frozen=True)
class AblationSettings:
    """The tasks, the number of games of each fit, and numbers of games of the learning curve.

    `alone` has the number of hanchan or East-only games of the fits to one length.
    """

    tasks: list[str]
    games: int
    learning_curve: list[int]
    alone: dict[str, int]


@dataclass(frozen=True)
class EvaluateSettings:
    """Edges of the bins of predictions."""

    edges: list[float]
    edges_deal_in: list[float]


@dataclass(frozen=True)
class Params:
    """All of params.yaml.

    The untyped sections are arguments of classes: `paper_tenpai` of
    `models.paper.tenpai.TenpaiGrid`, `paper_waits` of `models.paper.waits.WaitFrequencies`,
    `paper_melded` of `models.paper.melded.MeldedWeights`, those of `train` of
    `models.houjuu.tenpai_gam.TenpaiGAM`, of the classes of `models.houjuu.wait_models` and of
    `models.houjuu.unseen_tiles.UnseenTileLogit`,
    `train_network` of `models.houjuu.discard_network.DiscardNetworkFit`, `train_yaku` of
    `models.player.yaku.YakuRegression`, `train_final_ranks` of
    `models.player.final_ranks.FinalRankRegression`, `train_round_ends` of
    `models.player.round_ends.RoundEndRegression`, `train_preferences` of
    `models.player.preferences.PreferenceFit`, `train_hands` of
    `models.houjuu.hidden_hands.HiddenHandLogit`.
    """

    run: RunSettings
    selfplay: SelfPlaySettings
    parse: ParseSettings
    paper_tenpai: dict[str, Any]
    paper_waits: dict[str, Any]
    paper_melded: dict[str, Any]
    tenpai_rows: RowSettings
    wait_rows: RowSettings
    unseen_rows: RowSettings
    train: dict[str, Any]
    train_network: dict[str, Any]
    hand_samples: RowSettings
    train_hands: dict[str, Any]
    prior: PriorSettings
    predict: PredictSettings
    ablation: AblationSettings
    yaku_rows: StridedRowSettings
    train_yaku: dict[str, Any]
    train_final_ranks: dict[str, Any]
    round_end_rows: StridedRowSettings
    train_round_ends: dict[str, Any]
    action_rows: ActionRowSettings
    train_preferences: dict[str, Any]
    evaluate: EvaluateSettings


def load(path: Path = PATH) -> Params:
    """Load params.yaml.

    Raises
    ------
    Error
        It cannot be read, or a section or key is missing or unknown.
    """
    try:
        values = yaml.safe_load(read_file(path, _MAX_BYTES))
        sections = {
            name: _section(kind, values[name]) for name, kind in get_type_hints(Params).items()
        }
        sections["run"] = _with_environment(sections["run"])
        return Params(**sections)
    except (OSError, yaml.YAMLError, KeyError, TypeError, RecursionError) as problem:
        names = ", ".join(field.name for field in fields(Params))
        reason = f"cannot be read ({problem}); its sections are {names}"
        raise Error(reason, file=str(path)) from None


def _with_environment(run: RunSettings) -> RunSettings:
    return replace(run, scheduler=os.environ.get(SCHEDULER) or run.scheduler)


def _section(kind: Any, values: dict[str, Any]) -> Any:
    if not is_dataclass(kind):
        return dict(**values)
    types = get_type_hints(kind)
    for key, value in values.items():
        accepted = _ACCEPTED.get(types.get(key), object)
        if not isinstance(value, accepted):
            raise TypeError(f"{key} is {value!r}, not of the type {types[key].__name__}")
    section: Any = kind
    return section(**values)
