"""The data that a review page contains."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any


def page_data(text: str) -> dict[str, Any]:
    """The data of a page, from its HTML."""
    script = re.search(r'<script id="game" type="text/plain">(.*?)</script>', text, re.DOTALL)
    assert script is not None
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(script[1])))
    return data
