"""Duplicate matches: every line-up plays the same deals in every seat; games are stored as mjlog.

The walls of a deal do not depend on the players. A deal is played up to four times, with the
line-up rotated by a seat each time. A match is a folder with one file a game. Games whose files
exist are not played again.

Players that others wrote (`houjuu.player.foreign`) add two kinds of files: their answers, a line of
JSON for each game, and what the commands write to standard error, a file for each player.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from houjuu.arena import hanchan
from houjuu.estimators.loading import identity, is_own, load_once
from houjuu.game.actions import Action
from houjuu.game.events import SEATS, Game
from houjuu.game.table import View
from houjuu.logs import mjlog
from houjuu.player import foreign, players
from houjuu.player.foreign import AnswerRecord, ForeignPlayer
from houjuu.player.names import parse, short
from houjuu.player.protocol import Player
from houjuu.util.errors import Error
from houjuu.util.extras import needed
from houjuu.util.files import read_file, read_json, write_bytes

with needed("arena"):
    from tqdm import tqdm

MATCH_FILE = "match.json"
ANSWERS_FILE = "answers.jsonl"
_MAX_HEADER = 1 << 16  # unit: bytes


@dataclass(frozen=True)
class Match:
    """A line-up and the seed of its deals.

    Attributes
    ----------
    line_up : 4 names of players, as `houjuu.player.foreign.player` takes them
        By seat, from the first dealer on.
    seed : int
        Seed of the deals: matches with the same seed have the same deals.
    strict : bool
        Whether an illegal, late or absent answer is an Error that ends the match.
    errors : Path, optional
        The folder for what commands write to standard error.

    Raises
    ------
    Error
        There are not four players, or one of the names is unknown. The models are not loaded.
    """

    line_up: tuple[str, ...]
    seed: int = 1
    strict: bool = field(default=False, compare=False)
    errors: Path | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if len(self.line_up) != SEATS:
            raise Error(f"a line-up has {SEATS} players, not {len(self.line_up)}")
        for name in self.line_up:
            foreign.check(name)

    def play(self, deal: int, rotation: int) -> Game:
        """Play a deal, number 0 and up, with the line-up rotated by 0–3 seats."""
        return self.play_with((), deal, rotation).game

    def play_with(self, others: Sequence[str], deal: int, rotation: int) -> Played:
        """Play a deal, and find other first players of the line-up that play the same game.

        The others choose an action at every turn of the first player. All players must depend on
        the view alone; where one of them is a player that others wrote, none is compared.
        """
        positions = [(seat - rotation) % SEATS for seat in range(SEATS)]
        names = [self.line_up[position] for position in positions]
        seats = [*map(foreign.player, names)]
        for player, position in zip(seats, positions, strict=True):
            if isinstance(player, ForeignPlayer):
                player.is_strict = self.strict
                player.errors = self.errors and self.errors / f"stderr-{position + 1}.txt"
        compared = () if any(map(foreign.is_foreign, (self.line_up[0], *others))) else others
        first = _WithOthers(seats[rotation], [*map(players.player, compared)])
        if compared:
            seats[rotation] = first
        shown = [*map(short, names)]
        id = title(deal, rotation)
        try:
            game = hanchan.play(id, walls(self.seed, deal), seats, shown)
        except Error as problem:
            raise problem.in_file(id) from None
        games = [
            _renamed(game, rotation, short(other)) if number in first.alike else None
            for number, other in enumerate(others)
        ]
        answers = {
            seat: player.record
            for seat, player in enumerate(seats)
            if isinstance(player, ForeignPlayer)
        }
        return Played(game, games, answers)


class Played(NamedTuple):
    """A game that was played.

    Attributes
    ----------
    game : Game
    others : list of Game or None
        For each of the other first players that game under its name; None if it chose another
        action.
    answers : dict of int to AnswerRecord
        By seat, of the players that others wrote.
    """

    game: Game
    others: list[Game | None]
    answers: dict[int, AnswerRecord]


def walls(seed: int, deal: int) -> int:
    """The seed of the walls of a deal of a match; the seeds of successive deals are far apart."""
    digest = hashlib.sha256(f"{seed} {deal}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


class _WithOthers:
    """Plays as one player, and follows which others choose the same actions.

    Attributes
    ----------
    alike : dict of int to Player
        The others that have chosen the same actions so far, by their number.
    """

    def __init__(self, chosen: Player, others: Sequence[Player]) -> None:
        self._player = chosen
        self.alike = dict(enumerate(others))

    def act(self, view: View, actions: Sequence[Action]) -> Action:
        """The action of the one player."""
        action = self._player.act(view, actions)
        self.alike = {
            number: other
            for number, other in self.alike.items()
            if other.act(view, actions) is action
        }
        return action


def _renamed(game: Game, seat: int, name: str) -> Game:
    """The game with another name of the player of a seat."""
    infos = list(game.players)
    infos[seat] = replace(infos[seat], name=name)
    return replace(game, players=tuple(infos))


def title(deal: int, rotation: int) -> str:
    """The id of a game, which is also the stem of its file name."""
    return f"deal-{deal:06}-{rotation}"


def deal_and_rotation(game: Game) -> tuple[int, int]:
    """The deal of a game, and the rotation of the line-up in seats.

    Raises
    ------
    Error
        The game does not belong to a match.
    """
    match = re.fullmatch(r"deal-(\d+)-([0-3])", game.id)
    if match is None:
        raise Error("is not a game of a match", file=game.id)
    return int(match[1]), int(match[2])


def play_match(
    match: Match, folder: Path, deals: int, rotations: int = 1, jobs: int | None = None
) -> Iterator[Game]:
    """Play the games of a match that are not in the folder yet, and yield all of them in order.

    Parameters
    ----------
    match : Match
    folder : Path
        Created if it does not exist.
    deals, rotations : int
        Number of deals, and of rotations of each, 1–4.
    jobs : int, optional
        Number of processes, by default one for each core.

    Raises
    ------
    Error
        The folder contains another match.
    """
    play_matches([(match, folder)], deals, rotations, jobs)
    yield from _read(folder, list(product(range(deals), range(rotations))))


def play_matches(
    matches: Sequence[tuple[Match, Path]], deals: int, rotations: int = 1, jobs: int | None = None
) -> None:
    """Play the games of several matches that are not in their folders yet, deal by deal.

    A game in which a player gave no legal answer at all ends the match, and is not written.

    The header of a match has a digest of every parameter file that its players name: a changed file
    is another match.

    Line-ups that differ in one player meet many of the same hands. One process plays a deal with
    all line-ups, so that the values of these hands are computed once. If the line-ups differ in
    their first player alone, a game in which two of these players choose the same actions is played
    once.

    Parameters and errors are those of `play_match`.
    """
    if deals < 1 or (jobs is not None and jobs < 1):
        raise Error(f"{deals} deals in {jobs} processes cannot be played; both must be at least 1")
    matches = [(replace(match, errors=match.errors or folder), folder) for match, folder in matches]
    for match, folder in matches:
        for name in match.line_up:
            foreign.player(name)  # raises the Error of a model before anything is written
        _claim(folder, match)
    games = [
        game
        for game in product(range(deals), range(rotations))
        if not all(_file(folder, *game).exists() for _, folder in matches)
    ]
    label = " ".join(matches[0][0].line_up) if len(matches) == 1 else f"{len(matches)} matches"
    with ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
        done = pool.map(partial(_play_missing, matches), games, chunksize=4)
        try:
            for _ in tqdm(done, label, total=len(games), unit="deal"):
                pass
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def read_match(folder: Path, seed: int, deals: int, rotations: int) -> tuple[Match, Iterator[Game]]:
    """A match that was played before, and its games of the first deals.

    Raises
    ------
    Error
        The folder contains no match with this seed, or lacks some of the games.
    """
    try:
        header = read_json(folder / MATCH_FILE, _MAX_HEADER)
        match = Match(tuple(header["line_up"]), header["seed"])
    except (Error, KeyError, TypeError) as problem:
        raise Error(f"contains no match: {problem}", file=str(folder)) from None
    if match.seed != seed:
        raise Error(f"contains a match with the seed {match.seed}, not {seed}", file=str(folder))
    games = list(product(range(deals), range(rotations)))
    for game in games:
        if not _file(folder, *game).exists():
            raise Error(f"lacks the game {title(*game)}", file=str(folder))
    return match, _read(folder, games)


def _read(folder: Path, games: Iterable[tuple[int, int]]) -> Iterator[Game]:
    for game in games:
        yield from mjlog.read(_file(folder, *game))


def _claim(folder: Path, match: Match) -> None:
    """Write the header of a match to its folder, or check that it is there."""
    named = {"line_up": match.line_up, "seed": match.seed}
    header = (json.dumps(named | _digests(match)) + "\n").encode()
    file = folder / MATCH_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not file.exists() or not file.stat().st_size:  # empty after an earlier full disk
            write_bytes(file, header)
        content = read_file(file, _MAX_HEADER)
    except OSError as problem:
        raise Error(f"cannot be used ({problem.strerror})", file=str(folder)) from None
    if content != header:
        text = content.decode(errors="replace").strip()
        raise Error(f"contains another match: {text}", file=str(folder))


def model_names(match: Match) -> dict[str, str]:
    """The name and the digest of each own model that a player names, by its name there."""
    return {file: load_once(file).model for file in _files(match)}


def _digests(match: Match) -> dict[str, dict[str, str]]:
    """The digests of the files that players name; nothing without any."""
    models = {file: identity(file) for file in _files(match)}
    files = foreign.digests(match.line_up)
    return {key: value for key, value in (("models", models), ("files", files)) if value}


def _files(match: Match) -> list[str]:
    """The models that players name, without those that ship."""
    ours = [name for name in match.line_up if not foreign.is_foreign(name)]
    models = {model for name in ours if (model := parse(name).model) is not None}
    return sorted(filter(is_own, models))


def _play_missing(matches: Sequence[tuple[Match, Path]], game: tuple[int, int]) -> None:
    """Play a deal and write its games; each file is complete or does not exist.

    After Ctrl-C a worker of the pool would go on with the next deal.
    """
    try:
        if _interrupted:
            raise KeyboardInterrupt
        _play_all(matches, game)
    except KeyboardInterrupt:
        _interrupted.append(True)
        raise


_interrupted: list[bool] = []


def _play_all(matches: Sequence[tuple[Match, Path]], game: tuple[int, int]) -> None:
    missing = [match for match in matches if not _file(match[1], *game).exists()]
    while missing:
        (match, folder), *others = missing
        missing = []
        alike = {_without_first(other) for other, _ in others} == {_without_first(match)}
        compared = others if alike else []
        if not alike:
            missing = others
        played = match.play_with([other.line_up[0] for other, _ in compared], *game)
        for other, same in zip(compared, played.others, strict=True):
            if same is None:
                missing.append(other)
            else:
                _write(_file(other[1], *game), same)
        for seat, record in played.answers.items():
            if record.asked and not record.answered:
                name = played.game.names[seat]
                raise foreign.absence(name, 0, record.asked, record.absent)
        if played.answers:
            _add_answers(folder, played)
        _write(_file(folder, *game), played.game)


def _add_answers(folder: Path, played: Played) -> None:
    """Add a line to the answers, before the game exists: each game of the match has its line."""
    seats = {str(seat): asdict(record) for seat, record in played.answers.items()}
    line = json.dumps({"game": played.game.id, "seats": seats}, ensure_ascii=False) + "\n"
    with (folder / ANSWERS_FILE).open("ab", buffering=0) as file:
        file.write(line.encode(errors="replace"))


def answers(folder: Path) -> dict[str, dict[int, AnswerRecord]]:
    """The answers of the players that others wrote, by the id of the game and by seat.

    The last line of a game counts: it was played again if its file was lost.

    Raises
    ------
    Error
        A line is damaged.
    """
    path = folder / ANSWERS_FILE
    if not path.exists():
        return {}
    records: dict[str, dict[int, AnswerRecord]] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                entry = json.loads(line)
                seats = entry["seats"].items()
                records[entry["game"]] = {int(seat): AnswerRecord(**one) for seat, one in seats}
            except (ValueError, TypeError, LookupError, AttributeError):
                raise Error("is no record of answers", file=f"{path}, line {number}") from None
    return records


def _without_first(match: Match) -> tuple[int, tuple[str, ...]]:
    return match.seed, match.line_up[1:]


def _write(file: Path, game: Game) -> None:
    write_bytes(file, mjlog.write(game))


def _file(folder: Path, deal: int, rotation: int) -> Path:
    return folder / f"{title(deal, rotation)}.mjlog"
