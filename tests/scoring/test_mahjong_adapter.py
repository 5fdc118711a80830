"""Where riichienv is absent, `mahjong` evaluates the wins: the same answers."""

from __future__ import annotations

from types import ModuleType

import pytest

from houjuu.game.events import Discard, Game, Meld, Win
from houjuu.game.table import View
from houjuu.game.tiles import parse_tiles
from houjuu.scoring import engine, mahjong_adapter, riichienv_adapter, win_scoring
from tests.kit.games import walk

NAMES = sorted({*engine.__all__} - {"is_tenpai", "waits"})


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> object:
    def both(view: View, win: Win) -> list[Win]:
        scored = []
        for adapter in (riichienv_adapter, mahjong_adapter):
            for name in NAMES:
                monkeypatch.setattr(win_scoring, name, getattr(adapter, name))
            scored.append(win_scoring.scored(view, win))
        return scored

    return both


def test_wins_and_waits_of_games(games: list[Game], answers: object) -> None:
    assert callable(answers)
    n_wins = n_waiting = 0
    for game in games:
        for table, event in walk(game):
            if isinstance(event, Win):
                by_engine, by_mahjong = answers(table.view(event.seat), event)
                assert by_engine == by_mahjong, game.id
                n_wins += 1
            elif isinstance(event, Discard):
                hand = [t for t in table.round_state.hands[event.seat] if t != event.tile]
                melds = table.seats[event.seat].melds
                waits = mahjong_adapter.waits(hand, melds)
                assert waits == riichienv_adapter.waits(hand, melds), game.id
                assert bool(waits) == riichienv_adapter.is_tenpai(hand, melds)
                n_waiting += bool(waits)
    assert n_wins > 20
    assert n_waiting > 100


def result(adapter: ModuleType, hand: str, win: str, melds: tuple[Meld, ...], seat: int) -> object:
    tiles, (tile,) = parse_tiles(hand), parse_tiles(win)
    conditions = adapter.Conditions(
        tsumo=True,
        tsumo_first_turn=not melds,
        player_wind=adapter.WINDS[seat],
        round_wind=adapter.WINDS[0],
    )
    found = adapter.evaluate_win(
        sorted({*tiles, tile}),
        [adapter.engine_meld(meld) for meld in melds],
        tile,
        conditions,
        dora_indicators=parse_tiles("1z"),
    )
    yaku = sorted(map(adapter.tenhou_yaku, found.yaku))
    return found.is_win, bool(found.yakuman), found.fu, yaku if found.is_win else []


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("hand", "win"),
    [
        ("19m19p19s1234567z7z", "7z"),  # 国士無双, by the first draw also 天和 or 地和
        ("222333444m666p55s", "5s"),
        ("1112345678999m5m", "5m"),
        ("555666777z1112z2z", "2z"),
        ("123m456p789s1178s9s", "9s"),
        ("234m456p34567s33z8s", "8s"),
    ],
)
def test_rare_wins(hand: str, win: str, seat: int) -> None:
    by_engine, by_mahjong = (
        result(adapter, hand, win, (), seat) for adapter in (riichienv_adapter, mahjong_adapter)
    )
    assert by_engine == by_mahjong
