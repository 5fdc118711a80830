"""The site: it builds, needs no network, knows every column, and its snippets run."""

from __future__ import annotations

import pkgutil
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("mkdocs", reason="it makes the site")
from mkdocs.commands.build import build
from mkdocs.config import load_config

import features.prospects
from docs import hooks
from features import schema
from features.schema import Column

ROOT = Path(__file__).parents[1]
PAGES = ("index", "for-bot-authors", "for-researchers", "for-players", "parameter-format")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_LOADS = {"src", "srcset", "data", "poster"}
_MADE_OF = re.compile(r"""(?:url\(\s*|@import\s+)["']?(?:https?:)?//""")
_CALLS = re.compile(r"""(?:fetch|importScripts|import)\(["'`](?:https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built pages."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True)
        config.plugins.on_startup(command="build", dirty=False)
        build(config)
    return folder


class _Loaded(HTMLParser):
    """Addresses that a browser loads when it opens a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = _LOADS | ({"href"} if tag in ("link", "use", "image") else set())
        self.found += [value for name, value in attrs if name in names and value]


def loaded(page: str) -> list[str]:
    reader = _Loaded()
    reader.feed(page)
    return reader.found


def remote(address: str) -> bool:
    return bool(re.match(r"(?:[a-z]+:)?//", address.strip()))


def test_what_is_loaded_from_afar_is_found() -> None:
    page = '<link href="//a/b.css"><script src="https://a/b.js"></script><a href="https://a">'
    assert [remote(of) for of in loaded(page)] == [True, True]
    assert _MADE_OF.search('@import "https://a/b.css"')
    assert _CALLS.search('fetch("https://api.a")')


def test_pages_load_nothing_from_afar(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 15
    for path in pages:
        found = loaded(path.read_text())
        assert found
        assert not [address for address in found if remote(address)], path
    for path in (*site.rglob("*.css"), *pages):
        assert not _MADE_OF.search(path.read_text()), path


def test_pages_get_what_they_ask_for(site: Path) -> None:
    for path in site.glob("*.html"):
        assert "{{" not in path.read_text(), path
    assert "calculate_shanten" in (site / "for-bot-authors.html").read_text()
    assert "houjuu, the default" in (site / "models.html").read_text()


def test_what_pages_load_is_there(site: Path) -> None:
    """Whatever a page loads lies on the disk beside it."""
    for path in site.glob("*.html"):
        if path.name == "404.html":
            continue  # its addresses are those of a server
        for address in loaded(path.read_text()):
            if not address.startswith(("data:", "#")):
                assert (path.parent / re.split("[?#]", address)[0]).is_file(), (path, address)


def test_pages_and_search_work_from_disk(site: Path) -> None:
    """In a browser: nothing but files is asked for, and words are found."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip("no Chromium is installed here")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=["--disable-gpu"])
        page, asked, heard = chromium.new_page(), list[str](), list[str]()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda problem: heard.append(str(problem)))
        for path in sorted(site.glob("*.html")):
            page.goto(path.as_uri())
        page.goto((site / "index.html").as_uri())
        page.fill("input[name=query]", "genbutsu")
        page.wait_for_selector(".md-search-result__link")
        assert page.locator(".md-search-result__link").count() > 1
        assert {url.split(":")[0] for url in asked} <= {"file", "data", "blob"}, asked
        assert not heard
        chromium.close()


def _schemas(module: ModuleType) -> Iterator[tuple[str, tuple[Column, ...]]]:
    """Every table of a module: a tuple of columns that begins with the key."""
    for name, value in vars(module).items():
        keyed = isinstance(value, tuple) and value[: len(schema.KEY)] == schema.KEY
        if keyed and not name.startswith("_") and value != schema.KEY:
            yield name, value


def test_every_column_of_every_table_is_told(site: Path) -> None:
    page = (site / "data-dictionary.html").read_text()
    sections = [section for section in page.split("<h2")[1:] if "<table" in section]
    tables = {**dict(_schemas(schema)), **dict(_schemas(features.prospects))}
    assert {table.name for table in hooks.TABLES} == set(tables)
    for table, section in zip(hooks.TABLES, sections, strict=True):
        rows = re.findall(r"<tr>\s*<td>(.*?)</td>", section, re.DOTALL)
        told = [name for row in rows for name in _names(re.findall("<code>(.*?)</code>", row))]
        assert told == schema.names(tables[table.name]), table.name


def _names(ends: list[str]) -> list[str]:
    """All names of a row: one, or those of a run from the first to the last."""
    if len(ends) == 1:
        return ends
    (stem, first), (_, last) = (end.rsplit("_", 1) for end in ends)
    return [f"{stem}_{number}" for number in range(int(first), int(last) + 1)]


def test_every_array_is_told(site: Path) -> None:
    page = (site / "parameter-format.html").read_text()
    for name, reader in hooks.READERS.items():
        assert f"<code>{name}/" in page
        assert f'id="{reader}"' in page


def test_the_method_names_what_there_is() -> None:
    """Modules, what is in them and files; ".fu" stands for the neighbour of the name before it."""
    found, before = 0, ""
    for name in re.findall(r"`([^`\s]+)`", (ROOT / "docs" / "method.md").read_text()):
        if "/" in name:
            assert (ROOT / name).exists(), name
        elif name.startswith((".", "houjuu.")):
            before = before.rpartition(".")[0] + name if name.startswith(".") else name
            assert pkgutil.resolve_name(before) is not None
        else:
            continue
        found += 1
    assert found > 30


@pytest.mark.parametrize("name", PAGES)
def test_snippets_run(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The Python of a page runs from top to bottom, and prints what stands below it.

    The numbers may be those of a model fitted to other games: near, and the words the same.
    """
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / f"{name}.md").read_text()
    names: dict[str, object] = {}
    for code, told in re.findall(
        r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", text, re.DOTALL | re.MULTILINE
    ):
        exec(code, names)
        printed = capsys.readouterr().out
        assert bool(printed) == bool(told), printed
        assert [*_numbers(printed)] == pytest.approx([*_numbers(told)], rel=0.3, abs=1), printed
        assert _words(printed) == _words(told)


_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?=[% ,\])]|$)", re.MULTILINE)


def _numbers(text: str) -> Iterator[float]:
    return map(float, _NUMBER.findall(text))


def _words(text: str) -> list[str]:
    return _NUMBER.sub("", text).split()
