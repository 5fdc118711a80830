"""Decisions played both ways on the same walls: what an action brings, free of who chose it.

Four players of one kind play hanchan. At a decision of the class the round is played twice to its
end, once with each of two actions, by the same players with the same walls. The difference of the
results is that of the actions: no habit decides which hands took which.

`riichi`: the best riichi against the best discard that keeps tenpai without it. `call`: the best
call against the pass. `push`: the best discard against the safest one, with an opponent in riichi.
`keep`: the best discard that keeps tenpai by shape against the best that breaks it, with at most a
draw left.

"claimed" is the difference of the values without the preference, "preference" what that adds;
"points" and "effect" are those of the played rounds: points won or lost by the seat, and their
effect on the end of the game in the unit of the values. All with half of the 95% interval, by deal.

    python -m benchmarks.replay riichi --deals 300
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from tqdm import tqdm

from benchmarks import output
from houjuu.arena.hanchan import Hanchan, Observations
from houjuu.arena.matches import walls
from houjuu.game.actions import CALLS, Action, ActionKind
from houjuu.game.view import View
from houjuu.player.players import player
from houjuu.player.protocol import DEFAULT_PLAYER
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values.next_round import Ends
from houjuu.player.values.outcome import Outcome, ValuePart
from houjuu.player.values.round_values import RankValues, Standing
from houjuu.util.files import write_text
from houjuu.util.intervals import clustered_mean

_EARLY = 36  # tiles left
_RISKY = 150.0  # points lost by dealing in now
_MANGAN = 7_700  # points
_EVERY_CALL = 6  # the calls of a round are many: one of so many decisions is played


class Pair(NamedTuple):
    """Two actions of one decision, and the groups that it belongs to."""

    view: View
    first: Outcome
    second: Outcome
    groups: Sequence[str]


def _best(outcomes: Sequence[Outcome], key: Callable[[Outcome], bool]) -> Outcome | None:
    return max(filter(key, outcomes), key=lambda outcome: outcome.value, default=None)


def _pair(view: View, first: Outcome | None, second: Outcome | None, *groups: str) -> Pair | None:
    if first is None or second is None:
        return None
    return Pair(view, first, second, ["all", *groups, *_situation(view)])


def _facing_riichi(view: View) -> bool:
    return any(seat.declared for seat in view.opponents)


def _situation(view: View) -> list[str]:
    return [
        "early" if view.tiles_left >= _EARLY else "late",
        "facing a riichi" if _facing_riichi(view) else "no riichi",
    ]


def riichi(view: View, outcomes: Sequence[Outcome]) -> Pair | None:
    """Riichi, or the same tile without it."""
    best = _best(outcomes, lambda one: one.kind is ActionKind.RIICHI)
    if best is None:
        return None
    dama = _best(
        outcomes, lambda one: one.kind is ActionKind.DISCARD and one.discard == best.discard
    )
    points = best.dama_points
    worth = "no yaku" if not points else "dama < 7,700" if points < _MANGAN else "dama ≥ 7,700"
    wait = "several kinds" if best.wait_kinds > 1 else "one kind"
    return _pair(view, best, dama, worth, wait, f"{worth}, {wait}")


def call(view: View, outcomes: Sequence[Outcome]) -> Pair | None:
    """The best chi or pon, or the pass."""
    if (view.tiles_left + view.seat) % _EVERY_CALL:
        return None
    best = _best(outcomes, lambda one: one.kind in (ActionKind.CHI, ActionKind.PON))
    passes = _best(outcomes, lambda one: one.kind is ActionKind.PASS)
    if best is None:
        return None
    form = "open" if view.seats[view.seat].n_open_melds else "closed"
    into = f"into shanten {min(int(best.shanten), 3)}{' or more' * (best.shanten >= 3)}"
    return _pair(view, best, passes, into, f"{form}, {into}")


def _safety(outcome: Outcome) -> tuple[float, float]:
    return outcome.dealt_in, outcome.value


def push(view: View, outcomes: Sequence[Outcome]) -> Pair | None:
    """The best discard, or the safest."""
    if not _facing_riichi(view):
        return None
    best = _best(outcomes, lambda one: one.kind in (ActionKind.DISCARD, ActionKind.RIICHI))
    if best is None:
        return None
    quiet = [one for one in outcomes if one.kind is ActionKind.DISCARD]
    safest = max(quiet, key=_safety, default=None)
    if safest is None or best.dealt_in - safest.dealt_in > -_RISKY:
        return None
    return _pair(view, best, safest, f"shanten {min(int(best.shanten), 2)}")


def keep(view: View, outcomes: Sequence[Outcome]) -> Pair | None:
    """The best discard that keeps tenpai by shape, or that breaks it."""
    if view.tiles_left >= 8:
        return None
    quiet = [one for one in outcomes if one.kind is ActionKind.DISCARD]
    kept = _best(quiet, lambda one: one.tenpai_shanten == 0)
    broken = _best(quiet, lambda one: one.tenpai_shanten > 0)
    return _pair(view, kept, broken, "with a yaku" if kept and kept.shanten == 0 else "without")


CLASSES = {function.__name__: function for function in (riichi, call, push, keep)}


class Played(NamedTuple):
    """A pair that was played: the differences of the first action from the second."""

    deal: int
    groups: Sequence[str]
    claimed: float
    preference: float
    points: float
    effect: float


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("decisions", choices=CLASSES)
    options.add_argument("--deals", type=int, default=100, help="hanchan (%(default)s)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--player", default=DEFAULT_PLAYER, help="of all seats (%(default)s)")
    options.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    options.add_argument("--write", type=Path, help="a CSV file of the pairs")
    arguments = options.parse_args()
    play = partial(_hanchan, arguments.decisions, arguments.player, arguments.seed)
    deals = range(arguments.deals)
    with ProcessPoolExecutor(arguments.jobs) as pool:
        done = tqdm(pool.map(play, deals), "replay", total=len(deals), unit="hanchan")
        pairs = pd.DataFrame([pair for of_deal in done for pair in of_deal], columns=Played._fields)
    if arguments.write:
        flat = pairs.assign(groups=pairs["groups"].map("; ".join))
        write_text(arguments.write, flat.to_csv(index=False))
    output.show(summary(pairs), as_json=arguments.json)


def summary(pairs: pd.DataFrame) -> list[dict[str, object]]:
    """A row for each group of the pairs."""
    exploded = pairs.explode("groups").rename(columns={"groups": "group"})
    return [
        {"group": str(group), "pairs": len(rows)}
        | {
            name: round(number, 1)
            for column in ("claimed", "preference", "points", "effect")
            for name, number in zip(
                (column, f"± {column}"),
                clustered_mean(rows[column].to_numpy(), rows["deal"].to_numpy()),
                strict=True,
            )
        }
        for group, rows in exploded.groupby("group", sort=False)
    ]


def _hanchan(decisions: str, name: str, seed: int, deal: int) -> list[Played]:
    """The pairs of one hanchan."""
    players = [player(name)] * 4
    game = Hanchan(walls(seed, deal), players)
    return [*_pairs(game, CLASSES[decisions], deal)]


def _pairs(
    game: Hanchan, found: Callable[[View, Sequence[Outcome]], Pair | None], deal: int
) -> Iterator[Played]:
    observations = game.start()
    while not game.env.done():
        chosen: dict[int, Action] = {}
        for seat, seen in observations.items():
            view, legal = game.decision(seat, seen)
            if len(legal) < 2:
                continue
            one = game.players[seat]
            assert isinstance(one, ValuePlayer)
            outcomes = one.outcomes(view, legal)
            chosen[seat] = max(outcomes, key=lambda outcome: outcome.value).action
            if (pair := found(view, outcomes)) is not None:
                yield Played(deal, *_differences(game, observations, pair, one.rank_values))
        observations = game.step(observations, chosen)


def _differences(
    game: Hanchan, observations: Observations, pair: Pair, values: RankValues
) -> tuple[Sequence[str], float, float, float, float]:
    """The fields of `Played` but the deal."""
    (value, added, *result), (other_value, other_added, *other) = (
        (
            outcome.value,
            outcome.parts[ValuePart.PREFERENCE],
            *_result(game.fork(), observations, pair.view, outcome, values),
        )
        for outcome in (pair.first, pair.second)
    )
    added -= other_added
    points, effect = (one - another for one, another in zip(result, other, strict=True))
    return pair.groups, value - other_value - added, added, points, effect


def _result(
    game: Hanchan, observations: Observations, view: View, outcome: Outcome, values: RankValues
) -> tuple[float, float]:
    """The points that the seat wins by the round, and the effect of its end."""
    seat = view.seat
    started = game.round
    observations = game.step(observations, {seat: outcome.action})
    if outcome.action.kind in (ActionKind.RIICHI, *CALLS) and outcome.discard is not None:
        discard = Action(ActionKind.DISCARD, outcome.discard)
        while game.round == started and not game.env.done():
            chosen = {seat: discard} if game.table.round_state.actor == seat else {}
            observations = game.step(observations, chosen)
            if chosen:
                break
    while game.round == started and not game.env.done():
        observations = game.step(observations, {})
    env = game.env
    scores = np.array(env.scores())
    stays = not env.done() and env.oya == view.dealer
    ends = Ends(
        scores=scores[None],
        dealer_stays=np.array([stays]),
        honba=np.array([env.honba]),
        riichi_sticks=np.array([env.riichi_sticks]),
        aborted=np.array([False]),
    )
    effect = values.effects(Standing.from_view(view), ends)[0]
    return float(scores[seat] - view.scores[seat]), float(effect)


if __name__ == "__main__":
    main()
