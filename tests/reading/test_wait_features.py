"""The evidence of a wait: by hand, and its ranges in whole games."""

from __future__ import annotations

import dataclasses

import numpy as np

from houjuu.events import Discard, Game
from houjuu.reading import wait_features
from houjuu.reading.opponent import opponent_contexts
from houjuu.reading.wait_features import BY_KIND, BY_SUIT, LAYOUT, LENGTH, NO_SUIT, WHOLE
from houjuu.table import Seat, Table, View
from houjuu.tiles import COPIES, KINDS, parse_kind, parse_tiles
from tests.positions import ankan, chi, pon, view_of


def of_kind(view: View, name: str, opponent: Seat | None = None) -> dict[str, int]:
    """The numbers of an entry that are not 0, by kind, for seat 1."""
    (case,) = opponent_contexts(view, [opponent or view.seats[1]])
    numbers = wait_features.per_kind(wait_features.extract(case), name)
    names = [f"{kind % 9 + 1}{'mpsz'[kind // 9]}" for kind in range(KINDS)]
    return {name: int(n) for name, n in zip(names, numbers, strict=True) if n}


def whole(view: View, opponent: Seat | None = None) -> dict[str, int]:
    (case,) = opponent_contexts(view, [opponent or view.seats[1]])
    numbers = wait_features.extract(case)[-len(WHOLE) :].tolist()
    return dict(zip([entry.name for entry in WHOLE], numbers, strict=True))


def test_how_a_kind_was_discarded() -> None:
    """Of several discards of a kind the one that says most; 7–9 are the last tedashi."""
    river = "1z 2z' 9m 3p 1z' 4s 2m 6p' 8s 9s 7m 5z 1p' 3p'"
    found = of_kind(view_of("", river), "discarded")
    assert found == {
        "1z": 3,
        "2z": 1,
        "9m": 3,
        "3p": 4,
        "4s": 4,
        "2m": 5,
        "6p": 2,
        "8s": 5,
        "9s": 6,
        "7m": 8,
        "5z": 9,
        "1p": 2,
    }
    early = of_kind(view_of("", "1z 9m 3p' 4s"), "discarded")
    assert early == {"1z": 3, "9m": 7, "3p": 1, "4s": 9}


def test_what_comes_after_riichi_says_nothing() -> None:
    view = view_of("", "1z 9m 3p 5s* 7m' 1p'")
    assert of_kind(view, "discarded") == {"1z": 3, "9m": 7, "3p": 9, "5s": 10}
    assert of_kind(view_of("", "1z 5s*'"), "discarded") == {"1z": 9, "5s": 11}
    found = whole(view)
    assert (found["turn"], found["since"], found["tedashi"]) == (4, 2, 4)
    assert found["riichi_tile"] == 2 * 4
    assert whole(view_of("", "1z 9p*'"))["riichi_tile"] == 2 * 1 + 1
    assert whole(view_of("", "1z 9p"))["riichi_tile"] == 10


def test_what_lies_open_and_what_is_unseen() -> None:
    view = view_of("1m", "1m 2p", "1m", dora="3z", hand=parse_tiles("2p3p"))
    assert of_kind(view, "public") == {"1m": 3, "2p": 1, "3z": 1}
    unseen = of_kind(view, "unseen")
    assert (unseen["1m"], unseen["2p"], unseen["3p"], unseen["3z"]) == (1, 2, 3, 3)
    assert of_kind(view, "dora") == {"4z": 1}
    assert of_kind(view_of("", "", dora="3z3z3z"), "dora") == {"4z": 2}
    assert whole(view)["dora_unseen"] == 5  # 4z is capped, with three red fives


def test_yakuhai() -> None:
    """Seat 1 is North in an East round where seat 2 is dealer."""
    assert of_kind(view_of(), "yakuhai") == {"1z": 1, "4z": 1, "5z": 1, "6z": 1, "7z": 1}
    dealer = dataclasses.replace(view_of(), dealer=1)
    assert of_kind(dealer, "yakuhai")["1z"] == 2


def test_tedashi_since_a_kind_passed() -> None:
    """Seat 1 acts first of each turn but for seat 0; its own discards do not count."""
    view = view_of("9m 9p 9s", "1z 2z 3z'", "8m 8p 8s")
    found = of_kind(view, "passed")
    assert found == {"9m": 3, "9p": 2, "9s": 1, "8m": 2, "8p": 1, "8s": 1}


def test_melds() -> None:
    view = view_of("", "2s 5s 1m 3p", dora="4p")
    opponent = dataclasses.replace(view.seats[1], melds=(pon("555z"), chi("340p"), ankan("1111m")))
    assert of_kind(view, "melded", opponent) == {"5z": 3, "3p": 1, "4p": 1, "5p": 1, "1m": 4}
    found = whole(view, opponent)
    expected = {"sets": 3, "chis": 1, "open_yaku": 1, "dora_shown": 2, "since_call": 0}
    assert {name: found[name] for name in expected} == expected


def test_suits() -> None:
    (case,) = opponent_contexts(
        view_of("", "1m 2m 3p 4s 1m 5m"), [view_of("", "1m 2m 3p 4s 1m 5m").seats[1]]
    )
    read = wait_features.extract(case)
    start, early = LAYOUT.start["in_suit"], LAYOUT.start["early_in_suit"]
    assert read[start : start + 5].tolist() == [4, 1, 1, 0, 0]
    assert read[early : early + 5].tolist() == [3, 1, 1, 0, 0]


def test_ranges_in_whole_games(games: list[Game]) -> None:
    """Every number below its size, the pads 0, every copy unseen, open or in the hand."""
    sizes = np.concatenate(
        [
            np.repeat([entry.size for entry in entries], width)
            for entries, width in ((BY_KIND, KINDS + 1), (BY_SUIT, NO_SUIT + 1), (WHOLE, 1))
        ]
    )
    assert len(sizes) == LENGTH == len(wait_features.columns()) == len(set(wait_features.columns()))
    for game in games[::3]:
        table = Table(game.rules)
        for event in game:
            if isinstance(event, Discard):
                view = table.view(event.seat)
                held = np.bincount([tile // COPIES for tile in view.hand], minlength=KINDS)
                for case in opponent_contexts(view, view.opponents):
                    read = wait_features.extract(case)
                    assert ((read >= 0) & (read < sizes)).all()
                    assert not read[[LAYOUT.start[e.name] + KINDS for e in BY_KIND]].any()
                    copies = (
                        wait_features.per_kind(read, "unseen")
                        + wait_features.per_kind(read, "public")
                        + held
                    )
                    assert (copies == COPIES).all()
                    dead = wait_features.per_kind(read, "genbutsu").astype(bool)
                    assert (dead == view.genbutsu(case.seat.seat)).all()
            table.apply(event)


def test_kinds_are_named() -> None:
    assert wait_features.columns()[parse_kind("1z")] == "discarded_27"
