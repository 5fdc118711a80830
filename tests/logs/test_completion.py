"""Details that logs leave out are found from the table, equal to those of complete logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import houjuu
from features import final_rank_rows, paper_wait_counts, ron_score_rows, round_end_rows, yaku_rows
from houjuu import logs
from houjuu.game.events import Deal, DrawnRound, Event, Game, RoundEnd, Rules, Win
from houjuu.logs import mjai
from houjuu.logs.completion import completed
from houjuu.scoring import strict
from houjuu.scoring.win_scoring import scored
from houjuu.util.errors import LogError
from tests.kit.events import ends
from tests.kit.programs import mortal
from tests.test_runtime_only import run_without

MISSING = (None,) * 4


def bare(event: Event) -> Event:
    """The end of a round with the details of Mortal's mjai: winner, tile and changes."""
    if isinstance(event, Win):
        score: dict[str, Any] = {"fu": None, "points": None, "limit": None, "liable": None}
        ura = event.ura_indicators or None
        return replace(event, **score, yaku=(), yakuman=(), ura_indicators=ura)
    if isinstance(event, DrawnRound):
        return replace(event, reason=None, hands=MISSING, tenpai=MISSING)
    return event


def without_changes(event: Event) -> Event:
    if isinstance(event, (Win, DrawnRound)):
        return replace(event, scores=None, deltas=None)
    return event


def stripped(game: Game, *strip: Callable[[Event], Event]) -> Game:
    events = game.events
    for one in strip:
        events = tuple(map(one, events))
    return replace(game, events=events)


def comparable(end: Win | DrawnRound) -> Win | DrawnRound:
    """The end without what no table shows: hands shown at an aborted draw, the fu of a yakuman."""
    if isinstance(end, Win):
        fu = None if end.yakuman else end.fu
        nobody = end.liable in (end.seat, end.source)
        yaku = tuple(sorted(end.yaku))
        return replace(end, fu=fu, liable=None if nobody else end.liable, yaku=yaku)
    return replace(end, hands=end.hands if end.tenpai != MISSING else MISSING)


def test_the_ends_of_rounds_are_found_from_the_table(games: list[Game]) -> None:
    counts: Counter[str] = Counter()
    for game in games:
        for original, computed in zip(
            ends(game), ends(completed(stripped(game, bare), scored)), strict=True
        ):
            assert comparable(computed) == comparable(original), game.id
            counts[str(getattr(original, "reason", "win"))] += 1
    assert counts["win"] > 20
    assert counts["exhausted"] > 5


def test_changes_of_the_scores_are_those_up_to_the_next_deal(games: list[Game]) -> None:
    n_found = 0
    for game in games:
        computed = completed(stripped(game, without_changes))
        for index, (original, event) in enumerate(zip(game, computed, strict=True)):
            following = game.events[index + 1 : index + 2]
            if isinstance(event, (Win, DrawnRound)) and following and type(following[0]) is Deal:
                before = game.events[index - 1]
                assert isinstance(original, (Win, DrawnRound))
                assert event.deltas in ((None,) if isinstance(before, Win) else (original.deltas,))
                n_found += event.deltas is not None
    assert n_found > 20


def test_a_round_end_has_the_changes_up_to_the_next_deal(own_games: list[Game]) -> None:
    game = own_games[0]
    (first, *_) = ends(game)
    index = game.events.index(first)
    hidden = replace(game, events=(*game.events[:index], RoundEnd(), *game.events[index + 1 :]))
    end = completed(hidden).events[index]
    assert isinstance(end, RoundEnd)
    assert end.deltas == first.deltas


def test_details_of_a_log_are_never_changed(own_games: list[Game]) -> None:
    """Also where it is false, so that the strict check can refuse it."""
    game = own_games[0]
    win = next(event for event in game if isinstance(event, Win))
    for false in (
        replace(win, fu=110, points=None),
        replace(win, yaku=((8, 1),), fu=None),
        replace(win, limit=4, fu=None),
        replace(win, liable=(win.seat + 1) % 4, points=None),
    ):
        changed = replace(game, events=tuple(false if e is win else e for e in game))
        (computed,) = (event for event in completed(changed, scored) if event not in game.events)
        assert isinstance(computed, Win)
        assert computed.is_whole
        stated = {name: getattr(false, name) for name in false.__dataclass_fields__}
        for name, value in stated.items():
            assert value is None or getattr(computed, name) == value
        with pytest.raises(LogError, match="of a win differ"):
            strict.check(completed(changed, scored))


