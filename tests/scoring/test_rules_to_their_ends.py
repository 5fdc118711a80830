"""Each profile is played to its ends, which real games never have.

A row of `ROUNDS` stacks the wall: the hands from the dealer on, the draws, and the tiles of the
dead wall. Everybody does the first possible of the preferred actions, else passes or discards the
drawn tile. riichienv plays the same round by the rules of Tenhou and of Mahjong Soul: the legal
actions of every decision, the payments, the end of the round and of the game must be its own. It
has no M-League, whose legal actions differ from Tenhou's as its published rules do.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from itertools import chain, product
from random import Random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("riichienv", reason="it is the referee")

from riichienv import GameRule, RiichiEnv

from houjuu.arena.hanchan import Hanchan, Observations
from houjuu.game.actions import Action, ActionKind
from houjuu.game.draws import may_abort
from houjuu.game.events import ABORTED, DrawnRound, Event, Win
from houjuu.game.game_end import game_over, order
from houjuu.game.rules import M_LEAGUE, MAHJONG_SOUL, TENHOU, Profile, Rules
from houjuu.game.table import Table
from houjuu.game.tiles import KIND, TILES, Copies, parse_name, split_tiles
from houjuu.game.view import View
from houjuu.scoring.legality import default_action, legal_actions
from houjuu.scoring.riichienv_adapter import from_engine
from houjuu.scoring.strict import course, wins
from houjuu.util.errors import LogError

SITES = {TENHOU: GameRule.default_tenhou(), MAHJONG_SOUL: GameRule.default_mjsoul()}
DEAD = 14  # tiles, of which the first four replace kans
STARTS = {"round_wind": (0, 1, 2), "oya": (0, 1, 2, 3), "honba": (0, 1, 2), "kyotaku": (0, 1, 2)}
SCORES = ([25_000] * 4, [30_000, 30_000, 20_000, 20_000], [3_000, 1_000, 29_000, 67_000])

# preferred | hands | draws | dead wall | end on Tenhou | on Mahjong Soul | more or less in a league
ROUNDS = {
    "four kans of two seats": "ankan pon | 2222m3333p1z479m8s 1111s6666s147m2p9p"
    " 55z45678m4678p29s - | 6z4z | 7z7z4z5z | kan4 | kan4 | +pon",
    "four kans of one seat": "ankan | 2222m3333p444s55z 1111m6666s147p2z8p - - | 4s9m"
    " | 5z5z8p9p | exhausted | exhausted |",
    "three wins": "ron | - 45m234678p23488s 45m234678p23466s 45m23455p345678s | 6m | | ron3 | 3 |",
    "two wins": "ron | - 45m234678p23488s 45m234678p23466s - | 6m | | 2 | 2 |",
    "a robbed added kan": "ron kakan pon | 123789m5711p234s 1z2589m258s347z2z9p"
    " 66p1z3z147m369s4z6z9p 147m258p369s1z2z5z6z | 9p6p9p9s9s6p | | 1 | 1 |",
    "a robbed closed kan": "ron ankan | 199m19p19s123467z 555z147m258p369s1z - - | 9p5z"
    " | | exhausted | 1 | -nine_terminals",
    "nine terminals": "nine_terminals | 199m19p19s123z258p - - - | 9p | | yao9 | yao9"
    " | -nine_terminals",
    "four riichi": "riichi | 123456789m11p12s 123456789p22z56s 56m123456789s33z"
    " 23567m234p11z678s | 5z6z7z4z | | reach4 | reach4 |",
    "four winds": " | - - - - | 1z1z1z1z | | kaze4 | kaze4 |",
    "nagashi": " | - - - - | 1z5m2p4s 2z6m2p4s 3z7m2p4s 4z8m2p4s 1z5m3p6s 2z6m3p6s 3z7m3p6s"
    " 4z8m3p6s 1z5m4p7s 2z6m4p7s 3z7m4p7s 4z8m4p7s 9s3m5p8s 9s3m5p8s 9s3m5p8s 9s2m6p5s 1p2m6p8s 1p"
    " | | nm | nm |",
    "nagashi with a call": "pon | 1489m789p123s567z 149m7889p123s567z 13079m106p10s227z"
    " 1249m789p123s567z | 1z5m2p4s2z6m 3z7m2p4s 4z8m2p4s 1z5m3p6s 5z6m3p6s 3z7m3p6s 4z8m3p6s"
    " 1z5m4p7s 6z6m4p7s 3z7m4p7s 4z8m4p7s 9s3m5p8s 9s3m5p8s 9s3m5p8s 9s2m6p5s 1p2m6p8s"
    " | | exhausted | exhausted |",
    "nobody waits": "ankan | 2222m13m456p789s1z 1478m258p369s159m - - | 1z | 9p | exhausted"
    " | exhausted | -riichi",
    "liable for a ron": "tsumo ron pon | 15m9p1112556677z 222333444666m7p 222333444666p7s"
    " 222333444666s7m | 9m5z6z7z8m2z | | 1 | 1 |",
    "liable for a tsumo": "tsumo ron pon | 15m9p1112556677z 222333444666m7p 222333444666p7s"
    " 222333444666s7m | 9m5z6z7z8m8p8s2z | | 1 | 1 |",
    "liable and the source": "ron pon | 15m9p1112556677z 222333444666m7p 222333444666p7s"
    " 222333444666s7m | 9m5z6z7z2z | | 1 | 1 |",
    "liable for two of three": "ron pon | 15m5p1s112233445z 222333444666m7p 222333444666p7s"
    " 222333444666s7m | 9m1z2z3z4z8m5z | | 1 | 1 |",
    "liable for a tsumo of three": "tsumo pon | 15m5p1s112233445z 222333444666m7p 222333444666p7s"
    " 222333444666s7m | 9m1z2z3z4z8m8p8s5z | | 1 | 1 |",
}


def ids(copies: Copies, text: str) -> list[int]:
    return [copies.take(*parse_name(name), "the test") for name in split_tiles(text)]


def wall_of(hands: str, draws: str, dead: str, seed: int) -> list[int]:
    """The tiles in the order of the deal; what a row leaves open is shuffled."""
    copies = Copies()
    shown = [[] if hand == "-" else ids(copies, hand) for hand in hands.split()]
    first, last = ids(copies, draws.replace(" ", "")), ids(copies, dead)
    used = {*first, *last}.union(*shown)
    rest = [tile for tile in range(TILES) if tile not in used]
    Random(seed).shuffle(rest)
    whole = [hand or [rest.pop() for _ in range(13)] for hand in shown]
    blocks = [whole[seat][4 * turn : 4 * turn + 4] for turn in range(4) for seat in range(4)]
    last += [rest.pop() for _ in range(DEAD - len(last))]
    return [*chain(*blocks), *first, *rest, *reversed(last)]


class Preferring:
    """It does the first possible of some kinds of actions."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds = kinds

    def act(self, view: View, legal: Sequence[Action]) -> Action:
        for kind in self.kinds:
            if found := [action for action in legal if action.kind == kind]:
                return found[0]
        if view.drawn is None and legal[0].kind is ActionKind.DISCARD:
            held = [KIND[tile] for tile in view.hand]
            return min(legal, key=lambda action: held.count(KIND[action.tile or 0]))
        return default_action(view, legal)


