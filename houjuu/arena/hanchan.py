"""A hanchan by Tenhou's rules: riichienv referees, one `Table` follows, four players act.

Tiles are riichienv's own ids, which are Tenhou's, and every event is told from the actions taken:
riichienv's mjai log names tiles without their copies, and is asked only how a round ended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from riichienv import Action, ActionType, GameRule, Phase, RiichiEnv, calculate_shanten

from houjuu.arena.wins import value
from houjuu.events import (
    Call,
    Deal,
    Discard,
    Dora,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    Final,
    Game,
    Meld,
    MeldKind,
    Player,
    Riichi,
    RiichiAccepted,
    Rules,
    Win,
    four,
)
from houjuu.table import Table, View

UMA = (20, 10, -10, -20)
OKA = 20  # unit: thousands of points, to the first
_TARGET = 30_000  # unit: points
_DEAD_WALL = 14
_WINS = (ActionType.TSUMO, ActionType.RON)
_CLAIMS = {
    ActionType.CHI: MeldKind.CHI,
    ActionType.PON: MeldKind.PON,
    ActionType.DAIMINKAN: MeldKind.DAIMINKAN,
}
_ORDER = (*_WINS, ActionType.PON, ActionType.DAIMINKAN, ActionType.CHI)
_REASONS = {
    "exhaustive_draw": DrawReason.EXHAUSTED,
    "nagashimangan": DrawReason.NAGASHI_MANGAN,
    "kyushu_kyuhai": DrawReason.NINE_TERMINALS,
    "sufuurenta": DrawReason.FOUR_WINDS,
    "suucha_riichi": DrawReason.FOUR_RIICHI,
    "suukansansen": DrawReason.FOUR_KANS,
    "sanchaho": DrawReason.THREE_RON,
}


class Acting(Protocol):
    """A player: picks one of the legal actions from what its seat sees."""

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""


def play(id: str, walls: int, players: Sequence[Acting], names: Sequence[str]) -> Game:
    """Play one hanchan.

    Parameters
    ----------
    id : str
        Of the game.
    walls : int
        Seed of the walls, 0 up to 2**63: deal number r of two games with the same seed has the same
        wall, whatever was played before it. Seeds that are near share walls, for riichienv makes
        that of deal r from seed + r.
    players, names : 4 of each
        By seat; seat 0 is dealer first.
    """
    hanchan = _Hanchan(walls, players)
    hanchan.play()
    told = tuple(Player(name) for name in names)
    events, final = tuple(hanchan.events), _final(hanchan.env.scores())
    return Game(id, Rules(), told, events, final)


def _final(scores: Sequence[int]) -> Final:
    """Scores, and results with Tenhou's uma and oka; of equals the earlier seat is ahead."""
    ranking = sorted(range(4), key=lambda seat: -scores[seat])
    bonus = {
        seat: uma + (0 if place else OKA)
        for place, (seat, uma) in enumerate(zip(ranking, UMA, strict=True))
    }
    return tuple(
        (score, round((score - _TARGET) / 1000 + bonus[seat], 1))
        for seat, score in enumerate(scores)
    )


