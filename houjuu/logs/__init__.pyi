from houjuu.logs.any_format import games, only_game, own_seat, parse, read_stream
from houjuu.logs.mjai import Reader as MjaiReader
from houjuu.logs.mjai_messages import Message
from houjuu.logs.mjai_writer import messages
from houjuu.logs.mjai_writer import write as write_mjai
from houjuu.logs.mjlog_writer import write as write_mjlog
from houjuu.logs.sources import entries
from houjuu.logs.tenhou6_writer import write as write_tenhou6

__all__ = [
    "Message",
    "MjaiReader",
    "entries",
    "games",
    "messages",
    "only_game",
    "own_seat",
    "parse",
    "read_stream",
    "write_mjai",
    "write_mjlog",
    "write_tenhou6",
]
