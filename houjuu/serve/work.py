"""The work of the worker processes. Arguments and results are pickled."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import signal
import threading
from collections import defaultdict
from ctypes import c_double
from io import BytesIO
from typing import Any, ClassVar

import houjuu
from houjuu.estimators.loading import load_once
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Game
from houjuu.game.view import View
from houjuu.hands.hand_cache import HandCache
from houjuu.live.live import Live
from houjuu.live.overlay import meta, view_meta
from houjuu.logs import any_format as logs
from houjuu.logs.mjai_messages import Messages
from houjuu.logs.sources import stream_entries
from houjuu.review import rendering
from houjuu.review.page_types import Review
from houjuu.review.review_data import Progress
from houjuu.risk.answers import PositionAnswer
from houjuu.serve.schema import ReviewQuery

_HIDDEN = ["?"] * 13
_WARM_UP = (
    {"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
    | {"dora_marker": "3p", "scores": [25000] * 4, "tehais": [_HIDDEN] * 4},
    {"type": "tsumo", "actor": 0, "pai": "?"},
    {"type": "dahai", "actor": 0, "pai": "P", "tsumogiri": False},
    {"type": "pon", "actor": 2, "target": 0, "pai": "P", "consumed": ["P", "P"]},
)
"""A position with a pon: the first query after one builds large tables."""


ALMOST_DONE = 0.999
"""The largest fraction of `seat_review`."""


class _Process:
    """The state of a worker process between calls."""

    progress: ClassVar[c_double]
    model: ClassVar[str]
    estimator: ClassVar[Estimator]
    caches: ClassVar[defaultdict[int, HandCache]] = defaultdict(HandCache)


def start(model: str, background: bool, progress: c_double) -> None:
    """Prepare a new process: it ends with the server, and Ctrl-C is for the server alone.

    The server reads the number `progress`, to which the process writes in `seat_review`.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if background and hasattr(os, "nice"):
        os.nice(5)
    _Process.progress = progress
    _Process.model, _Process.estimator = model, load_once(model)
    messages_meta(_WARM_UP, 0, unseen=True)
    gc.collect()
    gc.freeze()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def seat_meta(session: int, view: View, message: int, unseen: bool) -> str:
    """The ``meta`` of a live seat as JSON, with the number of the message that it answers.

    The session is its number.
    """
    estimator = _Process.estimator
    risk = estimator.deal_in(view, _Process.caches[session])
    copies = estimator.unseen(view) if unseen else None
    return _json({**view_meta(view, risk, estimator.model, copies), "message": message})


def prepare(session: int, view: View) -> None:
    """Build new hands of a live seat, so that its next decision need not wait for them."""
    _Process.caches[session].prepare(view)


def forget(session: int) -> None:
    """Drop the cache of a live seat."""
    _Process.caches.pop(session, None)


def messages_meta(messages: Messages, seat: int | None, unseen: bool) -> str:
    """The ``meta`` of a seat after messages of mjai, as JSON."""
    live = Live(seat, _Process.estimator)
    live.hear(messages)
    return _json(meta(live, unseen=unseen))


def position_risk(arguments: dict[str, Any], unseen: bool) -> str:
    """The risk in a position, from the arguments of `houjuu.position`, as JSON."""
    view = houjuu.position(**arguments)
    estimator = _Process.estimator
    answer: PositionAnswer = {**estimator.deal_in(view).to_dict(), "model": estimator.model}
    if unseen:
        answer["unseen"] = estimator.unseen(view).to_dict()
    return _json(answer)


def position_hands(arguments: dict[str, Any], deals: int, seed: int) -> str:
    """The hidden hands in a position, from the arguments of `houjuu.position`, as JSON."""
    view = houjuu.position(**arguments)
    return _json(_Process.estimator.hands(view).to_dict(deals, seed))


def players(log: bytes, name: str) -> dict[str, Any]:
    """The players of the only game in a log or an archive."""
    return rendering.players(_only_game(log, name), stream_entries(BytesIO(log), name))


def seats_to_review(
    log: bytes, name: str, seat: int | None, one_seat: bool, player: str | None
) -> list[int]:
    """The seats of a review, the one shown first at the beginning.

    Parameters
    ----------
    log : bytes
    name : str
        Of the log, for errors.
    seat : int, optional
        The seat shown first, 0–3; by default that of the log.
    one_seat : bool
        Whether to review this seat alone.
    player : str, optional
        As `houjuu.review.rendering.render` takes it.

    Raises
    ------
    Error
        The log has not exactly one game, or there is no such player.
    """
    game = _only_game(log, name)
    rendering.check(player, _Process.model)
    first = rendering.chosen_seat(game, seat, None, stream_entries(BytesIO(log), name))
    return [first] if one_seat else rendering.shown_seats(game, first)


def seat_review(number: int, log: bytes, seat: int, query: ReviewQuery) -> str:
    """The data of the review of a seat as JSON.

    The process shares the number of the call, and as its fraction how much of the game is done.
    """

    def progress(share: float) -> None:
        _Process.progress.value = number + min(share, ALMOST_DONE)

    progress(0)
    return _json(_reviewed(log, seat, query, progress))


def review_page(reviews: list[str], player: str | None, language: str) -> str:
    """The page of the results of `seat_review`."""
    return rendering.page_of(list(map(json.loads, reviews)), player, language)


def position_page(arguments: dict[str, Any], language: str) -> str:
    """The page of a position, from the arguments of `houjuu.position`."""
    return rendering.position_page(houjuu.position(**arguments), language, _Process.model)


def review_data(log: bytes, query: ReviewQuery) -> str:
    """The review of a seat as `houjuu review --json` writes it."""
    (seat,) = seats_to_review(log, query.name, query.seat, True, query.player)
    return _json(_reviewed(log, seat, query))


def _reviewed(
    log: bytes, seat: int, query: ReviewQuery, progress: Progress | None = None
) -> Review:
    game = _only_game(log, query.name).in_room(query.room)
    return rendering.reviewed(game, seat, query.player, _Process.model, progress)


def _only_game(log: bytes, name: str) -> Game:
    return logs.only_game(logs.read_stream(BytesIO(log), name, unfinished=True), name)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
