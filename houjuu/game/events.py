"""The events at a table, and a whole game.

Every log format, every mjai stream and every simulated game becomes these events. Seats are
absolute, 0–3; seat 0 is East in the first round. Tiles are ids (`houjuu.game.tiles`); None is a
tile that the source of the events does not show. Scores are in points, not in hundreds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from houjuu.game.rules import Rules as Rules  # noqa: PLC0414 (houjuu.events.Rules is public)
from houjuu.util.json_types import RoomName
from houjuu.util.names import shown_name

SEATS = 4
PerSeat = tuple[int, int, int, int]
START_SCORE = 25_000
"""The score of a seat at the beginning of a game of Tenhou. Unit: points."""
START_SCORES: PerSeat = (START_SCORE, START_SCORE, START_SCORE, START_SCORE)
FinalScores = tuple[tuple[int, float], ...] | None


def per_seat(values: Iterable[int]) -> PerSeat:
    """One number for each seat; raises ValueError unless there are four."""
    first, second, third, fourth = values
    return first, second, third, fourth


class MeldKind(StrEnum):
    """The five kinds of melds."""

    CHI = "chi"
    PON = "pon"
    DAIMINKAN = "daiminkan"
    ANKAN = "ankan"
    KAKAN = "kakan"


KANS = (MeldKind.ANKAN, MeldKind.DAIMINKAN, MeldKind.KAKAN)
"""The three kinds of kans."""


@dataclass(frozen=True, slots=True)
class Meld:
    """A set on the table.

    Attributes
    ----------
    kind : MeldKind
    tiles : tuple of int
        All ids, ascending.
    called : int or None
        The tile that another seat discarded; None for a closed kan.
    source : int or None
        The seat that discarded it; None for a closed kan.
    added : int or None
        The fourth tile of an added kan.
    """

    kind: MeldKind
    tiles: tuple[int, ...]
    called: int | None = None
    source: int | None = None
    added: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is a 副露; a closed kan is not."""
        return self.kind is not MeldKind.ANKAN

    @property
    def from_hand(self) -> tuple[int, ...]:
        """The tiles that leave the caller's hand with this call."""
        if self.added is not None:
            return (self.added,)
        return tuple(tile for tile in self.tiles if tile != self.called)


