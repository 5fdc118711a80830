"""A wrong argument is one sentence that names it and what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import houjuu
from houjuu.cli import main
from houjuu.util.errors import Error
from tests.kit.messages import draw, start
from tests.player.test_bot import react

LONG = "a" * 300
WRONG: Any = None


def view(**changes: Any) -> houjuu.View:
    return houjuu.position("123m456p789s11z24m + 9p", dora="1s", **changes)


class Texts:
    def act(self, *_: object) -> Any:
        return "1m"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: houjuu.load(LONG), "^no model 'a{39} ships with houjuu; there are: houjuu"),
        (lambda: view(rules=5), "^the rules are 5: pass"),
        (lambda: houjuu.Bot(0, WRONG), "^'NoneType' is no player: write a method act"),
        (
            lambda: react(houjuu.Bot(0, Texts()), start(), draw(0, "1m")),
            "^'Texts' answers the text",
        ),
        (lambda: houjuu.load().deal_in_many([view(), WRONG]), "^entry 1 of the views is None"),
        (lambda: houjuu.load().unseen_many([WRONG]), "^entry 0 of the views is None"),
        (lambda: houjuu.load().deal_in(view()).points_of("9m"), "^there is no 9m in the hand"),
    ],
)
def test_a_wrong_argument(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(Error, match=sentence):
        call()


def test_any_tile_has_a_risk() -> None:
    risk = houjuu.load().deal_in(view())
    assert risk["9m"].points >= 0
    assert risk.points_of("9p") == pytest.approx(risk["9p"].points)


def test_a_folder_with_a_long_name(capsys: pytest.CaptureFixture[str]) -> None:
    game = Path(__file__).parents[1] / "docs" / "game.mjlog"
    assert main(["convert", str(game), "-o", LONG]) == 2
    assert capsys.readouterr().err.count("\n") == 1
