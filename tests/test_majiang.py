"""Majiang in our arena: its notation, its messages, and what its replies become."""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("riichienv", reason="matches are played on it")
from riichienv import Action, ActionType

from benchmarks.majiang import host, matches, notation
from benchmarks.majiang.__main__ import main
from benchmarks.majiang.host import HERE, Host, Reply
from benchmarks.majiang.matches import Match, mismatches
from benchmarks.majiang.messages import RULES, Message, Messages, heard
from benchmarks.majiang.notation import hand_text, meld_text, tile_text
from benchmarks.majiang.player import Majiang
from houjuu.arena.bots import Bot, draw_temper
from houjuu.arena.matches import SEATS, played
from houjuu.errors import Error
from houjuu.events import Discard, Game, Meld, MeldKind, Riichi
from houjuu.table import Table, View
from houjuu.tiles import COPIES, TILES, mjai_name, parse_tiles

INSTALLED = shutil.which("node") is not None and (HERE / "node_modules").exists()
needs_node = pytest.mark.skipif(
    not INSTALLED, reason="needs node, and what benchmarks/majiang/install.sh installs"
)
TILE = st.integers(0, TILES - 1)
SIDES = {"+": 1, "=": 2, "-": 3}


def names(tiles: Sequence[int]) -> Counter[str]:
    """Tiles without their copies, red fives apart."""
    return Counter(mjai_name(tile) for tile in tiles)


def read(text: str) -> tuple[int, ...]:
    """A hand that majiang has written: letters come before their ranks."""
    return parse_tiles(re.sub(r"([mpsz])(\d+)", r"\2\1", text))


@st.composite
def melds(draw: st.DrawFn) -> tuple[Meld, int]:
    """A meld and the seat that has it."""
    kind, seat = draw(st.sampled_from(MeldKind)), draw(st.integers(0, 3))
    if kind is MeldKind.CHI:
        first = 9 * draw(st.integers(0, 2)) + draw(st.integers(0, 6))
        tiles = tuple(COPIES * (first + i) + draw(st.integers(0, 3)) for i in range(3))
    else:
        first = COPIES * draw(st.integers(0, 33))
        left_out = draw(st.integers(0, 3)) if kind is MeldKind.PON else None
        tiles = tuple(first + copy for copy in range(COPIES) if copy != left_out)
    if kind is MeldKind.ANKAN:
        return Meld(kind, tiles), seat
    mixed = draw(st.permutations(tiles))
    side = 3 if kind is MeldKind.CHI else draw(st.integers(1, 3))
    added = mixed[1] if kind is MeldKind.KAKAN else None
    return Meld(kind, tiles, mixed[0], (seat + side) % 4, added), seat


@given(melds())
def test_melds_can_be_read_back(of: tuple[Meld, int]) -> None:
    """All that a meld says, and in the one order that majiang takes."""
    meld, seat = of
    text = meld_text(meld, seat)
    suit, marked = text[0], re.search(r"(\d)([-+=])", text)
    assert names(read(re.sub("[-+=]", "", text))) == names(meld.tiles)
    if meld.called is None:
        assert marked is None
    else:
        assert marked is not None
        assert suit + marked[1] == tile_text(meld.called)
        assert (seat + SIDES[marked[2]]) % 4 == meld.source
    if meld.added is not None:
        assert suit + text[-1] == tile_text(meld.added)
        assert text[-2] in SIDES
    plain = text.replace("0", "5")
    if meld.kind is MeldKind.CHI:
        assert "".join(sorted(re.findall(r"\d", plain))) == "".join(re.findall(r"\d", plain))
    else:
        assert re.fullmatch(r"[mpsz](\d)\1\1(\1?[-+=]?|[-+=]\1)", plain)
        assert "05" not in text[: 4 if marked is None else text.index(marked[0])]


@given(st.lists(TILE, min_size=1, max_size=14, unique=True), st.booleans())
def test_hands_can_be_read_back(tiles: list[int], drawn: bool) -> None:
    last = tiles[-1] if drawn else None
    text = hand_text(tiles, last=last)
    assert names(read(text)) == names(tiles)
    assert last is None or text.endswith(tile_text(last))


