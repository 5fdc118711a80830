"""Texts for people, in English, Japanese and Simplified Chinese: one catalogue a language.

A catalogue is ``LANGUAGE.json``: messages by key. ``{name}`` in a message is replaced by a value,
and whole numbers get separators: 1,234 and −1,234. ``{name:one|other}`` is replaced by one of two
words: the first if the value is written as 1. A key is the place of the text, a point and a name.
Places are ``page``, a review; ``why``, its sentences; ``site``, the index of many games;
``position``, a picture; ``danger`` and ``parse``, the commands; ``card``, the card of an answer;
``match``, the tables of matches; ``app``, the page that needs no server; ``server``, the pages of
the server; ``term``, the names of waits
and scores; ``reason``, the reasons of an explanation; ``glossary``, the meaning of each reason;
``seat``, ``wind``, ``round``, ``tile`` and ``draw``, names of the game
(`houjuu.util.languages.names`). A text of two
places has one key.

>>> translate("ja")("term.ryanmen", tiles="34m")
'両面 34m'
>>> translate("en")("page.sticks", n=1), translate("en")("page.sticks", n=1234)
('1 stick', '1,234 sticks')
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from numbers import Real
from typing import Literal, get_args

from houjuu.util.errors import Error, LogError, TableError

Language = Literal["en", "ja", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT: Language = "en"
NAMES: Mapping[Language, str] = {"en": "English", "ja": "日本語", "zh": "简体中文"}
"""Each language by its own name."""

_TAGS: Mapping[Language, str] = {"en": "en", "ja": "ja", "zh": "zh-Hans"}

_DAMAGED = "is damaged or contradicts itself"
"""What a translation says of a log whose error it lacks."""

Value = str | int | float
_LOCALE_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")  # in the order of gettext
_ACCEPTED = re.compile(r"([a-z]+)(?:-[\w-]*)?(?:;q=([01](?:\.\d*)?))?")
_PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}")


@dataclass(frozen=True)
class Catalogue:
    """The messages of one language.

    Attributes
    ----------
    language : str
        One of `LANGUAGES`.
    messages : mapping
        Messages by key.
    """

    language: Language
    messages: Mapping[str, str]

    def __call__(self, key: str, **values: Value) -> str:
        """The message of a key, with its placeholders replaced by values.

        Raises
        ------
        KeyError
            There is no such key, or a placeholder has no value.
        """

        def replaced(placeholder: re.Match[str]) -> str:
            name, one, other = placeholder.groups()
            text = written(values[name])
            return text if one is None else one if text == "1" else other

        return _PLACEHOLDER.sub(replaced, self.messages[key])

    @property
    def tag(self) -> str:
        """The language tag of a page: ``zh-Hans`` for Simplified Chinese."""
        return _TAGS[self.language]

    def __contains__(self, key: str) -> bool:
        """Whether there is a message of a key."""
        return key in self.messages


def written(value: Value, sign: str = "-") -> str:
    """A value as people read it: whole numbers with separators and a minus sign.

    Parameters
    ----------
    value : str, int or float
        A float is rounded to a whole number.
    sign : str
        "+" also signs positive numbers.

    >>> written(-1234), written(1234.4, "+"), written("5p")
    ('−1,234', '+1,234', '5p')
    """
    if not isinstance(value, Real):
        return str(value)
    return f"{value:{sign}z,.0f}".replace("-", "−")


@cache
def translate(language: str, package: str = __name__) -> Catalogue:
    """The catalogue of a language.

    Parameters
    ----------
    language : str
        One of `LANGUAGES`.
    package : str
        The package with the catalogues; by default those of houjuu.

    Raises
    ------
    Error
        There is no such language.
    """
    for code in LANGUAGES:
        if code == language:
            text = (resources.files(package) / f"{code}.json").read_text(encoding="utf-8")
            return Catalogue(code, json.loads(text))
    raise Error(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")


def problem_text(t: Catalogue, problem: Error) -> str:
    """An error in a language; the details of a damaged log are in English alone, so are left out.

    >>> problem_text(translate("ja"), LogError("is empty; a log is mjlog", file="a.xml", round=2))
    'a.xml, 局番号2: 壊れているか、内容に矛盾があります。詳細（英語）は houjuu parse で表示されます'
    """
    reason = _translated(problem.reason, t.language)
    if reason is None and isinstance(problem, LogError | TableError):
        reason = _translated(_DAMAGED, t.language)
    if reason is None:
        return str(problem)
    number = problem.round
    round = None if number is None else _translated(f"round {number}", t.language)
    element = problem.element and (_translated(problem.element, t.language) or problem.element)
    place = ", ".join(filter(None, (problem.file, round, element)))
    return ": ".join(filter(None, (place, reason)))


def _translated(reason: str, language: Language) -> str | None:
    """A reason in a language other than English; None if the catalogue lacks it."""
    for pattern, template in _reasons(language):
        if match := pattern.fullmatch(reason):
            values = {name: _translated(text, language) for name, text in match.groupdict().items()}
            if "reason" in values:
                values["reason"] = values["reason"] or _translated(_DAMAGED, language)
            return template.format(**{name: values[name] or match[name] for name in values})
    return None


@cache
def _reasons(language: Language) -> list[tuple[re.Pattern[str], str]]:
    """Reasons of errors, English patterns, and the same in a language."""
    if language == DEFAULT:
        return []
    text = (resources.files(__name__) / f"errors.{language}.json").read_text(encoding="utf-8")
    return [
        (re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*?)", re.escape(english))), template)
        for english, template in json.loads(text).items()
    ]


def system_language(environment: Mapping[str, str] = os.environ) -> Language:
    """The language of the environment's locale; English if there is no catalogue for it.

    >>> system_language({"LANG": "ja_JP.UTF-8"}), system_language({"LANG": "C"})
    ('ja', 'en')
    """
    locale = next(filter(None, map(environment.get, _LOCALE_VARIABLES)), "")
    return _first_known([re.split(r"[_.@:-]", locale, maxsplit=1)[0].lower()])


def accepted_language(header: str) -> Language:
    """The language that a header ``Accept-Language`` prefers; English if none has a catalogue.

    >>> accepted_language("fr, zh-CN;q=0.8, ja;q=0.9"), accepted_language("fr")
    ('ja', 'en')
    """
    parts = map(_ACCEPTED.fullmatch, header.lower().replace(" ", "").split(","))
    accepted = [(float(part[2] or 1), part[1]) for part in parts if part]
    return _first_known(
        code for weight, code in sorted(accepted, key=lambda pair: -pair[0]) if weight
    )


def _first_known(codes: Iterable[str]) -> Language:
    return next((language for code in codes for language in LANGUAGES if language == code), DEFAULT)
