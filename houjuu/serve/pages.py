"""The page on which a user drops a log: that of the server, and that which needs none (`web`)."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from houjuu.review import page
from houjuu.review.site import drills, index
from houjuu.review.style import style, template
from houjuu.util.languages import LANGUAGES, NAMES, translate

STATIC = Path(__file__).parent / "static"
HEADERS = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "frame-ancestors 'none'",  # which no element can forbid
}


def front(limit: int, local: str | None = None) -> str:
    """The page, in every language; it loads its own files alone.

    Parameters
    ----------
    limit : int, unit: bytes
        Of a file.
    local : str, optional
        Where Python comes from that runs in the page: an address, or empty for beside the page.
        By default the server does the work.
    """
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in (*page.scripts(), drills.script(), index.script())
    )
    python = "" if local is None else "blob: 'wasm-unsafe-eval'"
    workers = "" if local is None else " worker-src 'self' blob:;"
    policy = (
        f"default-src 'none'; connect-src 'self' {local or ''}; frame-src blob:;"
        f"{workers} script-src 'self' {python} {hashes};"
        " style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    text: str = template("serve", "page.html.j2").render(
        languages=[(translate(language), NAMES[language]) for language in LANGUAGES],
        limit=limit,
        local=local is not None,
        policy=policy,
        css=style("serve/serve.css"),
    )
    return text
