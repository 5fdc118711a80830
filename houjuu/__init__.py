"""houjuu: how likely each discard deals in, to whom and for how many points.

>>> import houjuu
>>> table = houjuu.Table()
>>> estimator = houjuu.load()

Apply events (of a log, an mjai stream or a simulated game) to the table, and query the estimator
with ``table.view(seat)``.
"""

from typing import TYPE_CHECKING

__version__ = "0.2.0"

if TYPE_CHECKING:
    from houjuu import logs as logs
    from houjuu.estimators.loading import load as load
    from houjuu.estimators.protocol import Estimator as Estimator
    from houjuu.game import events as events
    from houjuu.game.position import position as position
    from houjuu.game.table import Table as Table
    from houjuu.game.view import View as View
    from houjuu.hands.hand_cache import HandCache as HandCache
    from houjuu.live import Live as Live
    from houjuu.player.bot import Bot as Bot
    from houjuu.risk.deal_in import DealIn as DealIn
    from houjuu.util.errors import Error as Error
else:
    from importlib import import_module

    _MODULES = {
        "DealIn": "risk.deal_in",
        "Error": "util.errors",
        "Estimator": "estimators.protocol",
        "HandCache": "hands.hand_cache",
        "Live": "live.live",
        "Table": "game.table",
        "View": "game.view",
        "events": "game.events",
        "load": "estimators.loading",
        "logs": "logs",
        "position": "game.position",
    }
    """The module of each name; a module is imported when its name is first used."""

    __all__ = list(_MODULES)

    def __getattr__(name: str) -> object:
        """Import the module of a name, and keep the value; the bot needs the extra "arena"."""
        if name == "Bot":
            from houjuu.util.extras import import_extra

            value = import_extra("arena", "player.bot").Bot
        elif name in _MODULES:
            module = import_module(f"houjuu.{_MODULES[name]}")
            value = getattr(module, name, module)
        else:
            raise AttributeError(f"module 'houjuu' has no attribute {name!r}")
        return globals().setdefault(name, value)

    def __dir__() -> list[str]:
        """The public names, with the bot if its extra is installed: else its import fails."""
        from houjuu.util.extras import is_installed

        names = {*globals(), *_MODULES, *(["Bot"] if is_installed("arena") else [])}
        return sorted(names - {"TYPE_CHECKING", "_MODULES", "import_module"})
