"""The wall regenerated from the seed equals all hands, draws and indicators of the log."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from houjuu.game.events import Call, Deal, Discard, Dora, Draw, Event, Game, MeldKind
from houjuu.logs import mjlog
from tests.kit import real
from tests.logs import wall

pytestmark = pytest.mark.real_logs


def rounds(game: Game) -> Iterator[list[Event]]:
    starts = [i for i, event in enumerate(game.events) if isinstance(event, Deal)]
    for start, stop in zip(starts, [*starts[1:], len(game.events)], strict=True):
        yield list(game.events[start:stop])


def test_every_tile_is_where_the_seed_puts_it() -> None:
    checked = 0
    for name, data in real.games("with-wall-seed", 195):
        game = mjlog.parse(data, name)
        expected = list(wall.walls(data.decode()))
        played = list(rounds(game))
        assert len(expected) == len(played)
        for (tiles, dead), events in zip(expected, played, strict=True):
            check_round(tiles, dead, events)
            checked += 1
    assert checked == 1802


def check_round(tiles: wall.Wall, dead: wall.Dead, events: list[Event]) -> None:
    deal = events[0]
    assert isinstance(deal, Deal)
    assert tuple(tuple(sorted(hand or ())) for hand in deal.hands) == wall.dealt(tiles, deal.dealer)
    indicators = [deal.dora_indicator, *(e.indicator for e in events if isinstance(e, Dora))]
    assert indicators == [tiles[dead.indicator + 2 * i] for i in range(len(indicators))]
    draws = iter(tiles[wall.FIRST_DRAW :: -1])
    rinshan = iter(tiles[index] for index in dead.rinshan)
    after_kan = False
    for event in events:
        if isinstance(event, Call):
            after_kan = event.meld.kind not in (MeldKind.CHI, MeldKind.PON)
        elif isinstance(event, Draw):
            assert event.tile == next(rinshan if after_kan else draws)
            after_kan = False
        elif isinstance(event, Discard):
            after_kan = False
