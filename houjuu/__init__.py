"""houjuu: how likely each discard deals in, to whom and for how many points.

>>> import houjuu
>>> table = houjuu.Table()
>>> estimator = houjuu.load()

Apply events (of a log, an mjai stream or a simulated game) to the table, and query the estimator
with ``table.view(seat)``.
"""

from houjuu import events, logs
from houjuu.deal_in import DealIn
from houjuu.errors import Error
from houjuu.estimator import load
from houjuu.estimators.protocol import Estimator
from houjuu.hands.hand_cache import HandCache
from houjuu.live import Live
from houjuu.position import position
from houjuu.table import Table, View

__version__ = "0.2.0"

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
