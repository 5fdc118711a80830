"""A model of one's own reaches every door: what plays, advises, values and reports queries it.

The model is the shipped one with other numbers: to it every opponent is nearly always tenpai.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("riichienv", reason="the players need it")
from fastapi.testclient import TestClient

import houjuu
from benchmarks import sweep, usual_habits
from houjuu import logs
from houjuu.arena.match_report import folder_name
from houjuu.arena.matches import play_match, read_match
from houjuu.cli import main
from houjuu.estimators.loading import load_once
from houjuu.estimators.protocol import Estimator
from houjuu.game.actions import Action
from houjuu.game.events import Deal, Game
from houjuu.live.overlay import meta
from houjuu.logs import mjai, mjlog
from houjuu.player.names import short
from houjuu.player.players import ESTIMATOR_PLAYERS, player
from houjuu.player.protocol import Player
from houjuu.review.advice import Advice
from houjuu.review.page_types import Review
from houjuu.review.rendering import reviewed
from houjuu.review.review_data import review
from houjuu.review.site.game_record import game_records, with_review
from houjuu.serve.app import create
from houjuu.serve.settings import ServerLimits, ServerSettings
from houjuu.util import parameters
from houjuu.util.errors import Error
from houjuu.util.parameters import Parameters
from tests.kit.dialects import masked
from tests.kit.free_decisions import free_decisions
from tests.kit.replies import replay
from tests.review.page_data import page_data

SEAT = 1
RIVERS = {"self": "9m", "right": "1z", "across": "2z", "left": "9p"}
HAND = [
    *("--hand", "123m0678p1199s55z4p", "--dora", "3p"),
    *(word for seat, tile in RIVERS.items() for word in ("--river", f"{seat}={tile}")),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    shipped = parameters.read(Path(str(resources.files("houjuu") / "fitted" / "houjuu.npz")))
    arrays = {**shipped.arrays, "tenpai_gam/bias": shipped.arrays["tenpai_gam/bias"] + 6.0}
    file = tmp_path_factory.mktemp("model") / "mine.npz"
    parameters.write(file, Parameters({**shipped.header, "model": "mine"}, arrays))
    return str(file)


@pytest.fixture(scope="module")
def named(path: str) -> str:
    """The name of the model, with its digest."""
    return f"mine@{hashlib.sha256(Path(path).read_bytes()).hexdigest()[:8]}"


def test_two_models_never_look_alike(path: str, named: str) -> None:
    shipped = Path(str(resources.files("houjuu") / "fitted" / "houjuu.npz"))
    assert houjuu.load(path).model == named
    assert houjuu.load().model == houjuu.load(shipped).model == "houjuu"


@pytest.fixture(scope="module")
def mine(path: str) -> Estimator:
    """The model, loaded by nobody else."""
    return houjuu.load(path)


@pytest.fixture(scope="module")
def game(own_games: list[Game]) -> Game:
    """The first round of a game."""
    deals = [number for number, event in enumerate(own_games[0]) if isinstance(event, Deal)]
    return replace(own_games[0], events=own_games[0].events[: deals[1]])


@pytest.fixture(scope="module")
def messages(game: Game) -> list[dict[str, Any]]:
    """The stream of the seat."""
    first, *rest = (masked(message, SEAT) for message in mjai.messages(game))
    return [{**first, "id": SEAT}, *rest]


def actions(game: Game, seat: int, chooser: Player) -> list[Action]:
    """The actions of a player at the decisions of a seat."""
    return [chooser.act(one.view, one.legal) for one in free_decisions(game, seat)]


def answered(bot: houjuu.Bot, messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers of a bot that have risks: the decisions."""
    answers = [json.loads(bot.react(json.dumps(message))) for message in messages]
    return [answer for answer in answers if "meta" in answer]


def without_meta(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: answer[key] for key in answer.keys() - {"meta"}} for answer in answers]


