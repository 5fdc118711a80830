"""Majiang in the arena: its notation, its messages, and the actions of its replies."""

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
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("riichienv", reason="matches are played on it")

from benchmarks.majiang import host, matches, notation
from benchmarks.majiang.__main__ import main
from benchmarks.majiang.host import HERE, Host, Reply
from benchmarks.majiang.matches import Match, mismatches
from benchmarks.majiang.messages import RULES, Message, Messages, visible_event
from benchmarks.majiang.notation import hand_text, meld_text, tile_text
from benchmarks.majiang.player import Majiang
from houjuu.arena.bots import SelfPlayBot, draw_style
from houjuu.arena.matches import play_match
from houjuu.game.actions import WINS, Action, ActionKind
from houjuu.game.events import SEATS, Discard, Game, Meld, MeldKind, Riichi
from houjuu.game.table import Table, View
from houjuu.game.tiles import COPIES, KIND, KINDS, TILES, mjai_name, parse_tiles
from houjuu.hands.sets import SETS, set_kinds
from houjuu.player.rules import absolute_danger, push_fold, relative_danger
from houjuu.util.errors import Error
from tests.absent import leave_out, program

needs_node = pytest.mark.usefixtures("node")
TILE = st.integers(0, TILES - 1)
SIDES = {"+": 1, "=": 2, "-": 3}


@pytest.fixture(scope="session")
def node() -> None:
    """The program and the packages of the player."""
    program("node")
    if not (HERE / "node_modules").exists():
        leave_out("benchmarks/majiang/install.sh has installed no packages")


def names(tiles: Sequence[int]) -> Counter[str]:
    """Tiles by name, red fives apart."""
    return Counter(mjai_name(tile) for tile in tiles)


def parse_hand(text: str) -> tuple[int, ...]:
    """A hand in majiang's notation, in which suit letters precede the ranks."""
    return parse_tiles(re.sub(r"([mpsz])(\d+)", r"\2\1", text))


@st.composite
def melds(draw: st.DrawFn) -> tuple[Meld, int]:
    """A meld and its seat."""
    kind, seat = draw(st.sampled_from(MeldKind)), draw(st.integers(0, 3))
    if kind is MeldKind.CHI:
        first = 9 * draw(st.integers(0, 2)) + draw(st.integers(0, 6))
        tiles = tuple(COPIES * (first + i) + draw(st.integers(0, 3)) for i in range(3))
    else:
        first = COPIES * draw(st.integers(0, 33))
        missing = draw(st.integers(0, 3)) if kind is MeldKind.PON else None
        tiles = tuple(first + copy for copy in range(COPIES) if copy != missing)
    if kind is MeldKind.ANKAN:
        return Meld(kind, tiles), seat
    shuffled = draw(st.permutations(tiles))
    side = 3 if kind is MeldKind.CHI else draw(st.integers(1, 3))
    added = shuffled[1] if kind is MeldKind.KAKAN else None
    return Meld(kind, tiles, shuffled[0], (seat + side) % 4, added), seat


@given(melds())
def test_melds_can_be_parsed_back(meld_and_seat: tuple[Meld, int]) -> None:
    """The text has all of the meld, in the only order that majiang accepts."""
    meld, seat = meld_and_seat
    text = meld_text(meld, seat)
    suit, marked = text[0], re.search(r"(\d)([-+=])", text)
    assert names(parse_hand(re.sub("[-+=]", "", text))) == names(meld.tiles)
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
def test_hands_can_be_parsed_back(tiles: list[int], drawn: bool) -> None:
    last = tiles[-1] if drawn else None
    text = hand_text(tiles, last=last)
    assert names(parse_hand(text)) == names(tiles)
    assert last is None or text.endswith(tile_text(last))


def test_the_examples_in_the_notation() -> None:
    results = doctest.testmod(notation)
    assert results.attempted > 3
    assert results.failed == 0


