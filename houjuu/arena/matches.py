"""Duplicate matches: the same deals for every line-up, in every seat, the games kept as mjlog.

A deal has the same walls whoever plays. It is played up to four times, the line-up turned by a
seat each time. A match is a folder with a file a game; what is there already is not played again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path

from tqdm import tqdm

from houjuu.arena import hanchan
from houjuu.errors import Error
from houjuu.estimator import Estimator, load
from houjuu.events import Game
from houjuu.logs import mjlog
from houjuu.player.ahead import Ahead
from houjuu.player.discard import RULES
from houjuu.player.fear import Careless, Estimated, Relative
from houjuu.player.lookahead import FORMULAS
from houjuu.player.nearest import Nearest
from houjuu.player.push_fold import Limits
from houjuu.player.valued import Valued

SEATS = 4
MATCH = "match.json"


@cache
def _estimator() -> Estimator:
    return load()


def _ahead(formula: str, **weights: float) -> hanchan.Acting:
    return Valued(Ahead(_estimator(), formula=formula, **weights))


PLAYERS: dict[str, Callable[..., hanchan.Acting]] = {
    **{rule: partial(Nearest, rule) for rule in RULES},
    "value": lambda: Valued(Careless()),
    "relative": lambda **limits: Valued(Relative(Limits(**limits))),
    "estimator": lambda **weights: Valued(Estimated(_estimator(), **weights)),
    **{f"ahead-{name[-1]}": partial(_ahead, name) for name in FORMULAS},
}
"""How to make each player, by its name, from numbers by name."""


def player(name: str) -> hanchan.Acting:
    """Make a player of `PLAYERS`; "relative:safe=2.5,no_safe=2.5" is one with other numbers.

    Raises
    ------
    Error
        There is none of that name, or it knows no such number.
    """
    kind, _, told = name.partition(":")
    if kind not in PLAYERS:
        raise Error(f"there is no player {kind!r}; there are {', '.join(PLAYERS)}")
    try:
        words = [word.split("=") for word in told.split(",") if word]
        return PLAYERS[kind](**{key: float(value) for key, value in words})
    except (TypeError, ValueError) as problem:
        raise Error(f"player {name!r}: {problem}") from None


@dataclass(frozen=True)
class Match:
    """Who plays whom over which deals.

    Attributes
    ----------
    line_up : 4 names of `PLAYERS`
        By seat, from the first dealer on.
    seed : int
        Of the deals: matches with the same seed have the same.

    Raises
    ------
    Error
        There are not four players, or one is not known.
    """

    line_up: tuple[str, ...]
    seed: int = 1

    def __post_init__(self) -> None:
        if len(self.line_up) != SEATS:
            raise Error(f"a line-up is of {SEATS} players, not of {len(self.line_up)}")
        for name in self.line_up:
            player(name)

    def play(self, deal: int, turned: int) -> Game:
        """Play a deal, number 0 and up, with the line-up turned by 0–3 seats."""
        names = [self.line_up[(seat - turned) % SEATS] for seat in range(SEATS)]
        players = [player(name) for name in names]
        return hanchan.play(title(deal, turned), self._walls(deal), players, names)

    def _walls(self, deal: int) -> int:
        """A seed for the walls of a deal; those of near deals lie far apart."""
        digest = hashlib.sha256(f"{self.seed} {deal}".encode()).digest()
        return int.from_bytes(digest[:8], "big") >> 1


def title(deal: int, turned: int) -> str:
    """The id of a game, and the name of its file without the ending."""
    return f"deal-{deal:06}-{turned}"


def number_of(game: Game) -> tuple[int, int]:
    """The deal of a game of a match, and by how many seats the line-up was turned.

    Raises
    ------
    Error
        It is no game of a match.
    """
    found = re.fullmatch(r"deal-(\d+)-([0-3])", game.id)
    if found is None:
        raise Error("is no game of a match", file=game.id)
    return int(found[1]), int(found[2])


def played(
    match: Match, folder: Path, deals: int, rotations: int = 1, jobs: int | None = None
) -> Iterator[Game]:
    """Play what the folder does not hold yet, and give all games of the match in order.

    Parameters
    ----------
    match : Match
    folder : Path
        Made when it is not there.
    deals, rotations : int
        How many deals, and how often each is played, 1–4.
    jobs : int, optional
        Processes; one a core unless told.

    Raises
    ------
    Error
        The folder holds another match.
    """
    play([(match, folder)], deals, rotations, jobs)
    yield from _read(folder, list(product(range(deals), range(rotations))))


def play(
    matches: Sequence[tuple[Match, Path]], deals: int, rotations: int = 1, jobs: int | None = None
) -> None:
    """Play what the folders of some matches do not hold yet, deal by deal.

    Line-ups that differ in one player come to the same hands again and again: to play a deal with
    one after the other, in one process, works them out once.

    Parameters and errors as `played` has them.
    """
    for match, folder in matches:
        _claim(folder, match)
    games = [
        of
        for of in product(range(deals), range(rotations))
        if not all(_file(folder, *of).exists() for _, folder in matches)
    ]
    told = " ".join(matches[0][0].line_up) if len(matches) == 1 else f"{len(matches)} matches"
    with ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
        done = pool.map(partial(_keep, matches), games, chunksize=4)
        for _ in tqdm(done, told, total=len(games), unit="deal"):
            pass


def of_folder(folder: Path, seed: int, deals: int, rotations: int) -> tuple[Match, Iterator[Game]]:
    """A match that was played before, and its games of some deals.

    Raises
    ------
    Error
        The folder holds no match on the deals of that seed, or not all of them.
    """
    try:
        told = json.loads((folder / MATCH).read_text())
        match = Match(tuple(told["line_up"]), told["seed"])
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise Error(f"holds no match: {problem}", file=str(folder)) from None
    if match.seed != seed:
        raise Error(f"is a match on other deals, of seed {match.seed}", file=str(folder))
    games = list(product(range(deals), range(rotations)))
    for of in games:
        if not _file(folder, *of).exists():
            raise Error(f"has not played {title(*of)}", file=str(folder))
    return match, _read(folder, games)


def _read(folder: Path, games: Iterable[tuple[int, int]]) -> Iterator[Game]:
    for of in games:
        yield from mjlog.read(_file(folder, *of))


def _claim(folder: Path, match: Match) -> None:
    told = json.dumps(asdict(match)) + "\n"
    file = folder / MATCH
    folder.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        file.write_text(told)
    if file.read_text() != told:
        raise Error(f"holds another match: {file.read_text().strip()}", file=str(folder))


def _keep(matches: Sequence[tuple[Match, Path]], of: tuple[int, int]) -> None:
    """Play a deal and write it, each game whole or not at all."""
    for match, folder in matches:
        file = _file(folder, *of)
        if not file.exists():
            unfinished = file.with_suffix(".part")
            unfinished.write_bytes(mjlog.write(match.play(*of)))
            unfinished.replace(file)


def _file(folder: Path, deal: int, turned: int) -> Path:
    return folder / f"{title(deal, turned)}.mjlog"
