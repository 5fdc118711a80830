"""The players of the sources and "estimator", by name: by shanten, and by the value of the hand.

A call must lower the shanten of the hand towards a yaku (`houjuu.player.hand_value.value`), and the
hand must be worth more with it than without. Hands too far from tenpai to compare values take any
call that meets the first condition, as in 小林聡, 電脳麻将.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from houjuu.estimators.protocol import Estimator
from houjuu.game.actions import OWN_KANS, WINS, Action, ActionKind, discards, grouped
from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.hands.claims import kuikae_kinds
from houjuu.hands.shanten import shanten
from houjuu.player.hand_value.far_hands import AnyHandValuer, prepare
from houjuu.player.hand_value.value import FAR, Value
from houjuu.player.protocol import Player
from houjuu.player.rules import discard
from houjuu.player.rules.discard import nearest
from houjuu.player.rules.policies import (
    DiscardOptions,
    DiscardPolicy,
    ExpectedValue,
    NoFold,
    RelativeDanger,
)
from houjuu.player.rules.push_fold import Limits

_AT_ONCE = (*WINS, ActionKind.PASS)

MIN_RIICHI_VALUE = 200.0
"""The least value of a tenpai for riichi: below it almost no winning tile is left."""

KYUSHU_SHANTEN = 3
"""The least shanten to abort the round by 九種九牌. Kokushi counts: with 11 kinds it plays on."""

NINE_TERMINALS_SHANTEN = 4
"""The least shanten of a hand that declares 九種九牌."""


class ShantenPlayer:
    """The lowest shanten, and no calls: it considers its own hand alone.

    It wins and declares riichi whenever it can; otherwise it discards by one of `discard.RULES`.
    小林聡, 麻雀の打牌選択アルゴリズム(1), compares the rules by matches between such players.
    As the program of the source (電脳麻将, routines 0001 to 0003) it declares a closed kan that
    does not raise the shanten, and 九種九牌 with a shanten of 4 or more.
    """

    def __init__(self, rule: str) -> None:
        self.rule = rule

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        by_kind = {action.kind: action for action in actions}
        for kind in _AT_ONCE:
            if kind in by_kind:
                return by_kind[kind]
        if ActionKind.NINE_TERMINALS in by_kind and _is_far(view, NINE_TERMINALS_SHANTEN):
            return by_kind[ActionKind.NINE_TERMINALS]
        kans = [action for action in actions if action.kind is ActionKind.ANKAN]
        for kan, _ in harmless_kans(view, kans):
            return kan
        if ActionKind.RIICHI in by_kind:
            return by_kind[ActionKind.RIICHI]
        by_tile = discards(actions)
        if len(by_tile) == 1:
            return by_tile.popitem()[1]
        unseen = view.unseen().tolist()
        return by_tile[discard.choose(view.hand, unseen, list(by_tile), self.rule)]


def _is_far(view: View, least: int) -> bool:
    return shanten([KIND[tile] for tile in view.hand]) >= least


class HandValuePlayer:
    """The highest value of its hand (評価値): discards, calls, kans and riichi.

    A policy (`houjuu.player.rules.policies`) decides about danger. It wins whenever it can.

    Parameters
    ----------
    policy : DiscardPolicy
    """

    def __init__(self, policy: DiscardPolicy) -> None:
        self.policy = policy
        prepare()

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        win = next((one for one in actions if one.kind in WINS), None)
        if win:
            return win
        by_kind = grouped(actions)
        if ActionKind.PASS in by_kind:
            return self._call(view, by_kind) or by_kind[ActionKind.PASS][0]
        return (
            self._abort(view, by_kind) or self._kan(view, by_kind) or self._discard(view, by_kind)
        )

    def _abort(self, view: View, by_kind: dict[ActionKind, list[Action]]) -> Action | None:
        """九種九牌 with a hand that is far from any winning form."""
        (abort,) = by_kind.get(ActionKind.NINE_TERMINALS, (None,))
        return abort if abort and _is_far(view, KYUSHU_SHANTEN) else None

    def _discard(self, view: View, by_kind: dict[ActionKind, list[Action]]) -> Action:
        by_tile = discards(by_kind[ActionKind.DISCARD])
        if len(by_tile) == 1:
            return by_tile.popitem()[1]
        option = self.policy.choose(DiscardOptions(view, by_tile))
        is_good_tenpai = option.shanten == 0 and option.value >= MIN_RIICHI_VALUE
        if ActionKind.RIICHI in by_kind and is_good_tenpai:
            return by_kind[ActionKind.RIICHI][0]
        return by_tile[option.tile]

    def _kan(self, view: View, by_kind: dict[ActionKind, list[Action]]) -> Action | None:
        """A kan that does not raise the shanten, while nobody else has declared riichi."""
        kans = [kan for kind in OWN_KANS for kan in by_kind.get(kind, ())]
        for kan, left in harmless_kans(view, kans):
            if self.policy.may_call(view, Value(left, 0.0)):
                return kan
        return None

    def _call(self, view: View, by_kind: dict[ActionKind, list[Action]]) -> Action | None:
        """The best call, where the policy allows it."""
        options = [
            call for kind in (ActionKind.PON, ActionKind.CHI) for call in by_kind.get(kind, ())
        ]
        best = best_call(view, options)
        return best[0] if best and self.policy.may_call(view, best[1]) else None


PLAYERS: Mapping[str, Callable[..., Player]] = {
    **{rule: partial(ShantenPlayer, rule) for rule in discard.RULES},
    "value": lambda: HandValuePlayer(NoFold()),
    "relative": lambda **limits: HandValuePlayer(RelativeDanger(Limits(**limits))),
    "estimator": lambda estimator, **weights: HandValuePlayer(ExpectedValue(estimator, **weights)),
}
"""Their constructors; `houjuu.player.players` lists the names."""


def estimator_of(player: Player) -> Estimator | None:
    """The estimator that one of these players queries; None for every other player."""
    policy = player.policy if isinstance(player, HandValuePlayer) else None
    return policy.estimator if isinstance(policy, ExpectedValue) else None


def best_call(view: View, calls: Sequence[Action]) -> tuple[Action, Value] | None:
    """The best call and the value of the hand after it; None where none improves the hand.

    Parameters
    ----------
    view : View
    calls : sequence of Action
        Pons and chis, in the tile ids of the view.
    """
    if not calls:
        return None
    valuer = AnyHandValuer(view)
    shanten_now = shanten([KIND[tile] for tile in view.hand], valuer.goals)
    candidates = []
    for call in calls:
        if value := after_call(view, call, shanten_now - 1):
            candidates.append((call, value))
    if not candidates:
        return None
    call, value = max(candidates, key=lambda candidate: _rank(candidate[1]))
    better = shanten_now >= FAR or value.value > valuer.values([view.hand])[0].value
    return (call, value) if better else None


def _rank(value: Value) -> tuple[int, float]:
    return -value.shanten, value.value


def after_call(view: View, call: Action, highest: int) -> Value | None:
    """The hand after a call and the best discard; None where its shanten exceeds `highest`."""
    meld = call.meld
    assert meld is not None
    valuer = AnyHandValuer(view, (*view.seats[view.seat].melds, meld))
    rest = [tile for tile in view.hand if tile not in call.from_hand]
    allowed = [tile for tile in rest if KIND[tile] not in kuikae_kinds(meld, view.rules)]
    least, discards = nearest(rest, allowed, valuer.goals)
    if least > highest:
        return None
    hands = [[other for other in rest if other != tile] for tile in discards]
    return max(valuer.values(hands), key=_rank, default=None)


def harmless_kans(view: View, kans: Iterable[Action]) -> Iterator[tuple[Action, int]]:
    """Yield the kans that do not raise the shanten, each with the shanten that it leaves.

    Parameters
    ----------
    view : View
    kans : iterable of Action
        Closed and added kans, in the tile ids of the view.
    """
    shanten_now = shanten([KIND[tile] for tile in view.hand])
    for kan in kans:
        left = shanten([KIND[tile] for tile in view.hand if tile not in kan.from_hand])
        if left <= shanten_now:
            yield kan, left