@dataclass(frozen=True, slots=True)
class Deal:
    """A round begins.

    `round` is 0 for East 1 to 3 for East 4, 4 for South 1 and so on. `hands` has None for a hand
    that is hidden; `scores` are None if the source does not show them.
    """

    round: int
    honba: int
    riichi_sticks: int
    dealer: int
    scores: PerSeat | None
    dora_indicator: int
    hands: tuple[tuple[int, ...] | None, ...]
    dice: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile from the wall, or from the dead wall after a kan."""

    seat: int
    tile: int | None


@dataclass(frozen=True, slots=True)
class Discard:
    """A tile goes to the river; `tsumogiri` if it is the tile just drawn."""

    seat: int
    tile: int
    tsumogiri: bool


@dataclass(frozen=True, slots=True)
class Call:
    """A meld is made: chi, pon, or a kan of any kind."""

    seat: int
    meld: Meld


@dataclass(frozen=True, slots=True)
class Riichi:
    """Riichi is declared; the declaring discard follows."""

    seat: int


@dataclass(frozen=True, slots=True)
class RiichiAccepted:
    """The riichi stick is paid, because nobody won on the declaring discard."""

    seat: int


@dataclass(frozen=True, slots=True)
class Dora:
    """One more dora indicator is turned over, after a kan."""

    indicator: int


@dataclass(frozen=True, slots=True)
class Win:
    """A seat wins, by ron from `source`, or by tsumo if `source` is `seat`.

    A field is None if the source of the events leaves it out. An empty hand is unknown, too, and so
    are the yaku if there are neither yaku nor yakuman. `houjuu.logs.completion` fills in the
    fields that follow from the table.

    Attributes
    ----------
    seat, source, tile : int
        Winner, seat of the winning tile, and the winning tile.
    hand : tuple of int
        The concealed tiles, the winning tile included.
    melds : tuple of Meld
        In the order of the calls.
    fu : int or None
    points : int or None
        Points of the hand, without honba and riichi sticks.
    limit : int or None
        0 for no limit, 1 for mangan, up to 5 for yakuman.
    yaku : tuple of (int, int)
        Tenhou's number (`houjuu.game.yaku`) and han of each yaku.
    yakuman : tuple of int
        Tenhou's numbers.
    dora_indicators : tuple of int
    ura_indicators : tuple of int, or None
    honba, riichi_sticks : int
        The numbers of both before the win.
    scores : tuple of 4 ints or None, unit: points
        Scores before the win.
    deltas : tuple of 4 ints or None, unit: points
        Changes of the scores, honba and sticks included.
    liable : int or None
        The seat that pays by 責任払い; the winner itself if nobody does.
    """

    seat: int
    source: int
    tile: int
    hand: tuple[int, ...] = ()
    melds: tuple[Meld, ...] = ()
    fu: int | None = None
    points: int | None = None
    limit: int | None = None
    yaku: tuple[tuple[int, int], ...] = ()
    yakuman: tuple[int, ...] = ()
    dora_indicators: tuple[int, ...] = ()
    ura_indicators: tuple[int, ...] | None = None
    honba: int = 0
    riichi_sticks: int = 0
    scores: PerSeat | None = None
    deltas: PerSeat | None = None
    liable: int | None = None

    @property
    def is_whole(self) -> bool:
        """Whether everything about it is known, but perhaps the scores before it."""
        details = (self.fu, self.points, self.limit, self.ura_indicators, self.deltas, self.liable)
        return bool(self.hand and (self.yaku or self.yakuman)) and None not in details


class DrawReason(StrEnum):
    """Why a round ended without a winner, as Tenhou abbreviates it."""

    EXHAUSTED = "exhausted"
    NAGASHI_MANGAN = "nm"
    NINE_TERMINALS = "yao9"
    FOUR_WINDS = "kaze4"
    FOUR_RIICHI = "reach4"
    THREE_RON = "ron3"
    FOUR_KANS = "kan4"


ABORTED = (
    DrawReason.NINE_TERMINALS,
    DrawReason.FOUR_WINDS,
    DrawReason.FOUR_RIICHI,
    DrawReason.FOUR_KANS,
    DrawReason.THREE_RON,
)
"""The reasons for which a round ends before its wall does; no score changes."""


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round ends without a winner. A field that the source leaves out is None, as in `Win`.

    Attributes
    ----------
    reason : DrawReason or None
    hands : tuple of 4 tuples of int or None
        The hands that were shown.
    tenpai : tuple of 4 bools or None
        Whether each seat was tenpai when the wall was exhausted; None if a round is aborted.
    honba, riichi_sticks : int
        The numbers of both before the end.
    scores, deltas : tuple of 4 ints or None, unit: points
        Scores before the end, and their changes.
    """

    reason: DrawReason | None
    hands: tuple[tuple[int, ...] | None, ...] = (None, None, None, None)
    tenpai: tuple[bool | None, ...] = (None, None, None, None)
    honba: int = 0
    riichi_sticks: int = 0
    scores: PerSeat | None = None
    deltas: PerSeat | None = None

    @property
    def is_whole(self) -> bool:
        """Whether reason, changes of the scores and tenpai seats are known."""
        if self.reason is None or self.deltas is None:
            return False
        return self.reason in ABORTED or None not in self.tenpai


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """A round ends, and the source of the events hides how, as live streams do.

    Attributes
    ----------
    winner : int or None
        The seat that wins by tsumo on a hidden tile; None if the source does not show it.
    deltas : tuple of 4 ints or None, unit: points
        Changes of the scores; None if they are unknown.
    """

    winner: int | None = None
    deltas: PerSeat | None = None


@dataclass(frozen=True, slots=True)
class Away:
    """A player disconnects; the seat discards automatically from now on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Back:
    """A player who had disconnected is back."""

    seat: int


Event = (
    Deal
    | Draw
    | Discard
    | Call
    | Riichi
    | RiichiAccepted
    | Dora
    | Win
    | DrawnRound
    | RoundEnd
    | Away
    | Back
)


def visible(event: Event, seat: int) -> Event:
    """The event as a seat sees it: hands and draws of other seats are None."""
    if isinstance(event, Deal):
        hands = tuple(hand if n == seat else None for n, hand in enumerate(event.hands))
        return replace(event, hands=hands)
    return Draw(event.seat, None) if isinstance(event, Draw) and event.seat != seat else event


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """The player of a seat, as far as the log names it."""

    name: str
    dan: int | None = None
    rate: float | None = None
    sex: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game of a log; iteration gives its events.

    `final` has, by seat, the final score in points and the result with uma; None if the log has
    none. `unread` names what the log contains and the reader does not know: ``yaku 'Foo' of round
    3``.
    """

    id: str
    rules: Rules
    players: tuple[PlayerInfo, ...]
    events: tuple[Event, ...]
    final: FinalScores = None
    unread: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Event]:
        """Iterate over the events."""
        return iter(self.events)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players as `houjuu.util.names.shown_name`, by seat; empty without any.

        To show or to compare a name, use these; `PlayerInfo.name` is the name of the log.
        """
        return tuple(shown_name(player.name) for player in self.players)

    def in_room(self, room: RoomName | None) -> Game:
        """The game with a named room, of `houjuu.game.rules.ROOMS`; itself without one."""
        return replace(self, rules=replace(self.rules, named_room=room)) if room else self

    @property
    def rounds(self) -> int:
        """Number of rounds dealt."""
        return sum(type(event) is Deal for event in self.events)

    @property
    def date(self) -> str | None:
        """Date of the game, YYYY-MM-DD, if the id begins with one as Tenhou's do."""
        digits = self.id[:8]
        if len(digits) < 8 or not digits.isdigit():
            return None
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
