from houjuu import logs
from houjuu.estimators.loading import load
from houjuu.estimators.protocol import Estimator
from houjuu.game import events
from houjuu.game.position import position
from houjuu.game.table import Table
from houjuu.game.view import View
from houjuu.hands.hand_cache import HandCache
from houjuu.live.live import Live
from houjuu.player.bot import Bot
from houjuu.risk.deal_in import DealIn
from houjuu.util.errors import Error

__all__ = [
    "Bot",
    "DealIn",
    "Error",
    "Estimator",
    "HandCache",
    "Live",
    "Table",
    "View",
    "events",
    "load",
    "logs",
    "position",
]

__version__: str
