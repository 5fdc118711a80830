"""The scripts of the pages: their types are those of Python, and each is checked."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from tools.web import declarations

ROOT = Path(__file__).parents[2]
PAGE_SCRIPTS = list(ROOT.glob("houjuu/review/*.js"))
SCRIPTS = [*PAGE_SCRIPTS, *ROOT.glob("houjuu/serve/static/*.js")]


def test_the_types_of_the_scripts_are_current() -> None:
    written = declarations.declarations()
    assert declarations.FILE.read_text(encoding="utf-8") == written, f"run {declarations.COMMAND}"


def test_every_script_is_checked() -> None:
    assert len(SCRIPTS) > 10
    for path in SCRIPTS:
        assert path.read_text(encoding="utf-8").startswith("// @ts-check\n"), path.name
        assert "@ts-ignore" not in path.read_text(encoding="utf-8"), path.name


def test_every_name_of_the_page_is_used() -> None:
    """The scripts of the page share one scope, so that no linter sees which names are used."""
    scripts = [path.read_text(encoding="utf-8") for path in PAGE_SCRIPTS]
    code = re.sub(r"/\*.*?\*/", "", "\n".join(scripts), flags=re.DOTALL)
    names = re.findall(r"^(?:const|let|(?:async )?function) ([\w$]+)", code, re.MULTILINE)
    uses = Counter(re.findall(r"[\w$]+", code))
    assert len(names) > 100
    assert [name for name in names if uses[name] < 2] == []
