"""Exports of a review: the schema, the numbers, and the lines of the commands."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from houjuu import load
from houjuu.cli import main
from houjuu.game.actions import WINS
from houjuu.game.events import Deal, DrawnRound, Game, RoundEnd, Win
from houjuu.logs import mjai_writer, mjlog
from houjuu.player.second_opinion import opinions
from houjuu.review import rendering
from houjuu.review.export import COLUMNS, SCHEMA, ExportedReview, as_json, csv_head, csv_lines
from houjuu.review.page_types import Review
from houjuu.review.review_data import discarded_tile, discards, review
from houjuu.util.errors import Error
from tests.review.page_data import ADVICE, choice_of, valued

DOCS = Path(__file__).parents[2] / "docs"
SEAT = 2


@pytest.fixture(scope="module")
def data(own_games: list[Game]) -> Review:
    return review(own_games[0], SEAT, load(), ADVICE)


def validate(exported: ExportedReview) -> None:
    schema = json.loads((DOCS / "review.schema.json").read_text(encoding="utf-8"))
    assert schema["title"] == SCHEMA
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(json.dumps(exported, allow_nan=False)), schema)


def test_the_export_follows_the_schema(data: Review) -> None:
    exported = as_json(data)
    validate(exported)
    exported["rounds"][0]["discards"][0]["opponents"][1]["tenpai"] = 1.01
    with pytest.raises(jsonschema.ValidationError):
        validate(exported)


def test_an_unknown_end_changes_no_score_and_has_no_balance(own_games: list[Game]) -> None:
    """A stream may end a round without a word on it: 0 points would be false."""
    game = own_games[0]
    ends = [i for i, event in enumerate(game) if isinstance(event, (Win, DrawnRound))]
    hidden = replace(game, events=(*game.events[: ends[-1]], RoundEnd()), final=None)
    exported = as_json(review(hidden, SEAT, load(), ADVICE))
    validate(exported)
    *others, last = exported["rounds"]
    assert (last["deltas"], last["balance"]) == (None, None)
    assert all(sum(round["deltas"] or (1,)) % 1000 == 0 for round in others)
    assert all(type(round["balance"]) is int for round in others)


def test_the_numbers_are_those_of_the_review(data: Review) -> None:
    exported = [one for round in as_json(data)["rounds"] for one in round["discards"]]
    n_reasons = n_rons = 0
    for one, decision in zip(exported, discards(data["rounds"]), strict=True):
        assert one["discard"] == discarded_tile(decision)
        assert [opponent["tenpai"] for opponent in one["opponents"]] == decision["tenpai"]
        assert one["tiles"].keys() == set(decision["hand"])
        for tile, risk in one["tiles"].items():
            reviewed = decision["risks"][tile]
            assert risk["deal_in"] == reviewed["deal_in"]
            assert risk["points"] == reviewed["points"]
            assert risk["by_opponent"] == reviewed["by_opponent"]
            for explained, parts in zip(
                risk["explanations"], decision["explanations"][tile.replace("0", "5")], strict=True
            ):
                names = [data["reason_names"][index] for index, _ in parts["reasons"]]
                assert [reason["name"] for reason in explained["reasons"]] == names
                n_reasons += len(names)
            assert decision["own"] is not None
            hand = decision["own"]["discards"][tile.replace("0", "5")]
            assert (risk["shanten"], risk["useful"], risk["furiten"]) == hand[:3]
            assert (risk["wall"], risk["none_in_wall"]) == hand[3:]
        n_rons += len(one["rons"])
    assert n_reasons > 100
    assert n_rons == sum(len(decision["rons"]) for decision in discards(data["rounds"]))


def test_turns_count_discards_alone(data: Review) -> None:
    """A step of the page that is no discard is a choice at the turn of the next discard."""
    copied: Review = json.loads(json.dumps(data))
    steps = copied["rounds"][0]["decisions"]
    steps.insert(1, {**steps[1], "discard_index": None})
    choice = choice_of(valued("pass", {}), kind="call", step=1)
    exported = as_json({**copied, "choices": [choice]})
    assert [one["turn"] for one in exported["rounds"][0]["discards"]] == [*range(1, len(steps))]
    assert exported["rounds"][0]["choices"][0]["turn"] == 2
    assert not exported["rounds"][1]["choices"]
    validate(exported)


def test_csv_has_a_line_for_each_discard_and_tile(data: Review) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_head() + csv_lines(data))))
    assert list(rows[0]) == list(COLUMNS)
    made = list(discards(data["rounds"]))
    assert len(rows) == sum(len(decision["risks"]) for decision in made)
    discarded = [row for row in rows if row["discarded"] == "1"]
    assert len(discarded) == len(made)
    assert sum(row["advised"] == "1" for row in rows) == len(made)
    for row, decision in zip(discarded, made, strict=True):
        risk = decision["risks"][row["tile"]]
        assert float(row["deal_in"]) == risk["deal_in"]
        assert float(row["points_left"]) == risk["points_by_opponent"][2]
        assert float(row["tenpai_across"]) == decision["tenpai"][1]
        assert int(row["lost"]) == sum(ron["points"] for ron in decision["rons"])
    assert sum(int(row["lost"]) for row in rows) == sum(int(row["lost"]) for row in discarded)


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
        assert exported["players"][0] == name
        assert exported["seat"] == [player.name for player in game.players].index(name)
    (tmp_path / "broken.xml").write_text("no log")
    file = tmp_path.parent / "all.csv"
    assert main(["review", str(tmp_path), "--csv", "-o", str(file), *options]) == 1
    assert "broken.xml: is neither mjlog nor JSON" in capsys.readouterr().err
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert {row["game"] for row in rows} == {"0", "1"}
    with pytest.raises(SystemExit):
        main(["review", str(tmp_path), "--csv", "--json"])


def test_no_such_player(own_games: list[Game]) -> None:
    from houjuu.review import rendering

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
    assert [(one["seat"], one["players"][0]) for one in reviews] == [(0, "A"), (2, "A")]
    assert main(["review", str(tmp_path / "1.mjlog"), "--json", "--player", "none"]) == 0
    assert json.loads(capsys.readouterr().out)["seat"] == 0


def _ends(game: Game) -> list[Win | DrawnRound]:
    return [event for event in game if isinstance(event, (Win, DrawnRound))]


def test_other_engines_stand_beside_the_advice(
    own_games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their actions at each choice, the shares, and what they would discard; none is a client's."""
    starts = [index for index, event in enumerate(own_games[0]) if isinstance(event, Deal)]
    game = replace(own_games[0], events=own_games[0].events[: starts[2]])
    silent = f"mjai:{shlex.quote(sys.executable)} -c pass"
    engines = ["v1", silent]
    exported = as_json(rendering.reviewed(game, SEAT, beside=engines))
    validate(exported)
    choices = [one for round in exported["rounds"] for one in round["choices"]]
    actions = [one["beside"][0] for one in choices]
    assert len(choices) > 20
    assert [one["beside"][1] for one in choices] == [None] * len(choices)
    expected = opinions("v1", game, SEAT).by_event().values()
    verbs = Counter("win" if one.kind in WINS else one.kind.value for one in expected if one)
    missing = verbs - Counter(str(action).split()[0] for action in actions)
    assert missing.keys() <= {"pass"}  # where another seat came first, nothing is reviewed
    plain = [(one["chosen"], one["advised"]) for one in choices if one["kind"] != "riichi"]
    shares = exported["beside"][0]
    assert [engine["name"] for engine in exported["beside"]] == engines
    assert exported["beside"][1]["none"] == shares["choices"] == len(choices)
    if len(plain) == len(choices):
        pairs = zip(actions, choices, strict=True)
        assert shares["played"] == sum(action == one["chosen"] for action, one in pairs)
        pairs = zip(actions, choices, strict=True)
        assert shares["advised"] == sum(action == one["advised"] for action, one in pairs)
    file = tmp_path / "game.mjson"
    file.write_text(mjai_writer.write(game))
    beside = [word for engine in engines for word in ("--beside", engine)]
    assert main(["review", str(file), "--seat", str(SEAT), "--csv", *beside]) == 0
    rows = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    discards_of_v1 = [f"discard {row['tile']}" for row in rows if row["beside"] == "10"]
    assert discards_of_v1 == [
        one["beside"][0]
        for one in choices
        if one["chosen"].startswith(("discard", "riichi"))
        and str(one["beside"][0]).startswith("discard")
    ]
    assert main(["review", str(file), "--player", "v1", "--beside", "v1", "--json"]) == 2
    assert "a player that values actions" in capsys.readouterr().err
