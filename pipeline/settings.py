"""params.yaml, typed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import yaml

from houjuu.errors import Error

PATH = Path("params.yaml")


@dataclass(frozen=True)
class Run:
    """How to run; changes no result."""

    jobs: int
    backend: str
    scheduler: str | None


@dataclass(frozen=True)
class SelfPlay:
    """What is played when there are no logs."""

    games: int
    seed: int


@dataclass(frozen=True)
class Parse:
    """What is refused, and which games are kept for measuring."""

    max_reject_share: float
    validate_share: float
    salt: str


@dataclass(frozen=True)
class Hands:
    """How much is looked at."""

    games: int


@dataclass(frozen=True)
class Signs:
    """How many games are looked at for the regression on signs."""

    games: int
    held_out: int


@dataclass(frozen=True)
class Situations:
    """How many games are looked at for what closed and melded hands wait for."""

    closed: int
    melded: int
    held_out: int


@dataclass(frozen=True)
class Prospects:
    """How many games are looked at for the yaku that hands end with.

    Of `every` decisions of a seat one is taken.
    """

    games: int
    held_out: int
    every: int


@dataclass(frozen=True)
class Ask:
    """How many of the held-out games the estimator is asked about."""

    games: int


@dataclass(frozen=True)
class Compare:
    """How many games each fit is made to; the shares of all games for the learning curve.

    `alone` says to how many hanchan or East-only games, where a fit is made to those alone.
    """

    games: int
    shares: list[float]
    alone: dict[str, int]


@dataclass(frozen=True)
class Yardstick:
    """How many games the trees of each question are fitted to, and how many trees it gets.

    Of `every` rows without a meld and not tenpai one is taken, as `models.signs` has it; `trees`
    goes as it is to scikit-learn.
    """

    games: dict[str, int]
    iterations: dict[str, int]
    every: int
    trees: dict[str, Any]


@dataclass(frozen=True)
class Evaluate:
    """How predictions are binned."""

    edges: list[float]
    edges_deal_in: list[float]


@dataclass(frozen=True)
class Settings:
    """All of params.yaml.

    `tenpai`, `waits` and `melded` go as they are to `models.tenpai.TenpaiGrid`,
    `models.waits.WaitFrequencies` and `models.hands.MeldedWeights`; those of `regress` to
    `models.signs.SignsRegression` and to the classes of `models.rivers`, `foresee` to
    `models.prospects.YakuRegression`.
    """

    run: Run
    selfplay: SelfPlay
    parse: Parse
    hands: Hands
    tenpai: dict[str, Any]
    waits: dict[str, Any]
    melded: dict[str, Any]
    ask: Ask
    signs: Signs
    situations: Situations
    regress: dict[str, Any]
    prospects: Prospects
    foresee: dict[str, Any]
    compare: Compare
    yardstick: Yardstick
    evaluate: Evaluate


def load(path: Path = PATH) -> Settings:
    """Read params.yaml.

    Raises
    ------
    Error
        It is missing, or a name in it is unknown or lacking.
    """
    try:
        values = yaml.safe_load(path.read_text())
        return Settings(
            run=Run(**values["run"]),
            selfplay=SelfPlay(**values["selfplay"]),
            parse=Parse(**values["parse"]),
            hands=Hands(**values["hands"]),
            tenpai=dict(values["tenpai"]),
            waits=dict(values["waits"]),
            melded=dict(values["melded"]),
            ask=Ask(**values["ask"]),
            signs=Signs(**values["signs"]),
            situations=Situations(**values["situations"]),
            regress=dict(values["regress"]),
            prospects=Prospects(**values["prospects"]),
            foresee=dict(values["foresee"]),
            compare=Compare(**values["compare"]),
            yardstick=Yardstick(**values["yardstick"]),
            evaluate=Evaluate(**values["evaluate"]),
        )
    except (OSError, yaml.YAMLError, KeyError, TypeError) as problem:
        known = ", ".join(field.name for field in fields(Settings))
        raise Error(f"cannot be read ({problem}); it has {known}", file=str(path)) from None