def game_messages(game: Game, seat: int, *, all_seats: bool = False) -> list[Message]:
    """The messages of a whole game to one seat; with `all_seats`, nothing is hidden."""
    messages = Messages(seat)
    events = game.events if all_seats else (visible_event(event, seat) for event in game)
    converted = [message for message in map(messages.convert, events) if message is not None]
    return [messages.begin(), *converted, messages.end([score for score, _ in game.final or ()])]


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
def test_messages_follow_the_grammar_of_a_game(own_games: list[Game], seat: int) -> None:
    """F and M are calls without and with a replacement draw, A other kans, X their draws."""
    n_draws = 0
    for game in own_games:
        messages = game_messages(game, seat)
        assert re.fullmatch(f"K(?:{ROUND})+J", "".join(map(_letter, messages)))
        dealt = [message["qipai"]["shoupai"] for message in messages if "qipai" in message]
        assert dealt
        assert all(sum(map(bool, hands)) == 1 for hands in dealt)
        wind = None
        for message in messages:
            if "qipai" in message:
                wind = next(i for i, hand in enumerate(message["qipai"]["shoupai"]) if hand)
            for draw in filter(None, map(message.get, ("zimo", "gangzimo"))):
                assert bool(draw["p"]) == (draw["l"] == wind)
                n_draws += 1
    assert n_draws > 500


@pytest.mark.parametrize("seat", range(SEATS))
def test_visible_events_give_the_view_and_no_hidden_hand(own_games: list[Game], seat: int) -> None:
    """A table that follows the visible events has the view of the full table."""
    full, partial = Table(), Table()
    for event in own_games[0]:
        full.apply(event)
        partial.apply(visible_event(event, seat))
        assert partial.view(seat) == full.view(seat)
        assert all(not hand or n == seat for n, hand in enumerate(partial.round_state.hands))


class FakeHost:
    """Replaces node: replies once with the given reply, to the last message."""

    def __init__(self) -> None:
        self.reply: Reply = None
        self.received: list[Message] = []
        self.routines: set[str] = set()

    def send(self, seat: int, messages: Sequence[Message], routine: str = "") -> list[Reply]:
        """Reply."""
        self.received += messages
        self.routines.add(routine)
        reply, self.reply = self.reply, None
        return [*[None] * (len(messages) - 1), reply]


def reply_for(view: View, action: Action) -> Reply:
    """The reply of majiang that selects an action."""
    kind, own = action.kind, action.from_hand
    if kind is ActionKind.DISCARD:
        return {"dapai": tile_text(own[0]) + "_" * (own[0] == view.drawn)}
    if kind in WINS:
        return {"hule": "-"}
    if kind is ActionKind.NINE_TERMINALS:
        return {"daopai": "-"}
    suit = tile_text(own[0])[0] if own else ""
    ranks = sorted((tile_text(tile)[1] for tile in own), reverse=True)
    if kind is ActionKind.ANKAN:
        return {"gang": suit + "".join(ranks)}
    if kind is ActionKind.KAKAN:
        pon = next(m for m in view.seats[view.seat].melds if KIND[m.tiles[0]] == KIND[own[0]])
        return {"gang": meld_text(pon, view.seat) + ranks[0]}
    if action.claimed is None:
        return None
    last = max((s for s in view.seats if s.river), key=lambda s: s.river[-1].order)
    rank, mark = tile_text(action.claimed)[1], " +=-"[(last.seat - view.seat) % 4]
    if kind is not ActionKind.CHI:
        return {"fulou": suit + "".join(ranks) + rank + mark}
    marked = [(KIND[tile], tile_text(tile)[1]) for tile in own]
    marked.append((KIND[action.claimed], rank + mark))
    return {"fulou": suit + "".join(text for _, text in sorted(marked))}


class Puppet(Majiang):
    """Replies in majiang's notation with the action of a bot, and checks the resulting action."""

    def __init__(self, bot: SelfPlayBot, n_actions: Counter[ActionKind]) -> None:
        super().__init__()
        self.bot, self.n_actions = bot, n_actions

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """Act as the bot, by way of a reply."""
        others = [action for action in actions if action.kind != ActionKind.RIICHI]
        expected = self.bot.act(view, others)
        assert isinstance(self._host, FakeHost)
        self._host.reply = reply_for(view, expected)
        action = super().act(view, actions)
        assert action == expected
        self.n_actions[action.kind] += 1
        return action


