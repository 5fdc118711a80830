"""Draw docs/review.png: the page of docs/game.mjlog, as it opens in Chromium.

python -m docs.picture
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from houjuu.cli import main

DOCS = Path(__file__).parent
SIZE = (1400, 1080)
SEAT = "2"
_CHROMIUM = "chromium"


def draw() -> None:
    """Review the game, open the page, and replace the picture."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "review.html"
        main(["review", str(DOCS / "game.mjlog"), "--seat", SEAT, "-o", str(page), "--lang", "en"])
        image = Image.open(io.BytesIO(_screenshot(page)))
    colours = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    colours.save(DOCS / "review.png", optimize=True)


def _screenshot(page: Path) -> bytes:
    width, height = SIZE
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which(_CHROMIUM))
        opened = browser.new_page(viewport={"width": width, "height": height})
        opened.goto(page.as_uri())
        opened.wait_for_selector("body[data-position]")
        picture: bytes = opened.screenshot()
        browser.close()
    return picture


if __name__ == "__main__":
    draw()
