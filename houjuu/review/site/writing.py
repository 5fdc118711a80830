"""The command ``houjuu review`` for many games: pages and an index in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from houjuu.estimators.loading import load
from houjuu.review.page import write
from houjuu.review.site.build import PageOptions, build
from houjuu.review.site.index import Page, index, name_of
from houjuu.util.languages import system_language, translate


def run(
    paths: Sequence[str],
    folder: Path,
    options: PageOptions,
    *,
    name: str | None = None,
    seat: int | None = None,
    jobs: int | None = None,
) -> str:
    """Write the missing pages and the index, and return a summary with the logs left out.

    Parameters
    ----------
    paths, folder, options, name, seat, jobs
        As in `houjuu.review.site.build.build`.
    """
    site = build(paths, folder, options, name=name, seat=seat, jobs=jobs)
    pages = [Page(record, path) for record, path in zip(site.records, site.pages, strict=True)]
    model, language = load(options.model).model, options.language or system_language()
    for file, text in index(site.player, pages, site.problems, model, language).items():
        write(folder / file, text)
    t = translate(language)
    lines = [t("site.left_out", problem=str(problem)) for problem in site.problems]
    file = str(folder / "index.html")
    lines.append(
        t("site.summary", file=file, n=len(pages), name=name_of(t, site.player), made=site.made)
    )
    return "\n".join(lines)
