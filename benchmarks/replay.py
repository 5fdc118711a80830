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
"win" is P(own win) by the model after the first action, "won" how often it came; "other" the same
after the second. "later riichi" is the most likely `LATER_RIICHI` of the values by these wins, for
dama hands without a yaku.

    python -m benchmarks.replay riichi --deals 300
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import minimize_scalar
from tqdm import tqdm

from benchmarks import output
from houjuu.arena.hanchan import Hanchan, Observations
from houjuu.arena.matches import walls
from houjuu.game.actions import CALLS, Action, ActionKind
from houjuu.game.events import SEATS, Win
from houjuu.game.view import View
from houjuu.player.hand_value.scores import WIN_POINTS
from houjuu.player.players import player
from houjuu.player.protocol import DEFAULT_PLAYER
from houjuu.player.value_player import ValuePlayer
from houjuu.player.values.action_values import declares_within
from houjuu.player.values.next_round import Ends
from houjuu.player.values.outcome import Outcome, ValuePart
from houjuu.player.values.round_values import RankValues, Standing
from houjuu.util.files import write_text
from houjuu.util.intervals import clustered_mean

_EARLY = 36  # tiles left
_RISKY = 150.0  # points lost by dealing in now
_MANGAN = 7_700  # points
_NO_YAKU = "no yaku"  # the group of riichi whose dama has none
_EVERY_CALL = 6  # the calls of a round are many: one of so many decisions is played


class Pair(NamedTuple):
    """Two actions of one decision, and the groups that it belongs to."""

    view: View
    first: Outcome
    second: Outcome
    groups: Sequence[str]


def _best(outcomes: Iterable[Outcome], *kinds: ActionKind) -> Outcome | None:
    of_kind = (one for one in outcomes if one.kind in kinds)
    return max(of_kind, key=lambda outcome: outcome.value, default=None)


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
    best = _best(outcomes, ActionKind.RIICHI)
    if best is None:
        return None
    same_tile = (one for one in outcomes if one.discard == best.discard)
    dama = _best(same_tile, ActionKind.DISCARD)
    points = 0.0
    if dama is not None and dama.left.ron_ways:
        points = float(dama.left.by_ron @ WIN_POINTS[view.seat == view.dealer][0])
    worth = _NO_YAKU if not points else "dama < 7,700" if points < _MANGAN else "dama ≥ 7,700"
    wait = "several kinds" if best.left.wait_kinds > 1 else "one kind"
    return _pair(view, best, dama, worth, wait, f"{worth}, {wait}")


def call(view: View, outcomes: Sequence[Outcome]) -> Pair | None:
    """The best chi or pon, or the pass."""
    if (view.tiles_left + view.seat) % _EVERY_CALL:
        return None
    best = _best(outcomes, ActionKind.CHI, ActionKind.PON)
    passes = _best(outcomes, ActionKind.PASS)
    if best is None:
        return None
    form = "open" if view.seats[view.seat].n_open_melds else "closed"
    shanten = int(best.left.shanten)
    into = f"into shanten {min(shanten, 3)}{' or more' * (shanten >= 3)}"
    return _pair(view, best, passes, into, f"{form}, {into}")


def _safety(outcome: Outcome) -> tuple[float, float]:
    return outcome.dealt_in, outcome.value


def push(view: View, outcomes: Sequence[Outcome]) -> Pair | None:
    """The best discard, or the safest."""
    if not _facing_riichi(view):
        return None
    best = _best(outcomes, ActionKind.DISCARD, ActionKind.RIICHI)
    if best is None:
        return None
    quiet = [one for one in outcomes if one.kind is ActionKind.DISCARD]
    safest = max(quiet, key=_safety, default=None)
    if safest is None or best.dealt_in - safest.dealt_in > -_RISKY:
        return None
    return _pair(view, best, safest, f"shanten {min(int(best.left.shanten), 2)}")


def keep(view: View, outcomes: Sequence[Outcome]) -> Pair | None:
    """The best discard that keeps tenpai by shape, or that breaks it."""
    if view.tiles_left >= 8:
        return None
    kept, broken = (
        _best((one for one in outcomes if bool(one.left.tenpai_shanten) is far), ActionKind.DISCARD)
        for far in (False, True)
    )
    return _pair(
        view, kept, broken, "with a yaku" if kept and kept.left.shanten == 0 else "without"
    )


CLASSES = {function.__name__: function for function in (riichi, call, push, keep)}


class Played(NamedTuple):
    """A pair that was played: the differences of the first action from the second, and own wins."""

    deal: int
    groups: Sequence[str]
    draws: int
    claimed: float
    preference: float
    points: float
    effect: float
    win: float
    won: float
    other_win: float
    other_won: float


_DIFFERENCES = Played._fields[3:7]
_WINS = Played._fields[7:]


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
            for column in _DIFFERENCES
            for name, number in zip(
                (column, f"± {column}"),
                clustered_mean(rows[column].to_numpy(), rows["deal"].to_numpy()),
                strict=True,
            )
        }
        | {name: round(float(rows[name].mean()), 4) for name in _WINS}
        | {"later riichi": later_riichi(rows) if group == _NO_YAKU else None}
        for group, rows in exploded.groupby("group", sort=False)
    ]


def later_riichi(pairs: pd.DataFrame) -> float:
    """The most likely `LATER_RIICHI` by the wins of dama hands without a yaku."""
    win, won, draws = (pairs[name].to_numpy(float) for name in ("win", "other_won", "draws"))
    now = declares_within(draws)
    alone = (pairs["other_win"].to_numpy(float) - now * win) / (1 - now)

    def loss(rate: float) -> float:
        chance = alone + declares_within(draws, rate) * (win - alone)
        chance = np.clip(chance, 0.001, 0.999)
        return float(-np.log(np.where(won > 0, chance, 1 - chance)).sum())

    return round(float(minimize_scalar(loss, bounds=(0, 0.5)).x), 3)


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
                yield Played(deal, *_played(game, observations, pair, one.rank_values))
        observations = game.step(observations, chosen)


def _played(
    game: Hanchan, observations: Observations, pair: Pair, values: RankValues
) -> tuple[Any, ...]:
    """The fields of `Played` but the deal."""
    view, outcomes = pair.view, (pair.first, pair.second)
    results = [_result(game.fork(), observations, view, one, values) for one in outcomes]
    added, other_added = (one.parts[ValuePart.PREFERENCE] for one in outcomes)
    added -= other_added
    (*result, won), (*other, other_won) = results
    return (
        pair.groups,
        view.tiles_left // SEATS - 1,
        pair.first.value - pair.second.value - added,
        added,
        *(one - another for one, another in zip(result, other, strict=True)),
        pair.first.win,
        won,
        pair.second.win,
        other_won,
    )


def _result(
    game: Hanchan, observations: Observations, view: View, outcome: Outcome, values: RankValues
) -> tuple[float, float, float]:
    """The points that the seat wins by the round, the effect of its end, and 1 for an own win."""
    n_before = len(game.events)
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
    ends = Ends.one(scores, stays, env.honba, env.riichi_sticks)
    effect = values.effects(Standing.from_view(view), ends)[0]
    won = any(isinstance(one, Win) and one.seat == seat for one in game.events[n_before:])
    return float(scores[seat] - view.scores[seat]), float(effect), float(won)


if __name__ == "__main__":
    main()