def test_the_examples_in_the_notation() -> None:
    assert doctest.testmod(notation).failed == 0


def told(game: Game, seat: int, *, all_seats: bool = False) -> list[Message]:
    """A whole game as one seat is told it."""
    messages = Messages(seat)
    events = game.events if all_seats else (heard(event, seat) for event in game)
    said = [message for message in map(messages.of, events) if message is not None]
    return [messages.begin(), *said, messages.end([score for score, _ in game.final or ()])]


def _letter(message: Message) -> str:
    kind = next(iter(message))
    if kind == "fulou":
        return "M" if re.match(r".\d{4}", message["fulou"]["m"]) else "F"
    letters = {"kaiju": "K", "qipai": "Q", "zimo": "Z", "gangzimo": "X", "dapai": "D", "gang": "A"}
    return {**letters, "kaigang": "", "hule": "H", "pingju": "P", "jieju": "J"}[kind]


KANS = "(?:AX)*"
TURNS = f"(?:Z{KANS}D(?:FD|MX{KANS}D)*)*"
ROUND = f"Q{TURNS}(?:(?:Z|MX){KANS}A?)?(?:HH?|P)"


@pytest.mark.parametrize("seat", range(SEATS))
def test_messages_come_as_a_game_goes(own_games: list[Game], seat: int) -> None:
    """F and M are calls without and with a replacement, A the other kans, X their draws."""
    for game in own_games:
        said = told(game, seat)
        assert re.fullmatch(f"K(?:{ROUND})+J", "".join(map(_letter, said)))
        shown = [m["qipai"]["shoupai"] for m in said if "qipai" in m]
        assert all(sum(map(bool, hands)) == 1 for hands in shown)
        wind = None
        for message in said:
            if "qipai" in message:
                wind = next(i for i, hand in enumerate(message["qipai"]["shoupai"]) if hand)
            for draw in filter(None, map(message.get, ("zimo", "gangzimo"))):
                assert bool(draw["p"]) == (draw["l"] == wind)


@pytest.mark.parametrize("seat", range(SEATS))
def test_a_seat_hears_what_it_sees(own_games: list[Game], seat: int) -> None:
    """And no more: a table that is fed what it hears gives the view that the full one gives."""
    full, partial = Table(), Table()
    for event in own_games[0]:
        full.apply(event)
        partial.apply(heard(event, seat))
        assert partial.view(seat) == full.view(seat)
        assert all(not hand or n == seat for n, hand in enumerate(partial.ledger.hands))


class Says:
    """In the place of node: replies once what it was given, to the last message."""

    def __init__(self) -> None:
        self.reply: Reply = None
        self.heard: list[Message] = []

    def tell(self, seat: int, messages: Sequence[Message]) -> list[Reply]:
        """Reply."""
        self.heard += messages
        reply, self.reply = self.reply, None
        return [*[None] * (len(messages) - 1), reply]


def reply_for(view: View, action: Action) -> Reply:
    """What majiang would say to have this done."""
    kind, tile = action.action_type, action.tile
    if kind == ActionType.DISCARD:
        return {"dapai": tile_text(tile) + "_" * (tile == view.drawn)}
    if kind in (ActionType.TSUMO, ActionType.RON):
        return {"hule": "-"}
    if kind == ActionType.KYUSHU_KYUHAI:
        return {"daopai": "-"}
    suit = tile_text(action.consume_tiles[0])[0] if action.consume_tiles else ""
    ranks = sorted((tile_text(t)[1] for t in action.consume_tiles), reverse=True)
    if kind == ActionType.ANKAN:
        return {"gang": suit + "".join(ranks)}
    if kind == ActionType.KAKAN:
        pon = next(m for m in view.seats[view.seat].melds if m.tiles[0] >> 2 == tile >> 2)
        return {"gang": meld_text(pon, view.seat) + tile_text(tile)[1]}
    last = max((s for s in view.seats if s.river), key=lambda s: s.river[-1].order)
    mark = " +=-"[(last.seat - view.seat) % 4]
    if kind in (ActionType.PON, ActionType.DAIMINKAN):
        return {"fulou": suit + "".join(ranks) + tile_text(tile)[1] + mark}
    if kind == ActionType.CHI:
        marked = [(t >> 2, tile_text(t)[1]) for t in action.consume_tiles]
        marked.append((tile >> 2, tile_text(tile)[1] + mark))
        return {"fulou": suit + "".join(text for _, text in sorted(marked))}
    return None


