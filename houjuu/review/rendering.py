"""The review of a game, and its page with the advice of a player."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from houjuu.estimators.loading import load_once
from houjuu.estimators.protocol import Estimator
from houjuu.game.events import Deal, Discard, Game
from houjuu.game.view import View
from houjuu.logs import tenhou6_writer
from houjuu.logs.any_format import first_shown_seat, own_seat, stated_seat
from houjuu.logs.completion import completed
from houjuu.logs.engine_reports import ReportedGame
from houjuu.logs.sources import Entry
from houjuu.player.names import chosen_model
from houjuu.player.protocol import DEFAULT_PLAYER
from houjuu.review.page import page
from houjuu.review.page_types import Review
from houjuu.review.review_data import Progress, review, review_position
from houjuu.scoring.win_points import installed_judge
from houjuu.util.errors import Error
from houjuu.util.extras import missing_packages
from houjuu.util.json_types import RoomName
from houjuu.util.names import shown_name

if TYPE_CHECKING:
    from houjuu.player.second_opinion import Opinions
    from houjuu.review.advice import Advice

NO_PLAYER = "none"

_IGNORE_CTRL_C = (signal.SIGINT, signal.SIG_IGN)


def render(
    game: Game,
    seats: Sequence[int],
    player: str | None = None,
    model: str | None = None,
    *,
    language: str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    beside: Sequence[str] = (),
    room: RoomName | None = None,
) -> tuple[str, list[Review]]:
    """The review page of a game, and the data of each seat.

    Parameters
    ----------
    game : Game
    seats : sequence of int
        The reviewed seats, 0–3, absolute. The page opens with the first one.
    player : str, optional
        Player whose discards are shown as advice: a name as `houjuu.player.players.player` takes
        it, or "none". The default is "rank", which also values all actions, or "none" where
        neither riichienv nor `mahjong` is installed.
    model : str, optional
        A model as `houjuu.load` takes it, of the risks, the advice and the values; by default the
        model in the name of the player, else the default model.
    language : str, optional
        Language of the page, one of `houjuu.util.languages.LANGUAGES`; by default the browser's.
    jobs : int
        Processes; each reviews some of the seats.
    progress : callable, optional
        Called with the share of all seats that is reviewed, 0 to 1, by one process.
    beside : sequence of str
        Other engines, whose actions are shown beside the advice, after that of a report: names as
        `houjuu.player.foreign.player` takes them. They may run programs: never those of a client.
    room : str, optional
        As in `houjuu.game.Game.in_room`.

    Raises
    ------
    Error
        There is no such player or model, the name of the player contains another model, or there
        are other engines and the player values no actions.
    """
    check(player, model, beside)
    of_seat = partial(reviewed, game.in_room(room), player=player, model=model, beside=beside)
    if jobs > 1 and len(seats) > 1:
        from concurrent.futures import ProcessPoolExecutor  # which a browser lacks

        processes = min(jobs, len(seats))  # Ctrl-C is for this process alone
        with ProcessPoolExecutor(processes, None, signal.signal, _IGNORE_CTRL_C) as pool:
            reviews = list(pool.map(of_seat, seats))
    else:
        reviews = [
            of_seat(seat, progress=progress and partial(part_of, progress, number, len(seats)))
            for number, seat in enumerate(seats)
        ]
    return page_of(reviews, player, language), reviews


def position_page(view: View, language: str | None, model: str | None = None) -> str:
    """The page of a position by hand, with the values of the default player.

    Parameters
    ----------
    view : View
        A seat that has to discard.
    language, model : str, optional
        As in `render`.

    Raises
    ------
    Error
        The seat has nothing to choose, or the packages of the player are absent.
    """
    estimator = load_once(chosen_model(None, model))
    advice = _advice(DEFAULT_PLAYER, estimator)
    assert advice is not None
    return page_of([review_position(view, estimator, advice)], None, language)


def link(game: Game) -> str | None:
    """The game as what follows ``#`` in an address; None if the format cannot hold it."""
    with suppress(Error):
        return f"json={quote(tenhou6_writer.write(completed(game, installed_judge())))}"
    return None