@pytest.fixture
def fake_host(monkeypatch: pytest.MonkeyPatch) -> FakeHost:
    fake = FakeHost()
    monkeypatch.setattr(host, "host", lambda: fake)
    return fake


def test_replies_become_the_right_actions(fake_host: FakeHost) -> None:
    n_actions: Counter[ActionKind] = Counter()
    for seed in range(4):
        rng = Random(seed)
        puppets = [Puppet(SelfPlayBot(draw_style(rng), rng), n_actions) for _ in range(SEATS)]
        matches.play("puppets", seed, puppets, [""] * SEATS)
        assert [puppet.mismatches for puppet in puppets] == [[]] * SEATS
    assert min(n_actions[kind] for kind in (ActionKind.CHI, ActionKind.PON, ActionKind.RON)) > 0
    assert (
        min(n_actions[kind] for kind in (ActionKind.ANKAN, ActionKind.KAKAN, ActionKind.TSUMO)) > 0
    )
    assert Counter(map(_letter, fake_host.received))["K"] == 4 * SEATS


def position(own_games: list[Game], fake_host: FakeHost) -> tuple[Majiang, View]:
    """A player in the dealer's seat, after the first draw."""
    majiang, table = Majiang(), Table()
    majiang.sit(0)
    for event in own_games[0].events[:2]:
        table.apply(event)
        majiang.receive(visible_event(event, 0))
    return majiang, table.view(0)


def test_mismatches_are_recorded(own_games: list[Game], fake_host: FakeHost) -> None:
    """And the game continues: the drawn tile is discarded."""
    majiang, view = position(own_games, fake_host)
    discards = [Action(ActionKind.DISCARD, tile) for tile in view.hand]
    fake_host.reply = {"gang": "z7777"}
    assert majiang.act(view, discards).tile == view.drawn
    assert [mismatch["what"] for mismatch in majiang.mismatches] == ["not legal"]
    majiang, view = position(own_games, fake_host)
    fake_host.reply = {"dapai": tile_text(view.hand[0])}
    assert (
        majiang.act(view, [Action(ActionKind.TSUMO, view.hand[-1]), *discards]).tile == view.hand[0]
    )
    assert [mismatch["what"] for mismatch in majiang.mismatches] == ["win not taken"]
    majiang, _ = position(own_games, fake_host)
    fake_host.reply = {"hule": "-"}
    majiang.leave([25_000] * SEATS)
    assert [mismatch["what"] for mismatch in majiang.mismatches] == ["not asked"]


def test_an_older_routine_may_declare_tenpai(fake_host: FakeHost, own_games: list[Game]) -> None:
    """Its reply to the last discard of the wall is dropped: it is no choice in Tenhou's rules."""
    majiang, table = Majiang("0202"), Table()
    majiang.sit(0)
    for event in own_games[0].events[:3]:
        table.apply(event)
        majiang.receive(visible_event(event, 0))
    assert isinstance(own_games[0].events[2], Discard)
    fake_host.reply = {"daopai": "-"}
    passes = [Action(ActionKind.RON, 0), Action(ActionKind.PASS)]
    assert majiang.act(table.view(0), passes[1:]) is passes[1]
    assert (majiang.mismatches, fake_host.routines) == ([], {"0202"})


def test_a_riichi_is_two_actions(own_games: list[Game], fake_host: FakeHost) -> None:
    """One reply gives both: no message is sent between the declaration and its discard."""
    majiang, view = position(own_games, fake_host)
    discards = [Action(ActionKind.DISCARD, tile) for tile in view.hand]
    riichi = Action(ActionKind.RIICHI)
    fake_host.reply = {"dapai": tile_text(view.hand[0]) + "*"}
    assert majiang.act(view, [*discards, riichi]) is riichi
    n_received = len(fake_host.received)
    majiang.receive(Riichi(0))
    declared = replace(view.seats[0], declared=True)
    view = replace(view, seats=(declared, *view.seats[1:]))
    assert majiang.act(view, discards).tile == view.hand[0]
    assert (len(fake_host.received), majiang.mismatches) == (n_received, [])


