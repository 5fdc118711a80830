"""Features of an opponent: by hand, and against the events that they come from."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import islice

import pytest

from houjuu.game.decisions import Follower
from houjuu.game.events import Call, Deal, Discard, Event, Game, Meld
from houjuu.game.table import Seat, Table, View
from houjuu.game.tiles import KIND, parse_tiles
from houjuu.reading import safety, tenpai_features
from houjuu.reading.opponent import RANK_CLASS, opponent_contexts
from houjuu.reading.tenpai_features import FEATURES
from houjuu.reading.tenpai_features.melds_and_game import NO_RIICHI, NOT_YET
from tests.kit.positions import ankan, changed, chi, melds, pon, view_of


def features_of(view: View, opponent: Seat | None = None) -> dict[str, int]:
    """The features of an opponent, by default seat 1, by name."""
    (context,) = opponent_contexts(view, [opponent or view.seats[1]])
    names = (feature.name for feature in FEATURES)
    return dict(zip(names, tenpai_features.extract(context), strict=True))


def check(features: dict[str, int], **expected: int) -> None:
    assert {name: features[name] for name in expected} == expected


def test_features_at_once_are_those_one_by_one(own_games: list[Game]) -> None:
    """Also those that `extract` leaves out without melds, or while nobody else is in riichi."""
    kinds = set()
    for game in own_games[:3]:
        for decision in islice(Follower(game).discards(), 0, None, 5):
            for context in opponent_contexts(decision.view, decision.view.opponents):
                sources = {"river": context.river}
                expected = [one.compute(sources.get(one.of, context)) for one in FEATURES]
                assert tenpai_features.extract(context) == expected
                row = decision.view.opponents.index(context.seat)
                assert tenpai_features.of_view(decision.view)[row].tolist() == expected
                kinds.add((bool(context.seat.melds), context.faced is None))
    assert len(kinds) == 4


def test_a_river_by_hand() -> None:
    features = features_of(view_of("", "9m 1z' 3p 0s 4s 2z 3p' 8m'", dora="3s"))  # 4s is dora
    check(
        features,
        discards=8,
        tedashi=5,
        tsumogiri_streak=2,
        tedashi_mask_last4=0b1100,
        tedashi_last6=4,
    )
    check(
        features,
        discards_since_2nd_last_tedashi=3,
        yaochu_kinds=3,
        simple_kinds=4,
        discards_4_to_6=2,
    )
    check(
        features,
        early_middles=3,
        discards_before_first_middle=2,
        tedashi_honours=1,
        tedashi_yaochu=2,
    )
    check(
        features,
        tedashi_seconds=0,
        tedashi_middles=3,
        tsumogiri_middles=1,
        late_tedashi_still_useful=0,
    )
    check(features, yaochu_after_middle=1, dora_discarded=2, yakuhai_discarded=1, honour_discards=2)
    check(features, min_suit_discards=2, max_suit_discards=2, flush_run=3, own_live_suji=11)
    check(features, last_discard_class=2, last_discard_seen=1, last_tedashi_is_dora=0)
    check(features, last_tedashi_seen=1, last_tedashi_unseen_around=-1, last_tedashi_again=0)
    check(features, rank_gap_last_tedashi=6, last_two_tedashi=0, second_last_tedashi_class=4)
    check(
        features,
        discards_since_3rd_last_tedashi=4,
        second_discard_class=0,
        live_honours_not_discarded=5,
    )
    check(features, tsumogiri_middles_since=1, last_tedashi_near_discards=7, last_tedashi_passed=0)
    check(features, last_tedashi_gap_in_suit=20)
    check(
        features,
        third_last_tedashi_class=4,
        discards_before_first_call=-1,
        discards_since_call=-1,
        tedashi_since_call=-1,
    )
    check(
        features,
        discards_since_2nd_last_call=-1,
        tedashi_middles_since_call=-1,
        discard_after_call_class=5,
        open_yaku=0,
    )
    check(features, rank=0, points_vs_best=60, points=310, cannot_riichi=0, dealer=0, rounds_left=5)
    check(features, tiles_left=30, others_melds=0, unseen_middles=55, live_yakuhai=5)


def test_the_last_tedashi() -> None:
    """4p after 6p: it lies two ranks from 6p; around it are 2p 3p 5p 6p, with one 6p seen."""
    features = features_of(view_of("", "6p 9s 6p 4p 1s'"))
    check(features, rank_gap_last_tedashi=2, last_two_tedashi=3, last_tedashi_unseen_around=14)
    check(features, third_last_tedashi_class=1, last_tedashi_again=0, last_discard_class=1)
    check(
        features,
        last_tedashi_near_discards=1,
        last_tedashi_gap_in_suit=1,
        discards_since_3rd_last_tedashi=3,
    )
    check(features_of(view_of("", "6p 9s 6p")), last_tedashi_again=1, last_two_tedashi=0)
    check(features_of(view_of("", "3z 3z")), last_tedashi_again=1, last_two_tedashi=1)
    check(features_of(view_of("", "1p 9p")), last_two_tedashi=4, rank_gap_last_tedashi=5)
    late = view_of("", "1z 1z 1z 2z 2z 2z 3z 3z 5m 6m' 7m 7m 7m")
    check(features_of(late), late_tedashi_still_useful=1)


def test_tsumogiri_of_middles_without_any_tedashi() -> None:
    check(features_of(view_of("", "5m' 6p' 9s'")), tsumogiri_middles_since=2, tedashi=0)


def test_the_longest_run_off_the_suit_of_the_last_tedashi() -> None:
    check(features_of(view_of("", "2p 3s 4m 5p 6s 7p 1m")), flush_run=3)  # 5p 6s 7p
    check(features_of(view_of("", "2p 3s 4m 5p 6s 7p 1m 9s")), flush_run=2)  # 4m 5p; 7p 1m


def test_before_the_first_discard() -> None:
    features = features_of(view_of())
    check(
        features,
        last_discard_class=5,
        last_discard_seen=0,
        second_last_tedashi_class=5,
        third_last_tedashi_class=5,
    )
    check(
        features, tedashi_mask_last4=64, discards_since_2nd_last_tedashi=-1, last_tedashi_is_dora=0
    )
    check(features, last_tedashi_seen=0, last_tedashi_unseen_around=-1, last_tedashi_again=0)
    check(
        features,
        rank_gap_last_tedashi=6,
        last_two_tedashi=0,
        discards_before_first_middle=-1,
        flush_run=0,
    )
    check(features, own_live_suji=18, riichi_faced=0, last_discard_safety=6, second_discard_class=5)
    check(
        features,
        discards_since_3rd_last_tedashi=-1,
        tsumogiri_middles_since=0,
        last_tedashi_gap_in_suit=-1,
    )
    check(
        features, last_tedashi_near_discards=7, last_tedashi_passed=0, live_honours_not_discarded=7
    )


def test_melds_by_hand() -> None:
    view = view_of("", "2s 5s 1m 3p", dora="4p")  # seat 1 is North, East's round
    melds = (pon("555z"), chi("340p"), pon("777p"), ankan("1111m"))
    features = features_of(view, dataclasses.replace(view.seats[1], melds=melds))
    check(
        features, chis=1, ryanmen_chis=1, simple_triplets=1, open_yaku=1, discards_in_meld_suits=2
    )
    check(features, min_suit_discards=1)


@pytest.mark.parametrize(
    ("melds", "yaku"),
    [
        ((pon("222z"),), 8),  # of one suit, all triplets
        ((pon("444z"),), 1),  # its own wind
        ((chi("234m"),), 5),  # tanyao, of one suit
        ((chi("234m"), pon("888p")), 3),
        ((chi("123m"), pon("888p")), 2),
        ((pon("222m"), pon("888p")), 7),
    ],
)
def test_yaku_that_melds_allow(melds: tuple[Meld, ...], yaku: int) -> None:
    view = view_of()
    check(features_of(view, dataclasses.replace(view.seats[1], melds=melds)), open_yaku=yaku)


@pytest.mark.parametrize(
    ("tiles", "called", "ryanmen"),
    [
        ("123m", 0, 1),  # 1m to 23m
        ("123m", 1, 0),
        ("123m", 2, 0),
        ("789m", 0, 0),
        ("789m", 2, 1),
        ("456m", 0, 1),
        ("456m", 1, 0),
    ],
)
def test_ryanmen_calls(tiles: str, called: int, ryanmen: int) -> None:
    run = chi(tiles)
    meld = dataclasses.replace(run, called=run.tiles[called])
    view = view_of()
    check(
        features_of(view, dataclasses.replace(view.seats[1], melds=(meld,))), ryanmen_chis=ryanmen
    )


def test_the_game() -> None:
    view = view_of("", "1m", scores=(25000, 900, 44100, 30000), tiles_left=40, dealer=1)
    check(features_of(view), points=9, points_vs_best=-432, rank=3, cannot_riichi=1, dealer=1)
    check(features_of(view_of(tiles_left=3)), cannot_riichi=1)
    check(features_of(view_of(tiles_left=4)), cannot_riichi=0)


def test_a_call_of_the_asker_says_nothing() -> None:
    """Of another hand, where it shows no tile that the asker did not know."""
    hand = parse_tiles("123m456p789s22555z")
    view = view_of("1z", "9m", "9p", "9s 5z", hand=hand)
    own, right, *others = view.seats
    right = dataclasses.replace(right, melds=melds("777z"))
    called = dataclasses.replace(own, melds=melds("555z"))
    before = changed(view, seats=(own, right, *others))
    after = changed(view, seats=(called, right, *others), hand=hand[:-3])
    for opponent in (right, *others):
        features = features_of(before, opponent)
        assert features == features_of(after, opponent)
        assert features["others_melds"] == (opponent is not right)


def test_discards_against_a_riichi() -> None:
    """Seat 2 declares with 5p: 9p is genbutsu, 2p suji, 6m no suji, and passes then."""
    river = "1s 1s 1s 9p 2p 4z 6m 6m"
    features = features_of(view_of("", river, "9p 1m 5p* 9s 9s", tiles_left=1))
    check(
        features,
        dangerous_discards=3,
        dangerous_discards_without_suji=1,
        dangerous_tedashi_without_suji=1,
    )
    check(features, last_discard_safety=safety.GENBUTSU, second_last_discard_safety=safety.NO_SUJI)
    features = features_of(view_of("", "1s 1s 1s 9p 2p 4z 6m'", "9p 1m 5p*"))
    check(features, last_discard_safety=safety.NO_SUJI, second_last_discard_safety=safety.HONOUR)
    check(features, dangerous_discards_without_suji=1, dangerous_tedashi_without_suji=0)
    features = features_of(view_of("", "1s 1s 1s 2p", "9p 1m 5p*"))
    check(features, last_discard_safety=safety.FULL_SUJI, second_last_discard_safety=NOT_YET)
    check(
        features_of(view_of("", "1s 1s 1s 4m", "9p 1m 5p*")), last_discard_safety=safety.HALF_SUJI
    )
    features = features_of(view_of("", "1s 1s 1s 9p", "9p 1m 5p 9s 9s"))
    check(
        features,
        dangerous_discards=0,
        last_discard_safety=NO_RIICHI,
        second_last_discard_safety=NO_RIICHI,
    )


def test_features_follow_from_the_events(games: list[Game]) -> None:
    """Calls and dangerous discards, counted as they happen."""
    compared = 0
    for game in games[:8]:
        table, counter = Table(game.rules), EventCounter()
        for event in game:
            if isinstance(event, Discard):
                view = table.view(event.seat)
                for opponent in view.opponents:
                    check(features_of(view, opponent), **counter.features(opponent))
                    compared += 1
            counter.count(table, event)
            table.apply(event)
    assert compared > 1000


class EventCounter:
    """The events of a round so far."""

    def __init__(self) -> None:
        self.calls: dict[int, list[int]] = {}
        self.dangerous: Counter[int] = Counter()
        self.riichi_faced: Counter[int] = Counter()
        self.discarded: Counter[tuple[int, int]] = Counter()
        self.passed: Counter[int] = Counter()

    def count(self, table: Table, event: Event) -> None:
        if isinstance(event, Deal):
            self.__init__()  # type: ignore[misc]
        elif isinstance(event, Call) and is_call(event.meld):
            n_discards = len(table.seats[event.seat].river)
            self.calls.setdefault(event.seat, []).append(n_discards)
        elif isinstance(event, Discard):
            view, kind = table.view(event.seat), KIND[event.tile]
            riichi = [other.seat for other in view.opponents if other.in_riichi]
            safe = [view.furiten(seat) >> kind & 1 for seat in riichi]
            self.dangerous[event.seat] += not all(safe)
            self.riichi_faced[event.seat] = len(riichi)
            if not event.tsumogiri:
                by_others = [self.discarded[other.seat, kind] for other in view.opponents]
                self.passed[event.seat] = sum(by_others)
            self.discarded[event.seat, kind] += 1

    def features(self, opponent: Seat) -> dict[str, int]:
        calls, n_discards = self.calls.get(opponent.seat, []), len(opponent.river)
        since = opponent.river[calls[-1] :] if calls else ()
        tedashi = [discard.kind for discard in since if not discard.tsumogiri]
        return {
            "discards_before_first_call": calls[0] if calls else -1,
            "discards_since_call": n_discards - calls[-1] if calls else -1,
            "discards_since_2nd_last_call": n_discards - calls[-2] if len(calls) > 1 else -1,
            "tedashi_since_call": len(tedashi) if calls else -1,
            "tedashi_middles_since_call": sum(map(is_middle, tedashi)) if calls else -1,
            "discard_after_call_class": RANK_CLASS[since[0].kind] if since else 5,
            "dangerous_discards": self.dangerous[opponent.seat],
            "riichi_faced": self.riichi_faced[opponent.seat],
            "last_tedashi_passed": self.passed[opponent.seat],
        }


def is_middle(kind: int) -> bool:
    return kind < 27 and 2 <= kind % 9 <= 6


def is_call(meld: Meld) -> bool:
    return meld.source is not None and meld.added is None
