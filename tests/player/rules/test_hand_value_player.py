"""The player's choice between kinds of actions."""

from __future__ import annotations

import pytest

pytest.importorskip("riichienv", reason="it lists the actions")
from houjuu.game.actions import Action, ActionKind
from houjuu.game.tiles import parse_tiles
from houjuu.player.players import player
from tests.kit.positions import view_of


@pytest.mark.parametrize(
    ("hand", "aborts"),
    [
        ("19m19p19s1234z2468p", True),  # ten kinds without a pair
        ("19m19p19s123z22345p", True),  # nine kinds and a pair of others
        ("119m19p19s1234z345p", False),  # ten kinds and a pair: two from kokushi
        ("19m19p19s12345z345p", False),  # eleven kinds
        ("19m199p119s111223z", False),  # nine kinds, and two from seven pairs
    ],
)
def test_nine_terminals(hand: str, aborts: bool) -> None:
    """A round is aborted unless the hand is near kokushi or another winning form."""
    tiles = parse_tiles(hand)
    view = view_of(hand=tiles, drawn=tiles[-1], tiles_left=69)
    discards = [Action(ActionKind.DISCARD, tile) for tile in tiles]
    chosen = player("value").act(view, [*discards, Action(ActionKind.NINE_TERMINALS)])
    assert (chosen.kind == ActionKind.NINE_TERMINALS) == aborts
    assert player("value").act(view, discards).kind == ActionKind.DISCARD
