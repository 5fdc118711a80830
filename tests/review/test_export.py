"""Exports of a review: the schema, the numbers, and the lines of the commands."""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from dataclasses import replace
from itertools import islice
from operator import eq
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from houjuu import load, logs
from houjuu.cli import main
from houjuu.game.actions import WINS
from houjuu.game.events import Deal, DrawnRound, Game, RoundEnd, Rules, Win
from houjuu.game.notation import format_round
from houjuu.logs import mjai_writer, mjlog
from houjuu.player.second_opinion import opinions
from houjuu.review import rendering
from houjuu.review.export import (
    MOST_MISTAKES,
    action_text,
    short,
)
from houjuu.review.page_types import Review
from houjuu.review.review_data import review
from houjuu.util.errors import Error
from houjuu.util.languages import LANGUAGES
from tests.kit.real import archive
from tests.review.page_data import ADVICE

DOCS = Path(__file__).parents[2] / "docs"
SEAT = 2
_BOT = shlex.quote(str(DOCS.parent / "tests/player/foreign_bot.py"))


@pytest.fixture(scope="module")
def data(own_games: list[Game]) -> Review:
    return review(own_games[0], SEAT, load(), ADVICE)


def validate(exported: Any, file: str = "review.schema.json") -> None:
    schema = json.loads((DOCS / file).read_text(encoding="utf-8"))
    assert schema["title"] == exported["schema"]
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(exported, allow_nan=False)), schema)


def test_the_record_follows_the_schema(data: Review) -> None:
    validate(data)
    wrong = json.loads(json.dumps(data))
    wrong["rounds"][0]["decisions"][0]["tenpai"][1] = 1.01
    with pytest.raises(jsonschema.ValidationError):
        validate(wrong)


def test_an_unknown_end_changes_no_score_and_has_no_balance(own_games: list[Game]) -> None:
    """A stream may end a round without a word on it: 0 points would be false."""
    game = own_games[0]
    ends = [i for i, event in enumerate(game) if isinstance(event, (Win, DrawnRound))]
    hidden = replace(game, events=(*game.events[: ends[-1]], RoundEnd()), final=None)
    exported = review(hidden, SEAT, load(), ADVICE)
    validate(exported)
    *others, last = exported["rounds"]
    assert (last["deltas"], last["balance"]) == (None, None)
    assert all(sum(round["deltas"] or (1,)) % 1000 == 0 for round in others)
    assert all(type(round["balance"]) is int for round in others)


def check_short(review: Review) -> None:
    """A short view names the largest mistakes of the record, in 15 kB."""
    validate(review)
    losing = [one for one in review["choices"] if one["value_lost"]]
    for language in LANGUAGES:
        made = short(review, language)
        validate(made, "review-short.schema.json")
        text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
        assert len(text.encode()) <= 15_000
        assert sum(made["verdict"].values()) == len(losing)
        assert made["net"] == sum(
            one["value_gained"] - one["value_lost"] for one in review["choices"]
        )
        prices = [one["price"] for one in made["mistakes"]]
        assert prices == sorted(prices, reverse=True)
        assert len(prices) == min(len(losing), MOST_MISTAKES)
        assert all(one["interval"][0] > 0 for one in made["mistakes"])
        for one in made["mistakes"]:
            seat, number, step = map(int, one["address"].split("."))
            (choice,) = (
                each for each in losing if (each["round"], each["step"] + 1) == (number, step)
            )
            round = review["rounds"][number]
            assert seat == review["seat"]
            assert one["round"] == format_round(round["round"], round["honba"])
            assert (one["price"], one["grade"]) == (choice["value_lost"], choice["grade"])
            assert sum(one["interval"]) == 2 * one["price"]
            assert one["advised"] == action_text(choice["actions"][0])
            assert one["chosen"] == action_text(choice["actions"][choice["chosen"]])
            assert choice["why"]
            assert one["why"] == choice["why"][language]
            assert choice["reasons"]
            against = choice["reasons"]["against"]
            assert one["reasons"] == choice["reasons"]["decisive"] + [against] * (
                against is not None
            )


def test_the_short_view(docs_review: Review) -> None:
    check_short(docs_review)


def test_a_review_has_the_room_of_its_log(data: Review, own_games: list[Game]) -> None:
    """An unknown room is the phoenix room."""
    unknown = replace(own_games[0], rules=Rules())
    named = own_games[0].in_room("general")
    reviews = data, *(review(game, SEAT, load()) for game in (unknown, named))
    assert [short(one)["room"] for one in reviews] == ["bots", "phoenix", "general"]


@pytest.mark.deep
@pytest.mark.real_logs
def test_the_short_view_of_real_games() -> None:
    games = logs.games(str(archive("phoenix-2024")), lambda problem: None)
    for number, game in enumerate(islice(games, 8)):
        check_short(rendering.reviewed(game, number % 4))


