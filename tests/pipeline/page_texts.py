"""The texts of a page that contains every language."""

from __future__ import annotations

import html
import re

from houjuu.util.languages import translate


def texts(page: str, language: str) -> list[str]:
    """The texts of a page in a language."""
    tag = translate(language).tag
    return [html.unescape(text) for text in re.findall(rf'<span lang="{tag}">(.*?)</span>', page)]


def other_text(page: str) -> str:
    """The text of a page that is the same in every language, without the figures."""
    _, _, body = page.partition("</style>")
    return re.sub(r"(?s)<svg.*?</svg>|<(span|label).*?</\1>|<.*?>", " ", body)


def unused_keys(page: str, prefix: str) -> set[str]:
    """The keys with a prefix whose messages are not on a page."""
    shown = "\n".join(texts(page, "en"))
    return {
        key
        for key, message in translate("en", "pipeline.pages").messages.items()
        if key.startswith(f"{prefix}.") and not re.search(_pattern(message), shown, re.M)
    }


def _pattern(message: str) -> str:
    """A message with any values, as a whole line."""
    return "^" + ".*".join(map(re.escape, re.split(r"\{.*?\}", message))) + "$"