class Puppet(Majiang):
    """Says what a bot would do, in majiang's words, and does what it is understood to have said."""

    def __init__(self, bot: Bot, done: Counter[ActionType]) -> None:
        super().__init__()
        self.bot, self.done = bot, done

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Pick an action."""
        others = [action for action in actions if action.action_type != ActionType.RIICHI]
        wanted = self.bot.act(view, others)
        assert isinstance(self._host, Says)
        self._host.reply = reply_for(view, wanted)
        got = super().act(view, actions)
        assert got.action_type == wanted.action_type
        for a, b in (
            (got.tile, wanted.tile),
            *zip(got.consume_tiles, wanted.consume_tiles, strict=True),
        ):
            assert a == b or mjai_name(a) == mjai_name(b)
        self.done[got.action_type] += 1
        return got


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> Says:
    says = Says()
    monkeypatch.setattr(host, "host", lambda: says)
    return says


def test_replies_become_what_they_mean(says: Says) -> None:
    done: Counter[ActionType] = Counter()
    for seed in range(4):
        rng = Random(seed)
        puppets = [Puppet(Bot(draw_temper(rng), rng), done) for _ in range(SEATS)]
        matches.play("puppets", seed, puppets, [""] * SEATS)
        assert [puppet.mismatches for puppet in puppets] == [[]] * SEATS
    assert min(done[kind] for kind in (ActionType.CHI, ActionType.PON, ActionType.RON)) > 0
    assert min(done[kind] for kind in (ActionType.ANKAN, ActionType.KAKAN, ActionType.TSUMO)) > 0
    assert Counter(map(_letter, says.heard))["K"] == 4 * SEATS


def position(own_games: list[Game], says: Says) -> tuple[Majiang, View]:
    """A player whose seat, the dealer's, has just drawn its first tile."""
    majiang, table = Majiang(), Table()
    majiang.sit(0)
    for event in own_games[0].events[:2]:
        table.apply(event)
        majiang.hear(heard(event, 0))
    return majiang, table.view(0)


def test_what_differs_is_told(own_games: list[Game], says: Says) -> None:
    """And the game goes on: what was drawn is discarded."""
    majiang, view = position(own_games, says)
    discards = [Action(ActionType.DISCARD, tile=tile) for tile in view.hand]
    says.reply = {"gang": "z7777"}
    assert majiang.act(view, discards).tile == view.drawn
    assert [told["what"] for told in majiang.mismatches] == ["not legal"]
    majiang, view = position(own_games, says)
    says.reply = {"dapai": tile_text(view.hand[0])}
    assert majiang.act(view, [Action(ActionType.TSUMO), *discards]).tile == view.hand[0]
    assert [told["what"] for told in majiang.mismatches] == ["win not taken"]
    majiang, _ = position(own_games, says)
    says.reply = {"hule": "-"}
    majiang.leave([25_000] * SEATS)
    assert [told["what"] for told in majiang.mismatches] == ["not asked"]


def test_a_riichi_is_two_actions(own_games: list[Game], says: Says) -> None:
    """Of one reply: nothing is told between the declaration and its discard."""
    majiang, view = position(own_games, says)
    discards = [Action(ActionType.DISCARD, tile=tile) for tile in view.hand]
    riichi = Action(ActionType.RIICHI)
    says.reply = {"dapai": tile_text(view.hand[0]) + "*"}
    assert majiang.act(view, [*discards, riichi]) is riichi
    said = len(says.heard)
    majiang.hear(Riichi(0))
    declared = replace(view.seats[0], declared=True)
    view = replace(view, seats=(declared, *view.seats[1:]))
    assert majiang.act(view, discards).tile == view.hand[0]
    assert (len(says.heard), majiang.mismatches) == (said, [])


