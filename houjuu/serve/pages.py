"""The page on which a user drops a log: that of the server, and that which needs none (`web`)."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from houjuu.game.rules import ROOMS
from houjuu.review import page
from houjuu.review.site import drills, index
from houjuu.review.style import asset, style, template
from houjuu.util.languages import LANGUAGES, NAMES, translate
from houjuu.util.languages.names import tile_names

_STATIC = Path(__file__).parent / "static"
_SERVER = _STATIC / "backend.js"
_BETWEEN_MODULES = re.compile(r"^import [^;]*;\n|^export |^ *//.*\n", re.MULTILINE)
HEADERS = {
    "x-content-type-options": "nosniff",
    "content-security-policy": "frame-ancestors 'none'",  # which no element can forbid
}


def front(
    limit: int,
    backend: Path = _SERVER,
    files: Mapping[str, str] | None = None,
    packed: Mapping[str, str] | None = None,
    home: str = "",
) -> str:
    """The page, in every language, with its scripts.

    Parameters
    ----------
    limit : int, unit: bytes
        Of a file.
    backend : Path
        The script that does the work; by default it asks the server.
    files, packed : mapping, optional
        Files that the script would load, by name: as text, and as gzip in base64.
    home : str
        The public address of the page, for links to a position.
    """
    script, in_frame = bundle(backend), _module(_STATIC / "frame.js")
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'"
        for one in (script, in_frame, *page.scripts(), drills.script(), index.script())
    )
    is_local = backend != _SERVER
    python = "blob: 'wasm-unsafe-eval'" if is_local else ""
    workers = " worker-src 'self' blob:;" if is_local else ""
    policy = (
        f"default-src 'none'; connect-src 'self'; frame-src blob:;"
        f"{workers} script-src {python} {hashes};"
        " style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    text: str = template("serve", "page.html.j2").render(
        languages=[(translate(language), NAMES[language]) for language in LANGUAGES],
        limit=limit,
        size=f"{limit >> 20} MB" if limit >> 20 else f"{limit:,} B",
        local=is_local,
        policy=policy,
        css=style("serve/serve.css"),
        script=script,
        in_frame=in_frame,
        tiles=asset("review/tiles.svg"),
        tile_names=tile_names,
        all_rooms=ROOMS.values(),
        files={name: _inside(text) for name, text in (files or {}).items()},
        packed=packed or {},
        home=home,
    )
    return text


def bundle(backend: Path) -> Markup:
    """The scripts of the page as one, without their imports and exports."""
    paths = (_STATIC / "unpack.js", backend, _STATIC / "drop.js", _STATIC / "app.js")
    return Markup("\n").join(map(_module, paths))


def _module(path: Path) -> Markup:
    return Markup(_BETWEEN_MODULES.sub("", path.read_text(encoding="utf-8")))


def _inside(text: str) -> Markup:
    """A text in an element ``script``, which it must not end."""
    return Markup(text.replace("</", "<\\/"))