@pytest.mark.slow
def test_the_commands(
    own_games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, game in enumerate(own_games[:2]):
        (tmp_path / f"{number}.mjlog").write_bytes(mjlog.write(game))
    name = own_games[0].players[SEAT].name
    options = ["--player", "none", "--name", name]
    assert main(["review", str(tmp_path), "--json", *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    for line, game in zip(lines, own_games, strict=False):
        exported = json.loads(line)
        validate(exported)
        assert exported["names"][0] == name
        assert exported["seat"] == [player.name for player in game.players].index(name)
    (tmp_path / "broken.xml").write_text("no log")
    file = tmp_path.parent / "all.json"
    assert main(["review", str(tmp_path), "--json=short", "-o", str(file), *options]) == 1
    assert "broken.xml: is neither mjlog nor JSON" in capsys.readouterr().err
    assert [json.loads(line)["id"] for line in file.read_text().splitlines()] == ["0", "1"]
    with pytest.raises(SystemExit):
        main(["review", str(tmp_path), "--json=short", "--json"])


def test_no_such_player(own_games: list[Game]) -> None:
    with pytest.raises(Error, match="has no player 'nobody', but bot"):
        rendering.chosen_seat(own_games[0], None, "nobody", [])


def test_many_games_are_those_of_the_most_frequent_name(
    own_games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The player sits in another seat in each game; one game has the seat of the log."""
    for number, names in enumerate(("A B C D", "E F A G")):
        players = tuple(
            replace(player, name=name)
            for player, name in zip(own_games[number].players, names.split(), strict=True)
        )
        first = own_games[number].events.index(_ends(own_games[number])[0])
        game = replace(
            own_games[number], players=players, events=own_games[number].events[: first + 1]
        )
        (tmp_path / f"{number}.mjlog").write_bytes(mjlog.write(game))
    assert main(["review", str(tmp_path), "--json", "--player", "none"]) == 0
    reviews = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["seat"], one["names"][0]) for one in reviews] == [(0, "A"), (2, "A")]
    assert main(["review", str(tmp_path / "1.mjlog"), "--json=short", "--player", "none"]) == 0
    view = json.loads(capsys.readouterr().out)
    validate(view, "review-short.schema.json")
    assert (view["seat"], view["net"], view["mistakes"]) == (0, None, [])


def _ends(game: Game) -> list[Win | DrawnRound]:
    return [event for event in game if isinstance(event, (Win, DrawnRound))]


def test_other_engines_stand_beside_the_advice(
    own_games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their actions at each choice, the shares, and what they would discard; none is a client's."""
    starts = [index for index, event in enumerate(own_games[0]) if isinstance(event, Deal)]
    game = replace(own_games[0], events=own_games[0].events[: starts[2]])
    silent = f"mjai:{shlex.quote(sys.executable)} -c pass"
    engines = ["v1", silent, f"mjai:{shlex.quote(sys.executable)} {_BOT} dies"]
    exported = rendering.reviewed(game, SEAT, beside=engines)
    validate(exported)
    choices = exported["choices"]
    texts = [[*map(action_text, one["actions"])] for one in choices]
    answers = [[one["action"] for one in choice["beside"]] for choice in choices]
    actions = [action and action_text(action) for action, *_ in answers]
    assert len(choices) > 20
    assert [one["beside"][1]["action"] for one in choices] == [None] * len(choices)
    assert choices[0]["beside"][1]["absent"] == "it ended with 0"
    expected = [one.action for one in opinions("v1", game, SEAT).by_event().values()]
    verbs = Counter("win" if one.kind in WINS else one.kind.value for one in expected if one)
    missing = verbs - Counter(str(action).split()[0] for action in actions)
    assert missing.keys() <= {"pass"}  # where another seat came first, nothing is reviewed
    plain = [one for one in choices if one["kind"] != "riichi"]
    shares = exported["beside"][0]
    assert [engine["name"] for engine in exported["beside"]] == engines
    assert [one["choices"] for one in exported["beside"]] == [len(choices)] * 3
    assert shares["answered"] == len(choices)
    assert shares["absent"] is None
    silence, death = exported["beside"][1:]
    assert (silence["answered"], silence["played"], silence["advised"]) == (0, 0, 0)
    assert death["answered"] == sum(answer is not None for *_, answer in answers)
    assert death["answered"] >= death["played"] > 0
    assert death["absent"] == {
        "en": "it ended with 7",
        "ja": "終了コード7で終わりました",
        "zh": "以退出码7结束",
    }
    assert short(exported)["beside"] == exported["beside"]
    if len(plain) == len(choices):
        made = [text[one["chosen"]] for text, one in zip(texts, choices, strict=True)]
        assert shares["played"] == sum(map(eq, actions, made))
        assert shares["advised"] == sum(map(eq, actions, [text[0] for text in texts]))
    file = tmp_path / "game.mjson"
    file.write_text(mjai_writer.write(game))
    beside = [word for engine in engines for word in ("--beside", engine)]
    assert main(["review", str(file), "--seat", str(SEAT), "--json=short", *beside]) == 1
    assert capsys.readouterr().err.count("decisions; first: it ended with ") == 2
    assert main(["review", str(file), "--player", "v1", "--beside", "v1", "--json"]) == 2
    assert "a player that values actions" in capsys.readouterr().err
