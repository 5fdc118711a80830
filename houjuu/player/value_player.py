"""A player that takes the action with the highest value by its effect on the end of the game.

Every legal action gets one value (`houjuu.player.values`): each discard with and without
riichi, calls and passing, kans, wins and 九種九牌. The player takes the largest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from houjuu.estimators.protocol import Estimator
from houjuu.game.actions import Action, ActionKind, discards, source_of
from houjuu.game.events import SEATS, Meld
from houjuu.game.table import View
from houjuu.game.tiles import KIND
from houjuu.hands.claims import distinct, kuikae_kinds
from houjuu.hands.hand_cache import HandCache
from houjuu.hands.shanten import shanten
from houjuu.hands.shanten_tables import shanten_tables
from houjuu.player.preference.features import ValuedDecision, leaves_tenpai
from houjuu.player.preference.preferences import PreferenceModel
from houjuu.player.round_end.round_ends import RoundEndModel
from houjuu.player.values.action_values import ActionValuer
from houjuu.player.values.outcome import Outcome
from houjuu.player.values.round_values import RankValues
from houjuu.player.view_states import DecisionContext, HandsLeft
from houjuu.risk.deal_in import DealIn
from houjuu.scoring.win_scoring import own_win, payments


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
        self.estimator = estimator
        self.rank_values = rank_values
        self.model = model
        self.preferences = preferences
        self.cache = HandCache()
        shanten_tables()  # otherwise the first action takes longer

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        if len(actions) == 1:
            return actions[0]
        return max(self.outcomes(view, actions), key=lambda outcome: outcome.value).action

    def outcomes(self, view: View, actions: Sequence[Action]) -> list[Outcome]:
        """The outcome of each action: equal tiles once, riichi with each possible discard."""
        decision = self.valued(view, actions)
        if self.preferences is None:
            return [*decision.every]
        points = self.preferences.points(decision).tolist()
        return [one.with_preference(own) for one, own in zip(decision.every, points, strict=True)]

    def valued(self, view: View, actions: Sequence[Action]) -> ValuedDecision:
        """The decision with the outcomes by the models alone."""
        values = _DecisionValues(self, view, [*dict.fromkeys(actions)])
        return ValuedDecision(values.context, [*values.outcomes()])


class _DecisionValues:
    """The values of the legal actions of one decision."""

    def __init__(self, player: ValuePlayer, view: View, actions: Sequence[Action]) -> None:
        self._view = view
        self._actions = actions
        self._can_riichi = Action(ActionKind.RIICHI) in actions
        self._risk: DealIn = player.estimator.deal_in(view, player.cache)
        weights = player.estimator.unseen(view).wall_weights
        self.context = DecisionContext(view, self._risk.tenpai, weights)
        self._valuer = ActionValuer(self.context, player.rank_values, player.model)

    def outcomes(self) -> Iterator[Outcome]:
        """See `ValuePlayer.outcomes`."""
        yield from self._discards(discards(self._actions))
        others: dict[ActionKind, Callable[[Action], Iterable[Outcome]]] = {
            ActionKind.DISCARD: lambda _: (),
            ActionKind.RIICHI: self._riichi,
            ActionKind.CHI: self._call,
            ActionKind.PON: self._call,
            ActionKind.DAIMINKAN: self._kan,
            ActionKind.ANKAN: self._kan,
            ActionKind.KAKAN: self._kan,
            ActionKind.TSUMO: self._win,
            ActionKind.RON: self._win,
            ActionKind.NINE_TERMINALS: self._abort,
            ActionKind.PASS: self._pass,
        }
        for action in sorted(self._actions, key=lambda one: one.kind is not ActionKind.RIICHI):
            yield from others[action.kind](action)

    def _discards(self, by_tile: Mapping[int, Action]) -> list[Outcome]:
        tiles = distinct(self._view.hand, by_tile)
        return self._after_discards([by_tile[tile] for tile in tiles], self._view.hand, tiles)

    def _after_discards(
        self,
        actions: Sequence[Action],
        hand: Sequence[int],
        tiles: Sequence[int],
        melds: tuple[Meld, ...] | None = None,
        *,
        riichi: bool = False,
    ) -> list[Outcome]:
        concealed = [[kept for kept in hand if kept != tile] for tile in tiles]
        hands = HandsLeft(concealed, tiles, melds, riichi=riichi)
        return self._valuer.after(actions, hands, self._risk)

    def _riichi(self, action: Action) -> list[Outcome]:
        """Riichi with each discard that leaves tenpai."""
        hand = self._view.hand
        offered = distinct(hand, discards(self._actions))  # the same copies as without riichi
        tiles = [tile for tile in offered if leaves_tenpai(hand, tile)]
        return self._after_discards([action] * len(tiles), hand, tiles, riichi=True)

    def _call(self, action: Action) -> Iterator[Outcome]:
        """A call with the best discard after it."""
        view = self._view
        meld = _meld(action)
        rest = [tile for tile in view.hand if tile not in meld.from_hand]
        forbidden = kuikae_kinds(meld, view.rules)
        tiles = distinct(rest, [tile for tile in rest if KIND[tile] not in forbidden])
        melds = (*view.seats[view.seat].melds, meld)
        outcomes = self._after_discards([action] * len(tiles), rest, tiles, melds)
        if outcomes:
            yield max(outcomes, key=lambda outcome: outcome.value)

    def _kan(self, action: Action) -> Iterator[Outcome]:
        """A kan: the hand that it leaves draws at once, and there is a new indicator.

        A closed hand that is tenpai may declare riichi with the discard after that draw.
        """
        view = self._view
        meld = _meld(action)
        rest = [tile for tile in view.hand if tile not in meld.from_hand]
        own_melds = view.seats[view.seat].melds
        melds = (*(kept for kept in own_melds if kept.tiles[0] not in meld.tiles), meld)
        hands = HandsLeft([rest], [meld.added], melds, turns_until_draw=1, new_indicators=1)
        outcomes = self._valuer.after([action], hands, self._risk)
        if self._can_riichi and shanten([KIND[tile] for tile in rest]) == 0:
            outcomes += self._valuer.after([action], hands._replace(riichi=True), self._risk)
        best = max(outcomes, key=lambda outcome: outcome.value)
        yield replace(best, discard=None, declares=False)  # it discards no tile of the hand

    def _pass(self, action: Action) -> list[Outcome]:
        view = self._view
        claimed = [action.claimed for action in self._actions]
        source = next(source_of(view, tile) for tile in claimed if tile is not None)
        hands = HandsLeft(
            [view.hand],
            [None],
            turns_until_draw=(view.seat - source) % SEATS,
            passes_ron=any(action.kind is ActionKind.RON for action in self._actions),
        )
        return self._valuer.after([action], hands)

    def _win(self, action: Action) -> Iterator[Outcome]:
        view = self._view
        tile = action.tile
        assert tile is not None
        source = view.seat if action.kind is ActionKind.TSUMO else source_of(view, tile)
        yield self._valuer.own_win(action, payments(view, own_win(view, tile, source)))

    def _abort(self, action: Action) -> Iterator[Outcome]:
        yield self._valuer.abort(action)


def _meld(action: Action) -> Meld:
    assert action.meld is not None
    return action.meld
