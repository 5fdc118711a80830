"""The JSON Schemas in docs, from the types of the answers.

``python -m tools.schemas`` writes the files of `FILES`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from houjuu.live import overlay
from houjuu.review import export, page_types
from houjuu.serve.json_schema import json_schema

_DOCS = Path(__file__).parents[1] / "docs"
_UNKNOWN_KEYS = "Programs should ignore keys that they do not know."
FILES: dict[Path, tuple[Any, str, str]] = {
    _DOCS / "meta.schema.json": (
        overlay.Meta,
        overlay.SCHEMA,
        "The risks of a seat: `houjuu.live.meta`, `houjuu bot` and `houjuu serve`. Values by "
        f"opponent are those of the seats to the right, across and to the left. {_UNKNOWN_KEYS}",
    ),
    _DOCS / "review.schema.json": (
        page_types.Review,
        page_types.SCHEMA,
        "A review of one seat of one game: `houjuu review GAME --json`. Seats are relative: 0 is "
        f"the reviewed one, then right, across and left. {_UNKNOWN_KEYS}",
    ),
    _DOCS / "review-short.schema.json": (
        export.ShortReview,
        export.SHORT_SCHEMA,
        f"A view of a review: `houjuu review GAME --json=short`. {_UNKNOWN_KEYS}",
    ),
}
"""Files with the type, the title and the description of each schema."""


def content(file: Path) -> str:
    """The content of a file of `FILES`."""
    return json.dumps(json_schema(*FILES[file]), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for path in FILES:
        path.write_text(content(path), encoding="utf-8")
