"""The data of the review page, and the commands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from houjuu.cli import main
from houjuu.cli.danger import decisions as find
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Deal, Discard, Draw, Game
from houjuu.game.position import position
from houjuu.game.table import Table, View
from houjuu.game.tiles import KIND, format_tiles, parse_kind
from houjuu.hands import shanten
from houjuu.logs import mjai, mjlog, own_seat
from houjuu.logs.sources import entries
from houjuu.review import rendering
from houjuu.review.page import page
from houjuu.review.page_types import Review, ReviewedPosition, Term
from houjuu.review.review_data import decisions, discarded_tile, review
from houjuu.review.risk_json import LEAST_EXPLAINED, LEAST_RISK, LIKELIEST, unseen_copies
from houjuu.risk.answers import OpponentTypeName
from houjuu.risk.own_hand import own_hand
from houjuu.risk.unseen import WALL
from houjuu.util.errors import Error
from houjuu.util.languages import LANGUAGES, translate
from tests.kit.tenhou6 import CALLED_TWICE, log_of
from tests.review.page_data import SEAT, page_data, points_dealt_in

ROUNDED, CENTS = 6e-6, 0.006  # half of the last of five and of two decimals, and a little


def decisions_with_views(game: Game, data: Review) -> Iterator[tuple[ReviewedPosition, View]]:
    """Yield every decision of the data with its view from an independent table."""
    table, remaining = Table(game.rules), decisions(data["rounds"])
    n_decisions = 0
    for event in game:
        if isinstance(event, Discard) and event.seat == SEAT:
            decision = next(remaining)
            assert discarded_tile(decision) == format_tiles([event.tile])
            yield decision, table.view(SEAT)
            n_decisions += 1
        table.apply(event)
    assert next(remaining, None) is None
    assert n_decisions > 50


def check_numbers(game: Game, data: Review, estimator: Estimator) -> None:
    for decision, view in decisions_with_views(game, data):
        risk = estimator.deal_in(view)
        tenpai = [max(p, LEAST_RISK * (p > 0)) for p in risk.tenpai]
        assert decision["tenpai"] == pytest.approx(tenpai, abs=ROUNDED)
        for tile in view.hand:
            shown, kind = decision["risks"][format_tiles([tile])], KIND[tile]
            by_opponent = risk.by_opponent[:, kind]
            points_by_opponent = risk.tile_points_by_opponent(tile)
            assert shown["deal_in"] == pytest.approx(risk.any[kind], abs=2 * ROUNDED)
            assert shown["by_opponent"] == pytest.approx(by_opponent, abs=2 * ROUNDED)
            assert shown["points"] == pytest.approx(risk.points_of(tile), abs=CENTS)
            assert shown["points_by_opponent"] == pytest.approx(points_by_opponent, abs=CENTS)
            assert sum(points_by_opponent) == pytest.approx(risk.points_of(tile))
            assert shown["genbutsu"] == [one.genbutsu[kind] for one in risk.opponents]


def test_numbers_equal_the_estimators(game: Game, data: Review, estimator: Estimator) -> None:
    check_numbers(game, data, estimator)


@pytest.mark.deep
@pytest.mark.real_logs
def test_numbers_of_real_games(real_games: list[Game], estimator: Estimator) -> None:
    assert real_games
    for game in real_games[::30]:
        check_numbers(game, review(game, SEAT, estimator), estimator)


def total(parts: list[Term]) -> float:
    return sum(part["probability"] for part in parts)


def test_reasons_add_up(data: Review) -> None:
    """Up to the terms and reasons that are too small to be listed."""
    n_reasons = n_tenpai_reasons = 0
    for decision in decisions(data["rounds"]):
        for tile, risk in decision["risks"].items():
            explanations = decision["explanations"][tile.replace("0", "5")]
            for p, explanation in zip(risk["by_opponent"], explanations, strict=True):
                if p >= LEAST_EXPLAINED:
                    shown = not risk["genbutsu"][explanations.index(explanation)]
                    assert not shown or total(explanation["reasons"]) == pytest.approx(p, abs=0.003)
                else:
                    assert explanation == {"terms": [], "reasons": []}
                assert total(explanation["terms"]) <= p + 70 * ROUNDED
                n_reasons += bool(explanation["reasons"])
        for p, reasons in zip(decision["tenpai"], decision["tenpai_reasons"], strict=True):
            assert not reasons or total(reasons) == pytest.approx(p, abs=0.003)
            n_tenpai_reasons += bool(reasons)
    assert min(n_reasons, n_tenpai_reasons) > 50


def test_opponent_types(game: Game, data: Review) -> None:
    n_melded = 0
    for decision, view in decisions_with_views(game, data):
        melded = [bool(seat.n_open_melds) for seat in view.opponents]
        assert decision["melded"] == melded
        assert ["meld" in name for name in decision["opponent_types"]] == melded
        n_melded += sum(melded)
    assert n_melded


def test_the_table_equals_the_view(game: Game, data: Review) -> None:
    for decision, view in decisions_with_views(game, data):
        seats = (view.seats[SEAT], *view.opponents)
        for shown, seat in zip(decision["seats"], seats, strict=True):
            assert [tile[:2] for tile in shown["river"]] == [
                format_tiles([discard.tile]) for discard in seat.river
            ]
            assert [tile.count("'") for tile in shown["river"]] == [d.tsumogiri for d in seat.river]
            assert [m["kind"] for m in shown["melds"]] == [m.kind.value for m in seat.melds]
            for shown_meld, meld in zip(shown["melds"], seat.melds, strict=True):
                assert sorted(shown_meld["own"] + shown_meld["called"]) == sorted(
                    format_tiles([tile]) for tile in meld.tiles
                )
        assert sorted(decision["hand"]) == sorted(format_tiles([tile]) for tile in view.hand)
        if view.drawn is not None:
            assert decision["hand"][-1] == format_tiles([view.drawn])
        assert [hand and len(hand) for hand in decision["opponent_hands"]] == [
            seat.n_concealed for seat in view.opponents
        ]


def test_rons(game: Game, data: Review) -> None:
    points = [ron["points"] for decision in decisions(data["rounds"]) for ron in decision["rons"]]
    assert points == list(points_dealt_in(game, SEAT))
    assert points, "the fixture selects a game with rons"


def test_the_page_contains_the_data_and_loads_nothing(data: Review) -> None:
    text = page([data], None)
    contained = page_data(text)
    assert contained["reviews"] == json.loads(json.dumps([data]))
    assert contained["player"] is contained["language"] is None
    assert not re.findall(r'(?:src|href)="(?!#|data:,)|url\(|@import', text)
    assert text == page([data], None)
    assert len(text.encode()) < 1e6


def test_the_page_has_every_language(data: Review) -> None:
    text = page([data], None, "ja")
    contained = page_data(text)
    assert '<html lang="ja">' in text
    assert contained["language"] == "ja"
    assert contained["texts"].keys() == contained["languages"].keys() == {"en", "ja", "zh"}
    for language in LANGUAGES:
        texts = contained["texts"][language]
        assert translate(language)("page.noscript") in text
        for key, _ in contained["terms"].values():
            assert key in texts
            assert key.replace("reason.", "glossary.") in texts
    assert set(re.findall(r"'name': '([^']+)', 'probability'", str(data))) == {
        name for name in contained["terms"] if name not in get_args(OpponentTypeName)
    }
    assert contained["yaku"]["8"] == {"en": "tanyao", "ja": "断幺九", "zh": "断幺九"}


def test_a_name_cannot_end_the_script(data: Review) -> None:
    names = ["</script><script>alert(1)</script>", "<b>", "C", "D"]
    text = page([{**data, "names": names}], None)
    assert text.count("</script>") == 3  # the data, and two scripts
    assert "<b>" not in text


def test_the_own_hand(own_games: list[Game], estimator: Estimator) -> None:
    """Shanten, useful kinds and furiten, each from the definition."""
    n_tenpai = n_furiten = 0
    pairs = [(game, seat) for game in own_games for seat in range(4)]
    for view in (one.view for pair in pairs for one in list(find(*pair))[::7]):
        unseen = estimator.unseen(view)
        own = own_hand(view, unseen)
        kinds = [KIND[tile] for tile in view.hand]
        river = {KIND[discard.tile] for discard in view.seats[view.seat].river}
        assert own["shanten"] == shanten.shanten(kinds)
        assert own["discards"].keys() == {format_tiles([4 * kind + 1]) for kind in kinds}
        worth = {
            name: (
                -left["shanten"],
                sum(int(unseen.copies[parse_kind(kind)]) for kind in left["useful"]),
            )
            for name, left in own["discards"].items()
        }
        assert own["best"] == max(worth, key=lambda name: worth[name])
        for name, after in own["discards"].items():
            left, useful, furiten = after["shanten"], after["useful"], after["furiten"]
            wall, none = after["wall"], after["none_in_wall"]
            rest, kind = list(kinds), parse_kind(name)
            rest.remove(kind)
            assert left == shanten.shanten(rest)
            assert [parse_kind(name) for name in useful] == shanten.useful(rest)
            copies = unseen.expected[WALL, shanten.useful(rest)]
            assert wall == pytest.approx(copies.sum(), abs=0.051)
            if len(useful) == 1:
                (kind_needed,) = shanten.useful(rest)
                exact = unseen.probabilities[WALL, kind_needed, 0]
                assert none == pytest.approx(exact, abs=0.0006)
            assert none >= max(0, 1 - copies.sum()) - 0.0006
            if not view.seats[view.seat].in_riichi:
                waits = set(map(parse_kind, useful))
                assert furiten == (left == 0 and bool(waits & {*river, kind}))
                n_tenpai += left == 0
                n_furiten += furiten
    assert n_tenpai > n_furiten > 0


def test_the_wall_of_a_position(game: Game, estimator: Estimator) -> None:
    """With all unseen copies, and the kinds of each hand with the most expected copies."""
    view = list(find(game, SEAT))[20].view
    unseen = estimator.unseen(view)
    answer = unseen_copies(unseen)
    assert answer["copies"] == view.unseen().tolist()
    assert answer["wall"] == pytest.approx(unseen.expected[WALL], abs=0.0051)
    for hand, expected in zip(answer["hands"], unseen.expected[:WALL], strict=True):
        assert len(hand) == LIKELIEST
        assert [*hand.values()] == pytest.approx(
            sorted(expected, reverse=True)[:LIKELIEST], abs=0.0051
        )
        for name, copies in hand.items():
            assert expected[parse_kind(name)] == pytest.approx(copies, abs=0.0051)


def test_the_discarded_kind_makes_furiten(estimator: Estimator) -> None:
    """Without its 1m, the hand waits for 14m."""
    view = position("123m456p789p22s345s", {"self": ""}, dora="5z")
    own = own_hand(view, estimator.unseen(view))
    after = [[*own["discards"][kind].values()][:3] for kind in ("1m", "2m")]
    assert after == [[0, ["1m", "4m"], True], [0, ["2m"], True]]
    assert own["shanten"] == -1


def test_a_riichi_is_furiten_after_a_missed_win(estimator: Estimator) -> None:
    """The seat waits for 14m in riichi; left discarded 4m, which it did not claim."""
    rivers = {"right": "1z 1z", "across": "2z 2z", "left": "3z 4m"}
    for river, furiten in (("9s* 9p'", True), ("9s 9p'", False)):
        view = position("23m456p789p22s345s + 7z", {"self": river, **rivers}, dora="5z")
        left = own_hand(view, estimator.unseen(view))["discards"]["7z"]
        assert [*left.values()][:3] == [0, ["1m", "4m"], furiten]


@pytest.mark.slow
def test_the_command_reads_every_format(
    own_games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.mjlog").write_bytes(mjlog.write(own_games[0]))
    (tmp_path / "game.mjson").write_text(mjai.write(own_games[0]))
    (tmp_path / "game.json").write_text(json.dumps(log_of(CALLED_TWICE)))
    for name in ("game.mjlog", "game.mjson", "game.json"):
        arguments = ["review", str(tmp_path / name), "-o", str(tmp_path / f"{name}.html")]
        arguments += ["--player", "none"]
        assert main(arguments) == 0
        assert "in seat 0" in capsys.readouterr().out
    pages = [(tmp_path / f"game.{format}.html").read_text() for format in ("mjlog", "mjson")]
    assert (
        page_data(pages[0])["reviews"][0]["rounds"] == (page_data(pages[1])["reviews"][0]["rounds"])
    )
    assert main([*arguments, "--seat", "2"]) == 2
    assert "seat 2 makes no discard" in capsys.readouterr().err
    assert main(["review", *arguments[1:2], "-o", "/nowhere/x.html", "--player", "none"]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert main(["review", str(tmp_path / "game.mjson"), "--player", "nobody"]) == 2
    assert "no player 'nobody'" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.part"))


def test_the_seat_of_a_log(own_games: list[Game], tmp_path: Path, estimator: Estimator) -> None:
    """Seat 2 in the stream of a server, which shows the hand of that seat alone."""
    hidden = [
        replace(event, hands=(None, None, event.hands[2], None))
        if isinstance(event, Deal)
        else Draw(event.seat, None)
        if isinstance(event, Draw) and event.seat != 2
        else event
        for event in own_games[0]
    ]
    game = Game("live", own_games[0].rules, own_games[0].players, tuple(hidden))
    text = mjai.write(game)
    for start in ('{"type": "start_game", "id": 2', '{"type": "start_game"'):
        file = tmp_path / "live.mjson"
        file.write_text(text.replace('{"type": "start_game"', start, 1))
        assert own_seat(game, entries(file)) == 2
    assert rendering.shown_seats(game, 2) == [2]
    assert next(decisions(review(game, 2, estimator)["rounds"]))["opponent_hands"] == [None] * 3
    with pytest.raises(Error, match="does not show the hand of seat 0"):
        review(game, 0, estimator)


@pytest.mark.slow
def test_a_page_of_four_seats(own_games: list[Game], tmp_path: Path) -> None:
    """Each seat has the data of its own review; processes change nothing; the page is small."""
    seats = rendering.shown_seats(own_games[0], 2)
    assert seats == [2, 0, 1, 3]
    text, reviews = rendering.render(own_games[0], seats, "none", jobs=2)
    assert [review["seat"] for review in reviews] == seats
    alone, (second,) = rendering.render(own_games[0], [0], "none")
    assert second == reviews[1]
    assert len(alone) < len(text) < 2.5e6
    assert page_data(text)["reviews"] == json.loads(json.dumps(reviews))
