"""Sentences: the reasons of a choice by the templates of the catalogues, in each language.

A template has the names of the numbers, tiles and words of its reason. A sentence that would be
longer than `LIMITS` leaves out first the reason that stands against the others, then the second
one, then the board, then what another engine prefers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houjuu.game.actions import ActionKind
from houjuu.review.board_reasons import plain
from houjuu.review.deciding import DEAL_IN, KANS
from houjuu.review.page_types import Fact, Reason, Reasons, ReviewedChoice, ValuedAction
from houjuu.review.reasons import OTHER, PERCENTS, shown
from houjuu.review.verdict import chosen_action
from houjuu.util.languages import Catalogue, Language, Value
from houjuu.util.languages.glossary import term
from houjuu.util.languages.names import tile_names

LIMITS: Mapping[Language, int] = {"en": 50, "ja": 120, "zh": 110}
"""The most words of a sentence in English, and the most characters in Japanese and Chinese."""

_FORMS = ((2, True, True), (2, True, False), (1, True, False), (1, False, False), (1, False, False))
"""Number of reasons, whether with the board, and whether with the reason against them."""


def length(sentence: str, language: Language) -> int:
    """The length of a sentence in the unit of `LIMITS`."""
    return len(sentence.split()) if language == "en" else len(sentence)


def sentence(
    t: Catalogue, choice: ReviewedChoice, reasons: Reasons, engines: Sequence[str] = ()
) -> str:
    """The sentence of the reasons of a choice: the first of the `_FORMS` within the limit.

    The last form is without the engines, of which the first that answered has a clause.
    """
    subject, other = (
        action_name(t, one, is_riichi=choice["kind"] == "riichi")
        for one in (chosen_action(choice), choice["actions"][reasons["other"]])
    )
    named = {"own_name": subject, "other_name": other}
    values: dict[str, Value] = {"subject": subject, "other": other, "n": reasons["points"]}
    text = ""
    preferred = _preferred(t, choice, engines)
    for number, form in enumerate(_FORMS):
        text = t(f"why.{reasons['lead']}", **values, reasons=_reasons(t, reasons, named, form))
        if luck := reasons["luck"]:
            text = t(f"why.luck.{luck['cause']}", text=text, points=luck["points"])
        if preferred and number < len(_FORMS) - 1:
            text = t("why.engine", text=text, **preferred)
        text = t("why.sentence", text=text[:1].upper() + text[1:])
        if length(text, t.language) <= LIMITS[t.language]:
            break
    return text


def _preferred(
    t: Catalogue, choice: ReviewedChoice, engines: Sequence[str]
) -> dict[str, Value] | None:
    """The name and the action of the first engine that answered; a riichi has no tile."""
    for name, answer in zip(engines, choice["beside"], strict=False):
        if action := answer["action"]:
            verb, tiles = action["verb"], action["tiles"]
            key = "term.riichi" if verb == ActionKind.RIICHI else f"why.action.{verb}"
            tiles = [plain(tiles[0])] if verb in KANS else tiles
            return {"engine": name, "action": written_action(t, key, tiles, None)}
    return None


def _reasons(
    t: Catalogue, reasons: Reasons, named: Mapping[str, str], form: tuple[int, bool, bool]
) -> str:
    """The decisive reasons, and the one against them, in one of the `_FORMS`."""
    n, with_board, with_against = form
    decisive = reasons["decisive"] if n > 1 else reasons["decisive"][reasons["main"] :][:1]
    phrases: list[str] = []
    known: Sequence[Fact] = []
    for one in decisive:
        facts = [fact for fact in one["facts"] if with_board and fact not in known]
        phrases.append(phrase(t, {**one, "facts": facts}, named))
        known = facts
    text = t("why.and", first=phrases[0], second=phrases[1]) if phrases[1:] else "".join(phrases)
    if reasons["against"] is None or not with_against:
        return text
    against = phrase(t, {**reasons["against"], "facts": []}, named)
    return t("why.though", text=text, against=against)


def phrase(t: Catalogue, reason: Reason, named: Mapping[str, str]) -> str:
    """A reason, and its facts; `named` are the names of both actions."""
    values = {**named, **_values(t, reason)}
    values["name"] = named["other_name" if reason["side"] == "better" else "own_name"]
    if "opponent" in reason["words"]:
        seat = t(f"why.seat.{reason['part'].removeprefix(DEAL_IN)}")
        values["opponent"] = t(f"why.{reason['words']['opponent']}", seat=seat)
    board = ""
    for fact in reason["facts"]:
        board = t(f"why.board.{fact['key']}", **{**values, **_values(t, fact), "text": board})
    return t(f"why.{reason['key']}.{reason['side']}", **values) + board


def _values(t: Catalogue, fact: Fact) -> dict[str, Value]:
    """Numbers, tiles and words by name, as a template has them."""
    return {
        **{name: _number(t, name, number) for name, number in fact["numbers"].items()},
        **{name: tile_names(t, joined(tiles)) for name, tiles in fact["tiles"].items()},
        **{name: _safety(t, word) for name, word in fact["words"].items() if "safety" in name},
        **{name: term(t, word) for name, word in fact["words"].items() if "sign" in name},
    }


def _number(t: Catalogue, name: str, number: float) -> Value:
    field = name.removeprefix(OTHER)
    if field in PERCENTS:
        return f"{shown(field, number):.1f}"
    if field == "shanten":
        return t("page.shanten", shanten=number) if number else t("page.in_tenpai")
    return t(f"why.place.{number}") if field == "place" else shown(field, number)


def _safety(t: Catalogue, word: str) -> str:
    base, *counts = word.split(".")
    if not counts:
        return t(f"why.safety.{base}")
    return t(f"why.safety.{base}" if int(counts[1]) else f"why.safety.{base}.fresh", n=counts[1])


def action_name(t: Catalogue, action: ValuedAction, *, is_riichi: bool) -> str:
    """An action as the subject of a sentence, with the discard that follows a call.

    Where riichi is possible, a discard that keeps tenpai is dama.
    """
    is_dama = is_riichi and action["verb"] == ActionKind.DISCARD and action.get("shanten") == 0
    verb = "dama" if is_dama else action["verb"]
    tiles = [plain(action["tiles"][0])] if verb in KANS else action["tiles"]
    return written_action(t, f"why.action.{verb}", tiles, action.get("discard"))


def written_action(t: Catalogue, key: str, tiles: Sequence[str], discard: str | None) -> str:
    """The message of a key with the tiles of an action, and the discard that follows.

    A red five may have a message of its own.
    """
    then = "why.action.then"
    if key.endswith(".pon"):
        is_red = discard is not None and discard[0] == "0"
        then = "why.action.then_pon.red" if is_red else "why.action.then_pon"
    if f"{key}.red" in t and tiles[0][0] == "0":
        key = f"{key}.red"
    text = t(key, **({"tiles": tile_names(t, joined(tiles))} if tiles else {}))
    if discard is None:
        return text
    return t(then, call=text, tile=tile_names(t, discard))


def joined(tiles: Sequence[str]) -> str:
    """Tiles in order with the ranks of a suit together: "147p" for 1p, 4p and 7p.

    >>> joined(["0m", "4m", "2z"]), joined([])
    ('04m2z', '')
    """
    suits = dict.fromkeys(tile[1] for tile in tiles)
    return "".join("".join(tile[0] for tile in tiles if tile[1] == suit) + suit for suit in suits)