@pytest.fixture(scope="module")
def expected(mine: Estimator, named: str, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The answers of the player "estimator" by the model, which are not those of the default."""
    answers = answered(houjuu.Bot(SEAT, player("estimator", mine), mine), messages)
    default = answered(houjuu.Bot(SEAT, "estimator"), messages)
    assert {answer["meta"]["model"] for answer in answers} == {named}
    assert {answer["meta"]["model"] for answer in default} == {"houjuu"}
    assert without_meta(answers) != without_meta(default)
    return answers


def test_a_bot_plays_by_the_estimator_that_it_reports(
    path: str, mine: Estimator, messages: list[dict[str, Any]], expected: list[dict[str, Any]]
) -> None:
    for bot in (
        houjuu.Bot(SEAT, "estimator", mine),
        houjuu.Bot(SEAT, f"estimator:model={path}"),
        houjuu.Bot(SEAT, player("estimator", mine)),
    ):
        assert answered(bot, messages) == expected
    relative = answered(houjuu.Bot(SEAT, "relative", mine), messages)
    assert [answer["meta"] for answer in relative] == [answer["meta"] for answer in expected]
    with pytest.raises(Error, match="names a model, and there is another estimator"):
        houjuu.Bot(SEAT, f"estimator:model={path}", mine)


@pytest.mark.parametrize("by_name", [False, True])
def test_the_command_bot(
    by_name: bool,
    path: str,
    messages: list[dict[str, Any]],
    expected: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    named = ["--player", f"estimator:model={path}"]
    text = "".join(json.dumps(message) + "\n" for message in messages)
    for options in (
        named if by_name else ["--player", "estimator", "--model", path],
        ["--advise", "--model", path],
    ):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        assert main(["bot", *options]) == 0
        answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        with_risks = [answer for answer in answers if "meta" in answer]
        if "--advise" in options:
            assert [one["meta"] for one in with_risks] == [one["meta"] for one in expected]
        else:
            assert with_risks == expected
    assert main(["bot", *named, "--model", path]) == 2
    assert "names a model" in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(ESTIMATOR_PLAYERS))
def test_every_player_that_queries_one_takes_a_model(
    name: str, path: str, mine: Estimator, game: Game
) -> None:
    by_path = actions(game, SEAT, player(f"{name}:model={path}"))
    assert by_path == actions(game, SEAT, player(name, mine))
    assert by_path != actions(game, SEAT, player(name))


def test_a_match_is_played_by_the_model(
    path: str, mine: Estimator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of the command: the name in the tables, the play, and a changed file."""
    own = tmp_path / "mine.npz"
    own.write_bytes(Path(path).read_bytes())
    words = ["arena", str(tmp_path / "match"), "estimator", "v1", "v1", "v1"]
    words += ["--deals", "1", "--jobs", "1", "--model", str(own)]
    assert main(words) == 0
    name = f"estimator:model={own}"
    printed = capsys.readouterr().out
    assert short(name) in printed
    assert f"{own}: {houjuu.load(own).model}\n" in printed
    assert "@" in houjuu.load(own).model
    match, (played,) = read_match(tmp_path / "match", 1, 1, 1)
    assert match.line_up == (name, "v1", "v1", "v1")
    assert played.names[0] == short(name)
    one_round = replace(played, events=_first_rounds(played, 3))
    decisions = [one for one in free_decisions(one_round, 0) if one.chosen is not None]
    by_mine, default = player("estimator", mine), player("estimator")
    chosen = [by_mine.act(one.view, one.legal) for one in decisions]
    assert chosen == [one.chosen for one in decisions]
    assert chosen != [default.act(one.view, one.legal) for one in decisions]

    own.unlink()
    assert read_match(tmp_path / "match", 1, 1, 1)[0] == match  # its games need no model
    with pytest.raises(Error, match="no such parameter file"):
        next(play_match(match, tmp_path / "match", 1))
    shipped = resources.files("houjuu") / "fitted" / "houjuu.npz"
    own.write_bytes(shipped.read_bytes())
    with pytest.raises(Error, match="contains another match"):
        next(play_match(match, tmp_path / "match", 1))


def _first_rounds(game: Game, count: int) -> tuple[Any, ...]:
    deals = [number for number, event in enumerate(game) if isinstance(event, Deal)]
    return game.events[: deals[count]]


def test_a_sweep_compares_two_models(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["estimator:model=kurita-hoki-2017", f"estimator:model={path}"]
    words = [str(tmp_path), *names, "--deals", "1", "--jobs", "1", "--others", "v1"]
    monkeypatch.setattr("sys.argv", ["sweep", *words])
    sweep.main()
    printed = capsys.readouterr().out
    assert all(name in printed for name in names)
    assert sorted(folder.name for folder in tmp_path.iterdir()) == sorted(map(folder_name, names))
    played = [next(iter(mjlog.read(folder))).events for folder in tmp_path.iterdir()]
    assert played[0] != played[1]

    with_model = [str(tmp_path), "estimator", "v1", *words[3:], "--model", path]
    monkeypatch.setattr("sys.argv", ["sweep", *with_model])
    sweep.main()  # the games of the model are there
    head = next(line for line in capsys.readouterr().out.splitlines() if "v1" in line)
    assert short(names[1]) in head or names[1] in head
    assert {folder.name for folder in tmp_path.iterdir()} == {
        *map(folder_name, names),
        "v1",
    }


def test_a_review_has_one_model(
    path: str,
    mine: Estimator,
    game: Game,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    named: str,
) -> None:
    """Its risks, its advice and its values are those of the model."""
    by_rank = player("rank", mine)
    expected = review(game, SEAT, mine, Advice(by_rank))
    default = reviewed(game, SEAT)
    assert _parts(expected)[0] != _parts(default)[0]
    assert _parts(expected)[1] != _parts(default)[1]
    for data in (
        reviewed(game, SEAT, model=path),
        reviewed(game, SEAT, f"rank:model={path}"),
        reviewed(game, SEAT, f"rank:model={path}", path),
    ):
        assert data == expected
    with pytest.raises(Error, match="names another model"):
        reviewed(game, SEAT, f"rank:model={path}", "houjuu")
    log = tmp_path / "game.mjson"
    log.write_text(mjai.write(game))
    for options in (["--player", "estimator", "--model", path], ["--player", _named(path)]):
        assert main(["review", str(log), "--json", "--seat", str(SEAT), *options]) == 0
        exported = json.loads(capsys.readouterr().out)
        assert exported["model"] == named
        assert _advice(exported) == _advice(reviewed(game, SEAT, _named(path)))
        assert _advice(exported) != _advice(reviewed(game, SEAT, "estimator"))


def test_pages_have_the_model(
    path: str, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page, and a folder of pages, which are made again when the file has changed."""
    own = tmp_path / "mine.npz"
    own.write_bytes(Path(path).read_bytes())
    log, folder = tmp_path / "game.mjson", tmp_path / "reviews"
    log.write_text(mjai.write(game))
    words = ["review", str(log), "--seat", str(SEAT), "--player", "estimator", "--model", str(own)]
    one_page = [*words, "--one-seat", "-o", str(tmp_path / "page.html")]
    many = [*words, "--jobs", "1", "-o", f"{folder}/"]
    assert main(one_page) == main(many) == main([*many, "--lang", "en"]) == 0
    expected = reviewed(logs.parse(log.read_bytes(), "game.mjson"), SEAT, "estimator", path)
    for page in (tmp_path / "page.html", *(folder / "games").glob("*.html")):
        (data,) = page_data(page.read_text())["reviews"]
        assert _parts(data)[0] == json.loads(json.dumps(_parts(expected)[0]))
        assert _advice(data) == _advice(expected)
    assert "1 made now" in capsys.readouterr().out.splitlines()[-1]
    assert main([*many, "--lang", "en"]) == 0
    assert "0 made now" in capsys.readouterr().out
    shipped = resources.files("houjuu") / "fitted" / "kurita-hoki-2017.npz"
    own.write_bytes(shipped.read_bytes())
    assert main([*many, "--lang", "en"]) == 0
    assert "1 made now" in capsys.readouterr().out


def _named(path: str) -> str:
    return f"estimator:model={path}"


def _advice(data: Review) -> list[str | None]:
    return [one["advice"] for one in _discards(data)]


def _discards(data: Review) -> list[Any]:
    decisions = [one for round in data["rounds"] for one in round["decisions"]]
    return [one for one in decisions if one["discard_index"] is not None]


def _parts(data: Review) -> tuple[Any, Any]:
    """The risks and the values."""
    risks = [one["risks"] for one in _discards(data)]
    return risks, [choice["actions"] for choice in data["choices"]]


def test_danger(path: str, mine: Estimator, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["danger", *HAND, "--json", "--model", path]) == 0
    answer = json.loads(capsys.readouterr().out)
    position = houjuu.position(**answer["position"])
    assert answer["tiles"] == mine.deal_in(position).to_dict(position.hand)["tiles"]
    assert answer["tiles"] != houjuu.load().deal_in(position).to_dict(position.hand)["tiles"]


@pytest.fixture(scope="module")
def client(path: str) -> Iterator[TestClient]:
    limits = ServerLimits(request_time=900)
    settings = ServerSettings(workers=1, model=path, hosts=("testserver",), limits=limits)
    with TestClient(create(settings)) as client:
        yield client


def test_the_server(
    client: TestClient,
    mine: Estimator,
    path: str,
    game: Game,
    messages: list[dict[str, Any]],
    named: str,
) -> None:
    """A position, a live seat and a review; a request cannot make it open another file."""
    position = {"hand": "123m0678p1199s55z4p", "dora": "3p"}
    risk = mine.deal_in(houjuu.position(**position))  # type: ignore[arg-type]
    answer = client.post("/v1/risk", json=position).json()
    assert answer == json.loads(json.dumps({**risk.to_dict(), "model": named}))
    live = houjuu.Live(estimator=mine)
    with client.websocket_connect("/v1/live") as socket:
        for message in messages:
            live.hear(message)
            socket.send_json(message)
            if live.decision == "discard":
                assert socket.receive_json().items() >= json.loads(json.dumps(meta(live))).items()
                break
    draw = next(i for i, message in enumerate(messages) if message["type"] == "tsumo")
    with client.websocket_connect("/v1/live") as socket:
        for message in (*messages[:draw], messages[draw + 1]):  # the draw is lost
            socket.send_json(message)
        answer = socket.receive_json()
        assert (answer["model"], answer["in_step"]) == (named, False)
    log = mjai.write(game).encode()
    query = f"/v1/review?name=game.mjson&seat={SEAT}&player="
    response = client.post(f"{query}rank", content=log)
    expected = reviewed(logs.parse(log, "game.mjson"), SEAT, "rank", path)
    assert response.json() == json.loads(json.dumps(expected))
    for other in ("houjuu", "/etc/passwd.npz"):
        refused = client.post(f"{query}rank:model={other}", content=log)
        assert refused.status_code == 422
        assert "names another model" in refused.json()["error"]
        assert path not in refused.text


def test_the_benchmarks(path: str, mine: Estimator, game: Game) -> None:
    log = "game.mjlog", mjlog.write(game)
    records = usual_habits._records(log, path, estimated=True, valued=True)
    same = mjlog.parse(log[1], log[0])
    for seat, record in enumerate(game_records(same, range(4))):
        assert records[seat] == with_review(record, reviewed(same, seat, model=path))
    replayed = replay(game, SEAT, _named(path))
    assert not replayed.refused
    assert not replayed.logged


def test_a_file_is_loaded_once_until_it_changes(path: str, tmp_path: Path, named: str) -> None:
    own = tmp_path / "own.npz"
    own.write_bytes(Path(path).read_bytes())
    first = load_once(str(own))
    assert load_once(str(own)) is first
    shipped = resources.files("houjuu") / "fitted" / "kurita-hoki-2017.npz"
    own.write_bytes(shipped.read_bytes())
    assert load_once(str(own)).model == "kurita-hoki-2017"
    assert load_once() is load_once()
    assert first.model == named


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rank:model=nobody", "no model 'nobody' ships with houjuu"),
        ("rank:model=nowhere.npz", "no such parameter file"),
        ("relative:model=houjuu", "'relative:model=houjuu' queries no estimator"),
        ("estimator:model=", "the option 'model=' has no value"),
        ("estimator:model=a.npz,model=b.npz", "the option 'model' occurs twice"),
        ("estimator:value_scale=much", "'much' is not a number"),
        ("estimator:scale=1", "unexpected keyword argument 'scale'"),
        ("rank:first=1", "the ranks second, third, last have no value"),
        ("nobody:model=houjuu", "there is no player 'nobody'"),
    ],
)
def test_an_unknown_model_or_option_is_refused(name: str, message: str) -> None:
    with pytest.raises(Error) as problem:
        player(name)
    assert message in str(problem.value)


def test_a_model_that_no_player_uses_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["v1", "v1", "v1", "v1"], ["rank:model=houjuu", "v1", "v1", "v1"]):
        assert main(["arena", "nowhere", *words, "--model", "kurita-hoki-2017"]) == 2
        assert "no player uses the model 'kurita-hoki-2017'" in capsys.readouterr().err
    assert main(["arena", "nowhere", "rank", "v1", "v1", "v1", "--model", "a,b.npz"]) == 2
    assert "has a comma" in capsys.readouterr().err
    assert not Path("nowhere").exists()


def test_long_names_are_told_apart() -> None:
    names = [f"estimator:model={'folder/' * 20}{name}.npz" for name in "ab"]
    assert len({*map(short, names)}) == 2
    assert all(map(short, names))
    assert short("rank:model=mine.npz") == "rank:model=mine.npz"
