"""houjuu: how likely each discard deals in, to whom and for how many points.

>>> import houjuu
>>> table = houjuu.Table()
>>> estimator = houjuu.load()

Feed the table events (of a log, of an mjai stream, of a simulated game) and ask the estimator about
``table.view(seat)``.
"""

from houjuu import events, logs
from houjuu.deal_in import DealIn
from houjuu.errors import Error
from houjuu.estimator import Estimator, load
from houjuu.melded import Kept
from houjuu.table import Table, View

__all__ = ["DealIn", "Error", "Estimator", "Kept", "Table", "View", "events", "load", "logs"]
