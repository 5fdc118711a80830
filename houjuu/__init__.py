"""houjuu: how likely each discard deals in, to whom and for how many points.

>>> import houjuu
>>> table = houjuu.Table()
>>> estimator = houjuu.load()

Apply events (of a log, an mjai stream or a simulated game) to the table, and query the estimator
with ``table.view(seat)``.
"""

from typing import TYPE_CHECKING

from houjuu import logs
from houjuu.estimators.loading import load
from houjuu.estimators.protocol import Estimator
from houjuu.game import events
from houjuu.game.position import position
from houjuu.game.table import Table, View
from houjuu.hands.hand_cache import HandCache
from houjuu.live import Live
from houjuu.risk.deal_in import DealIn
from houjuu.util.errors import Error
from houjuu.util.extras import import_extra

__version__ = "0.2.0"

if TYPE_CHECKING:
    from houjuu.player.bot import Bot as Bot
else:

    def __getattr__(name: str) -> object:
        """Import the bot when it is used: it needs the extra "arena"."""
        if name != "Bot":
            raise AttributeError(f"module 'houjuu' has no attribute {name!r}")
        return import_extra("arena", "player.bot").Bot


__all__ = [
    "DealIn",
    "Error",
    "Estimator",
    "HandCache",
    "Live",
    "Table",
    "View",
    "__version__",
    "events",
    "load",
    "logs",
    "position",
]
