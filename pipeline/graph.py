"""The graph of dvc.yaml: which stages a target needs.

The items of a ``foreach`` are stages of their own, such as "report@houjuu".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

DVC = Path("dvc.yaml")
CODE_STAGE = "code"
"""The stage that writes the listings of `pipeline.code`; it always runs."""


class Stage(NamedTuple):
    """A stage; ``module`` is its name without the item of a ``foreach``.

    Attributes
    ----------
    module : str
    command : str
    deps, outs : tuple of str
        Paths.
    params : tuple of str
        Sections of params.yaml, or parts of one: "train.tenpai_gam".
    """

    module: str
    command: str
    deps: tuple[str, ...]
    outs: tuple[str, ...]
    params: tuple[str, ...]


def stages() -> dict[str, Stage]:
    """All stages of dvc.yaml by name, in its order; a stage comes after those that it needs."""
    declared = yaml.safe_load(DVC.read_text())["stages"]
    return dict(_expanded(declared))


def _expanded(declared: Mapping[str, Any]) -> Iterator[tuple[str, Stage]]:
    for name, entry in declared.items():
        if "foreach" not in entry:
            yield name, _stage(name, entry, {})
        else:
            for key, item in entry["foreach"].items():
                values = {"${key}": key, "${item}": str(item)}
                yield f"{name}@{key}", _stage(name, entry["do"], values)


def _stage(module: str, entry: Mapping[str, Any], values: Mapping[str, str]) -> Stage:
    def filled(text: str) -> str:
        for variable, value in values.items():
            text = text.replace(variable, value)
        return text

    def paths(key: str) -> Iterator[str]:
        for item in entry.get(key, ()):
            yield filled(item if isinstance(item, str) else next(iter(item)))

    return Stage(
        module=module,
        command=filled(entry["cmd"]),
        deps=tuple(paths("deps")),
        outs=tuple(paths("outs")),
        params=tuple(paths("params")),
    )


def needed(targets: Iterable[str]) -> list[str]:
    """The stages that some targets need, themselves included; all stages without a target.

    A target is a stage, or all items of one: "report".
    """
    graph = stages()
    wanted = set(targets)
    chosen = {name for name, stage in graph.items() if {name, stage.module} & wanted or not wanted}
    for name in reversed(graph):
        if name in chosen:
            deps = graph[name].deps
            chosen |= {other for other, stage in graph.items() if _overlap(deps, stage.outs)}
    return [name for name in graph if name in chosen]


def _overlap(deps: Iterable[str], outs: Iterable[str]) -> bool:
    """Whether one is the other, or lies in it."""
    pairs = ((Path(dep), Path(out)) for dep in deps for out in outs)
    return any(dep.is_relative_to(out) or out.is_relative_to(dep) for dep, out in pairs)