class Staged(Hanchan):
    """A round with a wall of one's own; every decision and the end are compared."""

    def __init__(self, profile: Profile, preferred: str) -> None:
        super().__init__(0, [Preferring(preferred.split())] * 4)
        self.env = RiichiEnv("4p-red-half", seed=0, rule=SITES[profile])
        # with a lobby, no other profile is possible
        self.table = Table(Rules(lobby="0", profile=profile))
        self.league = Table(Rules(lobby="0", profile=M_LEAGUE))
        self.league_differs, self.ends = set[str](), list[Win | DrawnRound]()
        self._compared = 0

    def play_round(self, **start: Any) -> None:
        observations = self.env.reset(**start)
        self._deal()
        while not self.ends:
            self._compare(observations)
            observations = self.step(observations, {})

    def _compare(self, observations: Observations) -> None:
        self._compared = len(self.events)
        for seat in range(4):
            legal, view = {*legal_actions(self.table, seat)}, self.table.view(seat)
            seen = observations[seat].legal_actions() if seat in observations else ()
            assert {from_engine(view, action) for action in seen} == legal, (seat, legal, view)
            kinds = {action.kind.value for action in legal}
            league = {action.kind.value for action in legal_actions(self.league, seat)}
            more, less = league - kinds - {"pass"}, kinds - league - {"pass"}
            self.league_differs |= {f"+{kind}" for kind in more} | {f"-{kind}" for kind in less}

    def _apply(self, event: Event) -> None:
        super()._apply(event)
        self.league.apply(event)

    def _end(self, shown: Sequence[int]) -> None:
        if len(self.events) > self._compared:
            self._compare({})  # nobody was asked
        table, league, (round, _) = deepcopy(self.table), deepcopy(self.league), self.round
        first = len(self.events)
        super()._end(shown)
        self.ends = [end for end in self.events[first:] if isinstance(end, (Win, DrawnRound))]
        end, aborted = self.ends[0], False
        if isinstance(end, DrawnRound):
            course.check_exhausted(table, end)
            course.check_drawn_round(table, end)
            aborted = end.reason in ABORTED
            assert not (aborted and end.reason and may_abort(league, end.reason))
        else:
            won = [end for end in self.ends if isinstance(end, Win)]
            wins.check(table, won)
            if len(won) > 1:
                with pytest.raises(LogError, match="several seats win"):
                    wins.check(league, won)
        changes = np.array([one.deltas for one in self.ends])
        scores = np.array(table.round_state.scores) + changes.sum(axis=0)
        stays = np.array(course.dealer_stays(table.view(0).dealer, self.ends))
        over = game_over(scores, stays, np.array(aborted), round=round, rules=table.rules)
        assert bool(over) == self.env.done()
        sticks = table.round_state.riichi_sticks * isinstance(end, DrawnRound)
        tied = len({*scores.tolist()}) < 4
        dealer_leads = bool(stays) and order(scores)[0] == round % 4
        self.how = {
            *(("bust",) if over and scores.min() < 0 else ()),
            *(("sticks",) if over and sticks else ()),
            *(("tie",) if over and tied else ()),
            *(("ahead",) if over and dealer_leads and scores.min() >= 0 else ()),
            *(("extra",) if not over and round >= 7 else ()),
        }
        scores[order(scores)[0]] += 1000 * sticks * over
        assert scores.tolist() == self.env.scores()


@pytest.mark.parametrize("profile", SITES)
def test_every_round_to_its_end(profile: Profile) -> None:
    """From East 1 to the last extra round, with ties, seats without points, and sticks."""
    how = set[str]()
    for (name, row), seed in product(ROUNDS.items(), range(6)):
        preferred, hands, draws, dead, *ends, league = map(str.strip, row.split("|"))
        dice = Random(seed)
        start: Any = {key: dice.choice(values) for key, values in STARTS.items()}
        scores = dice.sample(dice.choice(SCORES), 4)
        scores[scores.index(max(scores))] -= 1000 * start["kyotaku"]
        staged = Staged(profile, preferred)
        staged.play_round(wall=wall_of(hands, draws, dead, seed), scores=scores, **start)
        how |= staged.how
        end = staged.ends[0]
        reached = end.reason if isinstance(end, DrawnRound) else str(len(staged.ends))
        assert ends[profile != TENHOU] == reached, (name, seed)
        differs = staged.league_differs - {"+riichi"}  # of the last tiles
        assert differs == {*league.split()} or profile != TENHOU, (name, seed)
    assert how == {"bust", "sticks", "tie", "ahead", "extra"}