def messages_of_majiangs_referee(games: list[Game]) -> list[list[list[Message]]]:
    """The messages of majiang's own referee to each seat when it replays the games."""
    lines = []
    for game in games:
        log: list[list[Message]] = []
        for message in game_messages(game, 0, all_seats=True)[1:-1]:
            log += [[]] if "qipai" in message else []
            log[-1].append(message)
        script = {**game_messages(game, 0)[0]["kaiju"], "log": log}
        lines.append(json.dumps({"script": script, "rule": RULES}) + "\n")
    return [json.loads(line) for line in run_node("majiang_replay.js", "".join(lines)).splitlines()]


def run_node(script: str, text: str) -> str:
    """The output of a script beside the tests that reads the text."""
    return subprocess.run(
        ["node", str(Path(__file__).with_name(script))],
        env={**os.environ, "NODE_PATH": str(HERE / "node_modules")},
        input=text,
        capture_output=True,
        check=True,
        encoding="utf-8",
    ).stdout


def _comparable(message: Message) -> Message:
    """A message without the names of yaku and without the order of the tiles of a shown hand."""
    kind, content = next(iter(message.items()))
    if kind == "jieju":
        return {kind: content["defen"]}
    if kind == "pingju":
        hands = [names(parse_hand(hand.split(",")[0].rstrip("*"))) for hand in content["shoupai"]]
        return {kind: {**content, "shoupai": hands}}
    return {kind: {key: value for key, value in content.items() if key not in ("hupai", "rule")}}


@needs_node
def test_majiangs_referee_sends_the_same_messages(own_games: list[Game]) -> None:
    """It receives the draws and actions of our games; the points are compared too.

    The dora of a kan may come before or after the next kan, so it is compared separately.
    """
    assert own_games
    for game, theirs in zip(own_games, messages_of_majiangs_referee(own_games), strict=True):
        for seat in range(SEATS):
            for is_dora in (False, True):
                ours, majiangs = (
                    [_comparable(m) for m in messages if ("kaigang" in m) == is_dora]
                    for messages in (game_messages(game, seat), theirs[seat])
                )
                assert ours == majiangs


@needs_node
def test_a_match(tmp_path: Path) -> None:
    """Majiang makes no illegal reply, and the same seed gives the same bytes."""
    line_up = ("majiang", "v1", "v1", "v1")
    first, second = (
        [*play_match(Match(line_up, tmp_path / name), tmp_path / name, 1, jobs=1)]
        for name in ("first", "second")
    )
    assert first == second
    assert mismatches(tmp_path / "first") == []
    actors = Counter(event.seat for event in first[0] if isinstance(event, Discard))
    assert actors[0] > 50