def test_an_unknown_hand_stays_unknown(own_games: list[Game]) -> None:
    game = stripped(own_games[0], bare)

    def hidden(event: Event) -> Event:
        if isinstance(event, Win):
            return replace(event, hand=())
        return replace(event, hands=MISSING) if isinstance(event, Deal) else event

    with_hidden_hands = stripped(game, hidden)
    for win in ends(with_hidden_hands):
        assert not isinstance(win, Win) or not win.is_whole


def test_a_parse_is_the_same_whatever_is_installed(own_games: list[Game], tmp_path: Path) -> None:
    """Its table too, which details of draws and changes of the scores set."""
    for game in own_games:
        (tmp_path / game.id).write_bytes(mortal(game))
    script = (
        "from pathlib import Path; from houjuu import logs\n"
        "for path in sorted(Path().iterdir()): print(logs.parse(path.read_bytes(), path.name))"
    )
    printed = [run_without(missing, script, tmp_path).stdout for missing in ((), ("riichienv",))]
    assert printed[0] == printed[1]
    assert printed[0].count("EXHAUSTED") > 5
    assert printed[0].count("tenpai=(") > 5
    little, whole = (completed(stripped(own_games[0], bare), judge) for judge in (None, scored))
    for without, judged in zip(ends(little), ends(whole), strict=True):
        assert without == judged or isinstance(without, Win)
        assert without.deltas == judged.deltas


def test_rows_of_a_short_log_are_those_of_the_whole_log(games: list[Game]) -> None:
    """Nothing unknown is trained on as zero."""
    for game in games[::8]:  # real ones of every sort
        little = logs.parse(mortal(game), f"{game.id}.json", judge=scored)
        whole = logs.parse(mjai.write(game).encode(), f"{game.id}.json", judge=scored)
        strict.check(little)
        # a short log does not tell the room
        little = replace(little, rules=replace(little.rules, named_room=whole.rules.room))
        assert [comparable(end) for end in ends(little)] == [comparable(end) for end in ends(whole)]
        assert yaku_rows.rows([little], 3).equals(yaku_rows.rows([whole], 3))
        assert final_rank_rows.rows([little]).empty  # it lacks the final scores
        rows = [round_end_rows.rows([one], houjuu.load(), 3) for one in (little, whole)]
        assert rows[0].equals(rows[1])


def test_rows_leave_out_what_is_unknown(own_games: list[Game]) -> None:
    """A win without score is no row of scores, and its round has no label."""

    def unscored(event: Event) -> Event:
        if not isinstance(event, Win):
            return event
        return replace(event, fu=None, points=None, yaku=(), yakuman=(), hand=(), deltas=None)

    game = own_games[0]
    little = stripped(game, unscored)
    assert len(ron_score_rows.rows([game])) > 0
    assert ron_score_rows.rows([little]).empty
    counts = [paper_wait_counts.count([one]) for one in (game, little)]
    assert counts[0].han.sum() > 0
    assert counts[1].han.sum() == counts[1].fu.sum() == 0
    won = round_end_rows.rows([little], houjuu.load(), 3)
    assert (won["base_points"] == -1).all()
    assert 0 < len(won) < len(round_end_rows.rows([game], houjuu.load(), 3))
    assert len(yaku_rows.rows([little], 3)) < len(yaku_rows.rows([game], 3))


def test_missing_details_are_counted(own_games: list[Game]) -> None:
    game = own_games[0]
    assert not strict.missing_details(game)
    counts = Counter[str](type(event).__name__ for event in game)

    def silent(event: Event) -> Event:
        if isinstance(event, Win):
            score: dict[str, Any] = {"fu": None, "ura_indicators": None, "deltas": None}
            return replace(event, **score)
        if isinstance(event, DrawnRound):
            return replace(event, reason=None, deltas=None)
        return replace(event, scores=None) if isinstance(event, Deal) else event

    little = replace(stripped(game, silent), rules=Rules(stated=False), final=None)
    assert strict.missing_details(little) == Counter(
        {
            "rules of a game": 1,
            "final scores of a game": 1,
            "scores of a round": counts["Deal"],
            **dict.fromkeys(
                ("score of a win", "ura indicators of a win", "payments of a win"), counts["Win"]
            ),
            **dict.fromkeys(("reason of a draw", "payments of a draw"), counts["DrawnRound"]),
        }
    )
