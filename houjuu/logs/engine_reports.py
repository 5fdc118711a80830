"""The reports of mjai-reviewer (``--json``): a game, and what an engine would have done in it.

mjai-reviewer 1.5.10 (github.com/Equim-chan/mjai-reviewer, ``src/render.rs``, ``src/review/``) asks
Mortal or akochan at each decision of one seat. The file has the game twice: ``mjai_log`` with all
four hands, and ``split_logs``, a log of tenhou.net/6 a round, which alone has fu, han and yaku.
Another version is read as far as it goes: what an entry lacks stands in `EngineReport.missing`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, NamedTuple

from houjuu.game.events import SEATS, Deal, Discard, Draw, Game
from houjuu.game.rules import HANCHAN
from houjuu.game.tiles import mjai_name
from houjuu.logs import mjai, tenhou6
from houjuu.logs import mjai_messages as fields
from houjuu.logs.mjai_messages import Message
from houjuu.logs.reading import integral
from houjuu.util.errors import LogError, printable, shortened, shown

_ENGINES = ("Mortal", "Akochan")
_AFTER = {"at_self_chi_pon": "call", "at_self_riichi": "riichi", "at_opponent_kakan": "kan"}
_MOST_MISSING = 20  # places that are named; one fault repeats at every entry


class EngineOption(NamedTuple):
    """A legal action at a decision, as the engine values it.

    Attributes
    ----------
    moves : tuple of mappings
        Messages of mjai; of akochan a riichi or a call with its discard. Mortal calls every kan
        ``ankan``.
    value : float or None
        Mortal's Q, or akochan's expected pt. Only values of one decision can be compared.
    probability : float or None
        0–1, how readily Mortal would choose it; akochan has none.
    """

    moves: tuple[Message, ...]
    value: float | None
    probability: float | None


class Place(NamedTuple):
    """What identifies a decision among those of a seat in a round.

    Attributes
    ----------
    tiles_left : int
        70 less all draws of the round.
    last_actor : int
        The seat of the last event that has one, 0–3.
    tile : str
        The name in mjai of the seat's last draw, or of the last discard or added kan of anybody,
        whichever came later.
    after : str or None
        "call" or "riichi" for the discard after one of the seat's own, "kan" at an added kan.
    """

    tiles_left: int
    last_actor: int
    tile: str
    after: str | None


class EngineEntry(NamedTuple):
    """What the engine answered at a decision.

    Attributes
    ----------
    round : int
        Index of the deal in the game.
    place : Place
    hand : tuple of str
        The concealed tiles of the seat, sorted by name.
    expected : tuple of mappings
        The engine's moves, messages of mjai as in `EngineOption`.
    options : tuple of EngineOption
        All legal actions, the best first.
    """

    round: int
    place: Place
    hand: tuple[str, ...]
    expected: tuple[Message, ...]
    options: tuple[EngineOption, ...]


@dataclass(frozen=True)
class EngineReport:
    """An engine's answers to the decisions of a seat.

    Attributes
    ----------
    engine : str
        "Mortal" or "Akochan".
    model : str or None
        The weights, such as "mortal4-b40c192"; akochan has none.
    seat : int
        0–3.
    entries : tuple of EngineEntry
        In the order of the game.
    ranks : tuple of 4 × 4 floats, one a round, or None
        Probabilities, 0–1, of the final ranks at the start of a round: by absolute seat and rank.
        Mortal's ``relative_phi_matrix``; akochan has none.
    missing : tuple of str
        The places of the report that could not be read, with the reason.
    """

    engine: str
    model: str | None
    seat: int
    entries: tuple[EngineEntry, ...]
    ranks: tuple[tuple[tuple[float, ...], ...], ...] | None
    missing: tuple[str, ...]

    @property
    def name(self) -> str:
        """The engine with its weights."""
        return " ".join(filter(None, (self.engine, self.model)))


@dataclass(frozen=True, slots=True)
class ReportedGame(Game):
    """A game with the answers of an engine."""

    report: EngineReport = field(kw_only=True)


def parse(data: bytes, name: str = "report") -> ReportedGame:
    """The game of a report, and the report.

    Parameters
    ----------
    data : bytes
    name : str
        Name of the file for error messages; the id of the game is the report's ``log_id``, else
        the part of the name between the last / and the first dot.

    Raises
    ------
    LogError
        It is not a report, names neither the seat nor the engine, its game is impossible, or its
        two logs are of different games.
    """
    report = _loaded(data, name)
    game = _game(report, name)
    known = (game.id, game.rules, game.players, game.events, game.final, game.unread)
    return ReportedGame(*known, report=_read(report, name))


def _game(report: dict[str, Any], name: str) -> Game:
    messages = report["mjai_log"]
    if not isinstance(messages, list):
        raise LogError("mjai_log is not a list of messages", file=name)
    game = mjai.parse(json.dumps(messages).encode(), name)
    log_id = report.get("log_id")
    if isinstance(log_id, str) and log_id.isascii() and 0 < len(log_id) <= 64:
        game = replace(game, id=log_id)
    if not report.get("split_logs"):
        return game
    detailed = tenhou6.parse(_joined(report["split_logs"], name), name)
    if _plays(detailed) != _plays(game):
        raise LogError("split_logs and mjai_log are of different games", file=name)
    flags = detailed.rules.flags & ~HANCHAN | game.rules.flags & HANCHAN  # of kyoku_first
    return replace(detailed, id=game.id, rules=replace(detailed.rules, flags=flags))


def read(data: bytes, name: str = "report") -> EngineReport:
    """The report alone; errors as `parse`."""
    return _read(_loaded(data, name), name)


def _read(report: dict[str, Any], name: str) -> EngineReport:
    try:
        seat = fields.seat(report, "player_id")
        engine, review = report.get("engine"), report.get("review")
        if engine not in _ENGINES or not isinstance(review, Mapping):
            raise LogError(f"is of the engine {shown(engine)}, and not of Mortal or akochan")
    except LogError as problem:
        raise problem.in_file(name) from None
    missing: list[str] = []
    entries = tuple(_entries(review.get("kyokus"), missing))
    tag, phi = review.get("model_tag"), review.get("relative_phi_matrix")
    model = shortened(printable(tag)) if isinstance(tag, str) else None
    ranks = None if phi is None else _ranks(phi, seat, missing)
    return EngineReport(engine, model, seat, entries, ranks, tuple(missing[:_MOST_MISSING]))


def _loaded(data: bytes, name: str) -> dict[str, Any]:
    try:
        report = json.loads(data, parse_float=integral)
    except (ValueError, RecursionError) as problem:
        raise LogError(f"is not JSON: {problem}", file=name) from None
    if not isinstance(report, dict) or "mjai_log" not in report:
        raise LogError("is not a report of mjai-reviewer: it has no mjai_log", file=name)
    return report


def _joined(logs: object, name: str) -> bytes:
    """The rounds of ``split_logs`` as one log of tenhou.net/6."""
    try:
        first, rounds = logs[0], [one["log"][0] for one in logs]  # type: ignore[index, attr-defined]
        return json.dumps({**first, "log": rounds}).encode()
    except (LookupError, TypeError):
        raise LogError("split_logs is not a list with a log for each round", file=name) from None


def _plays(game: Game) -> list[tuple[object, ...]]:
    """The deals, draws and discards of a game, in the names of mjai."""
    return [
        (event.round, event.honba)
        if isinstance(event, Deal)
        else (event.seat, event.tile is not None and mjai_name(event.tile))
        for event in game.events
        if isinstance(event, Deal | Draw | Discard)
    ]


def _entries(rounds: object, missing: list[str]) -> Iterator[EngineEntry]:
    """Yield what can be read; adds the places of the rest to `missing`."""
    for number, one in enumerate(_list(rounds, "review.kyokus", missing)):
        at = f"review.kyokus[{number}].entries"
        listed = one.get("entries") if isinstance(one, Mapping) else None
        for index, entry in enumerate(_list(listed, at, missing)):
            try:
                yield _entry(number, entry)
            except (LogError, AttributeError, LookupError, TypeError) as problem:
                reason = problem.reason if isinstance(problem, LogError) else "lacks a field"
                missing.append(f"{at}[{index}]: {reason}")


def _entry(number: int, entry: Message) -> EngineEntry:
    after = next((name for key, name in _AFTER.items() if entry.get(key)), None)
    where = Place(
        fields.number(entry, "tiles_left"),
        fields.seat(entry, "last_actor"),
        fields.tile_name(entry, "tile"),
        after,
    )
    hand = tuple(sorted(fields.tile_names(entry["state"], "tehai")))
    options = tuple(map(_option, entry["details"]))
    return EngineEntry(number, where, hand, _moves(entry["expected"]), options)


def _option(detail: Message) -> EngineOption:
    if "moves" in detail:
        return EngineOption(_moves(detail["moves"]), _real(detail["review"], "pt_exp_total"), None)
    value, probability = _real(detail, "q_value"), _real(detail, "prob")
    return EngineOption(_moves(detail["action"]), value, probability)


def _moves(messages: object) -> tuple[Message, ...]:
    """One message, or a list of at most two."""
    moves = messages if isinstance(messages, Sequence) else [messages]
    if len(moves) not in (1, 2) or not all(
        isinstance(one, Mapping) and isinstance(one.get("type"), str) for one in moves
    ):
        raise LogError(f"{shown(messages)} is not one or two messages of mjai")
    return tuple(moves)


def _real(message: Message, key: str) -> float | None:
    value = message.get(key)
    if value is None:
        return None
    if type(value) not in (int, float) or not isfinite(value):
        raise LogError(f"{key} is {shown(value)}, not a number")
    return float(value)


def _ranks(
    phi: object, seat: int, missing: list[str]
) -> tuple[tuple[tuple[float, ...], ...], ...] | None:
    """The matrices by absolute seat: the first row is the reviewed seat, the next its right."""
    try:
        matrices = [[[float(p) for p in row] for row in matrix] for matrix in phi]  # type: ignore[attr-defined]
        if all(
            len(matrix) == SEATS
            and all(len(row) == SEATS and all(0 <= p <= 1 for p in row) for row in matrix)
            for matrix in matrices
        ):
            turned = ([matrix[(one - seat) % SEATS] for one in range(SEATS)] for matrix in matrices)
            return tuple(tuple(map(tuple, matrix)) for matrix in turned)
    except (TypeError, ValueError):
        pass
    missing.append("review.relative_phi_matrix: is not 4 by 4 probabilities a round")
    return None


def _list(value: object, at: str, missing: list[str]) -> list[Any]:
    if isinstance(value, list):
        return value
    missing.append(f"{at}: is not there")
    return []
