"""Reviews of many games in a folder: pages in ``games/``, and ``index.html``.

The page of a game is written before its record, and both under a temporary name first. A record
with the same stamp and the size of its page therefore proves that the page is complete.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from houjuu import __version__
from houjuu.estimators.loading import identity, load_once
from houjuu.estimators.protocol import Estimator
from houjuu.logs import any_format as logs
from houjuu.logs.sources import Entry
from houjuu.player.names import chosen_model
from houjuu.review import rendering
from houjuu.review.rendering import part_of
from houjuu.review.review_data import Progress
from houjuu.review.site.game_record import GamePage, GameRecord, game_records, with_review
from houjuu.review.site.inventory import (
    FoundGame,
    all_entries,
    digest,
    seats_of,
    take_inventory,
    usual_name,
)
from houjuu.scoring.win_points import installed_judge
from houjuu.util.errors import Error
from houjuu.util.extras import missing_packages
from houjuu.util.files import read_json, sole_use, write_text
from houjuu.util.json_types import RoomName
from houjuu.util.names import shown_name

GAMES = "games"
_MAX_RECORD = 16 << 20  # unit: bytes
_RECORD = 6
"""Version of the records: those of another version are made anew."""


@dataclass(frozen=True, slots=True)
class PageOptions:
    """The options of all pages.

    Attributes
    ----------
    player, model : str, optional
        As in `houjuu.review.rendering.render`.
    language : str, optional
        Of all pages, one of `houjuu.util.languages.LANGUAGES`; by default the browser's.
    beside : list of str
        Other engines, as in `render`.
    room : str, optional
        As in `render`.
    """

    player: str | None = None
    model: str | None = None
    language: str | None = None
    beside: list[str] = field(default_factory=list)
    room: RoomName | None = None


@dataclass(frozen=True, slots=True)
class _PageTask:
    """A page to be made."""

    folder: Path
    stem: str
    seat: int
    options: PageOptions
    stamp: dict[str, Any]

    @property
    def page(self) -> Path:
        return self.folder / GAMES / f"{self.stem}.html"

    @property
    def record(self) -> Path:
        return self.folder / GAMES / f"{self.stem}.json"


@dataclass(slots=True)
class Site:
    """The games of a folder of reviews.

    Attributes
    ----------
    player : str or int
        The reviewed player, or the reviewed seat if several players had it.
    pages : list of GamePage
        In the order of play.
    problems : list of Error
        Logs that are left out.
    made : int
        Number of pages that were made now; the others were complete.
    model : str
        Name of the model.
    """

    player: str | int
    pages: list[GamePage]
    problems: list[Error]
    made: int
    model: str


def build(
    paths: Sequence[str],
    folder: Path,
    options: PageOptions,
    *,
    name: str | None = None,
    seat: int | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Site:
    """Make the missing pages of all games of one player.

    Parameters
    ----------
    paths : sequence of str
        Logs, folders, archives and databases.
    folder : Path
        Created if it does not exist.
    options : PageOptions
    name : str, optional
        The reviewed player; the default is the name that occurs in most of the games.
    seat : int, optional
        The reviewed seat of all games, 0–3, instead of a name.
    jobs : int, optional
        Number of processes, by default one for each core.
    progress : callable, optional
        Called with the share that is done, 0 to 1. The pages are then made in this process, and
        nothing is printed.

    Raises
    ------
    Error
        A path cannot be opened, there is no game, no game has the player, or the folder cannot be
        written. A log that cannot be reviewed is listed in `Site.problems` instead.
    """
    if progress is None:
        _require_tools()
    rendering.check(options.player, options.model, options.beside)
    options = replace(options, model=chosen_model(options.player, options.model))
    inventory = take_inventory(_counted(all_entries(paths), progress))
    if not inventory.games:
        raise Error(f"no game can be read{_first_reason(inventory.problems)}", file=paths[0])
    if seat is None:
        name = shown_name(name) if name else usual_name(inventory.games)
        seats = seats_of(inventory.games, name)
    else:
        seats = {game.log: seat for game in inventory.games}
    folder = folder.absolute()  # a reused worker may have another working directory
    with sole_use(folder / GAMES):
        tasks = _tasks(inventory.games, seats, folder, options)
        missing = {log: task for log, task in tasks.items() if not _is_complete(task)}
        left_out = _make(missing, paths, jobs, progress)
        problems = inventory.problems + sorted(left_out.values(), key=str)
        made = [task for task in tasks.values() if task.stem not in left_out]
        if not made:
            raise Error(f"no game can be reviewed{_first_reason(problems)}", file=paths[0])
        return Site(
            name or _player_of(made, seat),
            [GamePage(_record(task), task.page.relative_to(folder).as_posix()) for task in made],
            problems,
            len(missing) - len(left_out),
            _estimator(options).model,
        )


def _estimator(options: PageOptions) -> Estimator:
    return load_once(chosen_model(options.player, options.model))


def _player_of(tasks: Sequence[_PageTask], seat: int | None) -> str | int:
    """The name of the player if the seat is of one player, else the seat."""
    names = {_record(task).names[task.seat] for task in tasks}
    return names.pop() if len(names) == 1 or seat is None else seat


def _first_reason(problems: Sequence[Error]) -> str:
    return f": {problems[0]}" if problems else ""


def _tasks(
    games: Iterable[FoundGame], seats: dict[str, int], folder: Path, options: PageOptions
) -> dict[str, _PageTask]:
    """The page of every game that has the player, by `FoundGame.log`."""
    model = chosen_model(options.player, options.model)
    common = {
        "houjuu": __version__,
        "record": _RECORD,
        "parameters": identity(model),
        "advice": installed_judge() is not None,
        **asdict(options),
    }
    return {
        game.log: _PageTask(
            folder=folder,
            stem=game.stem,
            seat=seats[game.log],
            options=options,
            stamp={**common, "log": game.log, "seat": seats[game.log]},
        )
        for game in games
        if game.log in seats
    }


def _is_complete(task: _PageTask) -> bool:
    try:
        data = read_json(task.record, _MAX_RECORD)
        engines = GameRecord.from_dict(data["game"]).beside
        answered = all(one["answered"] or not one["choices"] for one in engines)
        is_stamped: bool = data["stamp"] == task.stamp
        return is_stamped and answered and data["page_bytes"] == task.page.stat().st_size
    except (Error, OSError, ValueError, KeyError, TypeError):
        return False


def _record(task: _PageTask) -> GameRecord:
    return GameRecord.from_dict(read_json(task.record, _MAX_RECORD)["game"])


def _require_tools() -> None:
    """Raise MissingPackageError where the packages of many processes are absent."""
    try:
        for name in ("filelock", "joblib", "tqdm"):
            import_module(name)
    except ImportError as problem:
        raise missing_packages("review", problem) from None


def _counted(entries: Iterator[Entry], progress: Progress | None) -> Iterable[Entry]:
    if progress is not None:
        return entries
    from tqdm import tqdm

    return tqdm(entries, "logs", unit="log", leave=False)


def _make(
    missing: dict[str, _PageTask], paths: Sequence[str], jobs: int | None, progress: Progress | None
) -> dict[str, Error]:
    """Make pages; returns why a log is left out, by `_PageTask.stem`."""
    if not missing:
        return {}
    calls = _calls(missing, all_entries(paths))
    if progress is None:
        done: Iterable[tuple[str, Error | None]] = _made_by_processes(calls, len(missing), jobs)
    else:
        done = _made_here(calls, len(missing), progress)
    return {stem: problem for stem, problem in done if problem is not None}


def _made_by_processes(
    calls: Iterable[tuple[_PageTask, Entry]], n: int, jobs: int | None
) -> Iterable[tuple[str, Error | None]]:
    from joblib import Parallel, cpu_count, delayed
    from tqdm import tqdm

    jobs = min(jobs or cpu_count(), n)
    pool = Parallel(jobs, return_as="generator_unordered", pre_dispatch="2 * n_jobs", batch_size=1)
    return tqdm(pool(delayed(_make_page)(*call) for call in calls), "reviews", total=n, unit="game")


def _made_here(
    calls: Iterable[tuple[_PageTask, Entry]], n: int, progress: Progress
) -> Iterator[tuple[str, Error | None]]:
    for n_made, (task, entry) in enumerate(calls):
        yield _make_page(task, entry, partial(part_of, progress, n_made, n))


def _calls(
    missing: dict[str, _PageTask], found: Iterable[Entry]
) -> Iterator[tuple[_PageTask, Entry]]:
    """Yield every missing page once, with its log."""
    remaining = dict(missing)
    for name, content in found:
        if isinstance(content, bytes):
            task = remaining.pop(digest(content), None)
            if task is not None:
                yield task, (name, content)
        if not remaining:
            return


def _make_page(
    task: _PageTask, entry: Entry, progress: Progress | None = None
) -> tuple[str, Error | None]:
    """Write a page and its record; returns its stem, and why the game cannot be reviewed."""
    name, content = entry
    assert isinstance(content, bytes)
    task.record.unlink(missing_ok=True)
    try:
        game = logs.parse(content, name)
        (record,) = game_records(game, (task.seat,))
        options = asdict(task.options)
        text, (review,) = rendering.render(game, [task.seat], **options, progress=progress)
    except Error as problem:
        return task.stem, problem.in_file(name)
    write_text(task.page, text)
    data = {
        "stamp": task.stamp,
        "page_bytes": task.page.stat().st_size,
        "game": with_review(record, review).to_dict(),
    }
    write_text(task.record, json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return task.stem, None
