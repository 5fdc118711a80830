"""A hanchan by Tenhou's rules: riichienv is the referee, a `Table` follows, four players act.

Tile ids are riichienv's, which are those of Tenhou. Every event is derived from the actions: the
mjai log of riichienv does not distinguish copies of a tile, so only the end of a round is read from
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import replace
from typing import Any, Self

from houjuu.game.actions import CALLS, WINS, Action, ActionKind
from houjuu.game.events import (
    ABORTED,
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    FinalScores,
    Game,
    Meld,
    PlayerInfo,
    Riichi,
    RiichiAccepted,
    Rules,
    Win,
    per_seat,
)
from houjuu.game.game_end import results
from houjuu.game.table import Table
from houjuu.game.tiles import KIND
from houjuu.game.view import View
from houjuu.hands.shanten import shanten
from houjuu.player.protocol import Listener, Player
from houjuu.scoring.legality import legal_actions
from houjuu.scoring.riichienv_adapter import from_engine, to_engine
from houjuu.scoring.win_scoring import scored
from houjuu.util.extras import needed

with needed("arena"):
    from riichienv import GameRule, Phase, RiichiEnv

Observations = Mapping[int, Any]
"""What riichienv shows to each seat that may act."""

_DEAD_WALL = 14
_ORDER = (*WINS, ActionKind.PON, ActionKind.DAIMINKAN, ActionKind.CHI)
_REASONS = {
    "exhaustive_draw": DrawReason.EXHAUSTED,
    "nagashimangan": DrawReason.NAGASHI_MANGAN,
    "kyushu_kyuhai": DrawReason.NINE_TERMINALS,
    "sufuurenta": DrawReason.FOUR_WINDS,
    "suucha_riichi": DrawReason.FOUR_RIICHI,
    "suukansansen": DrawReason.FOUR_KANS,
    "sanchaho": DrawReason.THREE_RON,
}


def play(id: str, walls: int, players: Sequence[Player], names: Sequence[str]) -> Game:
    """Play one hanchan.

    Parameters
    ----------
    id : str
        Id of the game.
    walls : int
        Seed of the walls, 0 up to 2**63. Deal r of two games with the same seed has the same wall,
        independent of the play before it. Close seeds share walls, because riichienv makes the wall
        of deal r from seed + r.
    players, names : 4 of each
        By seat; seat 0 is the first dealer.
    """
    hanchan = Hanchan(walls, players)
    infos = tuple(PlayerInfo(name) for name in names)
    scores = None
    try:
        for seat, player in hanchan.listeners.items():
            player.sit(seat, infos, hanchan.table.rules)
        hanchan.play()
        scores = hanchan.env.scores()
    finally:
        for player in hanchan.listeners.values():
            player.leave(scores)
    events = tuple(hanchan.events)
    final = final_results(scores)
    return Game(id=id, rules=Rules(), players=infos, events=events, final=final)


def final_results(scores: Sequence[int]) -> FinalScores:
    """Scores, and results with Tenhou's uma and oka; with equal scores the lower seat is ahead."""
    return tuple(zip(scores, results(scores), strict=True))


