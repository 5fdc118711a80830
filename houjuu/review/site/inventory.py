"""The games of some paths: which there are, which logs are unreadable, and whose games they are."""

from __future__ import annotations

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from houjuu.logs import any_format as logs
from houjuu.logs.sources import Entry, entries
from houjuu.util.errors import Error
from houjuu.util.extras import MissingPackageError
from houjuu.util.names import shown_name

_LOG = logging.getLogger(__name__)
_MOST_NAMES = 5  # in the error message for an unknown name
_MAX_STEM = 100  # unit: bytes; file systems allow 255 for a whole name
_NOT_IN_FILE_NAMES = re.compile(r"[^\w.=+-]+")


@dataclass(frozen=True, slots=True)
class FoundGame:
    """A game of the input.

    Attributes
    ----------
    log : str
        SHA-256 of the content of its log.
    id : str
    date : str or None
        YYYY-MM-DD.
    names : tuple of str
        `houjuu.game.events.Game.names`.
    stem : str
        Name for the files of the game, without a suffix; no other game has it.
    """

    log: str
    id: str
    date: str | None
    names: tuple[str, ...]
    stem: str


@dataclass(slots=True)
class Inventory:
    """The games of the input in the order of play, and the logs that are left out with the reason.

    Tenhou's ids begin with date and hour. Games without a date come first, in the order of reading.
    A log that occurs twice counts once.
    """

    games: list[FoundGame] = field(default_factory=list)
    problems: list[Error] = field(default_factory=list)


def digest(content: bytes) -> str:
    """SHA-256 of a log or a parameter file, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def all_entries(paths: Sequence[str]) -> Iterator[Entry]:
    """Yield name and content of all logs of some paths."""
    return chain.from_iterable(map(entries, paths))


def take_inventory(entries: Iterable[Entry]) -> Inventory:
    """List the games of some logs.

    Raises
    ------
    MissingPackageError
        The logs need a package that is not installed.
    """
    inventory = Inventory()
    digests = set[str]()
    stems = Counter[str]()
    for name, content in entries:
        if isinstance(content, Error):
            inventory.problems.append(content)
            continue
        log = digest(content)
        if log in digests:
            continue
        digests.add(log)
        try:
            game = logs.parse(content, name)
        except MissingPackageError:
            raise
        except Error as problem:
            inventory.problems.append(problem.in_file(name))
            continue
        stem = _stem(game.id, stems)
        found_game = FoundGame(log=log, id=game.id, date=game.date, names=game.names, stem=stem)
        inventory.games.append(found_game)
    inventory.games.sort(key=lambda game: (game.date or "", game.id if game.date else ""))
    return inventory


def _stem(id: str, used: Counter[str]) -> str:
    """A file name for an id, different from all before on any file system."""
    text = _NOT_IN_FILE_NAMES.sub("_", id).encode()[:_MAX_STEM].decode(errors="ignore")
    base = stem = text.strip(".") or "game"
    while stem.lower() in used:
        used[base.lower()] += 1
        stem = f"{base}-{used[base.lower()]}"
    used[stem.lower()] = 1
    return stem


def name_counts(games: Iterable[FoundGame]) -> Counter[str]:
    """The number of games of each name."""
    return Counter(name for game in games for name in dict.fromkeys(game.names))


def usual_name(games: Sequence[FoundGame]) -> str:
    """The name that occurs in most of the games; of equals the first.

    Raises
    ------
    Error
        No name occurs twice in two or more games, or the logs have no names.
    """
    counts = name_counts(games)
    if not counts:
        raise Error("the logs have no names of players: choose --seat 0 to --seat 3")
    name, count = counts.most_common(1)[0]
    if count == 1 < len(games):
        raise Error(f"no player occurs in two of the {len(games)} games: choose --name or --seat")
    _LOG.info("the player is %s, in %s of %s games", name, count, len(games))
    return name


def seats_of(games: Sequence[FoundGame], name: str) -> dict[str, int]:
    """The seat of a player in each game with it, by `FoundGame.log`.

    Raises
    ------
    Error
        The player is in none of the games.
    """
    wanted = shown_name(name)
    seats = {game.log: game.names.index(wanted) for game in games if wanted in game.names}
    if not seats:
        most = ", ".join(repr(name) for name, _ in name_counts(games).most_common(_MOST_NAMES))
        raise Error(f"no game has a player {wanted!r}; the most frequent are {most}")
    return seats
