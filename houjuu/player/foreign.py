"""Players that others wrote: any command that speaks mjai, and any Python object with `act`.

- ``mjai:COMMAND[,OPTION…]``, such as "mjai:python mybot.py,dialect=mjai.app,limit=5". The command
  hears lines on standard input and answers on standard output; no shell reads it, and ``{seat}`` in
  it stands for the seat.
- ``module:Class``, such as "mybot:MyPlayer", or ``file.py:Class``: the class is called without
  arguments, once a game.

The options of a command:

- **dialect**: ``mortal`` (the default): a line is an array of messages and has one answer, and a
  line is sent where the seat decides. ``mjai.app``: the same, and the seat is the last argument of
  the command. ``mjai``: a line is one message, and each has an answer; where the seat decides, the
  message has ``possible_actions`` and ``cannot_dahai``. ``akochan``: a line is one message with
  ``can_act``, and only one that can act has an answer, an array of moves: a riichi or a call, and
  its discard.
- **cwd**: the working folder of the command.
- **limit**, **start**: seconds for an answer, and for the first one of a process.
- **keep**: the process plays on in the next game; without it, each game has a new one.

An answer that is illegal, late or absent is a `Problem` in the `AnswerRecord`, and an
`EngineAnswer` without action, which is no disagreement. The seat then passes or discards the drawn
tile. A process that is late or has ended is started again at the next decision and hears the whole
game, three times a game, unless it never gave an answer; then the seat plays on without it.

Names run programs: only those of a person at this machine are read here, and never one of a file or
of a client. `houjuu.player.players` knows none of them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, TypedDict

from houjuu.estimators.protocol import Estimator
from houjuu.game.actions import Action
from houjuu.game.events import Deal, Event, PlayerInfo, Rules, visible
from houjuu.game.notation import format_round
from houjuu.game.table import View
from houjuu.game.tiles import mjai_name
from houjuu.logs import mjai_writer
from houjuu.logs.mjai_messages import shorten
from houjuu.player import players
from houjuu.player.names import COMMAND
from houjuu.player.protocol import Player
from houjuu.scoring.legality import default_action
from houjuu.util import objects
from houjuu.util.errors import Error
from houjuu.util.line_process import LineProcess, words

DIALECTS = ("mortal", "mjai.app", "mjai", "akochan")
MAX_STARTS = 4
"""Processes of a seat in a game."""

_OPTION = re.compile(r"(.*),(dialect=[^,]*|cwd=[^,]*|limit=[^,]*|start=[^,]*|keep)", re.DOTALL)
_ENDS = ("hora", "ryukyoku", "end_kyoku", "end_game")
_PLAYER = "player"
_GRACE = 2.0  # unit: seconds, for a program to end after its game
_UNASKED = ("start_game", "dora", "reach_accepted")  # after these, a bot may answer once more


class Problem(TypedDict):
    """An answer that is illegal, late or absent.

    Attributes
    ----------
    round : str
        Such as E2.1: East 2, 1 honba.
    turn : int
        Number of the discards of the seat before it in the round, plus one.
    message : mapping or None
        The last message that the seat heard.
    answer : str or None
        The start of the answer; None if there was none.
    problem : str
    """

    round: str
    turn: int
    message: dict[str, Any] | None
    answer: str | None
    problem: str


class ActionValue(NamedTuple):
    """An action as an engine values it.

    Attributes
    ----------
    action : Action
    value : float or None
        In the engine's own unit; only values of one decision can be compared.
    probability : float or None
        0–1, how readily the engine would choose it.
    """

    action: Action
    value: float | None
    probability: float | None


class EngineAnswer(NamedTuple):
    """What an engine did at a decision: it answered, it was absent, or it was not asked.

    Attributes
    ----------
    action : Action or None
        The legal action of its answer.
    absent : str or None
        Why it gave no legal answer. Without both it was not asked.
    options : tuple of ActionValue
        The actions that the engine valued, the best first.
    """

    action: Action | None = None
    absent: str | None = None
    options: tuple[ActionValue, ...] = ()


@dataclass
class AnswerRecord:
    """The answers of a seat in a game.

    Attributes
    ----------
    asked, answered : int
        Its decisions, and those with a legal answer.
    absent : str or None
        Why the first of the others has none.
    seconds, slowest : float
        The time for all of them, and for one.
    problems : list of Problem
    """

    asked: int = 0
    answered: int = 0
    absent: str | None = None
    seconds: float = 0.0
    slowest: float = 0.0
    problems: list[Problem] = field(default_factory=list)


class ForeignPlayer(ABC):
    """Plays a seat by answers that may be wrong.

    Attributes
    ----------
    record : AnswerRecord
        Of the present game.
    is_strict : bool
        Whether a problem is raised as an Error, instead of being recorded.
    errors : Path or None
        The file for the standard error of a command.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.record = AnswerRecord()
        self.is_strict = False
        self.errors: Path | None = None
        self._heard: list[dict[str, Any]] = []
        self._text: str | None = None  # the start of the present answer
        self._seat = 0
        self._rules = Rules()

    def sit(self, seat: int, infos: Sequence[PlayerInfo], rules: Rules) -> None:
        """Take a seat at the start of a game."""
        self._seat, self._rules = seat, rules
        self.record = AnswerRecord()
        start = mjai_writer.start_game(rules, infos)
        length = {"kyoku_first": 0 if rules.hanchan else 4}
        self._heard = [{"type": "start_game", "id": seat, **_plain(start), **length}]

    def hear(self, event: Event) -> None:
        """Hear of an event; of hidden tiles only those that the seat sees are told."""
        if isinstance(event, Deal) and len(self._heard) > 1:
            self._heard.append({"type": "end_kyoku"})
        messages = mjai_writer.event_messages(visible(event, self._seat), self._rules)
        self._heard += map(_plain, messages)

    def leave(self, scores: Sequence[int] | None) -> None:  # noqa: B027 (an object ends by itself)
        """Leave the table, with the final scores; None if the game breaks off."""

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """The action of the answer; a pass or the drawn tile if that is no legal one.

        Raises
        ------
        Error
            The player is strict, and its answer is illegal, late or absent.
        """
        return self.answer(view, actions).action or default_action(view, actions)

    def answer(self, view: View, actions: Sequence[Action]) -> EngineAnswer:
        """The answer, or why there is none. Raises Error as `act` does."""
        self._text = None
        start = perf_counter()
        reasons: list[str] = []
        try:
            action = self._action(view, actions, reasons)
            if action not in actions:
                raise Error(f"{self._text or action} is illegal")
            answer = EngineAnswer(_same(action, actions))
        except Error as problem:
            reasons.append(problem.reason)
            answer = EngineAnswer(absent=problem.reason)
        for reason in reasons:
            self._record_problem(view, reason)
        seconds = perf_counter() - start
        record = self.record
        record.asked += 1
        record.answered += answer.action is not None
        record.absent = record.absent or answer.absent
        record.seconds += seconds
        record.slowest = max(record.slowest, seconds)
        return answer

    @abstractmethod
    def _action(self, view: View, actions: Sequence[Action], reasons: list[str]) -> Action:
        """The action of the answer; raises Error if there is none. Adds what else is wrong."""

    def _record_problem(self, view: View, reason: str) -> None:
        problem: Problem = {
            "round": format_round(view.round, view.honba),
            "turn": len(view.seats[view.seat].river) + 1,
            "message": self._heard[-1] if self._heard else None,
            "answer": self._text,
            "problem": reason,
        }
        if self.is_strict:
            where = f"player {self.name!r}, seat {view.seat}, {problem['round']}"
            raise Error(f"{where}, turn {problem['turn']}: {reason}")
        self.record.problems.append(problem)


