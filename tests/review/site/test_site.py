"""A folder of reviews: pages, index, resuming, problems, and whose games they are."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from houjuu.cli import main
from houjuu.game.events import Game, PlayerInfo
from houjuu.logs import mjlog
from houjuu.review.page_types import EngineBeside
from houjuu.review.site import build as build_module
from houjuu.review.site.build import PageOptions, Site, build
from houjuu.review.site.index import index
from houjuu.review.site.inventory import FoundGame, seats_of, take_inventory, usual_name
from houjuu.util.errors import Error
from houjuu.util.languages import Language
from tests.message_texts import NOTATION
from tests.review.page_data import game_pages

OPTIONS = PageOptions(player="none", model="kurita-hoki-2017")
NAME = "bot 1"


@pytest.fixture(scope="module")
def logs(own_games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games, one of them twice, and two files that are no games."""
    folder = tmp_path_factory.mktemp("logs")
    for number, game in enumerate(own_games[:3]):
        (folder / f"2024010{3 - number}00gm-{number}.mjlog").write_bytes(mjlog.write(game))
    (folder / "copy.mjlog").write_bytes(mjlog.write(own_games[0]))
    (folder / "broken.xml").write_text("<mjloggm>")
    (folder / "empty.json").write_bytes(b"")
    return folder


