"""A player that takes the action with the highest value by its effect on the end of the game.

Every legal action gets one value (`houjuu.player.values`): each discard with and without
riichi, calls and passing, kans, wins and 九種九牌. The player takes the largest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from riichienv import Action, ActionType

from houjuu.estimators.protocol import Estimator
from houjuu.game.events import SEATS, Meld, MeldKind
from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.hands.hand_cache import HandCache
from houjuu.player.game_decisions import action_name
from houjuu.player.hand_value.shanten import shanten
from houjuu.player.hand_value.value import prepare
from houjuu.player.preference.decision import DecisionContext, Option, leaves_tenpai
from houjuu.player.preference.preferences import PreferenceModel
from houjuu.player.round_end.round_ends import RoundEndModel
from houjuu.player.rules.calls import kuikae_kinds
from houjuu.player.rules.discard import distinct
from houjuu.player.values import own_wins
from houjuu.player.values.action_values import DEALS_IN_NOW, ActionValue, ActionValuer
from houjuu.player.values.round_values import RankValues
from houjuu.player.view_states import HandsLeft
from houjuu.risk.deal_in import DealIn
from houjuu.scoring.riichienv_adapter import CALLS, meld_of, type_name
from houjuu.util.attributions import Attributions

_TYPES = ActionType
_OWN_KANS = {ActionType.ANKAN: MeldKind.ANKAN, ActionType.KAKAN: MeldKind.KAKAN}


class Choice(NamedTuple):
    """An action and its value; of a riichi or a call also the discard that follows."""

    action: Action
    value: ActionValue
    discard: int | None = None


class ValuePlayer:
    """The player.

    Parameters
    ----------
    estimator : Estimator
    rank_values : RankValues
    model : RoundEndModel
    preferences : PreferenceModel, optional
        Without it the values are those of the models alone.

    Attributes
    ----------
    cache : HandCache
        To query the same seat elsewhere too, share it: the choices are identical, only faster.
    """

    def __init__(
        self,
        estimator: Estimator,
        rank_values: RankValues,
        model: RoundEndModel,
        preferences: PreferenceModel | None = None,
    ) -> None:
        self.estimator, self.rank_values, self.model = estimator, rank_values, model
        self.preferences = preferences
        self.cache = HandCache()
        prepare()

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        if len(actions) == 1:
            return actions[0]
        return max(self.choices(view, actions), key=lambda choice: choice.value.value).action

    def choices(self, view: View, actions: Sequence[Action]) -> list[Choice]:
        """All actions with their values: equal tiles once, riichi with each possible discard."""
        context, choices = self.without_preference(view, actions)
        if self.preferences is None:
            return choices
        preferences = self.preferences.points(context, options(choices)).tolist()
        return [
            choice._replace(value=choice.value.with_preference(points))
            for choice, points in zip(choices, preferences, strict=True)
        ]

    def explain_preferences(self, view: View, actions: Sequence[Action]) -> list[Attributions]:
        """The parts of the preference of each of the `choices`, in their order."""
        context, choices = self.without_preference(view, actions)
        if self.preferences is None:
            return [{} for _ in choices]
        return self.preferences.explain(context, options(choices))

    def without_preference(
        self, view: View, actions: Sequence[Action]
    ) -> tuple[DecisionContext, list[Choice]]:
        """The context of the preferences, and the values by the models alone."""
        distinct_actions = {action_name(action): action for action in reversed(actions)}
        decision = _DecisionValues(self, view, [*distinct_actions.values()][::-1])
        return DecisionContext.from_view(view, decision.tenpai), list(decision.choices())


def options(choices: Sequence[Choice]) -> list[Option]:
    """The actions of one decision as the preferences see them."""
    return [
        Option(
            type=type_name(action),
            value=value.value,
            win=value.win,
            dealt_in=sum(value.parts[part] for part in DEALS_IN_NOW),
            shanten=value.shanten,
            ways=value.ways,
            points=value.points,
            discard=tile,
            called=action.tile if action.action_type in CALLS else None,
        )
        for action, value, tile in choices
    ]


class _DecisionValues:
    """The values of the legal actions of one decision."""

    def __init__(self, player: ValuePlayer, view: View, actions: Sequence[Action]) -> None:
        self._view, self._actions = view, actions
        self._offered = {action.tile for action in actions if action.action_type == _TYPES.RON}
        self._can_riichi = any(action.action_type == _TYPES.RIICHI for action in actions)
        self._risk: DealIn = player.estimator.deal_in(view, player.cache)
        self._valuer = ActionValuer(view, player.rank_values, player.model, self._risk.tenpai)
        self.tenpai = float(self._risk.tenpai.max())

    def choices(self) -> Iterator[Choice]:
        """See `ValuePlayer.choices`."""
        discards = [action for action in self._actions if action.action_type == _TYPES.DISCARD]
        yield from self._discards(discards)
        for action in self._actions:
            if action.action_type == _TYPES.RIICHI:
                yield from self._riichi(action)
        others: dict[ActionType, Callable[[Action], Choice | None]] = {
            _TYPES.PON: self._call,
            _TYPES.CHI: self._call,
            _TYPES.DAIMINKAN: self._open_kan,
            _TYPES.ANKAN: self._own_kan,
            _TYPES.KAKAN: self._own_kan,
            _TYPES.PASS: self._pass,
            _TYPES.RON: self._win,
            _TYPES.TSUMO: self._win,
            _TYPES.KYUSHU_KYUHAI: self._abort,
        }
        for action in self._actions:
            if action.action_type in others:
                choice = others[action.action_type](action)
                if choice is not None:
                    yield choice

    def _discards(self, actions: Sequence[Action]) -> Iterator[Choice]:
        by_tile = {action.tile: action for action in actions}
        tiles = distinct(self._view.hand, by_tile)
        values = self._after_discards(self._view.hand, tiles)
        for tile, value in zip(tiles, values, strict=True):
            yield Choice(by_tile[tile], value, tile)

    def _after_discards(
        self,
        hand: Sequence[int],
        tiles: Sequence[int],
        melds: tuple[Meld, ...] | None = None,
        *,
        riichi: bool = False,
    ) -> list[ActionValue]:
        concealed = [[kept for kept in hand if kept != tile] for tile in tiles]
        return self._valuer.after(HandsLeft(concealed, tiles, melds, riichi=riichi), self._risk)

    def _riichi(self, action: Action) -> Iterator[Choice]:
        """Riichi with each discard that leaves tenpai."""
        hand = self._view.hand
        tiles = [tile for tile in distinct(hand, hand) if leaves_tenpai(hand, tile)]
        values = self._after_discards(hand, tiles, riichi=True)
        for tile, value in zip(tiles, values, strict=True):
            yield Choice(action, value, tile)

    def _call(self, action: Action) -> Choice | None:
        view, meld = self._view, meld_of(self._view, action)
        rest = [tile for tile in view.hand if tile not in action.consume_tiles]
        forbidden = kuikae_kinds(meld)
        tiles = distinct(rest, [tile for tile in rest if KIND[tile] not in forbidden])
        melds = (*view.seats[view.seat].melds, meld)
        values = self._after_discards(rest, tiles, melds)
        if not tiles:
            return None
        tile, value = max(zip(tiles, values, strict=True), key=lambda pair: pair[1].value)
        return Choice(action, value, tile)

    def _open_kan(self, action: Action) -> Choice:
        return self._kan(action, meld_of(self._view, action), None)

    def _own_kan(self, action: Action) -> Choice:
        kind = _OWN_KANS[action.action_type]
        tiles = tuple(sorted({*action.consume_tiles, action.tile} - {None}))
        if kind is MeldKind.ANKAN:
            return self._kan(action, Meld(kind, tiles), None)
        pon = next(
            meld
            for meld in self._view.seats[self._view.seat].melds
            if meld.kind is MeldKind.PON and KIND[meld.tiles[0]] == KIND[action.tile]
        )
        tiles = tuple(sorted((*pon.tiles, action.tile)))
        return self._kan(
            action, Meld(kind, tiles, pon.called, pon.source, action.tile), action.tile
        )

    def _kan(self, action: Action, meld: Meld, added: int | None) -> Choice:
        """A kan: the hand that it leaves draws at once, and there is a new indicator.

        A closed hand that is tenpai may declare riichi with the discard after that draw.
        """
        view = self._view
        rest = [tile for tile in view.hand if tile not in meld.tiles]
        own_melds = view.seats[view.seat].melds
        melds = (*(kept for kept in own_melds if kept.tiles[0] not in meld.tiles), meld)
        hands = HandsLeft([rest], [added], melds, turns_until_draw=1, new_indicators=1)
        values = self._valuer.after(hands, self._risk)
        if self._can_riichi and shanten([KIND[tile] for tile in rest]) == 0:
            values += self._valuer.after(hands._replace(riichi=True), self._risk)
        return Choice(action, max(values, key=lambda value: value.value))

    def _pass(self, action: Action) -> Choice:
        view = self._view
        turns = (view.seat - self._discarder()) % SEATS or SEATS
        passes_ron = bool(self._offered)
        hands = HandsLeft([view.hand], [None], turns_until_draw=turns, passes_ron=passes_ron)
        (value,) = self._valuer.after(hands)
        return Choice(action, value)

    def _discarder(self) -> int:
        """The seat that made the last discard, or the kan that may be robbed."""
        for seat in self._view.opponents:
            if any(meld.added is not None and meld.added in self._offered for meld in seat.melds):
                return seat.seat
        rivers = [seat for seat in self._view.seats if seat.river]
        return max(rivers, key=lambda seat: seat.river[-1].order).seat

    def _win(self, action: Action) -> Choice:
        view = self._view
        tsumo = action.action_type == _TYPES.TSUMO
        tile = view.hand[-1] if tsumo else action.tile
        source = view.seat if tsumo else self._discarder()
        return Choice(action, self._valuer.own_win(own_wins.payments(view, tile, source)))

    def _abort(self, action: Action) -> Choice:
        return Choice(action, self._valuer.abort())