def _same(action: Action, actions: Sequence[Action]) -> Action:
    """The legal action that an action is, of equal ones that with its tiles.

    A seat that has drawn a tile it holds may discard either copy, and others see which.
    """
    equal = [one for one in actions if one == action]
    return next((one for one in equal if one.tile == action.tile), equal[0])


class ObjectPlayer(ForeignPlayer):
    """Plays by an object that has `act`, as in `houjuu.player.protocol`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._player = _class(name)()

    def _action(self, view: View, actions: Sequence[Action], reasons: list[str]) -> Action:
        try:
            action = self._player.act(view, actions)
        except Exception as problem:
            raise Error(f"it raises {type(problem).__name__}: {problem}") from None
        if not isinstance(action, Action):
            raise Error(f"{action!r:.80} is no Action")
        return action


@dataclass(frozen=True)
class Command:
    """A command with its options, as the name of a player has them.

    Attributes
    ----------
    words : tuple of str
        Program and arguments.
    dialect : str
        One of `DIALECTS`.
    cwd : str or None
        Its working folder.
    limit, start : float
        Time for an answer, and for the first one of a process. Unit: seconds.
    keep : bool
        Whether a process plays several games.
    """

    words: tuple[str, ...]
    dialect: str = DIALECTS[0]
    cwd: str | None = None
    limit: float = 10.0
    start: float = 60.0
    keep: bool = False

    @classmethod
    def from_name(cls, name: str) -> Command:
        """The command of "mjai:COMMAND,OPTION…"; raises Error if there is none."""
        text = name.removeprefix(COMMAND)
        options: dict[str, Any] = {}
        while option := _OPTION.fullmatch(text):
            text, (key, _, value) = option[1], option[2].partition("=")
            if key in options:
                raise Error(f"player {name!r}: the option {key!r} occurs twice")
            options[key] = value or True
        if options.get("dialect", DIALECTS[0]) not in DIALECTS:
            raise Error(f"player {name!r}: a dialect is {', '.join(DIALECTS)}")
        if not Path(options.get("cwd", ".")).is_dir():
            raise Error(f"player {name!r}: there is no folder {options['cwd']!r}")
        for key in ("limit", "start"):
            if key in options:
                options[key] = _seconds(name, key, options[key])
        return cls(words(text), **options)

    def of_seat(self, seat: int) -> tuple[str, ...]:
        """Program and arguments of a seat, 0–3."""
        words = tuple(word.replace("{seat}", str(seat)) for word in self.words)
        appended = self.dialect == "mjai.app" and words == self.words
        return (*words, str(seat)) if appended else words


class MjaiPlayer(ForeignPlayer):
    """Plays by the answers of a command."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._command = Command.from_name(name)
        if shutil.which(self._command.words[0]) is None:
            raise Error(f"player {name!r}: there is no program {self._command.words[0]!r}")
        self._process: LineProcess | None = None
        self._starts = 0
        self._sent = 0  # messages that the process has heard
        self._is_new = True  # whether the process has not answered yet
        self._moves: list[Any] = []  # that follow the last answer of akochan

    def sit(self, seat: int, infos: Sequence[PlayerInfo], rules: Rules) -> None:
        super().sit(seat, infos, rules)
        self._sent = self._starts = 0
        kept = _kept.get(self._key)
        self._process = kept.pop() if kept else None
        self._is_new = self._process is None

    def leave(self, scores: Sequence[int] | None) -> None:
        process, self._process = self._process, None
        if process is None or scores is None or not process.is_running:
            if process is not None:
                process.close()
            return
        self._heard += [{"type": "end_kyoku"}, {"type": "end_game", "scores": list(scores)}]
        if self._command.keep:
            with suppress(Error):  # it may end with the game
                self._ask(process, _GRACE)
        if process.is_running and self._command.keep:
            _kept.setdefault(self._key, []).append(process)
        else:
            process.close(_GRACE, self._lines())

    @property
    def _key(self) -> tuple[object, ...]:
        command = self._command
        return os.getpid(), command.of_seat(self._seat), command.dialect, command.cwd, self.errors

    def _action(self, view: View, actions: Sequence[Action], reasons: list[str]) -> Action:
        if not self._heard:
            raise Error("a command follows a game from its start, in the arena or with --beside")
        if self._command.dialect == "mjai" and self._sent < len(self._heard):
            self._heard[-1] |= _offered(view, actions)
        is_kept = self._process is not None and not self._starts
        if not is_kept:
            self._start()
        try:
            answer = self._ask(self._process, reasons=reasons)
        except Error:
            if not is_kept:
                raise
            self._start()  # it ended after its last game
            answer = self._ask(self._process, reasons=reasons)
        message = _message(answer)
        if message.get("actor", view.seat) != view.seat:
            raise Error(f"{self._text} is no action of seat {view.seat}")
        try:
            return Action.from_mjai(message, view)
        except (TypeError, ValueError, LookupError, AttributeError):
            raise Error(f"{self._text} is no action") from None

    def _record_problem(self, view: View, reason: str) -> None:
        if self._process is not None:
            self._process.is_doubtful = True  # it may have answered an earlier line
        super()._record_problem(view, reason)

    def _start(self) -> None:
        if self._process is not None and self._process.is_running:
            return
        if self._starts and self._is_new:
            raise Error("it is not asked any more in this game: it gave no answer at all")
        if self._starts == MAX_STARTS:
            raise Error(f"it is not asked any more in this game: it ended {MAX_STARTS} times")
        command = self._command
        self._process = LineProcess(command.of_seat(self._seat), self.errors, command.cwd)
        self._starts += 1
        self._sent, self._is_new = 0, True

    def _lines(self) -> list[bytes]:
        """The lines to send: of the messages that the process has not heard."""
        new = self._heard[self._sent :]
        self._sent = len(self._heard)
        if self._command.dialect == "akochan":
            decides = self._deciding(new)
            told = (one for one in new if one["type"] not in _ENDS)
            new = [{**one, "can_act": one is decides} for one in told]
        lines: list[Any] = [new] if self._command.dialect in ("mortal", "mjai.app") else list(new)
        texts = (json.dumps(one, ensure_ascii=False, separators=(",", ":")) for one in lines)
        return [text.encode(errors="replace") for text in texts]

    def _ask(
        self,
        process: LineProcess | None,
        limit: float | None = None,
        reasons: list[str] | None = None,
    ) -> bytes:
        """Send what is new, and return the last answer. Adds what was answered without reason."""
        assert process is not None
        if self._command.dialect == "akochan":
            return self._ask_for_moves(process, limit, reasons)
        lines = self._lines()
        answer = b""
        for number, line in enumerate(lines, 1):
            self._text = None
            usual = self._command.start if self._is_new else self._command.limit
            answer, extra = process.ask(line, limit or usual)
            self._is_new = False
            self._text = shorten(answer)
            if reasons is not None:
                reasons += [_TOO_MANY.format(shorten(one)) for one in extra]
                if number < len(lines) and not _is_quiet(answer, line):
                    reasons.append(f"{self._text} where nothing is to be decided")
        return answer

    def _deciding(self, messages: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
        """The last message, if akochan answers it: an own draw, or a discard or kan of another."""
        last: dict[str, Any] = next(
            (one for one in reversed(messages) if one["type"] not in _UNASKED), {}
        )
        own = last.get("actor") == self._seat
        return last if last.get("type") in (("tsumo",) if own else ("dahai", "kakan")) else None

    def _ask_for_moves(
        self, process: LineProcess, limit: float | None, reasons: list[str] | None
    ) -> bytes:
        """As `_ask` in the dialect of akochan, which answers with all moves of a turn at once."""
        heard = self._heard[self._sent :]
        lines = self._lines()
        self._text = None
        extra = process.tell(b"\n".join(lines)) if lines else []
        if reasons is not None:
            reasons += [_TOO_MANY.format(shorten(one)) for one in extra]
        if self._deciding(heard) is not None:
            self._moves = []
            usual = self._command.start if self._is_new else self._command.limit
            answer = process.answer(limit or usual)
            self._text = shorten(answer)
            self._is_new = False
            self._moves = _moves(answer)
        elif [one["type"] for one in heard if one.get("actor") == self._seat][-1:] not in _HALVES:
            self._moves = []  # another seat came first
        answer = json.dumps(self._moves.pop(0) if self._moves else {"type": "none"}).encode()
        self._text = shorten(answer)
        return answer


_HALVES = (["reach"], ["chi"], ["pon"])
_TOO_MANY = "{} is one answer too many"
_kept: dict[tuple[object, ...], list[LineProcess]] = {}
"""Processes between two games, by the process that started them and by what they are."""


def is_foreign(name: str) -> bool:
    """Whether a name is that of a player that others wrote; it need not exist.

    >>> is_foreign("mjai:python mybot.py"), is_foreign("mybot:MyPlayer"), is_foreign("rank")
    (True, True, False)
    """
    ours = name.partition(":")[0] in (*players.PLAYERS, *players.ESTIMATOR_PLAYERS)
    return name.startswith(COMMAND) or (objects.is_object(name) and not ours)


def player(name: str, estimator: Estimator | None = None) -> Player:
    """A player that others wrote or that ships; errors are those of `houjuu.player.players`."""
    if not is_foreign(name):
        return players.player(name, estimator)
    return MjaiPlayer(name) if name.startswith(COMMAND) else ObjectPlayer(name)


def check(name: str) -> None:
    """Raise the Error of `player` for a name, but load no model, start and import nothing."""
    if name.startswith(COMMAND):
        Command.from_name(name)
    elif not is_foreign(name):
        players.check(name)


def digests(names: Sequence[str]) -> dict[str, str]:
    """The digests of the files that are words of commands, or modules of classes."""
    found: dict[str, str] = {}
    for name in filter(is_foreign, names):
        if name.startswith(COMMAND):
            files = filter(os.path.isfile, Command.from_name(name).words)
            found |= {word: objects.file_digest(Path(word)) for word in files}
        else:
            found[name] = objects.digest(name, _PLAYER)
    return dict(sorted(found.items()))


def absence(name: str, answered: int, asked: int, reason: str | None) -> Error:
    """Why a player gave no legal answer at some decisions of those at which it was asked."""
    return Error(
        f"gave no legal answer at {asked - answered} of {asked} decisions; first: {reason}",
        file=name,
    )


def _class(name: str) -> type[Player]:
    """The class of a name."""
    found: type[Player] = objects.find(name, _PLAYER)
    if not callable(getattr(found, "act", None)):
        raise Error(f"player {name!r} has no method act(view, actions)")
    return found


def _json(answer: bytes) -> Any:
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        raise Error(f"{shorten(answer)} is not JSON") from None


def _message(answer: bytes) -> dict[str, Any]:
    message = _json(answer)
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Error(f"{shorten(answer)} is no message of mjai")
    return message


def _offered(view: View, actions: Sequence[Action]) -> dict[str, Any]:
    """All legal actions but the pass and the discards, and the tiles that none discards."""
    messages = [action.to_mjai(view) for action in actions]
    discards = {one["pai"] for one in messages if one["type"] == "dahai"}
    hand = {mjai_name(tile, red_fives=view.rules.red_fives) for tile in view.hand}
    possible = [one for one in messages if one["type"] not in ("dahai", "none")]
    return {
        "possible_actions": possible,
        **({"cannot_dahai": sorted(hand - discards)} if discards else {}),
    }


def _moves(answer: bytes) -> list[Any]:
    moves = _json(answer)
    if not isinstance(moves, list):
        raise Error(f"{shorten(answer)} is no array of moves")
    return moves


def _is_quiet(answer: bytes, line: bytes) -> bool:
    """Whether an answer where nothing is to be decided is right.

    A new dora and a paid riichi leave the last decision open, and a bot may answer it again.
    """
    if json.loads(line)["type"] in _UNASKED:
        return True
    try:
        return bool(_message(answer)["type"] == "none")
    except Error:
        return False


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """A message without what logs of Tenhou add to it."""
    return {key: value for key, value in message.items() if key != "tenhou"}


def _seconds(name: str, key: str, text: Any) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = inf
    if not 0 < seconds < inf:
        raise Error(f"player {name!r}: {key} is a number of seconds above 0, not {text!r}")
    return seconds