class Hanchan:
    """A game in progress.

    Attributes
    ----------
    env : RiichiEnv
    table : Table
    events : list of Event
    round : (int, int)
        Number of the round, and honba.
    listeners : dict of int to Listener
        The players that hear of every event, by seat.
    """

    def __init__(self, walls: int, players: Sequence[Player]) -> None:
        rule = GameRule.default_tenhou()
        self.env = RiichiEnv(game_mode="4p-red-half", seed=walls, rule=rule)
        self.players = players
        self.listeners = {
            seat: player for seat, player in enumerate(players) if isinstance(player, Listener)
        }
        self.table = Table()
        self.events: list[Event] = []
        self.round = (0, 0)
        self._dead_wall: list[int] = []
        self._indicators = 1
        self._hidden_dora = 0  # indicators due after kans and not yet turned over

    def play(self) -> None:
        """Play to the end."""
        observations = self.start()
        while not self.env.done():
            observations = self.step(observations, {})

    def start(self) -> Observations:
        """Deal the first round; the result is that of `step`."""
        observations: Observations = self.env.reset()
        self._deal()
        return observations

    def step(self, observations: Observations, chosen: Mapping[int, Action]) -> Observations:
        """Let every seat that may act do so, as chosen or as its player does.

        The result has what the seats see that may act next, for the next step.
        """
        actions = {
            seat: chosen[seat]
            if seat in chosen
            else self.players[seat].act(*self.decision(seat, seen))
            for seat, seen in observations.items()
        }
        observations = self.env.step({seat: to_engine(one) for seat, one in actions.items()})
        self._follow(actions)
        return observations

    def decision(self, seat: int, observation: Any) -> tuple[View, list[Action]]:
        """The view of a seat that may act, and its legal actions."""
        view = self.table.view(seat)
        offered = [from_engine(view, action) for action in observation.legal_actions()]
        legal = set(legal_actions(self.table, seat))
        return view, [action for action in offered if action in legal]

    def fork(self) -> Self:
        """The same game, to be played on in another way: the same walls, and the same players."""
        other = copy(self)
        other.env = self.env.clone()
        other.table = deepcopy(self.table)
        other.events = [*self.events]
        other.listeners = {}
        return other

    def _apply(self, event: Event) -> None:
        self.table.apply(event)
        self.events.append(event)
        for player in self.listeners.values():
            player.hear(event)

    def _deal(self) -> None:
        env = self.env
        hands = tuple(tuple(tile for tile in hand if tile != env.drawn_tile) for hand in env.hands)
        self._dead_wall = env.wall[:_DEAD_WALL]
        self._indicators = 1
        self._hidden_dora = 0
        self.round = (4 * env.round_wind + env.kyoku_idx, env.honba)
        self._apply(
            Deal(
                round=self.round[0],
                honba=env.honba,
                riichi_sticks=env.riichi_sticks,
                dealer=env.oya,
                scores=per_seat(env.scores()),
                dora_indicator=self._dead_wall[4],
                hands=hands,
                dice=(0, 0),
            )
        )
        self._apply(Draw(env.oya, env.drawn_tile))

    def _follow(self, actions: Mapping[int, Action]) -> None:
        """Apply the events that follow from the actions."""
        winners = [seat for seat, action in actions.items() if action.kind in WINS]
        seat, action = min(actions.items(), key=lambda entry: _precedence(entry[1]))
        over = self._is_over()
        if self.table.round_state.actor == seat and not winners:
            self._act(seat, action)
        if self.env.phase == Phase.WaitResponse and not over:
            return  # the other seats may claim the tile
        if not winners:
            self._accept_riichi()
            if action.meld is not None and action.kind in CALLS:
                self._apply(Call(seat, action.meld))
                self._hidden_dora += action.kind is ActionKind.DAIMINKAN
        if over:
            self._end(winners or [seat])
        elif self.table.round_state.actor < 0:
            self._show_dora(keep=1)
            self._apply(Draw(self.env.current_player, self.env.drawn_tile))

    def _is_over(self) -> bool:
        env = self.env
        current = (4 * env.round_wind + env.kyoku_idx, env.honba)
        return bool(env.done()) or current != self.round

    def _act(self, seat: int, action: Action) -> None:
        """Apply an action of the seat to play, other than a win."""
        match action.kind, action.tile, action.meld:
            case ActionKind.RIICHI, _, _:
                self._apply(Riichi(seat))
            case ActionKind.DISCARD, int(tile), _:
                self._show_dora()
                drawn = self.table.round_state.drawn
                self._apply(Discard(seat, tile, tsumogiri=tile == drawn))
            case kind, _, Meld() as meld:
                self._hidden_dora += 1
                self._apply(Call(seat, meld))
                if kind is ActionKind.ANKAN:
                    self._show_dora()

    def _show_dora(self, *, keep: int = 0) -> None:
        """Turn over the indicators that are due after kans, except the last `keep`.

        That of a closed kan is due at once, that of an open one with the next discard or kan.
        """
        for _ in range(self._hidden_dora - keep):
            self._apply(Dora(self._dead_wall[4 + 2 * self._indicators]))
            self._indicators += 1
            self._hidden_dora -= 1

    def _accept_riichi(self) -> None:
        for seat in self.table.seats:
            if seat.declares and self.table.round_state.actor < 0:
                self._apply(RiichiAccepted(seat.seat))

    def _end(self, shown: Sequence[int]) -> None:
        """End the round; `shown` are the winners, or the seat that declared the draw."""
        messages = _last_messages(self.env.mjai_log)
        if messages[0]["type"] == "hora":
            # All wins are scored before the first is applied, because it ends the round.
            wins = [self._scored(message) for message in messages]
            for win in wins:
                round_state = self.table.round_state
                sticks = round_state.riichi_sticks
                scores = per_seat(round_state.scores)
                self._apply(replace(win, riichi_sticks=sticks, scores=scores))
        else:
            self._apply(self._drawn_round(messages[0], shown))
        if not self.env.done():
            self._deal()

    def _scored(self, message: Mapping[str, Any]) -> Win:
        seat = message["actor"]
        source = message["target"]
        view = self.table.view(seat)
        tile = self._winning_tile()
        upper = 5 + 2 * self._indicators
        win = Win(
            seat,
            source,
            tile,
            hand=tuple(sorted({*view.hand, tile})),
            melds=view.seats[seat].melds,
            dora_indicators=view.dora_indicators,
            ura_indicators=tuple(self._dead_wall[5:upper:2] if view.seats[seat].in_riichi else ()),
            honba=view.honba,
            deltas=per_seat(message["deltas"]),
        )
        return scored(view, win)

    def _winning_tile(self) -> int:
        """The tile that was last drawn, discarded or laid down for a kan."""
        tiles = (
            event.meld.from_hand[0] if isinstance(event, Call) else event.tile
            for event in reversed(self.events)
            if isinstance(event, (Draw, Discard, Call))
        )
        return next(tile for tile in tiles if tile is not None)

    def _drawn_round(self, message: Mapping[str, Any], shown: Sequence[int]) -> DrawnRound:
        reason = _REASONS[message["reason"]]
        round_state = self.table.round_state
        hands = [tuple(sorted(hand)) for hand in round_state.hands]
        tenpai: list[bool | None] = [None] * 4
        if reason not in ABORTED:
            tenpai = [_is_tenpai(hand) for hand in hands]
            shown = [seat for seat, ready in enumerate(tenpai) if ready]
        elif reason is DrawReason.FOUR_RIICHI:
            shown = range(4)
        elif reason in (DrawReason.FOUR_WINDS, DrawReason.FOUR_KANS):
            shown = ()
        return DrawnRound(
            reason,
            tuple(hand if seat in shown else None for seat, hand in enumerate(hands)),
            tuple(tenpai),
            honba=self.table.view(0).honba,
            riichi_sticks=round_state.riichi_sticks,
            scores=per_seat(round_state.scores),
            deltas=per_seat(message["deltas"]),
        )


def _last_messages(log: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The messages on the result of the last round that has ended."""
    end = max(i for i, message in enumerate(log) if message["type"] == "end_kyoku")
    start = end
    while log[start - 1]["type"] in ("hora", "ryukyoku"):
        start -= 1
    return list(log[start:end])


def _is_tenpai(hand: Sequence[int]) -> bool:
    return shanten([KIND[tile] for tile in hand]) == 0


def _precedence(action: Action) -> int:
    return _ORDER.index(action.kind) if action.kind in _ORDER else len(_ORDER)
