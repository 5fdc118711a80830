"""Wait features: by hand, and their ranges in whole games."""

from __future__ import annotations

import dataclasses

import numpy as np

from houjuu.game.events import Discard, Game
from houjuu.game.rules import NO_RED_FIVES, Rules
from houjuu.game.table import Seat, View
from houjuu.game.tiles import COPIES, KIND, KINDS, parse_kind, parse_tiles
from houjuu.reading import wait_features
from houjuu.reading.opponent import opponent_contexts
from houjuu.reading.wait_features import BY_KIND, BY_SUIT, GLOBAL, LAYOUT, LENGTH, NO_SUIT
from tests.kit.games import walk
from tests.kit.positions import ankan, changed, chi, pon, view_of


def of_kind(view: View, name: str, opponent: Seat | None = None) -> dict[str, int]:
    """The values of a feature that are not 0, by kind, by default for seat 1."""
    (context,) = opponent_contexts(view, [opponent or view.seats[1]])
    numbers = wait_features.per_kind(wait_features.extract(context), name)
    names = [f"{kind % 9 + 1}{'mpsz'[kind // 9]}" for kind in range(KINDS)]
    return {name: int(n) for name, n in zip(names, numbers, strict=True) if n}


def globals_of(view: View, opponent: Seat | None = None) -> dict[str, int]:
    (context,) = opponent_contexts(view, [opponent or view.seats[1]])
    numbers = wait_features.extract(context)[-len(GLOBAL) :].tolist()
    return dict(zip([feature.name for feature in GLOBAL], numbers, strict=True))


