"""The work of the worker processes. Arguments and results are pickled."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import signal
import threading
from collections import defaultdict
from io import BytesIO
from typing import Any, ClassVar

import houjuu
from houjuu import logs
from houjuu.estimators.loading import load_once
from houjuu.estimators.protocol import Estimator
from houjuu.game.view import View
from houjuu.hands.hand_cache import HandCache
from houjuu.live import Live
from houjuu.logs.mjai_messages import Messages
from houjuu.logs.sources import stream_entries
from houjuu.meta import meta, view_meta
from houjuu.review import rendering
from houjuu.risk.deal_in import DealIn

_HIDDEN = ["?"] * 13
_WARM_UP = (
    {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
    | {"dora_marker": "3p", "scores": [25000] * 4, "tehais": [_HIDDEN] * 4},
    {"type": "tsumo", "actor": 0, "pai": "?"},
    {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": False},
    {"type": "pon", "actor": 2, "target": 0, "pai": "P", "consumed": ["P", "P"]},
)
"""A position with a pon: the first query after one builds large tables."""


class _Process:
    """The state of a worker process between calls."""

    model: ClassVar[str]
    estimator: ClassVar[Estimator]
    caches: ClassVar[defaultdict[int, HandCache]] = defaultdict(HandCache)


def start(model: str, background: bool) -> None:
    """Prepare a new process: it ends with the server, and Ctrl-C is for the server alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if background and hasattr(os, "nice"):
        os.nice(5)
    _Process.model, _Process.estimator = model, load_once(model)
    messages_meta(_WARM_UP, 0)
    gc.collect()
    gc.freeze()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def seat_meta(session: int, view: View) -> str:
    """The ``meta`` of a live seat as JSON; the session is its number."""
    risk = _Process.estimator.deal_in(view, _Process.caches[session])
    return _json(view_meta(view, risk, _Process.estimator.model))


def forget(session: int) -> None:
    """Drop the cache of a live seat."""
    _Process.caches.pop(session, None)


def messages_meta(messages: Messages, seat: int | None) -> str:
    """The ``meta`` of a seat after messages of mjai, as JSON."""
    live = Live(seat, _Process.estimator)
    live.hear(messages)
    return _json(meta(live))


def position_risk(arguments: dict[str, Any]) -> str:
    """The risk in a position, from the arguments of `houjuu.position`, as JSON."""
    risk: DealIn = _Process.estimator.deal_in(houjuu.position(**arguments))
    return _json(risk.to_dict())


def review(
    log: bytes, name: str, seat: int | None, player: str | None, language: str | None
) -> str:
    """The review page of the only game in a log or an archive."""
    game = logs.only_game(logs.read_stream(BytesIO(log), name, unfinished=True), name)
    entries = stream_entries(BytesIO(log), name)
    seats = [rendering.chosen_seat(game, seat, None, entries)]
    page, _ = rendering.render(game, seats, player, _Process.model, language=language)
    return page


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
