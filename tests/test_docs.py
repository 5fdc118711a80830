"""The site: it builds, loads nothing from the network, lists all columns; its snippets run."""

from __future__ import annotations

import html
import pkgutil
import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

from pipeline.stages import parse
from tests.kit.browsers import chromium
from tests.kit.once import once
from tests.kit.printed import is_same

pytest.importorskip("mkdocs", reason="it builds the site")
from mkdocs.commands.build import build
from mkdocs.config import load_config

import houjuu
from docs import hooks, tables
from docs.address import fill
from features import (
    action_rows,
    final_rank_rows,
    round_end_rows,
    schema,
    unseen_rows,
    yaku_rows,
)
from features.schema import Column, paper, predictions, tenpai, waits
from houjuu.arena import risk_table
from houjuu.util.extras import EXTRAS

ROOT = Path(__file__).parents[1]
PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in (*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs").rglob("*.md")))
    if "```python\n" in path.read_text() and path.name != "server.md"  # tests/serve starts one
]
CODE = ("houjuu", "features", "models", "pipeline", "benchmarks", "examples")
"""Packages whose names the pages on methods use."""
_LOADING_ATTRIBUTES = {"src", "srcset", "data", "poster"}
_REMOTE_STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?(?:https?:)?//""")
_REMOTE_CALL = re.compile(r"""(?:fetch|importScripts|import)\(["'`](?:https?:)?//""")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site."""
    with once(tmp_path_factory, "site") as (folder, missing):
        if missing:
            _build(folder)
    return folder


def _build(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True)
        config.extra["execute_notebooks"] = False  # `make docs` does, in a minute
        config.plugins.on_startup(command="build", dirty=False)
        build(config)


class _AddressParser(HTMLParser):
    """Collects the addresses that a browser loads when it opens a page."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = _LOADING_ATTRIBUTES | ({"href"} if tag in ("link", "use", "image") else set())
        self.addresses += [value for name, value in attrs if name in names and value]


def loaded_addresses(page: str) -> list[str]:
    parser = _AddressParser()
    parser.feed(page)
    return parser.addresses


def is_remote(address: str) -> bool:
    return bool(re.match(r"(?:[a-z]+:)?//", address.strip()))


def test_remote_addresses_are_detected() -> None:
    page = '<link href="//a/b.css"><script src="https://a/b.js"></script><a href="https://a">'
    assert [is_remote(address) for address in loaded_addresses(page)] == [True, True]
    assert _REMOTE_STYLE.search('@import "https://a/b.css"')
    assert _REMOTE_CALL.search('fetch("https://api.a")')


