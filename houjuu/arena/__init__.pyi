from houjuu.arena.match_report import records as match_records
from houjuu.arena.match_report import results
from houjuu.arena.match_report import tables as match_tables
from houjuu.arena.matches import Match, play_match, play_matches, read_match
from houjuu.arena.selfplay import play

__all__ = [
    "Match",
    "match_records",
    "match_tables",
    "play",
    "play_match",
    "play_matches",
    "read_match",
    "results",
]