class _Hanchan:
    """A game in progress."""

    def __init__(self, walls: int, players: Sequence[Acting]) -> None:
        rule = GameRule.default_tenhou()
        self.env = RiichiEnv(game_mode="4p-red-half", seed=walls, rule=rule)
        self.players = players
        self.table = Table()
        self.events: list[Event] = []
        self._here = (0, 0)  # round and honba
        self._dead_wall: list[int] = []
        self._indicators = 1
        self._hidden_dora = 0  # indicators that kans have earned and that are not yet turned over
        self._liable: list[Mapping[int, int]] = [{}] * 4

    def play(self) -> None:
        observations = self.env.reset()
        self._deal()
        while not self.env.done():
            actions = {
                seat: self.players[seat].act(self.table.view(seat), seen.legal_actions())
                for seat, seen in observations.items()
            }
            self._liable = self.env.pao
            observations = self.env.step(actions)
            self._follow(actions)

    def _tell(self, event: Event) -> None:
        self.table.apply(event)
        self.events.append(event)

    def _deal(self) -> None:
        env = self.env
        hands = tuple(tuple(tile for tile in hand if tile != env.drawn_tile) for hand in env.hands)
        self._dead_wall = env.wall[:_DEAD_WALL]
        self._indicators, self._hidden_dora = 1, 0
        self._here = (4 * env.round_wind + env.kyoku_idx, env.honba)
        self._tell(
            Deal(
                round=self._here[0],
                honba=env.honba,
                riichi_sticks=env.riichi_sticks,
                dealer=env.oya,
                scores=four(env.scores()),
                dora_indicator=self._dead_wall[4],
                hands=hands,
                dice=(0, 0),
            )
        )
        self._tell(Draw(env.oya, env.drawn_tile))

    def _follow(self, actions: Mapping[int, Action]) -> None:
        """Tell what came of the actions."""
        winners = [seat for seat, action in actions.items() if action.action_type in _WINS]
        seat, action = min(actions.items(), key=lambda of: _precedence(of[1]))
        over = self._is_over()
        if self.table.ledger.actor == seat and not winners:
            self._act(seat, action)
        if self.env.phase == Phase.WaitResponse and not over:
            return  # the others may claim it
        if not winners:
            self._accept_riichi()
            if action.action_type in _CLAIMS:
                self._claim(seat, action)
        if over:
            self._end(winners or [seat])
        elif self.table.ledger.actor < 0:
            self._show_dora(keep=1)
            self._tell(Draw(self.env.current_player, self.env.drawn_tile))

    def _is_over(self) -> bool:
        env = self.env
        here = (4 * env.round_wind + env.kyoku_idx, env.honba)
        return bool(env.done()) or here != self._here

    def _act(self, seat: int, action: Action) -> None:
        """The seat to play does something other than win."""
        kind = action.action_type
        if kind == ActionType.KYUSHU_KYUHAI:
            return
        if kind == ActionType.RIICHI:
            self._tell(Riichi(seat))
            return
        if kind == ActionType.DISCARD:
            self._show_dora()
            drawn = self.table.ledger.drawn
            self._tell(Discard(seat, action.tile, tsumogiri=action.tile == drawn))
            return
        self._hidden_dora += 1
        if kind == ActionType.ANKAN:
            self._tell(Call(seat, Meld(MeldKind.ANKAN, tuple(sorted(action.consume_tiles)))))
            self._show_dora()
        else:
            self._tell(Call(seat, self._added_kan(seat, action.tile)))

    def _show_dora(self, *, keep: int = 0) -> None:
        """Turn over what kans have earned, but for the last `keep`.

        A closed kan's comes at once, an open one's with the next discard or kan of its seat.
        """
        for _ in range(self._hidden_dora - keep):
            self._tell(Dora(self._dead_wall[4 + 2 * self._indicators]))
            self._indicators += 1
            self._hidden_dora -= 1

    def _added_kan(self, seat: int, tile: int) -> Meld:
        pon = next(
            meld
            for meld in self.table.seats[seat].melds
            if meld.kind is MeldKind.PON and meld.tiles[0] >> 2 == tile >> 2
        )
        tiles = tuple(sorted((*pon.tiles, tile)))
        return Meld(MeldKind.KAKAN, tiles, pon.called, pon.source, added=tile)

    def _accept_riichi(self) -> None:
        for seat in self.table.seats:
            if seat.declared and not seat.in_riichi and self.table.ledger.actor < 0:
                self._tell(RiichiAccepted(seat.seat))

    def _claim(self, seat: int, action: Action) -> None:
        tiles = tuple(sorted((*action.consume_tiles, action.tile)))
        source = next(event.seat for event in reversed(self.events) if isinstance(event, Discard))
        self._tell(Call(seat, Meld(_CLAIMS[action.action_type], tiles, action.tile, source)))
        self._hidden_dora += action.action_type == ActionType.DAIMINKAN

    def _end(self, shown: Sequence[int]) -> None:
        """The round is over; `shown` are the winners, or who declared the draw."""
        messages = _last_messages(self.env.mjai_log)
        if messages[0]["type"] == "hora":
            # All are valued before the first is told: it ends the round at the table.
            wins = [self._valued(message) for message in messages]
            for win in wins:
                ledger = self.table.ledger
                sticks, scores = ledger.riichi_sticks, four(ledger.scores)
                self._tell(replace(win, riichi_sticks=sticks, scores=scores))
        else:
            self._tell(self._drawn_round(messages[0], shown))
        if not self.env.done():
            self._deal()

    def _valued(self, message: Mapping[str, Any]) -> Win:
        seat, source = message["actor"], message["target"]
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
            deltas=four(message["deltas"]),
        )
        return value(self.table, win, self._liable[seat])

    def _winning_tile(self) -> int:
        """What was last drawn, discarded or added to a kan."""
        last = (
            event.meld.added if isinstance(event, Call) else event.tile
            for event in reversed(self.events)
            if isinstance(event, (Draw, Discard, Call))
        )
        return next(tile for tile in last if tile is not None)

    def _drawn_round(self, message: Mapping[str, Any], shown: Sequence[int]) -> DrawnRound:
        reason, ledger = _REASONS[message["reason"]], self.table.ledger
        hands = [tuple(sorted(hand)) for hand in ledger.hands]
        if reason in (DrawReason.EXHAUSTED, DrawReason.NAGASHI_MANGAN):
            shown = [seat for seat, hand in enumerate(hands) if calculate_shanten(hand) == 0]
        elif reason is DrawReason.FOUR_RIICHI:
            shown = range(4)
        elif reason in (DrawReason.FOUR_WINDS, DrawReason.FOUR_KANS):
            shown = ()
        return DrawnRound(
            reason,
            tuple(hand if seat in shown else None for seat, hand in enumerate(hands)),
            honba=self.table.view(0).honba,
            riichi_sticks=ledger.riichi_sticks,
            scores=four(ledger.scores),
            deltas=four(message["deltas"]),
        )


def _last_messages(log: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The messages that tell how the last round that is over ended."""
    end = max(i for i, message in enumerate(log) if message["type"] == "end_kyoku")
    start = end
    while log[start - 1]["type"] in ("hora", "ryukyoku"):
        start -= 1
    return list(log[start:end])


def _precedence(action: Action) -> int:
    kind = action.action_type
    return _ORDER.index(kind) if kind in _ORDER else len(_ORDER)
