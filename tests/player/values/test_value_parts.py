"""Each part of a value against a sum over the endings, written out with its own payments."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from houjuu.estimators.loading import load_once
from houjuu.game.actions import Action, ActionKind
from houjuu.game.position import position
from houjuu.game.view import View
from houjuu.hands.points import POINTS
from houjuu.player.hand_value.scores import BASE
from houjuu.player.round_end import round_ends
from houjuu.player.round_end.endings import DRAW, TENPAI_PATTERNS, ending, size
from houjuu.player.values import final_ranks
from houjuu.player.values.action_values import ActionValuer
from houjuu.player.values.next_round import AVERAGE_RANK, GAME_VALUES, Ends
from houjuu.player.values.outcome import Outcome, ValuePart
from houjuu.player.values.round_values import RankValues, Standing
from houjuu.player.view_states import DecisionContext, HandsLeft
from houjuu.risk.deal_in import DealIn

PASS = Action(ActionKind.PASS)
MODEL = round_ends.load()
RANK_VALUES = RankValues(final_ranks.load(), AVERAGE_RANK)
SIDES = (None, "right", "across", "left")
RIVERS = ("9s 1z 2z 9m", "9p 1p 3z 4z", "1p 9s* 6p 2s", "9m 1m 5z 4z")


def facing_a_riichi(turn: int, **table: Any) -> View:
    """The same hand on its turn, with the opponent across in riichi; `turn` is 0 for the dealer."""
    rivers = {}
    for relative, name in enumerate(("self", "right", "across", "left")):
        kept = 4 if (turn + relative) % 4 < turn else 3
        rivers[name] = " ".join(RIVERS[relative].split()[:kept])
    return position("234567m34588p78s + 1z", rivers, dora="2m", seat="ESWN"[turn], **table)


POSITIONS = {
    "dealer": facing_a_riichi(0),
    "honba and sticks": facing_a_riichi(
        1, round="E3.2", scores=(19_000, 31_000, 23_000, 24_000), riichi_sticks=3
    ),
    "last round": facing_a_riichi(2, round="S4.1", scores=(27_300, 24_700, 25_000, 22_000)),
}


def rounded_up(points: float) -> int:
    return math.ceil(round(points, 6) / 100) * 100


def win_changes(view: View, winner: int, payer: int, base: float, sticks: int) -> list[int]:
    """The changes of the scores by a win, by relative seats."""
    dealer = (view.dealer - view.seat) % 4
    changes = [0] * 4
    for seat in range(4):
        if seat != winner and winner == payer:
            factor = 2 if dealer in (seat, winner) else 1
            changes[seat] = -rounded_up(factor * base) - 100 * view.honba
    if winner != payer:
        factor = 6 if winner == dealer else 4
        changes[payer] = -rounded_up(factor * base) - 300 * view.honba
    changes[winner] = -sum(changes) + 1000 * sticks
    return changes


def draw_changes(tenpai: list[int]) -> list[int]:
    ready = sum(tenpai)
    if ready in (0, 4):
        return [0] * 4
    return [3000 // ready if is_tenpai else -(3000 // (4 - ready)) for is_tenpai in tenpai]


USUAL = [(240, 320), (400, 480), (640, 800), (960, 960)]
USUAL += [(1280, 1600), (1920, 2000), (3000, 3000), (4000, 8000)]


def bases(index: int) -> Iterator[tuple[int, float]]:
    """The base points of the usual scores of a size with their shares, which have its mean."""
    low, high = USUAL[index]
    mean = 4 * MODEL.base_points[index]
    least, most = rounded_up(4 * low), rounded_up(4 * high)
    share = min(max((mean - least) / (most - least), 0.0), 1.0) if most > least else 0.0
    yield from ((low, 1 - share), (high, share))


@cache
def effect_of(standing: Standing, *end: int) -> float:
    """That of the scores after a round, and who deals next with which honba and sticks."""
    *scores, stays, honba, sticks = end
    ends = Ends.one(np.array(scores), bool(stays), honba, sticks)
    return float(RANK_VALUES.effects(standing, ends)[0])


class Sums:
    """The parts of one action, summed over the endings one by one.

    Parameters
    ----------
    view : View
    pays_stick : bool
        Whether the seat pays a riichi stick, unless its discard deals in.
    """

    def __init__(self, view: View, pays_stick: bool) -> None:
        self.view, self.pays_stick = view, pays_stick
        self.parts: dict[str, float] = defaultdict(float)
        self.win = self.deal_in = self.value = 0.0

    def effect(
        self, changes: list[int], *, stays: bool, honba: int, sticks: int, pays: bool
    ) -> float:
        view, seat = self.view, self.view.seat
        scores = np.array(view.scores)
        for relative, change in enumerate(changes):
            scores[(seat + relative) % 4] += change
        scores[seat] -= 1000 * pays
        end = (*scores.tolist(), stays, honba, sticks)
        return effect_of(Standing.from_view(view), *end)

    def add(self, name: str, probability: float, points: float, effect: float, pays: bool) -> None:
        self.parts[name] += probability * points
        self.parts["riichi stick"] -= probability * 1000 * pays
        self.parts["score situation"] += probability * (effect - points + 1000 * pays)
        self.value += probability * effect

    def add_win(
        self, name: str, probability: float, winner: int, payer: int, base: float, *, pays: bool
    ) -> None:
        changes = win_changes(self.view, winner, payer, base, self.view.riichi_sticks + pays)
        stays = winner == (self.view.dealer - self.view.seat) % 4
        honba = self.view.honba + 1 if stays else 0
        effect = self.effect(changes, stays=stays, honba=honba, sticks=0, pays=pays)
        self.add(name, probability, changes[0], effect, pays)
        self.win += probability * (winner == 0)
        self.deal_in += probability * (payer == 0 != winner)

    def add_draw(self, probability: float, tenpai: list[int]) -> None:
        changes, pays = draw_changes(tenpai), self.pays_stick
        stays = tenpai[(self.view.dealer - self.view.seat) % 4] == 1
        sticks = self.view.riichi_sticks + pays
        effect = self.effect(
            changes, stays=stays, honba=self.view.honba + 1, sticks=sticks, pays=pays
        )
        self.add("draw", probability, changes[0], effect, pays)


def summed(view: View, hands: HandsLeft, risk: DealIn | None, *, pays: bool) -> Iterator[Sums]:
    """The sums of each action."""
    model, tenpai = MODEL, load_once().tenpai(view)
    states = DecisionContext(view, tenpai).states(hands)
    endings, sizes = model.predict_endings(states), model.predict_sizes(states)
    scores = model.predict_scores(states)
    endings[:, ending(0, 0) : ending(0, 3) + 1] *= math.exp(0.15 * (4 - hands.turns_until_draw) / 3)
    endings /= endings.sum(axis=1, keepdims=True)
    ready = model.predict_tenpai_at_draw(states)
    for row, tile in enumerate(hands.discards):
        sums, passes = Sums(view, pays), 1.0
        if risk is not None and tile is not None:
            for opponent, codes in enumerate(risk.scores_of_tiles([tile])[0], start=1):
                for code in np.flatnonzero(codes).tolist():
                    name = f"deals in now: {SIDES[opponent]}"
                    for base, share in bases(size(POINTS[0][code] / 4)):
                        sums.add_win(name, share * codes[code], opponent, 0, base, pays=False)
                    passes -= codes[code]
        for winner in range(4):
            for payer in range(4):
                win = ending(winner, payer)
                name = "own win" if winner == 0 else "opponents' wins"
                if payer == 0 != winner:
                    name = f"deals in later: {SIDES[winner]}"
                tsumo = int(winner == payer)
                by_size = sizes[row, winner - 1, tsumo]
                shares = (
                    zip(BASE, scores[row, tsumo], strict=True)
                    if winner == 0
                    else ((b, p * q) for i, p in enumerate(by_size) for b, q in bases(i))
                )
                for base, share in shares:
                    chance = passes * endings[row, win] * share
                    sums.add_win(name, chance, winner, payer, base, pays=pays)
        for pattern in TENPAI_PATTERNS.tolist():
            chances = [p if flag else 1 - p for p, flag in zip(ready[row], pattern, strict=True)]
            sums.add_draw(passes * endings[row, DRAW] * math.prod(chances), pattern)
        yield sums


def discards(view: View, *, riichi: bool) -> HandsLeft:
    """Those of two tiles, with or without riichi."""
    tiles = [view.hand[0], view.hand[-1]]
    concealed = [[kept for kept in view.hand if kept != tile] for tile in tiles]
    return HandsLeft(concealed, tiles, riichi=riichi)


def valuer_of(view: View, rank_values: RankValues = RANK_VALUES) -> ActionValuer:
    context = DecisionContext(view, load_once().tenpai(view))
    return ActionValuer(context, rank_values, MODEL)


def assert_same(value: Outcome, sums: Sums) -> None:
    for part in ValuePart:
        assert value.parts[part] == pytest.approx(sums.parts[part], abs=1e-6), part
    assert value.value == pytest.approx(sums.value, abs=1e-6)
    assert value.value == pytest.approx(sum(value.parts.values()), abs=1e-6)
    assert value.win == pytest.approx(sums.win)
    assert value.deal_in == pytest.approx(sums.deal_in)


@pytest.mark.parametrize("riichi", [False, True])
@pytest.mark.parametrize("view", POSITIONS.values(), ids=POSITIONS)
def test_every_part_is_the_sum_of_its_endings(view: View, riichi: bool) -> None:
    risk, hands = load_once().deal_in(view), discards(view, riichi=riichi)
    valuer = valuer_of(view)
    values = valuer.after([PASS] * 2, hands, risk)
    for value, sums in zip(values, summed(view, hands, risk, pays=riichi), strict=True):
        assert_same(value, sums)
        assert (value.parts[ValuePart.RIICHI_STICK] < 0) == riichi
        assert abs(value.parts[ValuePart.SCORE_SITUATION]) > 1
    assert values[0].parts[ValuePart.DEALS_IN_NOW_ACROSS] < 0  # 2m against the riichi


def test_a_safe_action_has_no_deal_in_now() -> None:
    view = POSITIONS["honba and sticks"]
    hands = HandsLeft([view.hand[:-1]], [None], turns_until_draw=2)
    (value,) = valuer_of(view).after([PASS], hands)
    (sums,) = summed(view, hands, None, pays=False)
    assert_same(value, sums)


@pytest.mark.parametrize("riichi", [False, True])
def test_points_alone_have_no_score_situation(riichi: bool) -> None:
    """Where a point is worth a point everywhere, the payments are the whole value."""
    view = POSITIONS["honba and sticks"]
    valuer = valuer_of(view, RankValues(final_ranks.load(), GAME_VALUES["points"]))
    risk = load_once().deal_in(view)
    for value in valuer.after([PASS] * 2, discards(view, riichi=riichi), risk):
        assert value.parts[ValuePart.SCORE_SITUATION] == pytest.approx(0, abs=1e-6)
        assert value.value == pytest.approx(sum(value.parts.values()), abs=1e-6)


def test_a_dama_hand_without_a_yaku_is_in_part_its_later_riichi() -> None:
    """A hand with a yaku is not, nor one that cannot pay a stick."""

    def outcomes(tiles: str, own: int = 25_000) -> tuple[Outcome, Outcome, int]:
        rivers = ["9s 3z", "9p 1p", "1p 9s", "9m 1m"]
        view = position(f"{tiles} + 1z", rivers, dora="2m", scores={"self": own})
        valuer = valuer_of(view)
        left = HandsLeft([view.hand[:-1]], [view.hand[-1]])
        made = (valuer.after([PASS], left._replace(riichi=riichi)) for riichi in (False, True))
        (dama,), (declared,) = made
        return dama, declared, view.tiles_left // 4 - 1

    dama, declared, draws = outcomes("123456m33789p46s")
    alone, *_ = outcomes("123456m33789p46s", 900)
    share = 1 - (1 - 0.058) ** draws
    assert share > 0.5
    assert dama.win == pytest.approx(alone.win + share * (declared.win - alone.win))
    won, won_alone, won_declared = (one.win * one.win_points for one in (dama, alone, declared))
    assert won == pytest.approx(won_alone + share * (won_declared - won_alone))
    assert dama.value == pytest.approx(sum(dama.parts.values()))
    assert dama.parts[ValuePart.RIICHI_STICK] == 0 > declared.parts[ValuePart.RIICHI_STICK]
    assert outcomes("234567m33678p46s")[0].win == outcomes("234567m33678p46s", 900)[0].win


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_nearer_draw_wins_more_often(turns: int) -> None:
    """Turns of the others that are not played before the own draw better its odds alone."""
    view = POSITIONS["honba and sticks"]
    assert view.tiles_left % 4 == 0  # as many draws are left after each number of turns
    valuer = valuer_of(view)
    usual = HandsLeft([view.hand[:-1]], [None])
    nearer = usual._replace(turns_until_draw=turns)
    (last,), (near,) = (valuer.after([PASS], hands) for hands in (usual, nearer))
    gained = math.log(near.win / (1 - near.win)) - math.log(last.win / (1 - last.win))
    assert gained == pytest.approx(0.15 * (4 - turns) / 3)
    assert near.parts[ValuePart.DRAW] / near.parts[ValuePart.OWN_WIN] == pytest.approx(
        last.parts[ValuePart.DRAW] / last.parts[ValuePart.OWN_WIN] * math.exp(-gained)
    )
    assert near.value > last.value


def test_a_win_is_its_payments_and_its_score_situation() -> None:
    view = POSITIONS["honba and sticks"]
    valuer = valuer_of(view)
    changes = win_changes(view, 0, 2, 2000, view.riichi_sticks)
    payments = np.zeros(4, np.int64)
    for relative, change in enumerate(changes):
        payments[(view.seat + relative) % 4] = change
    value = valuer.own_win(Action(ActionKind.TSUMO, view.hand[0]), payments)
    effect = Sums(view, False).effect(changes, stays=False, honba=0, sticks=0, pays=False)
    assert value.value == pytest.approx(effect)
    assert {part: points for part, points in value.parts.items() if points} == {
        ValuePart.OWN_WIN: changes[0],
        ValuePart.SCORE_SITUATION: pytest.approx(effect - changes[0]),
    }
    assert changes[0] == 8000 + 600 + 3000
    assert (value.win, value.deal_in) == (1.0, 0.0)


def test_an_abort_changes_the_next_round_alone() -> None:
    view = POSITIONS["last round"]
    valuer = valuer_of(view)
    value = valuer.abort(Action(ActionKind.NINE_TERMINALS))
    effect = Sums(view, False).effect(
        [0] * 4, stays=True, honba=view.honba + 1, sticks=view.riichi_sticks, pays=False
    )
    assert value.value == value.parts[ValuePart.SCORE_SITUATION] == pytest.approx(effect)
    assert abs(effect) > 1
    assert (value.win, value.deal_in) == (0.0, 0.0)
    assert sum(map(abs, value.parts.values())) == abs(value.value)


def test_parts_keep_their_labels() -> None:
    """Pages and reviews read them."""
    assert [*ValuePart] == [
        "own win",
        "draw",
        "opponents' wins",
        *(f"deals in now: {side}" for side in SIDES[1:]),
        *(f"deals in later: {side}" for side in SIDES[1:]),
        "riichi stick",
        "score situation",
        "preference",
    ]
    assert ValuePart.OWN_WIN.value == str(ValuePart.OWN_WIN) == "own win"