def test_how_a_kind_was_discarded() -> None:
    """The highest code of several discards of a kind; 7–9 are the last tedashi."""
    river = "1z 2z' 9m 3p 1z' 4s 2m 6p' 8s 9s 7m 5z 1p' 3p'"
    codes = of_kind(view_of("", river), "discard_code")
    assert codes == {
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
    early = of_kind(view_of("", "1z 9m 3p' 4s"), "discard_code")
    assert early == {"1z": 3, "9m": 7, "3p": 1, "4s": 9}


def test_discards_after_riichi_do_not_count() -> None:
    view = view_of("", "1z 9m 3p 5s* 7m' 1p'")
    assert of_kind(view, "discard_code") == {"1z": 3, "9m": 7, "3p": 9, "5s": 10}
    assert of_kind(view_of("", "1z 5s*'"), "discard_code") == {"1z": 9, "5s": 11}
    features = globals_of(view)
    assert (features["discards"], features["discards_since_riichi"], features["tedashi"]) == (
        4,
        2,
        4,
    )
    assert features["riichi_tile"] == 2 * 4
    assert globals_of(view_of("", "1z 9p*'"))["riichi_tile"] == 2 * 1 + 1
    assert globals_of(view_of("", "1z 9m' 3p 5s*"))["riichi_tile"] == 2 * 4
    assert globals_of(view_of("", "1z 9p"))["riichi_tile"] == 10


def test_open_and_unseen_copies() -> None:
    view = view_of("1m", "1m 2p", "1m", dora="3z", hand=parse_tiles("2p3p"))
    assert of_kind(view, "open_copies") == {"1m": 3, "2p": 1, "3z": 1}
    unseen = of_kind(view, "unseen")
    assert (unseen["1m"], unseen["2p"], unseen["3p"], unseen["3z"]) == (1, 2, 3, 3)
    assert of_kind(view, "dora") == {"4z": 1}
    assert of_kind(view_of("", "", dora="3z3z3z"), "dora") == {"4z": 2}
    assert globals_of(view)["dora_unseen"] == 5  # 4z is capped, with three red fives


def test_yakuhai() -> None:
    """Seat 1 is North in an East round where seat 2 is dealer."""
    assert of_kind(view_of(), "yakuhai") == {"1z": 1, "4z": 1, "5z": 1, "6z": 1, "7z": 1}
    dealer = changed(view_of(), dealer=1)
    assert of_kind(dealer, "yakuhai")["1z"] == 2


def test_tedashi_since_a_kind_passed() -> None:
    """Seat 1 acts first of each turn but for seat 0; its own discards do not count."""
    view = view_of("9m 9p 9s", "1z 2z 3z'", "8m 8p 8s")
    codes = of_kind(view, "passed")
    assert codes == {"9m": 3, "9p": 2, "9s": 1, "8m": 2, "8p": 1, "8s": 1}
    four = view_of("9m 9p 9s 8s 7s", "1z 2z 3z 4z")
    assert of_kind(four, "passed") == {"9m": 4, "9p": 4, "9s": 3, "8s": 2, "7s": 1}


def test_melds() -> None:
    view = view_of("", "2s 5s 1m 3p", dora="4p")
    opponent = dataclasses.replace(view.seats[1], melds=(pon("555z"), chi("340p"), ankan("1111m")))
    assert of_kind(view, "in_melds", opponent) == {"5z": 3, "3p": 1, "4p": 1, "5p": 1, "1m": 4}
    features = globals_of(view, opponent)
    expected = {"n_melds": 3, "chis": 1, "open_yaku": 1, "dora_in_melds": 2, "call_age": 0}
    assert {name: features[name] for name in expected} == expected


def test_discards_since_the_last_tedashi_honour() -> None:
    def since(river: str) -> int:
        return globals_of(view_of("", river))["discards_since_honour"]

    assert since("1z 9m 2z 3p 4s") == 3  # 2z itself and two more
    assert since("1z 9m 2z' 3p 4s") == 5  # 2z came from the wall
    assert since("9m 2z' 3p") == 0


def test_length_of_the_game_and_the_last_tile() -> None:
    view = view_of("", "1m")
    last = changed(view, rules=Rules(1), tiles_left=0)
    values = [(of["hanchan"], of["last_tile"]) for of in map(globals_of, (view, last))]
    assert values == [(1, 0), (0, 1)]


def test_ippatsu_is_that_of_the_table(games: list[Game]) -> None:
    """Nobody sees in rivers and melds when a closed or an added kan was declared."""
    compared = 0
    for table, event in walk(games, Discard):
        view = table.view(event.seat)
        kans = any(len(meld.tiles) == 4 for seat in view.seats for meld in seat.melds)
        for seat in view.opponents:
            if seat.in_riichi and not kans:
                expected = view.moment.ippatsu[seat.seat]
                assert globals_of(view, seat)["ippatsu"] == expected
                compared += expected
    assert compared > 20


def test_a_five_is_red_only_under_its_rules() -> None:
    view = view_of("", "1m", dora="3z")
    assert globals_of(view)["dora_unseen"] == 5  # four 4z and three red fives, at most 5
    plain = changed(view, rules=Rules(NO_RED_FIVES))
    assert globals_of(plain)["dora_unseen"] == 4
    melds = (chi("340p"),)
    dora = [
        globals_of(table, dataclasses.replace(table.seats[1], melds=melds))["dora_in_melds"]
        for table in (view, plain)
    ]
    assert dora == [1, 0]


def test_suits() -> None:
    (context,) = opponent_contexts(
        view_of("", "1m 2m 3p 4s 1m 5m"), [view_of("", "1m 2m 3p 4s 1m 5m").seats[1]]
    )
    features = wait_features.extract(context)
    start, early = LAYOUT.start["in_suit"], LAYOUT.start["early_in_suit"]
    assert features[start : start + 5].tolist() == [4, 1, 1, 0, 0]
    assert features[early : early + 5].tolist() == [3, 1, 1, 0, 0]


def test_ranges_in_whole_games(games: list[Game]) -> None:
    """Every value is below its size, the pads are 0, every copy is unseen, open or in the hand."""
    compared = 0
    sizes = np.concatenate(
        [
            np.repeat([feature.size for feature in features], width)
            for features, width in ((BY_KIND, KINDS + 1), (BY_SUIT, NO_SUIT + 1), (GLOBAL, 1))
        ]
    )
    assert len(sizes) == LENGTH == len(wait_features.columns()) == len(set(wait_features.columns()))
    for table, event in walk(games[::3], Discard):
        view = table.view(event.seat)
        in_hand = np.bincount([KIND[tile] for tile in view.hand], minlength=KINDS)
        for context in opponent_contexts(view, view.opponents):
            features = wait_features.extract(context)
            assert ((features >= 0) & (features < sizes)).all()
            assert not features[[LAYOUT.start[e.name] + KINDS for e in BY_KIND]].any()
            copies = (
                wait_features.per_kind(features, "unseen")
                + wait_features.per_kind(features, "open_copies")
                + in_hand
            )
            assert (copies == COPIES).all()
            genbutsu = wait_features.per_kind(features, "genbutsu").astype(bool)
            assert (genbutsu == view.genbutsu(context.seat.seat)).all()
            compared += 1
    assert compared > 1000


def test_kinds_are_named() -> None:
    assert wait_features.columns()[parse_kind("1z")] == "discard_code_27"
