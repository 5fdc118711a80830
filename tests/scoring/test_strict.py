"""Strict checks of the course of a game, by games that nearly follow the rules."""

from __future__ import annotations

import re
from contextlib import nullcontext
from dataclasses import replace
from typing import NamedTuple

import pytest

from houjuu import logs
from houjuu.game.events import (
    Away,
    Back,
    Call,
    Deal,
    Discard,
    Draw,
    DrawnRound,
    DrawReason,
    Event,
    FinalScores,
    Game,
    Meld,
    MeldKind,
    Riichi,
    RiichiAccepted,
    RoundEnd,
    Rules,
    Win,
)
from houjuu.game.game_end import results
from houjuu.game.table import Table
from houjuu.game.tiles import parse_tiles
from houjuu.logs import mjlog
from houjuu.scoring import strict
from houjuu.scoring.strict import course, game_end, hands
from houjuu.scoring.strict.course import End
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import LogError
from tests.fuzz.meaning import KINDS, POSSIBLE, damaged
from tests.kit import real

HANCHAN, EAST_ONLY, CHIPS, OLD = (
    Rules(0xA9, "0"),
    Rules(0xE1, "0"),
    Rules(0x209, "0"),
    Rules(0xA9),
)
OLD_EAST_ONLY = Rules(0xE1)
NOBODY_ABOVE = (29_900, 25_000, 25_000, 20_100)
FIRST_ABOVE = (30_000, 25_000, 25_000, 20_000)
LAST_ABOVE = (20_000, 25_000, 25_000, 30_000)
TENPAI = parse_tiles("123456789m1234p")
NOTEN = None
FINAL: FinalScores = ((25_000, 0.0),) * 4


def draw(reason: DrawReason = DrawReason.EXHAUSTED, dealer: int | None = None) -> End:
    shown = tuple(TENPAI if seat == dealer else NOTEN for seat in range(4))
    return (DrawnRound(reason, shown, tuple(seat == dealer for seat in range(4))),)


def win(seat: int) -> End:
    return (Win(seat, (seat + 1) % 4, 0),)


class Verdict(NamedTuple):
    """Whether a game may go on after the end of a round, and whether it may stop."""

    goes_on: bool
    stops: bool


ON, OVER, EITHER = Verdict(True, False), Verdict(False, True), Verdict(True, True)


def accepted(check: object, *arguments: object) -> bool:
    assert callable(check)
    try:
        check(*arguments)
    except LogError:
        return False
    return True


def verdict(rules: Rules, round: int, scores: tuple[int, int, int, int], end: End) -> Verdict:
    table = Table(rules)
    table.apply(Deal(round, 0, 0, round % 4, scores, 135, (None,) * 4))
    following = Deal(round + 1, 0, 0, (round + 1) % 4, scores, 135, (None,) * 4)
    return Verdict(
        accepted(game_end.check_deal, table, rules, following, end),
        accepted(game_end.check_stop, table, Game("a", rules, (), (), FINAL), end),
    )


@pytest.mark.parametrize(
    ("rules", "round", "scores", "end", "expected"),
    [
        (HANCHAN, 7, FIRST_ABOVE, win(0), OVER),
        (HANCHAN, 7, NOBODY_ABOVE, win(0), ON),
        (HANCHAN, 6, FIRST_ABOVE, win(0), ON),
        (HANCHAN, 3, FIRST_ABOVE, win(0), ON),
        (EAST_ONLY, 3, FIRST_ABOVE, win(0), OVER),
        (EAST_ONLY, 2, FIRST_ABOVE, win(0), ON),
        (HANCHAN, 7, FIRST_ABOVE, draw(), OVER),
        (HANCHAN, 7, FIRST_ABOVE, win(3), ON),  # the dealer stays, but does not lead
        (HANCHAN, 7, LAST_ABOVE, win(3), OVER),
        (HANCHAN, 7, FIRST_ABOVE, draw(dealer=3), ON),
        (HANCHAN, 7, LAST_ABOVE, draw(dealer=3), OVER),
        (HANCHAN, 7, LAST_ABOVE, draw(DrawReason.NAGASHI_MANGAN, 3), OVER),
        (HANCHAN, 7, LAST_ABOVE, draw(DrawReason.FOUR_RIICHI), ON),
        (HANCHAN, 7, (30_000, 10_000, 30_000, 30_000), win(3), ON),  # seat 0 wins the tie
        (HANCHAN, 8, FIRST_ABOVE, win(1), OVER),
        (HANCHAN, 8, NOBODY_ABOVE, win(1), ON),
        (HANCHAN, 11, NOBODY_ABOVE, win(1), OVER),
        (EAST_ONLY, 7, NOBODY_ABOVE, draw(), OVER),
        (HANCHAN, 0, (-100, 30_000, 30_000, 40_100), win(1), OVER),
        (HANCHAN, 0, (-100, 30_000, 30_000, 40_100), draw(DrawReason.FOUR_KANS), OVER),
        (HANCHAN, 0, (0, 30_000, 30_000, 40_000), win(1), ON),
        (OLD, 7, FIRST_ABOVE, win(0), OVER),
        (OLD, 7, LAST_ABOVE, win(3), OVER),
        (OLD, 7, LAST_ABOVE, draw(dealer=3), EITHER),
        (OLD, 7, FIRST_ABOVE, draw(dealer=3), ON),
        (OLD_EAST_ONLY, 7, NOBODY_ABOVE, draw(), EITHER),
        (CHIPS, 7, FIRST_ABOVE, win(0), EITHER),
        (CHIPS, 6, FIRST_ABOVE, win(0), ON),
        (CHIPS, 0, (-100, 30_000, 30_000, 40_100), win(1), EITHER),
        (HANCHAN, 6, FIRST_ABOVE, (RoundEnd(),), EITHER),
    ],
)
def test_when_a_game_is_over(
    rules: Rules, round: int, scores: tuple[int, int, int, int], end: End, expected: Verdict
) -> None:
    assert verdict(rules, round, scores, end) == expected


