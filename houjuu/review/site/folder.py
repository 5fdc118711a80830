"""The whole folder of many games: pages, index and drills."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from houjuu.review.site import drills
from houjuu.review.site.build import PageOptions, Site, build
from houjuu.review.site.drill import selected
from houjuu.review.site.index import index, name_of, placed_drills
from houjuu.util.files import write_text
from houjuu.util.languages import Catalogue


def write(
    paths: Sequence[str],
    folder: Path,
    options: PageOptions,
    t: Catalogue,
    **of_build: Any,
) -> Site:
    """Write the missing pages of games, the index and the drills.

    The other parameters, and the errors, are those of `houjuu.review.site.build.build`; the
    catalogue is of the language of the index.
    """
    site = build(paths, folder, options, **of_build)
    follows = options.language is None
    texts = index(site.player, site.pages, site.problems, site.model, t.language, follows=follows)
    placed = selected(placed_drills(site.pages))
    if placed:
        texts |= drills.pages(placed, name_of(t, site.player), t.language)
    for file, text in texts.items():
        write_text(folder / file, text)
    return site
