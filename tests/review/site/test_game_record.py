"""The record of a seat in a game equals what an independent reading of its events gives."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from mahjong.shanten import Shanten

from houjuu.estimators.protocol import Estimator
from houjuu.game.decisions import Follower
from houjuu.game.events import Away, Back, Call, Deal, Discard, Game, Riichi, RiichiAccepted, Win
from houjuu.game.tiles import KIND, KINDS
from houjuu.review.discard_context import Threat, discard_context
from houjuu.review.review_data import review
from houjuu.review.site.game_record import GameRecord, game_records, with_review
from houjuu.scoring.seat_rounds import SeatResult, WinnerType, final_scores, order, seat_rounds
from houjuu.util.errors import Error
from tests.review.page_data import reviewed_records

ROUNDED = 6e-6  # half of the last of five decimals


@pytest.fixture(scope="module")
def records(own_games: list[Game]) -> list[GameRecord]:
    return reviewed_records(own_games[0])


def test_a_record_survives_json(records: list[GameRecord]) -> None:
    for record in records:
        assert GameRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record


def test_discards_equal_the_review(
    own_games: list[Game], records: list[GameRecord], estimator: Estimator
) -> None:
    """The estimates are those of the estimator, and the losses those of the log."""
    n_rons = 0
    for record in records:
        decisions = Follower(own_games[0], [record.seat]).decisions()
        for own, decision in zip(record.discards, decisions, strict=True):
            risk = estimator.deal_in(decision.view)[decision.discard]
            assert own.tile == risk.name
            assert own.deal_in == pytest.approx(risk.probability, abs=2 * ROUNDED)
            assert (own.deal_in == 0) == (risk.probability == 0)
            assert own.points == pytest.approx(risk.points, abs=0.006)
            assert own.dealt_in == bool(decision.rons)
            paid = [-win.deltas[win.source] for win in decision.rons if win.deltas]
            assert own.lost == sum(paid)
            assert own.step == own.turn == decision.turn + 1
            n_rons += own.dealt_in
    assert n_rons > 1


def test_steps_count_the_other_decisions_of_the_page(
    own_games: list[Game], records: list[GameRecord], estimator: Estimator
) -> None:
    data = review(own_games[0], 0, estimator)
    steps = data["rounds"][0]["decisions"]
    steps.insert(2, {**steps[2], "discard_index": None, "situation": None})
    found = [one.step for one in with_review(records[0], data).discards if one.round == 0]
    assert found == [1, 2, *range(4, len(steps) + 1)]


def threats(game: Game, seat: int) -> list[Threat]:
    """The threat of every discard of a seat, from the events alone."""
    found: list[Threat] = []
    riichi: list[int] = []
    accepted: set[int] = set()
    melds = [0] * 4
    for event in game:
        match event:
            case Deal():
                riichi, accepted, melds = [], set(), [0] * 4
            case Riichi():
                riichi.append(event.seat)
            case RiichiAccepted():
                accepted.add(event.seat)
            case Call() if event.meld.is_open and event.meld.added is None:
                melds[event.seat] += 1
            case Discard() if event.seat == seat:
                others = accepted - {seat}
                if seat in riichi:
                    first = riichi[0] == seat
                    found.append(Threat.FIRST_RIICHI if first else Threat.CHASING_RIICHI)
                elif others:
                    several = len(others) > 1
                    found.append(Threat.AGAINST_RIICHIS if several else Threat.AGAINST_RIICHI)
                else:
                    most = max(count for other, count in enumerate(melds) if other != seat)
                    found.append(Threat.AGAINST_MELDS if most >= 2 else Threat.NONE)
    return found


def test_threats(own_games: list[Game]) -> None:
    seen: set[str] = set()
    for game in own_games:
        for seat in range(4):
            decisions = Follower(game, [seat]).decisions()
            found = [discard_context(decision.view)["threat"] for decision in decisions]
            assert found == threats(game, seat)
            seen |= set(found)
    assert seen == set(Threat)


def test_last_round_and_leading(own_games: list[Game], records: list[GameRecord]) -> None:
    deals = [event for event in own_games[0] if isinstance(event, Deal)]
    n_leading = 0
    for record in records:
        for discard in record.discards:
            assert discard.situation["last_round"] == (deals[discard.round].round >= 7)
        firsts = [discard for discard in record.discards if discard.turn == 1]
        for discard in firsts:
            scores = deals[discard.round].scores or ()
            leads = order_of(scores)[0] == record.seat
            assert discard.situation["leading"] == leads
            n_leading += leads
    assert n_leading > 4


def order_of(scores: tuple[int, ...]) -> list[int]:
    return sorted(range(4), key=lambda seat: (-scores[seat], seat))


def test_the_hand_behind_a_deal_in(own_games: list[Game]) -> None:
    """As the package `mahjong` counts it at the discard; no other round has it."""
    counted: list[int] = []
    for game in own_games:
        rounds = list(seat_rounds(game))
        for seat in range(4):
            shanten: dict[int, int] = {}
            for decision in Follower(game, [seat]).decisions():
                if decision.rons:
                    kinds = [KIND[tile] for tile in decision.view.hand if tile != decision.discard]
                    counts = [kinds.count(kind) for kind in range(KINDS)]
                    shanten[decision.round] = Shanten().calculate_shanten(counts)
            assert [one[seat].shanten for one in rounds] == [
                shanten.get(number) for number in range(len(rounds))
            ]
            counted += shanten.values()
    assert {0, 1} < set(counted)


def test_a_hidden_hand_has_no_shanten(own_games: list[Game]) -> None:
    events = (
        replace(one, hands=(None,) * 4) if isinstance(one, Deal) else one
        for one in own_games[0].events
    )
    rounds = seat_rounds(replace(own_games[0], events=tuple(events)))
    assert {seat.shanten for seats in rounds for seat in seats} == {None}


def test_final_scores_follow_from_the_last_round(own_games: list[Game]) -> None:
    for game in own_games:
        hidden = replace(game, final=None)
        sticks = 100_000 - sum(final_scores(hidden))  # those that nobody won are still on the table
        assert sticks % 1000 == 0
        if not sticks:
            assert final_scores(hidden) == final_scores(game)
        assert order(hidden) == order(game)
    without = tuple(
        replace(event, deltas=None) if isinstance(event, Win) else event for event in game.events
    )
    with pytest.raises(Error, match="has no final scores"):
        final_scores(Game(game.id, game.rules, game.players, without[:-1]))


def test_winners_and_players_who_are_away(own_games: list[Game]) -> None:
    game = own_games[0]
    first, second = [i for i, event in enumerate(game.events) if isinstance(event, Deal)][:2]
    events = list(game.events)
    events[second + 1 : second + 1] = [Back(1)]
    events[first + 1 : first + 1] = [Away(1)]
    rounds = list(seat_rounds(replace(game, events=tuple(events))))
    assert [seats[1].away for seats in rounds] == [True, True] + [False] * (len(rounds) - 2)
    assert not any(seats[0].away for seats in rounds)
    wins = [event for event in game if isinstance(event, Win)]
    types = {seats[0].winner for seats in rounds}
    assert types & {WinnerType.RIICHI, WinnerType.MELDS}
    n_winners = sum(seat.outcome is SeatResult.WIN for seats in rounds for seat in seats)
    assert n_winners == len(wins) > 3


def test_discards_while_away_do_not_count(own_games: list[Game], estimator: Estimator) -> None:
    game = own_games[0]
    deal = next(i for i, event in enumerate(game.events) if isinstance(event, Deal))
    events = (*game.events[: deal + 1], Away(2), *game.events[deal + 1 :])
    absent = replace(game, events=events)
    (record,) = game_records(absent, [2])
    assert not with_review(record, review(absent, 2, estimator)).discards
    assert record.rounds[0].away
