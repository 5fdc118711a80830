"""The pages of the server, in every language. They load nothing from other hosts."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from houjuu.review import page
from houjuu.review.style import style, template
from houjuu.serve.settings import ServerLimits
from houjuu.util.languages import LANGUAGES, NAMES, Catalogue, translate

_COMMON_HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}
_REVIEW_SCRIPTS = " ".join(
    f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    for script in page.scripts()
)
_STYLE_AND_IMAGES = "style-src 'unsafe-inline'; img-src data:"
_NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

HEADERS = {
    **_COMMON_HEADERS,
    "vary": "accept-language",
    # the frame with a review inherits this policy, so the script of reviews is listed
    "content-security-policy": "default-src 'none'; connect-src 'self'; frame-src blob:;"
    f" script-src 'self' {_REVIEW_SCRIPTS}; {_STYLE_AND_IMAGES}; {_NOTHING_ELSE}",
}
REVIEW_HEADERS = {
    **_COMMON_HEADERS,
    "vary": "accept-language",
    "content-security-policy": f"default-src 'none'; script-src {_REVIEW_SCRIPTS};"
    f" {_STYLE_AND_IMAGES}; {_NOTHING_ELSE}; sandbox allow-scripts allow-downloads",
}
STEPS_HEADERS = {
    "cache-control": "no-store",
    "x-accel-buffering": "no",  # nginx would keep the lines back
}


def index(limits: ServerLimits, catalogue: Catalogue) -> str:
    """The page on which a user drops a log."""
    return _render("index.html.j2", catalogue, limit=limits.log)


def docs(description: dict[str, Any], catalogue: Catalogue) -> str:
    """An OpenAPI description as a page."""
    return _render("docs.html.j2", catalogue, api=description)


def _render(name: str, catalogue: Catalogue, **values: Any) -> str:
    languages = [(translate(language), NAMES[language]) for language in LANGUAGES]
    return template("serve", name).render(
        t=catalogue, languages=languages, css=style("serve/serve.css"), **values
    )
