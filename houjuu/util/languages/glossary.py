"""The names of terms and reasons in a language.

Models name them in English: "ryanmen 34m", "2 han 30 fu". Reasons have the names of
`houjuu.risk.reasons`. `message` maps such a name to a key of the catalogues and its values, so that
a page can translate it by itself.
"""

from __future__ import annotations

import re

from houjuu.util.languages import Catalogue, Value, translate
from houjuu.util.languages.names import tile_names

Message = tuple[str, dict[str, Value]]
"""Key of a catalogue, and values of the placeholders; ``tiles`` is in notation."""

_SAME_AS = {"none of the waits": "none"}  # a term that is a reason, too

_WAIT = re.compile(r"(ryanmen|penchan|kanchan|shanpon|tanki) (\d+[mpsz])")
_SCORE = re.compile(r"(\d+) han (\d+) fu")
_MELDS = re.compile(r"(\d) (open )?melds?")


def message(name: str) -> Message | None:
    """Key and values of a name; None for a name that the catalogues do not have."""
    if wait := _WAIT.fullmatch(name):
        return f"term.{wait[1]}", {"tiles": wait[2]}
    if score := _SCORE.fullmatch(name):
        return "term.score", {"han": int(score[1]), "fu": int(score[2])}
    if melds := _MELDS.fullmatch(name):
        return ("reason.open_melds" if melds[2] else "term.melds"), {"n": int(melds[1])}
    name = _SAME_AS.get(name, name)
    keys = (f"reason.{name}", f"term.{name}")
    return next(((key, {}) for key in keys if key in translate("en")), None)


def term(catalogue: Catalogue, name: str) -> str:
    """A name in a language; unchanged if the catalogue does not have it.

    >>> term(translate("zh"), "2 han 30 fu"), term(translate("ja"), "a name of another model")
    ('2番30符', 'a name of another model')
    >>> term(translate("ja"), "tanki 6z")
    '単騎 發'
    """
    translation = message(name)
    if translation is None:
        return name
    key, values = translation
    if "tiles" in values:
        values = {"tiles": tile_names(catalogue, str(values["tiles"]))}
    return catalogue(key, **values)
