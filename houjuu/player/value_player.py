"""A player that takes the action with the highest value by its effect on the end of the game.

Every legal action gets one value (`houjuu.player.values`): each discard with and without
riichi, calls and passing, kans, wins and 九種九牌. The player takes the largest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from riichienv import Action, ActionType

from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Meld, MeldKind
from houjuu.game.table import View
from houjuu.game.tiles import COPIES, KIND, RED_FIVES, kind_counts, yakuhai_kinds
from houjuu.hands.hand_cache import HandCache
from houjuu.player.game_decisions import action_name
from houjuu.player.hand_value.shanten import shanten
from houjuu.player.hand_value.value import prepare
from houjuu.player.preference.decision import Option, Situation
from houjuu.player.preference.preferences import PreferenceModel
from houjuu.player.round_end.round_ends import RoundEndModel
from houjuu.player.rules.calls import kuikae_kinds
from houjuu.player.rules.discard import distinct
from houjuu.player.values import own_wins
from houjuu.player.values.action_values import DEALS_IN_NOW, ActionValue, Round
from houjuu.player.values.round_values import Game
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
    game : Game
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
        game: Game,
        model: RoundEndModel,
        preferences: PreferenceModel | None = None,
    ) -> None:
        self.estimator, self.game, self.model = estimator, game, model
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
        around, found = self.without_preference(view, actions)
        if self.preferences is None:
            return found
        points = self.preferences.points(around, options(found)).tolist()
        return [
            choice._replace(value=choice.value.with_preference(more))
            for choice, more in zip(found, points, strict=True)
        ]

    def explain_preferences(self, view: View, actions: Sequence[Action]) -> list[Attributions]:
        """The parts of the preference of each of the `choices`, in their order."""
        around, found = self.without_preference(view, actions)
        if self.preferences is None:
            return [{} for _ in found]
        return self.preferences.explain(around, options(found))

    def without_preference(
        self, view: View, actions: Sequence[Action]
    ) -> tuple[Situation, list[Choice]]:
        """The decision as the preferences see it, and the values by the models alone."""
        distinct_actions = {action_name(action): action for action in reversed(actions)}
        decision = _Decision(self, view, [*distinct_actions.values()][::-1])
        return situation(view, decision.tenpai), list(decision.choices())


def situation(view: View, tenpai: float) -> Situation:
    """The decision as the preferences see it; P(tenpai) is that of the likeliest opponent."""
    own, unseen = view.seats[view.seat], view.unseen()
    melded = [tile for meld in own.melds for tile in meld.tiles]
    hand, in_melds = kind_counts(view.hand), kind_counts(melded)
    return Situation(
        hand=tuple(hand.tolist()),
        melded=tuple(in_melds.tolist()),
        elsewhere=tuple((COPIES - unseen - hand - in_melds).tolist()),
        red_fives=sum(tile in RED_FIVES for tile in (*view.hand, *melded)),
        dora=view.dora,
        yakuhai=yakuhai_kinds(view.round_wind, view.seat_wind(view.seat)),
        closed=not own.n_open_melds,
        was_tenpai=view.drawn is not None and _is_tenpai(view.hand, view.drawn),
        facing_riichi=any(seat.declared for seat in view.opponents),
        tenpai=tenpai,
        dealer=view.seat == view.dealer,
        tiles_left=view.tiles_left,
    )


def _is_tenpai(hand: Sequence[int], discarded: int) -> bool:
    return shanten([KIND[tile] for tile in hand if tile != discarded]) == 0


def options(choices: Sequence[Choice]) -> list[Option]:
    """The actions of one decision as the preferences see them."""
    return [
        Option(
            type_name(action),
            value.value,
            value.win,
            sum(value.parts[name] for name in DEALS_IN_NOW),
            value.shanten,
            value.ways,
            value.points,
            discard=tile,
            called=action.tile if action.action_type in CALLS else None,
        )
        for action, value, tile in choices
    ]


class _Decision:
    """The values of the legal actions of one decision."""

    def __init__(self, player: ValuePlayer, view: View, actions: Sequence[Action]) -> None:
        self._player, self._view, self._actions = player, view, actions
        self._offered = {one.tile for one in actions if one.action_type == _TYPES.RON}
        self._can_riichi = any(one.action_type == _TYPES.RIICHI for one in actions)
        self._risk: DealIn = player.estimator.deal_in(view, player.cache)
        self._round = Round(view, player.game, player.model, self._risk.tenpai)
        self.tenpai = float(self._risk.tenpai.max())

    def choices(self) -> Iterator[Choice]:
        """See `ValuePlayer.choices`."""
        discards = [one for one in self._actions if one.action_type == _TYPES.DISCARD]
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
        kept = [[other for other in hand if other != tile] for tile in tiles]
        return self._round.after_hands(kept, tiles, riichi=riichi, melds=melds, risk=self._risk)

    def _riichi(self, action: Action) -> Iterator[Choice]:
        """Riichi with each discard that leaves tenpai."""
        hand = self._view.hand
        tiles = [tile for tile in distinct(hand, hand) if _is_tenpai(hand, tile)]
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
        own = view.seats[view.seat].melds
        melds = (*(other for other in own if other.tiles[0] not in meld.tiles), meld)
        can_riichi = self._can_riichi and shanten([KIND[tile] for tile in rest]) == 0
        values = [
            value
            for riichi in (False, True)[: 1 + can_riichi]
            for value in self._round.after_hands(
                [rest],
                [added],
                riichi=riichi,
                melds=melds,
                turns_until_draw=1,
                new_indicators=1,
                risk=self._risk,
            )
        ]
        return Choice(action, max(values, key=lambda value: value.value))

    def _pass(self, action: Action) -> Choice:
        view = self._view
        away = (view.seat - self._discarder()) % 4 or 4
        (value,) = self._round.after_hands(
            [view.hand], [None], turns_until_draw=away, passes_ron=bool(self._offered)
        )
        return Choice(action, value)

    def _discarder(self) -> int:
        """The seat that made the last discard, or the kan that may be robbed."""
        for seat in self._view.opponents:
            if any(meld.added is not None and meld.added in self._offered for meld in seat.melds):
                return seat.seat
        rivers = [seat for seat in self._view.seats if seat.river]
        last = max(rivers, key=lambda seat: seat.river[-1].order)
        return last.seat

    def _win(self, action: Action) -> Choice:
        view = self._view
        tsumo = action.action_type == _TYPES.TSUMO
        tile = view.hand[-1] if tsumo else action.tile
        source = view.seat if tsumo else self._discarder()
        changes = own_wins.payments(view, tile, source)
        effect = self._player.game.of_win(view, changes, view.seat)
        return Choice(action, self._round.certain(effect, float(changes[view.seat]), win=True))

    def _abort(self, action: Action) -> Choice:
        effect = self._round.values(riichi=False).aborted
        return Choice(action, self._round.certain(effect, 0.0, win=False))