def test_no_round_follows_the_last_extra_round() -> None:
    stays = draw(dealer=0)
    assert verdict(HANCHAN, 12, NOBODY_ABOVE, stays).goes_on is False
    assert verdict(OLD_EAST_ONLY, 8, NOBODY_ABOVE, draw(dealer=0)).goes_on is True


def test_a_game_without_final_scores_may_stop(own_games: list[Game]) -> None:
    _, _, third, *_ = (i for i, event in enumerate(own_games[0]) if isinstance(event, Deal))
    strict.check(replace(own_games[0], events=own_games[0].events[:third], final=None))


def test_a_game_without_an_end_of_the_last_round_is_refused() -> None:
    deal = Deal(0, 0, 0, 0, (25_000,) * 4, 135, (None,) * 4)
    with pytest.raises(LogError, match="stops before its end"):
        strict.check(Game("a", HANCHAN, (), (deal,), FINAL))


def test_a_game_begins_with_25000_points() -> None:
    deal = Deal(0, 0, 0, 0, (26_000, 24_000, 25_000, 25_000), 135, (None,) * 4)
    strict.check(Game("a", CHIPS, (), (deal,)))
    with pytest.raises(LogError, match="does not begin with 25000 points each"):
        strict.check(Game("a", HANCHAN, (), (replace(deal, scores=(30_000,) * 4),)))
    strict.check(Game("a", Rules(stated=False), (), (replace(deal, scores=(30_000,) * 4),)))


SCORES = (41_200, 24_500, 26_900, 7_400)


@pytest.mark.parametrize(
    ("rules", "final", "is_known"),
    [
        (HANCHAN, (51.2, -15.5, 6.9, -42.6), True),
        (HANCHAN, (51.0, -15.0, 7.0, -43.0), True),  # rounded, as until 2022
        (HANCHAN, (52.2, -15.5, 6.9, -43.6), False),
        (HANCHAN, (51.3, -15.5, 6.9, -42.6), False),
        (HANCHAN, (52.0, -16.0, 7.0, -43.0), False),
        (HANCHAN, (51.2, 6.9, -15.5, -42.6), False),
        (HANCHAN, (36.0, -10.0, 2.0, -28.0), False),
        (EAST_ONLY, (36.0, -10.0, 2.0, -28.0), False),
        (EAST_ONLY, (36.0, -10.0, 2.0, -33.0), False),
        (EAST_ONLY, (41.0, -10.0, 2.0, -33.0), True),  # uma of 10 and 5, as in 2009
        (Rules(0x09), (31.2, -5.5, 6.9, -32.6), True),  # of Mahjong Soul
        (HANCHAN, (31.2, -5.5, 6.9, -32.6), False),
        (CHIPS, (61.2, -15.5, 6.9, -52.6), True),
    ],
)
def test_results_follow_from_a_known_uma(
    rules: Rules, final: tuple[float, ...], is_known: bool
) -> None:
    game = Game("a", rules, (), (), tuple(zip(SCORES, final, strict=True)))
    assert accepted(game_end.check_results, game) is is_known


@pytest.mark.parametrize(
    ("final", "problem"),
    [
        ((61.2, -15.5, 6.9, -52.6), None),
        ((61.2, -15.5, 6.9, -51.6), "the final results do not sum to 0"),
        ((61.2, 6.9, -15.5, -52.6), "the final results are not in the order"),
    ],
)
def test_results_by_rules_of_a_lobby(final: tuple[float, ...], problem: str | None) -> None:
    """Its uma is not known, but the sum and the order are."""
    game = Game("a", CHIPS, (), (), tuple(zip(SCORES, final, strict=True)))
    with nullcontext() if problem is None else pytest.raises(LogError, match=problem):
        course.check_final(game, SCORES, None)


