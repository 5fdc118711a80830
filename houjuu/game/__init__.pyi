from houjuu.game import events
from houjuu.game.actions import Action, ActionKind, discards
from houjuu.game.decisions import Decision, Follower
from houjuu.game.notation import (
    format_hand,
    format_round,
    parse_hand,
    parse_melds,
    parse_river,
    parse_round,
    parse_seat,
)
from houjuu.game.position import arguments
from houjuu.game.rules import PROFILES, Profile, Rules
from houjuu.game.seat import RiverTile, Seat
from houjuu.game.table import Table
from houjuu.game.tiles import (
    COPIES,
    KIND,
    format_tiles,
    kind_counts,
    kind_name,
    parse_kind,
    parse_tiles,
    tile_id,
)
from houjuu.game.view import View, unchecked_view
from houjuu.game.yaku import YAKU

__all__ = [
    "COPIES",
    "KIND",
    "PROFILES",
    "YAKU",
    "Action",
    "ActionKind",
    "Decision",
    "Follower",
    "Profile",
    "RiverTile",
    "Rules",
    "Seat",
    "Table",
    "View",
    "arguments",
    "discards",
    "events",
    "format_hand",
    "format_round",
    "format_tiles",
    "kind_counts",
    "kind_name",
    "parse_hand",
    "parse_kind",
    "parse_melds",
    "parse_river",
    "parse_round",
    "parse_seat",
    "parse_tiles",
    "tile_id",
    "unchecked_view",
]