def test_pages_load_nothing_from_the_network(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 15
    for path in pages:
        addresses = loaded_addresses(path.read_text())
        assert addresses
        assert not [address for address in addresses if is_remote(address)], path
    for path in (*site.rglob("*.css"), *pages):
        assert not _REMOTE_STYLE.search(path.read_text()), path


def test_generated_text_is_inserted(site: Path) -> None:
    pages = list(site.glob("*.html"))
    assert len(pages) > 15
    for path in pages:
        assert not [name for name in hooks.GENERATED if f"<!-- {name} -->" in path.read_text()]
    assert "houjuu, the default" in (site / "models.html").read_text()


def test_links_out_of_the_docs_lead_to_the_page_of_the_file(site: Path) -> None:
    """Beside the navigation, which every page has."""
    for page, target in (("player", "models"), ("for-researchers", "notebooks/3_calibration")):
        with_link, without = (
            (site / f"{name}.html").read_text().count(f'href="{target}.html"')
            for name in (page, "choices")
        )
        assert with_link == without + 1, page


TEXTS = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
_LINK = re.compile(r"""\]\(([^)\s]+)\)|<a href=["']([^"']+)""")


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_work_in_a_view_of_the_repository(path: Path) -> None:
    """Each leads to a file there, or to an address."""
    text = re.sub(r"(?s)```.*?```|`[^`]*`", "", path.read_text(encoding="utf-8"))
    for target in ("".join(found) for found in _LINK.findall(text)):
        file = target.partition("#")[0]
        assert re.match(r"https?://|mailto:", target) or (path.parent / file).exists(), target


def test_a_release_names_its_address(tmp_path: Path) -> None:
    for name in ("README.md", "README.ja.md", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    fill(tmp_path, "https://example.org/houjuu/")
    assert (
        "[houjuu.html](https://example.org/houjuu/houjuu.html)"
        in ((tmp_path / "README.md").read_text(encoding="utf-8").partition("## ")[0])
    )
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text())["project"]["urls"]
    assert urls == {"Homepage": "https://example.org/houjuu/"}


def test_links_and_loaded_files_exist(site: Path) -> None:
    """But for the page without a server, which `web.build` writes beside those of mkdocs."""
    n_files = 0
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        links = map(html.unescape, re.findall(r'<a [^>]*?href="([^"]+)"', text))
        for address in (*loaded_addresses(text), *links):
            file = re.split("[?#]", address)[0]
            if file and path.name != "404.html" and not re.match(r"[a-z]+:", file):
                there = path.parent / file
                assert there.exists() or there.parts[-2:] == ("app", "index.html"), (path, address)
                n_files += 1
    assert n_files > 100


def test_pages_and_search_work_from_disk(site: Path) -> None:
    """In a browser: only files are requested, and the search finds words."""
    with chromium() as browser:
        page, requests, errors = browser.new_page(), list[str](), list[str]()
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        for path in sorted(site.glob("*.html")):
            page.goto(path.as_uri())
        page.goto((site / "index.html").as_uri())
        # By keys: the search reads its field after each of them, not after a fill.
        page.locator("input[name=query]").press_sequentially("genbutsu")
        page.wait_for_selector(".md-search-result__link")
        assert page.locator(".md-search-result__link").count() > 1
        assert {url.split(":")[0] for url in requests} <= {"file", "data", "blob"}, requests
        assert not errors


def _schemas(module: ModuleType) -> Iterator[tuple[str, tuple[Column, ...]]]:
    """Yield every schema of a module: a tuple of columns that begins with the key."""
    for name, value in vars(module).items():
        keyed = isinstance(value, tuple) and value[: len(schema.KEY)] == schema.KEY
        if keyed and name not in ("KEY", "TENPAI_FEATURES") and not name.startswith("_"):
            yield name, value


def test_the_data_dictionary_lists_every_column(site: Path) -> None:
    page = (site / "data-dictionary.html").read_text()
    sections = [section for section in page.split("<h2")[1:] if "<table" in section]
    families = (paper, tenpai, waits, unseen_rows, predictions, yaku_rows, round_end_rows)
    tables = {name: columns for module in families for name, columns in _schemas(module)}
    tables |= {"RISKS": risk_table.RISKS, "GAME_COLUMNS": parse.GAME_COLUMNS}
    tables |= {"FINAL_RANKS": final_rank_rows.FINAL_RANKS, "ACTIONS": action_rows.ACTIONS}
    assert {table.name for table in hooks.TABLES} == set(tables)
    for table, section in zip(hooks.TABLES, sections, strict=True):
        rows = re.findall(r"<tr>\s*<td>(.*?)</td>", section, re.DOTALL)
        columns = [name for row in rows for name in _names(re.findall("<code>(.*?)</code>", row))]
        assert columns == schema.names(tables[table.name]), table.name


def _names(ends: list[str]) -> list[str]:
    """All names of a row: one, or a numbered run given by its first and last name."""
    if len(ends) == 1:
        return ends
    if ends == ["1m", "7z"]:
        return list(risk_table.KIND_NAMES)
    (stem, first), (_, last) = (end.rsplit("_", 1) for end in ends)
    return [f"{stem}_{number}" for number in range(int(first), int(last) + 1)]


def test_every_array_is_listed(site: Path) -> None:
    page = (site / "parameter-format.html").read_text()
    for name, reader in hooks.READERS.items():
        assert f"<code>{name}/" in page
        assert f'id="{reader}"' in page


@pytest.mark.parametrize(("page", "least"), [("method", 30), ("sources", 80)])
def test_names_of_code_exist(page: str, least: int) -> None:
    """Modules, their members and files; ".fu" is a sibling of the name before it."""
    n_names, previous = 0, ""
    for name in re.findall(r"`([^`\s]+)`", (ROOT / "docs" / f"{page}.md").read_text()):
        if "/" in name:
            assert (ROOT / name).exists(), name
        elif name.startswith((".", *(f"{package}." for package in CODE))):
            previous = previous.rpartition(".")[0] + name if name.startswith(".") else name
            assert pkgutil.resolve_name(previous) is not None
        else:
            continue
        n_names += 1
    assert n_names > least


def test_no_row_of_the_sources_is_missing() -> None:
    """Every row has a cell in each column and a verdict, and no word "missing"."""
    verdicts = ("same", "better", "differs: ", "not built: ", "not measured: ")
    for section in tables.read("tables/sources.json").values():
        for cells in section["rows"]:
            assert all(cells), cells
            assert cells[-1].startswith(verdicts), cells
    assert "missing" not in (ROOT / "docs/sources.md").read_text()


def test_no_code_in_a_table_has_an_escaped_bar() -> None:
    """The site would show the backslash, and a reader would paste it."""
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")):
        assert not re.findall(r"`[^`|]*\\\|[^`]*`", path.read_text("utf-8")), path


@pytest.mark.parametrize("language", ["", "ja/", "zh/"])
def test_players_read_the_same_commands(language: str) -> None:
    """In every language, and the lines that install name this version and extras that exist."""
    commands, first = (_commands(ROOT / f"docs/{name}for-players.md") for name in (language, ""))
    assert commands == first
    installs = [line for line in commands if re.search(r"(uv tool|pipx) install", line)]
    assert len(installs) == 2
    for line in installs:
        (wheel, extras) = re.findall(r'"\./(.*)\[(.*)\]"', line)[0]
        assert wheel == f"houjuu-{houjuu.__version__}-py3-none-any.whl"
        assert set(extras.split(",")) <= set(EXTRAS)


def _commands(page: Path) -> list[str]:
    """The commands of a page, in blocks or in the text, without the option for a language."""
    commands = re.findall(
        r"^\$ (.*)$|`((?:uv|pipx|winget|curl|houjuu) [^`]*)`", page.read_text("utf-8"), re.M
    )
    shown = [re.sub(r" --lang \w+", "", "".join(command)) for command in commands]
    return [re.sub(r'(review ")[^"]*"', r'\1…"', command) for command in shown]


@pytest.mark.parametrize("name", PAGES)
def test_snippets_run(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The Python of a page runs from top to bottom and prints the text below it."""
    monkeypatch.chdir(ROOT)
    # instead of the reader's own fit
    monkeypatch.setattr("joblib.load", lambda _: lambda columns: columns["n_open_melds"] / 5)
    text = (ROOT / name).read_text()
    names: dict[str, object] = {}
    snippets = re.findall(
        r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", text, re.DOTALL | re.MULTILINE
    )
    assert snippets
    for code, expected in snippets:
        exec(code, names)
        printed = capsys.readouterr().out
        assert bool(printed) == bool(expected), printed
        assert is_same(" ".join(expected.split()), " ".join(printed.split())), printed