def part_of(progress: Progress, number: int, n: int, share: float) -> None:
    """Report the share of one of `n` equal steps as that of all."""
    progress((number + share) / n)


def page_of(reviews: Sequence[Review], player: str | None, language: str | None) -> str:
    """The page of the data that `reviewed` returns; the parameters are those of `render`."""
    is_advised = player != NO_PLAYER and (player or installed_judge() is not None)
    return page(reviews, (player or DEFAULT_PLAYER) if is_advised else None, language)


def reviewed(
    game: Game,
    seat: int,
    player: str | None = None,
    model: str | None = None,
    progress: Progress | None = None,
    *,
    beside: Sequence[str] = (),
) -> Review:
    """The data of a review of one seat without a page; the parameters are those of `render`.

    `progress` is that of `houjuu.review.review_data.review`.
    """
    game = completed(game, installed_judge())
    # the player asks for the risk of the same views: the estimator keeps the last answer
    estimator = load_once(chosen_model(player, model))
    advice = _advice(player, estimator)
    if advice is not None and advice.legal:
        advice.beside = {one: found.by_event() for one, found in _opinions(game, seat, beside)}
    return review(game, seat, estimator, advice, progress=progress)


def _opinions(game: Game, seat: int, beside: Sequence[str]) -> Iterator[tuple[str, Opinions]]:
    """Yield the answers of the report of a game, then those of other engines, by name."""
    if isinstance(game, ReportedGame) and game.report.seat == seat:
        from houjuu.player import report_opinions

        yield game.report.name, report_opinions.opinions(game.report, game)
    if beside:
        from houjuu.player import second_opinion

        yield from ((name, second_opinion.opinions(name, game, seat)) for name in beside)


def check(player: str | None, model: str | None, beside: Sequence[str] = ()) -> None:
    """Raise the Error of `render` for a player, a model or an engine that does not exist."""
    advice = _advice(player, load_once(chosen_model(player, model)))
    if not beside:
        return
    if advice is None or advice.legal is None:
        raise Error("other engines are asked beside a player that values actions, such as rank")
    from houjuu.player import foreign

    for name in beside:
        foreign.player(name)


def shown_seats(game: Game, first: int) -> list[int]:
    """The seats that can be reviewed: the given one, then all others whose hands the log shows."""
    shown = [True] * 4
    n_discards = [0] * 4
    for event in game:
        if isinstance(event, Deal):
            shown = [
                before and hand is not None for before, hand in zip(shown, event.hands, strict=True)
            ]
        elif isinstance(event, Discard):
            n_discards[event.seat] += 1
    others = [seat for seat in range(4) if shown[seat] and n_discards[seat] and seat != first]
    return [first, *others]


def players(game: Game, entries: Iterable[Entry]) -> dict[str, Any]:
    """The ``names`` of a game by seat, the ``seats`` with hands, and whose log it is if it says so.

    The seat that `own_seat` finds is the first.
    """
    own = stated_seat(game, entries)
    seats = shown_seats(game, first_shown_seat(game) if own is None else own)
    return {"names": list(game.names or "ABCD"), "seats": seats, "own": own}


def _advice(player: str | None, estimator: Estimator) -> Advice | None:
    """The advice of a player, by its name; None without a player.

    A player whose name has no model queries the estimator.
    """
    if player == NO_PLAYER:
        return None
    try:
        from houjuu.player import players
        from houjuu.review.advice import Advice
    except ImportError as problem:
        if player is None:
            return None
        raise missing_packages("arena", problem) from None
    return Advice(players.player(player or DEFAULT_PLAYER, estimator))


def chosen_seat(game: Game, seat: int | None, name: str | None, entries: Iterable[Entry]) -> int:
    """The seat of a named player, else the given seat, else `houjuu.logs.own_seat`.

    Raises
    ------
    Error
        The game has no such player.
    """
    if name is None:
        return own_seat(game, entries) if seat is None else seat
    names, wanted = game.names, shown_name(name)
    if wanted not in names:
        raise Error(f"has no player {wanted!r}, but {', '.join(names)}", file=game.id)
    return names.index(wanted)
