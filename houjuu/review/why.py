"""Why, in a sentence: an action beside another one, and the parts of their values that decide.

The sentence has numbers of the page alone. A sentence that would be longer than `LIMITS` leaves out
first the part that stands against the others, then the second part, then the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from houjuu.game.actions import ActionKind
from houjuu.game.rules import Rules
from houjuu.review.deciding import CALLS, WIN, decisive
from houjuu.review.page_types import (
    ReviewedChoice,
    ReviewedPosition,
    ReviewedRound,
    ValuedAction,
)
from houjuu.review.part_phrases import Contrast, phrase
from houjuu.review.prices import price
from houjuu.review.verdict import advised_action, chosen_action, with_preference
from houjuu.util.languages import LANGUAGES, Catalogue, Language, Value, translate

LIMITS: Mapping[Language, int] = {"en": 50, "ja": 120, "zh": 110}
"""The most words of a sentence in English, and the most characters in Japanese and Chinese."""

_EXPLAINED = CALLS | {"riichi"}
"""Verbs of the actions that are always explained."""
_LEAST_EXPLAINED = 50  # points of an alternative that was let pass
_FORMS = ((2, True, True), (2, True, False), (1, True, False), (1, False, False))
"""Number of parts, whether with the board, and whether with the part against them."""


def length(sentence: str, language: Language) -> int:
    """The length of a sentence in the unit of `LIMITS`."""
    return len(sentence.split()) if language == "en" else len(sentence)


def add_sentences(
    rounds: Sequence[ReviewedRound], choices: Sequence[ReviewedChoice], rules: Rules
) -> None:
    """Add ``why`` to the choices of a complete review that have something to explain.

    These lose value, or decide on a riichi, a call or a kan that is not too close, or they are
    right and deal in.
    """
    for number, choice in enumerate(choices):
        following = [one for one in choices[number + 1 :] if one["round"] == choice["round"]]
        loses_later = any(one["value_lost"] > 0 for one in following)
        choice["why"] = _sentences(choice, rounds[choice["round"]], rules, loses_later=loses_later)


def _sentences(
    choice: ReviewedChoice, round: ReviewedRound, rules: Rules, *, loses_later: bool
) -> Mapping[Language, str] | None:
    position = round["decisions"][choice["step"]]
    other = _other(choice, position)
    if other is None or not _is_explained(choice, position):
        return None
    contrast = Contrast(
        position,
        round,
        target=rules.profile.target if round["round"] >= rules.last_round else None,
        is_riichi=choice["kind"] == "riichi",
        subject=chosen_action(choice),
        other=other,
    )
    is_needed = choice["value_lost"] > 0 or position["rons"] or choice["school"] is not None
    is_made = chosen_action(choice)["verb"] in _EXPLAINED
    if not (is_needed or is_made) and _points(choice, contrast) < _LEAST_EXPLAINED:
        return None
    luck = None if loses_later else _luck(choice, position, round)
    return {language: _sentence(language, choice, contrast, luck) for language in LANGUAGES}


def _is_explained(choice: ReviewedChoice, position: ReviewedPosition) -> bool:
    return (
        choice["value_lost"] > 0
        or choice["kind"] in ("riichi", "call", "kan")
        or chosen_action(choice)["verb"] in _EXPLAINED
        or bool(position["rons"])
    )


def _other(choice: ReviewedChoice, position: ReviewedPosition) -> ValuedAction | None:
    """The action to compare with: the advised one, or beside that the best of another verb.

    A call is compared with passing, and a right discard with the safest one.
    """
    chosen = chosen_action(choice)
    school = choice["school"]
    if choice["agrees"] and school not in (None, choice["chosen"]):
        return choice["actions"][school]
    if not choice["agrees"] or school is not None:
        return advised_action(choice)
    others = [one for one in choice["actions"] if one is not chosen]
    passing = [one for one in others if one["verb"] == ActionKind.PASS]
    of_another_verb = [one for one in others if one["verb"] != chosen["verb"]]
    if passing or (of_another_verb and not position["rons"]):
        return max(passing or of_another_verb, key=with_preference)
    return min(others, key=lambda one: (_risk(one, position), -with_preference(one)), default=None)


def _risk(action: ValuedAction, position: ReviewedPosition) -> float:
    """P(the discard deals in), 0 for an action without one."""
    tiles = action["tiles"]
    return position["risks"][tiles[0]]["deal_in"] if len(tiles) == 1 else 0.0


def _luck(
    choice: ReviewedChoice, position: ReviewedPosition, round: ReviewedRound
) -> tuple[str, int] | None:
    """The loss after a right decision, as a key and points: by its deal-in, or in the round."""
    if not choice["agrees"] or _is_better_and_safer(choice, position):
        return None
    if position["rons"]:
        return "deal_in", sum(ron["points"] for ron in position["rons"])
    lost = -(round["balance"] or 0)
    return ("round", lost) if lost > 0 and chosen_action(choice)["verb"] in _EXPLAINED else None


def _is_better_and_safer(choice: ReviewedChoice, position: ReviewedPosition) -> bool:
    """Whether another action had a better value and a lower risk, or there are two schools."""
    made = chosen_action(choice)
    return choice["school"] is not None or any(
        one["value"] > made["value"]
        and (
            _risk(one, position) < _risk(made, position)
            or one.get("deal_in", 0.0) < made.get("deal_in", 0.0)
        )
        for one in choice["actions"]
    )


def _sentence(
    language: Language, choice: ReviewedChoice, contrast: Contrast, luck: tuple[str, int] | None
) -> str:
    """The first of the `_FORMS` within the limit."""
    t = translate(language)
    text = ""
    for text in _forms(t, choice, contrast, luck):
        if length(text, language) <= LIMITS[language]:
            break
    return text


def _forms(
    t: Catalogue, choice: ReviewedChoice, contrast: Contrast, luck: tuple[str, int] | None
) -> Iterator[str]:
    subject, other = contrast.names(t)
    values: dict[str, Value] = {"subject": subject, "other": other, "n": _points(choice, contrast)}
    lead = _lead(choice, contrast)
    for form in _FORMS:
        reasons = _reasons(t, contrast, *form)
        key = f"why.{lead}" if reasons else "why.same"
        text = t(key, **values, reasons=reasons)
        if luck is not None:
            text = t(f"why.luck.{luck[0]}", text=text, points=luck[1])
        yield t("why.sentence", text=text[:1].upper() + text[1:])


def _points(choice: ReviewedChoice, contrast: Contrast) -> int:
    """The price of the difference of the contrast; of a repeated plan what it would be."""
    if choice["value_lost"] or not choice["agrees"]:
        return choice["value_lost"] or choice["value_gained"]
    facing = any(seat["riichi"] for seat in contrast.position["seats"][1:])
    return abs(price(contrast.subject, contrast.other, facing_riichi=facing).points)


def _lead(choice: ReviewedChoice, contrast: Contrast) -> str:
    """The key of the beginning: two schools and close decisions blame nobody."""
    if choice["value_lost"]:
        return "lost"
    gain = contrast.subject["value"] - contrast.other["value"]
    if choice["repeats"] is not None:
        return "repeats"
    if choice["school"] is not None and choice["chosen"] in (0, choice["school"]):
        return "school_kept" if gain > 0 else "school"
    if gain < 0 or not _points(choice, contrast):
        return "even"
    return "right" if choice["agrees"] else "kept"


def _reasons(
    t: Catalogue, contrast: Contrast, n_parts: int, with_board: bool, with_against: bool
) -> str:
    """The parts that decide; "" for two actions of the same parts.

    P(win) is among them where it differs much.
    """
    parts, against = decisive(contrast.differences)
    if contrast.names_win and WIN not in parts[:n_parts]:
        largest = max(parts, key=lambda part: abs(contrast.differences[part]), default=WIN)
        parts = [largest, WIN][-n_parts:]
        against = None if against == WIN else against
    phrases: list[str] = []
    named = ""
    for part in parts[:n_parts]:
        text, board = phrase(t, contrast, part, with_board=with_board)
        if named:  # a reason of both is named once
            board = "" if board in named else board.replace(named, "")
        named = board
        phrases.append(text + board)
    text = t("why.and", first=phrases[0], second=phrases[1]) if phrases[1:] else "".join(phrases)
    if against is None or not with_against:
        return text
    return t("why.though", text=text, against=phrase(t, contrast, against, with_board=False)[0])
