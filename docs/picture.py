"""Draw docs/review.png, the page of docs/game.mjlog, and docs/server.png, the server at work.

python -m docs.picture
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from houjuu.cli import main

DOCS = Path(__file__).parent
GAME = str(DOCS / "game.mjlog")
SEAT = "2"
POSITION = "5.10"
"""A decision against a riichi: round and step, as the address of the page has them."""
_CHROMIUM = "chromium"
_SERVE = [sys.executable, "-m", "houjuu", "serve", "--port", "0"]
_PATIENCE = 120_000  # unit: ms


def draw() -> None:
    """Replace the pictures."""
    with tempfile.TemporaryDirectory() as folder, _opened(1400, 1080) as page:
        file = Path(folder) / "review.html"
        main(["review", GAME, "--seat", SEAT, "-o", str(file), "--lang", "en"])
        page.goto(f"{file.as_uri()}#{POSITION}")
        page.wait_for_selector("body[data-position]")
        _save(page.screenshot(), DOCS / "review.png")
    with _server() as address, _opened(1350, 684) as page:
        page.goto(f"{address}?lang=en")
        page.set_input_files("#file", GAME)
        page.locator("#you button", has_text="relative").first.click()
        page.locator("#share[value]:not([value='0'])").wait_for(timeout=_PATIENCE)
        _save(page.screenshot(), DOCS / "server.png")


@contextmanager
def _opened(width: int, height: int) -> Iterator[Any]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which(_CHROMIUM))
        yield browser.new_page(viewport={"width": width, "height": height})
        browser.close()


@contextmanager
def _server() -> Iterator[str]:
    with subprocess.Popen(_SERVE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[2]
        finally:
            process.terminate()


def _save(picture: bytes, file: Path) -> None:
    colours = Image.open(io.BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.NONE)
    colours.save(file, optimize=True)


if __name__ == "__main__":
    draw()
