"""Damaged logs: a reader raises an Error, or returns a game that everything can use."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from houjuu import logs
from houjuu.game.events import Game
from houjuu.game.table import Table
from houjuu.logs import mjai, mjlog, xml_elements
from houjuu.scoring import strict
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import Error, LogError
from tests.fuzz.budget import budget
from tests.kit import real
from tests.kit.tenhou6 import log_of, round_of

CORPUS = Path(__file__).parent / "corpus"
VALUES = ("", "-1", "4", "99", "136", "1e9", "NaN", "\\ud800", "\x1b[31m", "9" * 400, "0,0", "null")
NAMES = ("mjlog", "mjai", "tenhou6")
Mutator = Callable[[bytes, random.Random], bytes]


@pytest.fixture(scope="module")
def samples(own_games: list[Game]) -> dict[str, bytes]:
    return {
        "mjlog": mjlog.write(own_games[0]),
        "mjai": mjai.write(own_games[0]).encode(),
        "tenhou6": json.dumps(log_of(round_of(*[([], [])] * 4))).encode(),
    }


def _flip(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.randrange(1, 6)):
        changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed)


def _cut(data: bytes, dice: random.Random) -> bytes:
    return data[: dice.randrange(len(data))]


def _splice(data: bytes, dice: random.Random) -> bytes:
    a, b, c = sorted(dice.randrange(len(data)) for _ in range(3))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


def _number(data: bytes, dice: random.Random) -> bytes:
    """Replace a word of the syntax by an extreme one."""
    words = data.replace(b'"', b" ").replace(b",", b" ").split()
    return data.replace(dice.choice(words), dice.choice(VALUES).encode(), dice.randrange(1, 4))


def _digits(data: bytes, dice: random.Random) -> bytes:
    """Replace a number by one that may stand for a tile."""
    found = dice.choice([*re.finditer(rb"\d+", data)])
    return data[: found.start()] + b"%d" % dice.randrange(141) + data[found.end() :]


def _lines(data: bytes, dice: random.Random) -> bytes:
    """Remove, double or exchange elements or messages."""
    parts = data.replace(b"><", b">\n<").splitlines()
    for _ in range(dice.randrange(1, 4)):
        i, j = dice.randrange(len(parts)), dice.randrange(len(parts))
        change = dice.randrange(3)
        if change == 0:
            parts[i], parts[j] = parts[j], parts[i]
        elif change == 1:
            parts.insert(i, parts[j])
        elif len(parts) > 1:
            parts.pop(i)
    return b"\n".join(parts)


MUTATORS: tuple[Mutator, ...] = (_flip, _cut, _splice, _number, _digits, _lines)


def _check_message(text: str) -> None:
    assert len(text) < 2000
    assert text.replace("\u3000", "").isprintable()


def read_alike(document: bytes) -> None:
    """lxml, and expat where lxml is not installed, find the same elements, or no document."""
    read: list[object] = []
    for parser in (xml_elements.document, xml_elements.by_expat):
        try:
            tag, elements, *flags = parser(document)
        except ValueError:
            read.append(None)
        else:
            pairs = [(element.tag, dict(element.items())) for element in elements]
            read.append((tag, pairs, flags))
    by_lxml, by_expat = read
    assert by_lxml == by_expat


def use(data: bytes, name: str = "a.log") -> Game | None:
    """Read a log and use it everywhere; None if a reader refuses it."""
    read_alike(data)
    try:
        game = logs.parse(data, name, judge=scored)
    except LogError as problem:
        _check_message(str(problem))
        return None
    table = Table(game.rules)
    for event in game.events:
        table.apply(event)
    try:
        written = mjlog.write(game)
        mjai.write(game)
    except Error:
        pass  # a format cannot express everything
    else:
        if b"<mjloggm" in data:
            assert mjlog.parse(written, game.id) == replace(game, unread=())
    try:
        strict.check(game)
    except Error:
        return game
    if game.final is not None and not strict.missing_details(game):  # what an mjlog needs
        logs.parse(mjlog.write(game), name, judge=scored)
    return game


@budget(300)
@example(name="mjai", mutator=_flip, seed=31315)  # the log does not show an ura indicator
@given(name=st.sampled_from(NAMES), mutator=st.sampled_from(MUTATORS), seed=st.integers(0))
def test_damaged_logs(samples: dict[str, bytes], name: str, mutator: Mutator, seed: int) -> None:
    use(mutator(samples[name], random.Random(seed)))


@pytest.mark.real_logs
@budget(150)
@given(mutator=st.sampled_from(MUTATORS), seed=st.integers(0))
def test_damaged_real_logs(mutator: Mutator, seed: int) -> None:
    dice = random.Random(seed)
    _, document = dice.choice(real.games("with-wall-seed", 8))
    use(mutator(document, dice))


@budget(100)
@given(data=st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    use(data)


@budget(30)
@given(depth=st.integers(1, 10**5), opening=st.sampled_from(['{"log":', "[", '{"type":', "<a>"]))
def test_deep_structure(depth: int, opening: str) -> None:
    use((opening * depth).encode())


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_corpus(path: Path) -> None:
    """Inputs that failed once."""
    use(path.read_bytes(), path.name)


def test_own_games_are_strictly_valid(own_games: list[Game]) -> None:
    for game in own_games:
        strict.check(game)
        strict.check(logs.parse(mjai.write(game).encode(), f"{game.id}.mjai", judge=scored))


@pytest.mark.real_logs
@pytest.mark.parametrize("archive", ["lower-rooms", "with-wall-seed"])
def test_real_games_are_strictly_valid(archive: str) -> None:
    for name, data in real.games(archive, 275):
        strict.check(logs.parse(data, name, judge=scored))


def test_a_round_without_its_end_is_refused(own_games: list[Game]) -> None:
    """The log has final scores, so that it should have all details."""
    data = mjai.write(own_games[0]).encode().replace(b'"type": "hora"', b'"type": "none"', 1)
    with pytest.raises(LogError, match="ends without a win or a draw"):
        strict.check(logs.parse(data, "a.jsonl", judge=scored))
