"""Write the public address of the site where the release needs it: ``python -m docs.address URL``.

README names the page, and ``project.urls`` the site; mkdocs and the page itself read HOUJUU_SITE.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_PLACE = re.compile(r"(<!-- address -->).*?(<!-- end -->)", re.DOTALL)
_LINES = {
    "README.md": "open [the page]({0}app/), or download [houjuu.html]({0}houjuu.html)",
    "README.ja.md": "[ページ]({0}app/)を開くか、[houjuu.html]({0}houjuu.html)を保存し",
}


def fill(root: Path, site: str) -> None:
    """Write an address, which ends in a slash, into the texts of a checkout."""
    for name, line in _LINES.items():
        text, n = _PLACE.subn(rf"\1{line.format(site)}\2", (root / name).read_text("utf-8"))
        if n != 1:
            raise SystemExit(f"{name} has {n} places for the address, not one")
        (root / name).write_text(text, encoding="utf-8")
    with (root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[project.urls]\nHomepage = "{site}"\n')


if __name__ == "__main__":
    fill(ROOT, sys.argv[1])
