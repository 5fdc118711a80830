"""One answer by whichever door: the library, a live table, commands, HTTP, WebSocket."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="two doors are those of the server")

from fastapi.testclient import TestClient

import houjuu
from houjuu.cli import main
from houjuu.game.events import Game
from houjuu.game.notation import format_round
from houjuu.game.position import arguments
from houjuu.game.tiles import format_tiles, tile_id
from houjuu.game.view import View
from houjuu.logs import mjai, mjlog
from houjuu.serve.app import create
from houjuu.serve.settings import ServerSettings
from tests.kit.dialects import masked

SEAT = 2


@dataclass(frozen=True)
class Asked:
    """A decision of `SEAT`, and what each door reads of it; `shown` is what commands print."""

    view: View
    live: houjuu.Live
    heard: list[Any]
    log: str
    position: dict[str, Any]
    client: TestClient
    shown: Callable[[], str]


@pytest.fixture
def asked(
    own_games: list[Game],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Asked:
    """The ninth discard of a round, with melds and riichi at the table."""
    (tmp_path / "game.mjlog").write_bytes(mjlog.write(own_games[0]))
    live, heard = houjuu.Live(SEAT), list[Any]()
    for message in mjai.messages(own_games[0]):
        heard.append(masked(message, SEAT))
        live.hear(heard[-1])
        if live.decision == "discard" and len(live.view.seats[SEAT].river) == 8:
            view = live.view
            if any(one.in_riichi for one in view.opponents) and any(
                one.melds for one in view.seats
            ):
                break
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(json.dumps(one) + "\n" for one in heard)))
    settings = ServerSettings(workers=1, hosts=("testserver",))
    return Asked(
        view=live.view,
        live=live,
        heard=heard,
        log=str(tmp_path / "game.mjlog"),
        position=arguments(live.view),
        client=TestClient(create(settings)),
        shown=lambda: capsys.readouterr().out.splitlines()[-1],
    )


def library(asked: Asked) -> Any:
    (risk,) = houjuu.load().deal_in_many([houjuu.position(**asked.position)])
    return risk.to_dict()


def danger(asked: Asked) -> Any:
    at = ["--round", format_round(asked.view.round, asked.view.honba), "--turn", "9"]
    assert main(["danger", asked.log, "--seat", str(SEAT), *at, "--json"]) == 0
    return json.loads(asked.shown())


def danger_by_hand(asked: Asked) -> Any:
    words = []
    for key, value in asked.position.items():
        option = {"riichi_sticks": "sticks", "rivers": "river", "melds": "meld"}.get(key, key)
        if isinstance(value, dict):
            for seat, text in value.items():
                for one in text if isinstance(text, list) else [text]:
                    words += [f"--{option}", f"{seat}={one}"]
        else:
            words += [f"--{option}", ",".join(map(str, value)) if key == "scores" else str(value)]
    assert main(["danger", *words, "--json"]) == 0
    return json.loads(asked.shown())


def bot(asked: Asked) -> Any:
    assert main(["bot", "--advise", "--seat", str(SEAT)]) == 0
    return json.loads(asked.shown())["meta"]


def over_http(asked: Asked) -> Any:
    with asked.client as client:
        return client.post("/v1/risk", json=asked.position).json()


def over_websocket(asked: Asked) -> Any:
    with asked.client as client, client.websocket_connect(f"/v1/live?seat={SEAT}") as socket:
        deal = max(i for i, one in enumerate(asked.heard) if one["type"] == "start_kyoku")
        room = {"type": "start_game", "names": [], "room": "bots"}
        socket.send_json([room, *asked.heard[deal:]])
        return socket.receive_json()


DOORS: tuple[Callable[[Asked], Any], ...] = (
    *(library, danger, danger_by_hand, bot, over_http, over_websocket),
    lambda asked: asked.live.risk().to_dict(),
)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_every_door_gives_the_answer(asked: Asked, door: Callable[[Asked], Any]) -> None:
    """Over its own names of tiles; some give all tiles, and some those of the hand."""
    expected = houjuu.load().deal_in(asked.view).to_dict(asked.view.hand)
    answer = json.loads(json.dumps(door(asked)))
    tiles = {format_tiles([tile_id(name)]): risk for name, risk in answer["tiles"].items()}
    assert {name: tiles[name] for name in expected["tiles"]} == expected["tiles"]
    assert answer["opponents"] == expected["opponents"]