@pytest.fixture(scope="module")
def site(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder of reviews and what the command printed."""
    folder = tmp_path_factory.mktemp("site")
    return folder, run(logs, folder)


def run(logs: Path, folder: Path, *more: str) -> str:
    import contextlib
    import io

    arguments = ["review", str(logs), "-o", str(folder), "--player", "none", "--lang", "en"]
    arguments += ["--model", str(OPTIONS.model), "--jobs", "2", "--name", NAME, *more]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        assert main(arguments) == 0
    return printed.getvalue()


def pages(folder: Path) -> list[Path]:
    return sorted((folder / "games").glob("*.html"))


def test_the_index_links_every_page(site: tuple[Path, str]) -> None:
    folder, printed = site
    assert printed.endswith(f"{folder / 'index.html'}: 3 games of {NAME}, 3 made now\n")
    assert not list(folder.rglob("*.part"))
    for file in ("index.html", "index.ja.html", "index.zh.html"):
        text = (folder / file).read_text(encoding="utf-8")
        links = {link.partition("#")[0] for link in re.findall(r'href="(games/[^"]*)"', text)}
        assert {folder / link for link in links} == set(pages(folder))
        assert not re.findall(r'(?:src|href)="(?!#|data:,|games/|index)|url\(|@import', text)
        assert "<script" not in text
    assert 'lang="ja"' in (folder / "index.ja.html").read_text(encoding="utf-8")


def test_links_lead_to_the_discard(site: tuple[Path, str]) -> None:
    folder, _ = site
    text = (folder / "index.html").read_text(encoding="utf-8")
    found = re.findall(r'href="games/([^"]*)\.html#(\d+)\.(\d+)"', text)
    assert len(found) > 15
    for stem, round, step in found:
        record = json.loads((folder / "games" / f"{stem}.json").read_text(encoding="utf-8"))
        steps = {(one["round"], one["step"]) for one in record["game"]["discards"]}
        assert (int(round), int(step)) in steps


@pytest.mark.parametrize(
    ("file", "round"),
    [
        ("index.html", r"(East|South) \d(, \d honba)?, turn \d"),
        ("index.ja.html", r"[東南]\d局(\d本場)? \d+巡目"),
    ],
)
def test_tiles_and_rounds_have_names(site: tuple[Path, str], file: str, round: str) -> None:
    text = (site[0] / file).read_text(encoding="utf-8")
    labels = re.findall(r'aria-label="([^"]*)"', text)
    shown = "\n".join([*labels, re.sub(r"(?s)<style>.*?</style>|<[^>]*>", "\n", text)])
    assert re.search(round, shown)
    assert not NOTATION.search(shown)
    assert not re.search(r"\b[ESWN]\d\.\d", shown)


def test_games_are_in_the_order_of_play(site: tuple[Path, str]) -> None:
    """The newest game is the first line of the list."""
    text = (site[0] / "index.html").read_text(encoding="utf-8")
    listed = re.findall(r'href="games/(2024\d+gm-\d)\.html">', text)
    assert listed == sorted(listed, reverse=True)
    assert len(listed) == 3


def test_unreadable_logs_are_listed(site: tuple[Path, str]) -> None:
    folder, printed = site
    text = (folder / "index.html").read_text(encoding="utf-8")
    for name in ("broken.xml", "empty.json"):
        assert f"left out: {name}" in printed
        assert f"<li>{name}" in text


def test_complete_pages_are_not_made_again(site: tuple[Path, str], logs: Path) -> None:
    folder, _ = site
    before = {page: page.stat().st_mtime_ns for page in pages(folder)}
    assert run(logs, folder).endswith("3 games of bot 1, 0 made now\n")
    assert {page: page.stat().st_mtime_ns for page in pages(folder)} == before


def test_the_index_has_the_engines(own_games: list[Game]) -> None:
    """Numbers of all games add up; a share is of what was answered, and a reason stands once."""
    reasons: dict[Language, str] = {"en": "it ended with 3", "ja": "終了", "zh": "结束"}
    numbers = {"answered": 0, "played": 0, "advised": 0, "shared": 0}
    none = cast(EngineBeside, {"name": "a < b", "choices": 9, **numbers, "absent": None})
    dead: EngineBeside = {**none, "absent": reasons}
    alive: EngineBeside = {**none, "answered": 8, "played": 4, "advised": 2, "shared": 1}
    for engines, cells in (
        ((dead, dead), ["0%", "–", "–", "0"]),
        ((dead, alive), ["44%", "50%", "25%", "1"]),
        ((alive, alive), ["89%", "50%", "25%", "2"]),
    ):
        found = [
            replace(page, record=replace(page.record, beside=(engine,)))
            for page, engine in zip(game_pages(own_games[0], 2), engines, strict=True)
        ]
        text = index("bot 1", found, [], "houjuu", "en")["index.ja.html"]
        _, _, section = text.partition('<section id="beside"')
        row = re.search(r'<th scope="row">a &lt; b</th>(.*)</tr>', section)
        assert row is not None
        assert re.findall("<td>(.*?)</td>", row[1]) == cells
        assert text.count("合法な応答なし: 終了") == (dead in engines)


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["page", "record", "content", "engine", "version"])
def test_what_is_missing_or_old_is_made(
    site: tuple[Path, str], logs: Path, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = site
    page = pages(folder)[1]
    record = page.with_suffix(".json")
    made = 1
    if damage == "page":
        page.write_text(page.read_text(encoding="utf-8")[:-100], encoding="utf-8")
    elif damage == "record":
        record.write_text(record.read_text(encoding="utf-8")[:-100], encoding="utf-8")
    elif damage == "version":
        monkeypatch.setattr(build_module, "__version__", "another")
        made = 3
    else:
        data = json.loads(record.read_text(encoding="utf-8"))
        if damage == "engine":  # it never answered
            data["game"]["beside"] = [{"choices": 9, "answered": 0}]
        else:
            data["stamp"]["log"] = "0" * 64
        record.write_text(json.dumps(data), encoding="utf-8")
    assert run(logs, folder).endswith(f"3 games of bot 1, {made} made now\n")
    assert page.read_text(encoding="utf-8").endswith("</html>")


def test_a_game_that_cannot_be_reviewed_is_listed(logs: Path, tmp_path: Path) -> None:
    """A log without final scores is read, but has no rank."""
    source = sorted(logs.glob("2024*"))[0].read_text(encoding="utf-8")
    log = re.sub(r' owari="[^"]*"', "", source)
    assert log != source
    (tmp_path / "no-end.mjlog").write_text(log, encoding="utf-8")
    (tmp_path / "whole.mjlog").write_text(source, encoding="utf-8")
    site = _build(tmp_path, tmp_path / "site", seat=0)
    assert len(site.pages) + len(site.problems) == 2
    assert len(site.pages) >= 1


def _build(logs: Path, folder: Path, seat: int) -> Site:
    return build([str(logs)], folder, OPTIONS, seat=seat, jobs=1)


def test_errors_are_one_sentence(
    logs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (tmp_path / "file").write_text("")
    for arguments, message in (
        ([str(empty), "-o", str(tmp_path / "out")], "no game can be read"),
        ([str(logs), "--name", "nobody"], "no game has a player 'nobody'; the most frequent are"),
        ([str(logs), "--model", "none such"], "no model 'none such' ships with houjuu"),
        ([str(logs), "--player", "none such"], "no player 'none such'"),
        ([str(logs), str(empty), "-o", "x.html"], "several games need a folder: -o reviews/"),
        ([str(logs), "--seat", "0", "-o", str(tmp_path / "file" / "x")], "cannot be made a folder"),
        ([str(tmp_path / "nothing"), "-o", str(tmp_path / "out/")], "cannot be opened"),
    ):
        assert main(["review", *arguments]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.rstrip().splitlines()[-1].startswith("houjuu: ")
    assert not (tmp_path / "out").exists()


def games(*names: tuple[str, ...]) -> list[FoundGame]:
    return [FoundGame(str(i), str(i), None, seats, str(i)) for i, seats in enumerate(names)]


def test_the_usual_name_is_the_one_in_most_games() -> None:
    found = games(("a", "b", "c", "d"), ("b", "a", "e", "f"), ("x", "b", "g", "g"))
    assert usual_name(found) == "b"
    assert seats_of(found, "b") == {"0": 1, "1": 0, "2": 1}
    assert seats_of(found, "x") == {"2": 0}
    with pytest.raises(Error, match="no player occurs in two of the 2 games"):
        usual_name(games(("a", "b", "c", "d"), ("e", "f", "g", "h")))
    assert usual_name(games(("a", "b", "c", "d"))) == "a"
    with pytest.raises(Error, match="have no names"):
        usual_name(games((), ()))


def test_file_names_differ(own_games: list[Game]) -> None:
    """Equal ids, ids that differ in case, and ids with separators."""
    entries = []
    for number, name in enumerate(("a/../x.mjlog", "A.mjlog", "b/a.mjlog", "c/a.mjlog")):
        players = tuple(PlayerInfo(f"{number}{seat}") for seat in range(4))
        content = mjlog.write(replace(own_games[0], players=players))
        entries.append((name, content))
    stems = [game.stem for game in take_inventory(entries).games]
    assert len({stem.lower() for stem in stems}) == len(stems) == 4
    assert not any("/" in stem or stem.startswith(".") for stem in stems)