def test_scores_are_rounded_away_from_0() -> None:
    assert results((62_500, 30_000, 9_000, -1_500), whole=True) == (73.0, 10.0, -31.0, -52.0)


@pytest.mark.parametrize("dice", [(0, 6), (-1, 0), (7, 3)])
def test_impossible_dice(dice: tuple[int, int]) -> None:
    deal = Deal(0, 0, 0, 0, (25_000,) * 4, 135, (None,) * 4, dice)
    with pytest.raises(LogError, match="the dice are not 0 to 5"):
        strict.check(Game("a", HANCHAN, (), (deal,)))
    strict.check(Game("a", HANCHAN, (), (replace(deal, dice=(0, 5)),)))


@pytest.mark.parametrize(("flags", "unknown"), [(0x109, "0x100"), (0x1109, "0x1100"), (0xE09, "")])
def test_flags_that_are_not_known_are_counted(flags: int, unknown: str) -> None:
    game = Game("a", Rules(flags), (), ())
    strict.check(game)
    named = [name for name in strict.missing_details(game) if "flags" in name]
    assert named == ([f"meaning of the flags {unknown} of a game's rules"] if unknown else [])


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ((Away(0), Back(0), Away(0)), None),
        ((Away(0), Away(1), Back(0)), None),
        ((Away(1), Back(2)), "comes back without having left: seat 2"),
    ],
)
def test_who_is_away(events: tuple[Event, ...], problem: str | None) -> None:
    deal = Deal(0, 0, 0, 0, (25_000,) * 4, 135, (None,) * 4)
    game = Game("a", HANCHAN, (), (deal, *events))
    if problem is None:
        strict.check(game)
        return
    with pytest.raises(LogError, match=problem):
        strict.check(game)


def table_in_riichi(hand: str, drawn: str) -> Table:
    """A table at which seat 0 is in riichi and has drawn; the other hands are hidden."""
    tiles = parse_tiles(f"{hand}4z{drawn}567z6z")
    own, (first, second, *others, indicator) = tiles[:13], tiles[13:]
    table = Table()
    for event in (
        Deal(0, 0, 0, 0, (25_000,) * 4, indicator, (own, None, None, None)),
        Draw(0, first),
        Riichi(0),
        Discard(0, first, tsumogiri=True),
        RiichiAccepted(0),
        *(event for seat in (1, 2, 3) for event in _turn(seat, others[seat - 1])),
        Draw(0, second),
    ):
        table.apply(event)
    return table


def _turn(seat: int, tile: int) -> tuple[Event, Event]:
    return Draw(seat, tile), Discard(seat, tile, tsumogiri=True)


@pytest.mark.parametrize(
    ("hand", "drawn", "kan", "problem"),
    [
        ("111z234567p78s99m", "1z", "1111z", None),
        ("3334m234567p789s", "3m", "3333m", "changes the waits"),
        ("1111z234567p78s1m", "2z", "1111z", "is not of the drawn tile"),
        ("222345m567p78s99m", "2m", "2222m", None),
    ],
)
def test_closed_kans_in_riichi(hand: str, drawn: str, kan: str, problem: str | None) -> None:
    table = table_in_riichi(hand, drawn)
    call = Call(0, Meld(MeldKind.ANKAN, parse_tiles(kan)))
    if problem is None:
        hands.check_kan(table, call)
        table.apply(call)
        return
    with pytest.raises(LogError, match=problem):
        hands.check_kan(table, call)


def test_an_exhausted_draw_follows_the_last_discard() -> None:
    table = table_in_riichi("111z234567p78s99m", "1z")
    with pytest.raises(LogError, match="the last discard is missing: seat 0"):
        course.check_exhausted(table, DrawnRound(DrawReason.EXHAUSTED))
    course.check_exhausted(table, DrawnRound(DrawReason.NINE_TERMINALS))


@pytest.fixture(scope="module", params=["own", pytest.param("real", marks=pytest.mark.real_logs)])
def files(request: pytest.FixtureRequest, own_games: list[Game]) -> list[tuple[str, bytes]]:
    """Logs of mjlog, by name."""
    if request.param == "own":
        return [(f"{game.id}.xml", mjlog.write(game)) for game in own_games]
    return [log for name in ("tokujou-hanchan", "phoenix-tonpuu") for log in real.games(name, 6)]


def refusal(name: str, data: bytes) -> str:
    try:
        strict.check(logs.parse(data, name, judge=scored))
    except LogError as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_damage_to_the_meaning_is_refused(kind: str, files: list[tuple[str, bytes]]) -> None:
    """In every game with a place for it, by the rule that it breaks, unless a game can be so."""
    tries = ((name, damaged(data, kind, seed)) for seed, (name, data) in enumerate(files))
    reasons = [refusal(name, data) for name, data in tries if data is not None]
    refused = [reason for reason in reasons if reason]
    assert refused == reasons or (kind in POSSIBLE and refused)
    assert [reason for reason in refused if not re.search(KINDS[kind][1], reason)] == []