def replayed(games: list[Game]) -> list[list[list[Message]]]:
    """What majiang's own referee tells each seat when it plays the games again."""
    lines = []
    for game in games:
        log: list[list[Message]] = []
        for message in told(game, 0, all_seats=True)[1:-1]:
            log += [[]] if "qipai" in message else []
            log[-1].append(message)
        script = {**told(game, 0)[0]["kaiju"], "log": log}
        lines.append(json.dumps({"script": script, "rule": RULES}) + "\n")
    done = subprocess.run(
        ["node", str(Path(__file__).with_name("majiang_replay.js"))],
        env={**os.environ, "NODE_PATH": str(HERE / "node_modules")},
        input="".join(lines),
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def _comparable(message: Message) -> Message:
    """What can be told alike: not the names of yaku, not which tile of a shown hand was drawn."""
    kind, of = next(iter(message.items()))
    if kind == "jieju":
        return {kind: of["defen"]}
    if kind == "pingju":
        shown = [names(read(hand.split(",")[0].rstrip("*"))) for hand in of["shoupai"]]
        return {kind: {**of, "shoupai": shown}}
    return {kind: {key: told for key, told in of.items() if key not in ("hupai", "rule")}}


@needs_node
def test_majiang_tells_the_same(own_games: list[Game]) -> None:
    """Its referee, given our draws and deeds, tells its players what we tell them, points too.

    What a kan turns over may come before or after the next kan, so it is compared by itself.
    """
    for game, theirs in zip(own_games, replayed(own_games), strict=True):
        for seat in range(SEATS):
            for turned_over in (False, True):
                ours, says = (
                    [_comparable(m) for m in messages if ("kaigang" in m) == turned_over]
                    for messages in (told(game, seat), theirs[seat])
                )
                assert ours == says


@needs_node
def test_a_match(tmp_path: Path) -> None:
    """Nothing that majiang says is illegal, and the same seed gives the same bytes."""
    line_up = ("majiang", "v1", "v1", "v1")
    first, second = (
        [*played(Match(line_up, tmp_path / name), tmp_path / name, 1, jobs=1)]
        for name in ("first", "second")
    )
    assert first == second
    assert mismatches(tmp_path / "first") == []
    actors = Counter(event.seat for event in first[0] if isinstance(event, Discard))
    assert actors[0] > 50


def test_what_differs_is_kept(says: Says, tmp_path: Path) -> None:
    """Once, however often the game is played; a player that says nothing never has its way."""
    match = Match(("majiang", "v1", "v1", "v1"), tmp_path)
    assert match.play(0, 1) == match.play(0, 1)
    kept = [json.loads(line) for line in mismatches(tmp_path)]
    assert len(kept) > 50
    assert {(told["game"], told["seat"]) for told in kept} == {("deal-000000-1", 1)}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "match")
    assert main([folder, *["v1"] * SEATS, "--deals", "1", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "average rank" in out
    assert out.endswith("\n0 mismatches between majiang and the referee\n")
    assert main([folder, *["v2"] * SEATS]) == 2
    assert "holds another match" in capsys.readouterr().err


@needs_node
def test_majiang_may_fail() -> None:
    """The match ends in a sentence, and does not wait for ever."""
    failing = Host()
    for _ in range(2):
        with pytest.raises(Error, match="majiang ended when seat 0 was told"):
            failing.tell(0, [{"zimo": {"l": 0, "p": "m1"}}])


def test_majiang_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "NEEDED", tmp_path / "nothing")
    monkeypatch.setattr(shutil, "which", lambda name: name)
    with pytest.raises(Error, match=r"majiang needs .*install\.sh installs"):
        Host()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(Error, match="majiang needs node"):
        Host()
