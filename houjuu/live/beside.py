"""The answers of another bot behind mjai, with the risks of its seat in `meta`. numpy alone."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from json.decoder import JSONDecoder
from typing import Any

from houjuu.live.advisor import Advisor
from houjuu.logs.mjai_messages import decoded
from houjuu.util.errors import Error
from houjuu.util.line_process import LineProcess

_BETWEEN = " \t\r\n,:"  # the members of an object of JSON
_DECODER = JSONDecoder()
_LOG = logging.getLogger(__name__)


class Beside:
    """Runs another bot, and adds to its answers; not a byte of them is changed or left out.

    An answer that is no message of mjai is passed on without `meta`; the first is logged.

    Parameters
    ----------
    command : sequence of str
        Program and arguments of the other bot, which answers each line with a line.
    advisor : Advisor
        It follows the same game.

    Raises
    ------
    Error
        The program cannot be started.
    """

    def __init__(self, command: Sequence[str], advisor: Advisor) -> None:
        self._name = command[0]
        self._is_garbage = False  # whether an answer was no message of mjai
        self._process = LineProcess(command)
        self._advisor = advisor

    def answers(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the answer to every line that is not blank; at last the other bot ends.

        Raises
        ------
        Error
            The other bot has ended before.
        """
        try:
            for line in lines:
                if line.strip():
                    yield self.answer(line)
        finally:
            self._process.close(grace=2.0)

    def answer(self, line: bytes, heard: bytes | None = None) -> bytes:
        """The answer to a line; the advisor may hear something else. Raises Error as `answers`."""
        try:
            earlier = self._process.tell(line.rstrip(b"\r\n"))
            advice = json.loads(self._advisor.react(line if heard is None else heard))
            answer = self._process.answer()
        except Error as problem:
            raise Error(f"the bot {self._name!r} answers no more: {problem.reason}") from None
        first = next(decoded(answer), None)
        if isinstance(first, Error) and not self._is_garbage:
            self._is_garbage = True
            _LOG.warning("the bot %r answers without meta: %s", self._name, first)
        return b"".join(earlier) + with_meta(answer, advice.get("meta"))


def with_meta(answer: bytes, meta: dict[str, Any] | None) -> bytes:
    """The answer with more keys in its `meta`; what is there stays as it is, to the byte.

    >>> with_meta(b'{"type": "none" }', {"show": 1})
    b'{"type": "none" , "meta": {"show": 1}}'
    >>> with_meta(b'{"meta":{"q":[1.50]},"type":"none"}', {"show": 1, "q": 2})
    b'{"meta":{"q":[1.50], "show": 1},"type":"none"}'
    >>> with_meta(b"no JSON", {"show": 1})
    b'no JSON'
    """
    try:
        text = answer.decode()
        message = json.loads(text)
        if not meta or not isinstance(message, dict):
            return answer
        if "meta" not in message:
            return _inserted(text, len(text.rstrip()) - 1, {"meta": meta}, message)
        if not isinstance(message["meta"], dict):
            return answer
        new = {key: value for key, value in meta.items() if key not in message["meta"]}
        return _inserted(text, _end_of(text, "meta") - 1, new, message["meta"])
    except (ValueError, RecursionError):
        return answer


def _inserted(text: str, place: int, new: dict[str, Any], members: dict[str, Any]) -> bytes:
    """The text with new members before the bracket at a place, after the members that are there."""
    inside = json.dumps(new)[1:-1]
    comma = ", " if members and new else ""
    return (text[:place] + comma + inside + text[place:]).encode()


def _end_of(text: str, key: str) -> int:
    """The place after the value of the last member of that name."""
    place, end = text.index("{") + 1, 0
    while True:
        while text[place] in _BETWEEN:
            place += 1
        if text[place] == "}":
            return end
        name, place = _DECODER.raw_decode(text, place)
        while text[place] in _BETWEEN:
            place += 1
        _, place = _DECODER.raw_decode(text, place)
        end = place if name == key else end
