"""The parts that decide between two actions, and the class of a mistake, which they define.

The values of two actions differ by the differences of their parts (`ValuedAction`). The largest
parts on the side of the sum decide; a large part on the other side stands against them.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple, get_args

from houjuu.game import events
from houjuu.review.page_types import MistakeClass, ValuedAction

WIN, LATER, SCORE = "win", "deal_in_later", "score"
OTHERS_WIN, STICK = "others_win", "riichi_stick"
"""Parts of a value."""
DEAL_IN = "deal_in."
"""The start of the names of the parts of the deal-ins by the discard, one an opponent."""
CALLS = frozenset(kind.value for kind in events.MeldKind)
KANS = frozenset(kind.value for kind in events.KANS)
"""Verbs of the actions that make a meld, and of those that make a kan."""

MISTAKES: tuple[MistakeClass, ...] = get_args(MistakeClass)
"""The classes of mistakes, in the order of the pages."""

_LARGE = 1 / 3
"""A second part and one against it are named if they are at least this share of the first."""


class Decisive(NamedTuple):
    """The names of the parts that decide, one or two, or none; and of one against them, or None."""

    parts: list[str]
    against: str | None


def part_differences(subject: ValuedAction, other: ValuedAction) -> dict[str, int]:
    """The parts of an action less those of another, without zeros; unit: points."""
    differences = {part["name"]: part["value"] for part in subject["parts"]}
    for part in other["parts"]:
        differences[part["name"]] = differences.get(part["name"], 0) - part["value"]
    return {name: value for name, value in differences.items() if value}


def decisive(differences: Mapping[str, int]) -> Decisive:
    """The parts that decide by their differences.

    The score situation mostly amplifies the other parts, so it comes after them. Where the sum
    without it would be on the other side, it comes first. If the differences add up to 0, the
    largest one is the first.

    >>> decisive({"win": -90, "deal_in.left": -40, "score": -20, "draw": 35})
    Decisive(parts=['win', 'deal_in.left'], against='draw')
    >>> decisive({"win": -20, "score": -90})
    Decisive(parts=['win', 'score'], against=None)
    >>> decisive({"win": -20, "draw": 25, "score": -10})
    Decisive(parts=['score', 'win'], against='draw')
    """
    total = sum(differences.values())
    side = total or max(differences.values(), key=abs, default=0)
    place_of_score = (total != 0) * (1 if is_amplified(differences) else -1)
    on_its_side = [name for name, points in differences.items() if points * side > 0]
    on_its_side.sort(key=lambda name: ((name == SCORE) * place_of_score, -abs(differences[name])))
    if not on_its_side:
        return Decisive([], None)
    if max(on_its_side, key=lambda name: abs(differences[name])) == SCORE:
        on_its_side.remove(SCORE)
        on_its_side.insert(max(place_of_score, 0), SCORE)
    least = _LARGE * abs(differences[on_its_side[0]])
    large = [name for name in differences if abs(differences[name]) >= least]
    against = [name for name in large if name not in on_its_side]
    return Decisive(
        [name for name in on_its_side if name in large][:2],
        max(against, key=lambda name: abs(differences[name]), default=None),
    )


def is_amplified(differences: Mapping[str, int]) -> bool:
    """Whether the sum without the score situation is on the same side as the whole sum."""
    total = sum(differences.values())
    return (total - differences.get(SCORE, 0)) * total > 0


def mistake_class(
    chosen: ValuedAction, advised: ValuedAction, silent: Container[str] = ()
) -> MistakeClass | None:
    """The class of a mistake, by the parts that decide; None if no value is lost.

    - ``win_passed``: a win is not taken.
    - ``rank``: without the score situation no value would be lost.
    - ``riichi``, ``call``: one of the two actions is a riichi and the other is not; one is a call.
    - ``silent``: the deal-ins by the discard decide, to an opponent who is likely silent: `silent`
      has the names of these parts. The figures of phoenix players count it in ``push_fold``.
    - ``push_fold``: the deal-ins by the discard decide, or stand against the advice. The discard
      was too dangerous, or too safe.
    - ``safe_tile``: the later deal-ins do so. A safe tile was thrown too early, or kept too long.
    - ``efficiency``: all others.

    The first that fits is the class.
    """
    if chosen["value"] >= advised["value"]:
        return None
    verbs = {chosen["verb"], advised["verb"]}
    differences = part_differences(chosen, advised)
    parts, against = decisive(differences)
    if advised["verb"] == "win":
        return "win_passed"
    if not is_amplified(differences):
        return "rank"
    if verbs == {"riichi", "discard"}:
        return "riichi"
    if verbs & (CALLS | {"pass"}):
        return "call"
    if parts[0] in silent:
        return "silent"
    weighty = [parts[0], *([against] if against else [])]
    if any(name.startswith(DEAL_IN) for name in weighty):
        return "push_fold"
    return "safe_tile" if LATER in weighty else "efficiency"