def test_mismatches_are_kept(fake_host: FakeHost, tmp_path: Path) -> None:
    """Once, however often the game is played; a host without replies has a mismatch every turn."""
    match = Match(("majiang", "v1", "v1", "v1"), tmp_path)
    assert match.play(0, 1) == match.play(0, 1)
    recorded = [json.loads(line) for line in mismatches(tmp_path)]
    assert len(recorded) > 50
    assert {(mismatch["game"], mismatch["seat"]) for mismatch in recorded} == {("deal-000000-1", 1)}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "match")
    assert main([folder, *["v1"] * SEATS, "--deals", "1", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "average rank" in out
    assert out.endswith("\n0 mismatches between majiang and the referee\n")
    assert main([folder, *["v2"] * SEATS]) == 2
    assert "contains another match" in capsys.readouterr().err


def near_win(rng: Random, n_melds: int) -> list[int]:
    """A complete hand beside `n_melds` melds, the same with another last tile, or without it."""
    sets = [set_kinds(number) for number in range(SETS)]
    while True:
        chosen = [*rng.choices(sets, k=4 - n_melds), (rng.randrange(KINDS),) * 2]
        kinds = Counter(kind for tiles in chosen for kind in tiles)
        if max(kinds.values()) <= COPIES:
            break
    tiles = [COPIES * kind + copy for kind, number in kinds.items() for copy in range(number)]
    rng.shuffle(tiles)
    other = rng.choice([tile for tile in range(TILES) if tile not in tiles])
    return tiles[:-1] + rng.choice([tiles[-1:], [other], []])


@needs_node
def test_fast_shantens_and_waits_are_those_of_npm() -> None:
    """For hands of all tiles, of one suit and near a win, with and without melds."""
    rng = Random(1)
    hands = []
    for number in range(4000):
        pool = range(TILES) if number % 2 else range(36 * (number % 3), 36 * (number % 3) + 36)
        melds = rng.randrange(4)
        tiles = rng.sample(pool, 13 - 3 * melds + rng.randrange(2))
        hands += [(tiles, count) for count in (0, melds)]
        hands += [(near_win(rng, melds), melds)]
    named = [([tile_text(tile) for tile in tiles], melds) for tiles, melds in hands]
    assert run_node("majiang_shanten.js", json.dumps(named)) == "0\n"


RULES_OF_VERSIONS = {
    "before": (absolute_danger.suji, absolute_danger.limits(6)),
    "improved-1": (absolute_danger.walls, absolute_danger.limits(10)),
    "improved-2": (absolute_danger.as_held, absolute_danger.limits(10)),
    "relative": (relative_danger.relative, push_fold.SOURCE),
}


@needs_node
@pytest.mark.parametrize("name", host.VERSIONS)
def test_the_versions_have_the_dangers_and_limits_of_ours(name: str) -> None:
    """Held kinds are compared: his player judges no other tile."""
    rng = Random(1)
    positions = []
    for _ in range(20):
        own_kinds = rng.sample(range(KINDS), 9)
        unseen = [rng.randrange(4 if kind in own_kinds else 5) for kind in range(KINDS)]
        positions.append(
            {
                "unseen": unseen,
                "held": own_kinds,
                "genbutsu": rng.sample(range(KINDS), rng.randrange(9)),
            }
        )
    dangers = (0.0, 2.9, 3.0, 5.0, 6.0, 7.9, 8.0, 9.9, 10.0, 11.9, 12.0, 26.0)
    values = (0.0, 399.0, 400.0, 1199.0, 1200.0, 8000.0)
    situations = [
        (danger, least, *hand)
        for least, danger in combinations(dangers, 2)
        for hand in product(range(5), values)
    ]
    his = json.loads(run_node("majiang_versions.js", json.dumps([name, positions, situations])))
    scale, limits = RULES_OF_VERSIONS[name]
    for position, points in zip(positions, his["dangers"], strict=True):
        ours = scale(position["unseen"], position["genbutsu"], position["held"])
        assert ours[position["held"]] == pytest.approx([points[kind] for kind in position["held"]])
    pushes = [push_fold.may_push(*situation, limits) for situation in situations]
    assert his["pushes"] == pushes
    assert set(pushes) == {False, True}


@needs_node
def test_remembered_replies_are_those_of_a_new_host(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The versions share their replies to a round until a riichi."""
    before, relative = (
        Match((f"majiang-{name}", "v1", "v1", "v1"), tmp_path) for name in ("before", "relative")
    )
    games = [match.play(7, 0) for match in (before, relative, before)]
    assert games[0] == games[2]
    assert games[0].events != games[1].events
    new = Host()
    monkeypatch.setattr(host, "host", lambda: new)
    assert relative.play(7, 0) == games[1]
    assert mismatches(tmp_path) == []


@needs_node
def test_majiang_may_fail() -> None:
    """The match ends with an error and does not hang."""
    failing = Host()
    for _ in range(2):
        with pytest.raises(Error, match=r"majiang ended at the message .* to seat 0"):
            failing.send(0, [{"zimo": {"l": 0, "p": "m1"}}])


def test_majiang_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "PACKAGE", tmp_path / "nothing")
    monkeypatch.setattr(shutil, "which", lambda name: name)
    with pytest.raises(Error, match=r"majiang needs .*install\.sh"):
        Host()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(Error, match="majiang needs node"):
        Host()
