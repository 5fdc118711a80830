"""The table of risks: the predictions of a model at every decision of a game, and the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from houjuu.estimators.protocol import Estimator
from houjuu.game.decisions import Decision
from houjuu.game.events import Deal, Discard, Draw, Game
from houjuu.game.tiles import COPIES, KIND, KINDS, format_tiles, kind_name
from houjuu.reading.opponent import OpponentType
from houjuu.risk.deal_in import DealIn
from houjuu.risk.unseen import UnseenTiles
from houjuu.scoring.labelled_decisions import HiddenHand, labelled_decisions
from houjuu.util.columns import Column

VERSION = 1
"""Version of the table, its first column."""

NO_TILES = "none"
"""The text for no kinds; an empty cell is unknown."""

KIND_NAMES = tuple(kind_name(kind) for kind in range(KINDS))

RISKS = (
    Column("version", "int8", "1, the version of this table", "houjuu"),
    Column("game", "string", "id of the game", "the log's file name"),
    Column("round", "int16", "index of the deal in the game, from 0", "the log"),
    Column("seat", "int8", "0–3, the seat that decides on a discard", "the log"),
    Column("turn", "int8", "discards that the seat has made in this round", "the log"),
    Column("opponent", "int8", "0–3, absolute seat of the opponent", "the log"),
    Column("opponent_type", "string", "riichi, closed, 1 meld … 4 melds", "the table"),
    Column("hand", "string", "tiles such as 123m0p55z, 0 a red five", "the table"),
    Column("discard", "string", "the tile that was discarded", "the log"),
    Column("genbutsu", "string", "kinds that the opponent cannot win on, or none", "the table"),
    Column("tenpai", "float32", "0–1, P(tenpai)", "the estimator"),
    Column("points", "float32", "points if the discard deals in, without honba", "the estimator"),
    *(
        Column(name, "float32", "0–1, P(the kind deals in to the opponent)", "the estimator")
        for name in KIND_NAMES
    ),
    Column(
        "next_draw", "float32", "0–1, P(the tile that is drawn next is `drawn`)", "the estimator"
    ),
    Column("counted_draw", "float32", "0–1, the same if all unseen tiles are alike", "the table"),
    Column("is_tenpai", "bool", "the hand is tenpai (shanten 0)", "label: the full table"),
    Column("wins", "string", "kinds that the opponent would win on, or none", "label: the same"),
    Column("ronned", "bool", "the opponent won on the discard", "label: the log"),
    Column("paid", "int32", "points of that win, honba not counted", "label: the log"),
    Column("drawn", "string", "the kind that anybody draws next", "label: the log"),
    Column("model", "string", "its name, with the digest of a file that does not ship", "houjuu"),
)
"""A row per decision and opponent, for `houjuu risks` and `benchmarks.score`. Other programs
write the key, from `game` to `opponent`, and their predictions. A label that the log does not show
is empty. The next draw is the same in all rows of a decision."""

Row = list[object]


def rows(game: Game, estimator: Estimator) -> Iterator[Row]:
    """Yield the rows of a game as `RISKS`; each value is a number or a text, "" if unknown."""
    drawn = _next_draws(game)
    for _, of_round in groupby(labelled_decisions(game), lambda one: one.decision.round):
        labelled = list(of_round)
        views = [decision.view for decision, _ in labelled]
        answers = zip(estimator.deal_in_many(views), estimator.unseen_many(views), strict=True)
        for (decision, hands), (risk, unseen) in zip(labelled, answers, strict=True):
            draw = _next_draw(unseen, drawn.get(decision.key))
            for hand in hands:
                yield [*_row(game.id, decision, hand, risk, draw), estimator.model]


class _NextDraw(NamedTuple):
    """The kind that is drawn next, and its probability by the model and by counting."""

    kind: str
    predicted: str
    counted: str


def _next_draw(unseen: UnseenTiles, tile: int | None) -> _NextDraw:
    """Empty cells without a next draw."""
    if tile is None:
        return _NextDraw("", "", "")
    kind = KIND[tile]
    counted = unseen.copies[kind] / unseen.copies.sum()
    return _NextDraw(KIND_NAMES[kind], _number(unseen.next_draw[kind]), _number(counted))


def _row(game: str, decision: Decision, hand: HiddenHand, risk: DealIn, draw: _NextDraw) -> Row:
    view = decision.view
    red_fives = view.rules.red_fives
    seat = hand.opponent.seat
    number = [opponent.seat for opponent in risk.opponents].index(seat)
    wins = [win for win in decision.rons if win.seat == seat]
    paid = wins[0].points if wins else None
    return [
        *(VERSION, game, *decision.key, seat),
        OpponentType.from_seat(hand.opponent).value,
        format_tiles(view.hand, red_fives=red_fives),
        format_tiles([decision.discard], red_fives=red_fives),
        _kinds_text(view.furiten(seat)),
        _number(risk.tenpai[number]),
        _points(risk, number, decision.discard),
        *map(_number, risk.by_opponent[number].tolist()),
        *(draw.predicted, draw.counted),
        *("" if hand.tenpai is None else int(hand.tenpai), _kinds_text(hand.wins)),
        *(int(bool(wins)), "" if paid is None else paid, draw.kind),
    ]


def _points(risk: DealIn, number: int, tile: int) -> str:
    """Expected points if the tile deals in to an opponent; empty if it cannot."""
    scores = risk.tile_scores(tile)[number]
    total = scores.sum()
    return _number(scores @ risk.opponents[number].points / total) if total > 0 else ""


def _kinds_text(mask: int | None) -> str:
    if mask is None:
        return ""
    tiles = [COPIES * kind for kind in range(KINDS) if mask >> kind & 1]
    return format_tiles(tiles, red_fives=False) or NO_TILES


def _number(value: float) -> str:
    """Six digits, the same on every processor."""
    return f"{value:.6g}"


def names(columns: Iterable[Column] = RISKS) -> list[str]:
    """The names of the columns, in order."""
    return [column.name for column in columns]


DiscardKey = tuple[int, int, int]
"""Round, seat and the number of the seat's earlier discards in the round."""


def _next_draws(game: Game) -> dict[DiscardKey, int]:
    """The id of the tile that anybody draws next after a discard, calls between them included.

    A discard is left out if nobody draws again in the round, or if the log hides the tile.
    """
    drawn: dict[DiscardKey, int] = {}
    waiting: list[DiscardKey] = []
    n_discards: Counter[int] = Counter()
    index = -1
    for event in game:
        match event:
            case Deal():
                index += 1
                waiting = []
                n_discards = Counter()
            case Draw():
                if event.tile is not None:
                    drawn |= dict.fromkeys(waiting, event.tile)
                waiting = []
            case Discard():
                waiting.append((index, event.seat, n_discards[event.seat]))
                n_discards[event.seat] += 1
    return drawn
