"""houjuu: how likely each discard deals in, to whom and for how many points.

>>> import houjuu
>>> table = houjuu.Table()
>>> estimator = houjuu.load()

Apply events (of a log, an mjai stream or a simulated game) to the table, and query the estimator
with ``table.view(seat)``.
"""

from houjuu.util.face import attach

__version__ = "0.2.0"
__getattr__, __dir__, __all__ = attach(__name__)
