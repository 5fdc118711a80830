"""The catalogues: keys, placeholders and text that is not translated."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import houjuu
from houjuu import logs
from houjuu.cli import main
from houjuu.util.errors import Error, LogError
from houjuu.util.languages import (
    LANGUAGES,
    NAMES,
    Catalogue,
    accepted_language,
    problem_text,
    system_language,
    translate,
    width,
)
from houjuu.util.languages.glossary import message, term
from houjuu.util.languages.names import round_name, tile_names
from tests.message_texts import NOTATION, PLACEHOLDER, TILE_NAMES, WRITTEN, number_texts

ROOT = Path(__file__).parents[2] / "houjuu"
WEB = ROOT.parent / "web"
WORD = re.compile(r"[A-Za-z]{3,}")
CODE = re.compile(r"`[^`]*`")
FOREIGN_WORDS = {
    "json",
    "houjuu",
    "chance",
    "one",
    "JavaScript",
    "Noto",
    "Serif",
    "CJK",
    "SIL",
    "Open",
    "Font",
}
FOREIGN_WORDS |= {"License", "mjlog", "mjai", "tenhou", "net", "API", "OpenAPI", "JSON", "HTTP"}
FOREIGN_WORDS |= {"Chrome", "Edge", "Firefox", "Safari", "mjloggm", "tensoul", "Mortal"}
FOREIGN_WORDS |= {
    "WebSocket",
    "true",
    "false",
    "Kurita",
    "Hoki",
    "AUC",
    "scikit",
    "learn",
    "reviewer",
}
"""Latin words that Japanese and Chinese texts may contain."""

ROOMS = ("arena", "cli", "util/languages", "review", "review/site", "serve", "serve/static")
SOURCES = [
    path for folder in ROOMS for path in (ROOT / folder).glob("*.*") if path.suffix != ".json"
] + [ROOT / "risk" / "texts.py"]
PLACES = (
    "why|card|seat|wind|tile|round|term|reason|danger|draw|page|site|position|match|server|parse"
    "|app"
)
KEY = re.compile(rf"[\"'`]((?:{PLACES})\.(?!css|html|js|svg)[\w .]*)")


PACKAGES = ("houjuu.util.languages", "pipeline.pages")
"""The packages with catalogues."""


@pytest.fixture(params=LANGUAGES)
def catalogue(request: pytest.FixtureRequest) -> Catalogue:
    return translate(request.param)


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_missing(package: str, language: str) -> None:
    messages = translate(language, package).messages
    assert messages.keys() == translate("en", package).messages.keys()
    assert all(message.strip() for message in messages.values())


SAID_AS_IT = {"own_name", "other_name"}
"""The compared actions, which English may call "it"."""


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_those_of_english(package: str, language: str) -> None:
    messages = translate(language, package).messages
    for key, english in translate("en", package).messages.items():
        used = set(PLACEHOLDER.findall(messages[key])) - SAID_AS_IT
        assert used == set(PLACEHOLDER.findall(english)) - SAID_AS_IT, key
        assert messages[key].count("{") == messages[key].count("}"), key
        assert "|" not in PLACEHOLDER.sub("", messages[key]), key


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("language", ["ja", "zh"])
def test_every_message_is_translated(package: str, language: str) -> None:
    for key, text in translate(language, package).messages.items():
        words = set(WORD.findall(PLACEHOLDER.sub("", CODE.sub("", text)))) - FOREIGN_WORDS
        assert not words, f"{key}: {words}"


@pytest.mark.parametrize("package", PACKAGES)
def test_chinese_is_simplified(package: str) -> None:
    """No character that only Japanese or traditional texts have."""
    other = re.compile(r"[ぁ-んァ-ヶ聴銃対門気発両単點發單雙從關聽]")
    for key, text in translate("zh", package).messages.items():
        assert not other.findall(text), key


ERROR_WORDS = FOREIGN_WORDS | {
    "bad",
    "txt",
    "log",
    "https",
    "GO",
    "INIT",
    "self",
    "right",
    "across",
    "left",
}


def problem_of(text: bytes | str) -> Error:
    """The error of a log, or of a position by hand."""
    with pytest.raises(Error) as problem:
        _ = (
            logs.parse(text, "bad.txt")
            if isinstance(text, bytes)
            else houjuu.position(text, {"right": "1m 2m"}, dora="1p")
        )
    return problem.value


@pytest.mark.parametrize(
    "text",
    [
        *(b"", b"no log", b"{}", b"[1,", b"<a/>", b"https://tenhou.net/0/?log=1", b"<mjloggm/>"),
        *("123m", "1m2q", "123m456p789s1122z3z"),
    ],
)
def test_an_error_is_in_one_language(catalogue: Catalogue, text: bytes | str) -> None:
    problem = problem_of(text)
    words = WORD.findall(problem_text(catalogue, problem).replace(str(text), ""))
    if catalogue.language == "en":
        assert problem_text(catalogue, problem) == str(problem)
    else:
        assert not {*words} - ERROR_WORDS


def test_details_of_a_damaged_log_are_in_english_alone() -> None:
    problem = LogError("seat 3 draws out of turn", file="a.xml", round=2)
    nested = Error(f"no game can be read: {problem}", file="logs")
    for one in (problem, nested):
        text = problem_text(translate("zh"), one)
        assert "houjuu parse" in text
        assert "seat" not in text
        assert "a.xml" in text
    assert problem_text(translate("zh"), Error("--card needs a seat")) == "--card needs a seat"


def test_translated_errors_exist() -> None:
    """Each English reason is one that the code raises; both languages have all of them."""
    reasons, others = (
        json.loads((ROOT / f"util/languages/errors.{language}.json").read_text("utf-8"))
        for language in ("ja", "zh")
    )
    assert reasons.keys() == others.keys()
    sources = [path.read_text("utf-8") for path in ROOT.rglob("*.py")]
    code = re.sub(r'"\s*\n\s*f?"', "", "\n".join(sources))
    places = [key for key in reasons if key.startswith(("round", "line", "{a}, round"))]
    systems = [key for key in reasons if key[0].isupper()]
    for reason in reasons.keys() - {*places, *systems}:
        parts = [part for part in re.split(r"^is |\{\w+\}|[;:] ", reason) if len(part) > 3]
        assert all(part in code for part in parts), reason


COUNTED = (
    *("block", "character", "deal-in", "decision", "discard", "file", "game", "kind", "log"),
    *("meld", "point", "round", "stick", "tile", "byte"),
)
WRONG = re.compile(
    rf"(?<![\d,])1 (?:open |held-out |riichi )?(?:{'|'.join(COUNTED)})s\b"
    rf"|(?:\b[02]|,234) (?:open |held-out |riichi )?(?:{'|'.join(COUNTED)})\b(?!s)"
    r"|(?<![\d,])1 (?:\w+ )*(?:are|were)\b"
    r"|[a-z-]+s is\b"
)
"""A singular or a plural in English that does not follow its number."""


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_with_a_number_read_right(package: str, language: str) -> None:
    texts = list(number_texts(package, language))
    assert len(texts) > 5 * 10
    for key, number, _, text in texts:
        assert WRITTEN[number] in text, key
        assert not re.search(r"\d{4}|-1|[{|}]", text.replace("tenhou.net/6", "")), (key, text)
        assert language != "en" or not WRONG.search(text), (key, text)


def test_a_wrong_plural_would_be_found() -> None:
    wrong = (
        "1 games with 2 rounds",
        "2 game",
        "1,234 riichi stick left",
        "1 file are",
        "0 open meld",
    )
    assert all(map(WRONG.search, wrong))
    right = ("1 game with 0 rounds", "−1,234 points", "1 file is left out", "East 1, 2 honba")
    assert not any(map(WRONG.search, right))


def test_a_number_selects_its_own_form() -> None:
    english = translate("en")
    summary = english("parse.summary", games=1, rounds=2, rejected=1)
    assert summary == "1 game with 2 rounds is valid; 1 file is rejected"
    assert english("page.value", value="1") == "1 point"
    assert english("page.value", value="−1,234") == "−1,234 points"


@pytest.mark.parametrize("notation", TILE_NAMES)
def test_tiles_have_names(notation: str) -> None:
    names = tuple(tile_names(translate(language), notation) for language in LANGUAGES)
    assert names == TILE_NAMES[notation]
    assert not any(map(NOTATION.search, names))


def test_rounds_have_names() -> None:
    assert [round_name(translate("en"), *one) for one in ((0, 0), (7, 1))] == [
        "East 1",
        "South 4, 1 honba",
    ]
    assert round_name(translate("ja"), 3, 2) == "東4局2本場"
    assert round_name(translate("zh"), 8, 0) == "西1局"


def test_no_text_repeats_another() -> None:
    """Keys of names apart: a wind is a tile, a seat and a direction, and a draw an outcome."""
    names = ("seat.", "wind.", "tile.", "match.outcome.", "page.part.", "why.safety.")
    keys_by_texts: dict[tuple[str, ...], list[str]] = {}
    for key in translate("en").messages:
        texts = tuple(translate(language).messages[key] for language in LANGUAGES)
        if not key.startswith(names):
            keys_by_texts.setdefault(texts, []).append(key)
    assert [keys for keys in keys_by_texts.values() if len(keys) > 1] == []


def test_every_reason_has_an_entry_in_the_glossary() -> None:
    keys = translate("en").messages
    reasons = {key.partition(".")[2] for key in keys if key.startswith("reason.")}
    assert reasons == {key.partition(".")[2] for key in keys if key.startswith("glossary.")}


def keys_in(path: Path) -> set[str]:
    """Keys that a file of code contains; a key that ends with "." is the start of several."""
    return set(KEY.findall(path.read_text(encoding="utf-8")))


def test_keys_in_the_code_exist() -> None:
    keys = translate("en").messages
    for path in SOURCES:
        for used in keys_in(path):
            assert used in keys or any(key.startswith(used) for key in keys), f"{path}: {used}"


def test_every_key_is_used() -> None:
    used = set().union(*map(keys_in, SOURCES))
    starts = tuple(key for key in used if key.endswith("."))
    generated = ("reason.", "glossary.", "term.", *starts)
    unused = [k for k in translate("en").messages if k not in used and not k.startswith(generated)]
    assert unused == []


def printed_literals(path: Path) -> Iterator[str]:
    """Yield words in strings of a module that are neither docstrings, keys, errors nor options."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise | ast.Subscript | ast.AnnAssign) or (
            isinstance(node, ast.Call) and ast.unparse(node.func).endswith(OPTION_CALLS)
        ):
            skipped |= {id(inner) for inner in ast.walk(node)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
    for node in ast.walk(tree):
        text = node.value if isinstance(node, ast.Constant) and id(node) not in skipped else None
        if not isinstance(text, str) or text.isidentifier() or KEY.match(f'"{text}'):
            continue
        if text.startswith("<"):
            yield from literals_of_template(PLACEHOLDER.sub("", text))
        elif WORD.search(text):
            yield text


OPTION_CALLS = ("add_argument", "add_parser", "add_argument_group", "getattr", "import_extra")


NO_OUTPUT = {
    "cli/arena.py": {".csv"},
    "cli/danger.py": {"position by hand", "in the game", "no discard", "no discard ", ", but "},
    "cli/danger_text.py": set[str](),
    "cli/parse.py": {"file, folder, archive, database; - for standard input"},
    "cli/review.py": {"review.html", "index.html", ".html", ".htm"},
    "arena/match_report.py": set[str](),
}
"""Modules whose output is translated: parts of their help and errors, and names of files."""


@pytest.mark.parametrize("name", NO_OUTPUT)
def test_modules_print_no_text_of_their_own(name: str) -> None:
    assert set(printed_literals(ROOT / name)) == NO_OUTPUT[name]


def test_a_literal_would_be_found(tmp_path: Path) -> None:
    file = tmp_path / "command.py"
    file.write_text('"""Docs of it."""\nprint(f"{1} discards")\nraise Error("no such tile")\n')
    assert list(printed_literals(file)) == [" discards"]
    file.write_text('PAGE = "<!doctype html><style>table {}</style><h1>{title}: results</h1>"')
    assert list(printed_literals(file)) == [": results"]


class TextFinder(HTMLParser):
    """Collects the text of a template that a reader sees."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.tag = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tag = tag
        shown = ("aria-label", "title", "placeholder", "alt")
        self.found += [value or "" for name, value in attributes if name in shown]

    def handle_data(self, data: str) -> None:
        if self.tag != "style":
            self.found.append(data)

    def handle_endtag(self, tag: str) -> None:
        self.tag = ""


def literals_of_template(text: str) -> list[str]:
    """Words in a template, or in a part of a page, that a reader sees."""
    finder = TextFinder()
    finder.feed(re.sub(r"\{[{%].*?[}%]\}", "", text))
    return [literal.strip() for literal in finder.found if WORD.search(literal)]


NAMES_IN_TEMPLATES = {
    "../pipeline/pages/calibration.j2": [],
    "../pipeline/pages/macros.j2": [],
    "../pipeline/pages/models.html.j2": ["houjuu:"],
    "../pipeline/pages/player_report.html.j2": ["houjuu: rank"],
    "../pipeline/pages/report.html.j2": ["houjuu:"],
    "review/page.html.j2": [", : houjuu review", "houjuu"],
    "review/site/index.html.j2": ["houjuu"],
    "review/site/drills.html.j2": ["houjuu"],
    "serve/page.html.j2": ["houjuu", "houjuu", "https://tenhou.net/6/#json=…"],
}


@pytest.mark.parametrize("name", NAMES_IN_TEMPLATES)
def test_templates_have_no_text(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert literals_of_template(text) == NAMES_IN_TEMPLATES[name]


def test_text_in_a_template_would_be_found() -> None:
    assert literals_of_template('<p aria-label="Hand">Skip it</p>') == ["Hand", "Skip it"]


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
STRING = re.compile(r"\"([^\"\n]*)\"|`([^`]*)`")
CLASS = re.compile(r"class: (?:\w+ \? )?[\"`][^\"`]*[\"`](?: : [\"`][^\"`]*[\"`])?")
INSERTED = re.compile(r"\$\{(?:[^{}]|\{[^{}]*\})*\}")
TEXT = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}|^[A-Z][a-z]+$| [a-z]{3,}")


def literals_of_script(script: str) -> list[str]:
    """Strings of a script that look like text: words, or one word with a capital."""
    code = CLASS.sub("", COMMENT.sub("", script))
    strings = [string or INSERTED.sub("", template) for string, template in STRING.findall(code)]
    return [string for string in strings if TEXT.search(string)]


NO_TEXT = {
    " is none of the actions",  # these three report a fault of the scripts
    " is no file of this page",
    "the page has no  ",
    "the page has no ",
    ".filters button",
    "(prefers-color-scheme: dark)",
    "Home End",
    "column current",
    "houjuu danger GAME --seat  --round  --turn ",
    "meter signed",
    "meter signed negative",
    "number win",
    "panel seat",
    "reasons seat",
    "use strict",
    "translate( ) rotate(-90)",
    "translate( ) scale(.7)",
    " scale()",
}


def test_scripts_have_no_text() -> None:
    for path in (*ROOT.glob("review/**/*.js"), *ROOT.glob("serve/static/*.js"), *WEB.glob("*.js")):
        script = path.read_text(encoding="utf-8")
        assert set(literals_of_script(script)) <= NO_TEXT, path.name
    assert literals_of_script('el("p", {}, "It dealt in")') == ["It dealt in"]
    assert literals_of_script("`${name} tiles left`; `Draw`") == [" tiles left", "Draw"]


def test_one_and_many() -> None:
    melds = [term(translate("en"), name) for name in ("1 meld", "2 melds", "1 open meld")]
    assert melds == ["1 meld", "2 melds", "start: 1 open meld"]
    with pytest.raises(KeyError):
        translate("en")("term.ryanmen")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANGUAGE": "ja", "LC_ALL": "zh_CN.UTF-8"}, "ja"),
        ({"LANGUAGE": "", "LC_ALL": "zh_CN.UTF-8", "LANG": "ja"}, "zh"),
        ({"LC_MESSAGES": "ja_JP"}, "ja"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_of_a_locale(environment: dict[str, str], language: str) -> None:
    assert system_language(environment) == language
    assert language in NAMES


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("ja,en-US;q=0.9,en;q=0.8", "ja"),
        ("fr-FR, zh-Hans-CN;q=0.5 , en;q=0.4", "zh"),
        ("ja;q=0.8,zh-CN,zh;q=0.5", "zh"),
        ("ja;q=0,en;q=0.1", "en"),
        ("*, JA;q=1.0", "ja"),
        ("ja;q=x, ;;,zh;q=", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_browser(header: str, language: str) -> None:
    assert accepted_language(header) == language


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(Error, match="no language 'xx'; there are en, ja, zh"):
        translate("xx")


def test_names_of_waits_scores_and_reasons() -> None:
    assert message("tanki 3m") == ("term.tanki", {"tiles": "3m"})
    assert message("2 han 30 fu") == ("term.score", {"han": 2, "fu": 30})
    assert message("none of the waits") == ("reason.none", {})
    assert term(translate("ja"), "shanpon 77z") == "シャンポン 中"
    assert message("a name of another model") is None


RIVERS = ("left=1z*", "self=9m", "right=4z", "across=1m'")
POSITION = ["danger", "--hand", "123m0678p1199s55z + 4p", "--dora", "3p", "--explain", "4p"]
POSITION += [word for river in RIVERS for word in ("--river", river)]


def test_danger_in_every_language(catalogue: Catalogue, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*POSITION, "--lang", catalogue.language]) == 0
    printed = capsys.readouterr().out
    assert catalogue("page.tenpai") in printed
    assert catalogue("danger.reason", name=catalogue("reason.counts")) in printed
    heading, tenpai, *tiles = printed.split("\n\n")[2].splitlines()
    assert len({width.width(line) for line in (heading, tenpai + " " * 18, *tiles)}) == 1
    if catalogue.language != "en":
        words = set(WORD.findall(printed))
        assert words <= {"tenpai"}, words


def test_parse_in_every_language(
    catalogue: Catalogue, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.mjlog").write_text("no log")
    assert main(["parse", str(tmp_path), "--lang", catalogue.language]) == 1
    summary = catalogue("parse.summary", games=0, rounds=0, rejected=1)
    assert capsys.readouterr().out.splitlines()[-1] == summary


def test_the_locale_is_the_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "ja_JP")
    assert main(POSITION) == 0
    assert "聴牌率" in capsys.readouterr().out
