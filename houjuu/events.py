"""What happens at a table, in the order in which it happens.

Every log format, every mjai stream and every simulated game becomes these events. Seats are
absolute, 0–3, seat 0 being East in the first round. Tiles are ids (`houjuu.tiles`); None stands
for a tile that the teller cannot see. Scores are points, not hundreds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

Four = tuple[int, int, int, int]
Final = tuple[tuple[int, float], ...] | None


def four(values: Iterable[int]) -> Four:
    """A number for each seat; raises ValueError when they are not four."""
    first, second, third, fourth = values
    return first, second, third, fourth


class MeldKind(StrEnum):
    """The five ways to show a set."""

    CHI = "chi"
    PON = "pon"
    DAIMINKAN = "daiminkan"
    ANKAN = "ankan"
    KAKAN = "kakan"


@dataclass(frozen=True, slots=True)
class Meld:
    """A set on the table.

    `tiles` are all its ids in ascending order; `called` is the one that was another's discard and
    `source` the seat that discarded it (both None for a closed kan); `added` is the fourth tile
    of an added kan.
    """

    kind: MeldKind
    tiles: tuple[int, ...]
    called: int | None = None
    source: int | None = None
    added: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether it is a 副露: a closed kan is none."""
        return self.kind is not MeldKind.ANKAN

    @property
    def from_hand(self) -> tuple[int, ...]:
        """The tiles that leave the caller's hand when the call is made."""
        if self.added is not None:
            return (self.added,)
        return tuple(tile for tile in self.tiles if tile != self.called)


@dataclass(frozen=True, slots=True)
class Deal:
    """A round begins.

    `round` is 0 for East 1 to 3 for East 4, 4 for South 1 and so on; a hand is None where the
    teller cannot see it.
    """

    round: int
    honba: int
    riichi_sticks: int
    dealer: int
    scores: Four
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
    """A tile goes to the river; `tsumogiri` when it is the one just drawn."""

    seat: int
    tile: int
    tsumogiri: bool


@dataclass(frozen=True, slots=True)
class Call:
    """A set is shown: chi, pon, or a kan of any kind."""

    seat: int
    meld: Meld


@dataclass(frozen=True, slots=True)
class Riichi:
    """Riichi is declared; the declaring discard follows."""

    seat: int


@dataclass(frozen=True, slots=True)
class RiichiAccepted:
    """Nobody won on the declaring discard: the stick is paid."""

    seat: int


@dataclass(frozen=True, slots=True)
class Dora:
    """A kan turns over one more indicator."""

    indicator: int


@dataclass(frozen=True, slots=True)
class Win:
    """Somebody wins, from `source` by ron or, when `source` is `seat`, by tsumo.

    `hand` is the concealed part with the winning tile in it. `points` is the worth of the hand
    without honba and sticks, and `deltas` what every seat gains in all. `limit` counts from 0 (no
    limit) over mangan 1 to yakuman 5. `yaku` holds (Tenhou's number, han), `yakuman` numbers
    alone; see `houjuu.yaku`. `liable` is the seat that pays by 責任払い.
    """

    seat: int
    source: int
    tile: int
    hand: tuple[int, ...] = ()
    melds: tuple[Meld, ...] = ()
    fu: int = 0
    points: int = 0
    limit: int = 0
    yaku: tuple[tuple[int, int], ...] = ()
    yakuman: tuple[int, ...] = ()
    dora_indicators: tuple[int, ...] = ()
    ura_indicators: tuple[int, ...] = ()
    honba: int = 0
    riichi_sticks: int = 0
    scores: Four | None = None
    deltas: Four | None = None
    liable: int | None = None


class DrawReason(StrEnum):
    """Why a round ended without a winner, as Tenhou abbreviates it."""

    EXHAUSTED = "exhausted"
    NAGASHI_MANGAN = "nm"
    NINE_TERMINALS = "yao9"
    FOUR_WINDS = "kaze4"
    FOUR_RIICHI = "reach4"
    THREE_RON = "ron3"
    FOUR_KANS = "kan4"


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round ends without a winner; `hands` are those shown (None: not shown)."""

    reason: DrawReason
    hands: tuple[tuple[int, ...] | None, ...] = (None, None, None, None)
    honba: int = 0
    riichi_sticks: int = 0
    scores: Four | None = None
    deltas: Four | None = None


@dataclass(frozen=True, slots=True)
class Away:
    """A player drops out; discards are automatic from here on."""

    seat: int


@dataclass(frozen=True, slots=True)
class Back:
    """A player who dropped out is back."""

    seat: int


Event = (
    Deal | Draw | Discard | Call | Riichi | RiichiAccepted | Dora | Win | DrawnRound | Away | Back
)

_NO_RED_FIVES, _NO_OPEN_TANYAO, _HANCHAN, _THREE_PLAYERS, _FAST = 0x02, 0x04, 0x08, 0x10, 0x40


@dataclass(frozen=True, slots=True)
class Rules:
    """The bits of Tenhou's ``<GO type>``; the default is a ranked hanchan."""

    flags: int = 0x09
    lobby: str | None = None

    @property
    def red_fives(self) -> bool:
        """Whether one five of each suit is red."""
        return not self.flags & _NO_RED_FIVES

    @property
    def open_tanyao(self) -> bool:
        """Whether tanyao counts in an open hand (喰いタン)."""
        return not self.flags & _NO_OPEN_TANYAO

    @property
    def hanchan(self) -> bool:
        """Whether South is played too."""
        return bool(self.flags & _HANCHAN)

    @property
    def fast(self) -> bool:
        """Whether players have little time (速)."""
        return bool(self.flags & _FAST)

    @property
    def three_players(self) -> bool:
        """Whether it is a three-player game, which houjuu refuses."""
        return bool(self.flags & _THREE_PLAYERS)

    @property
    def room(self) -> str:
        """Tenhou's room: 一般, 上級, 特上 or 鳳凰 (general, advanced, expert, phoenix)."""
        names = {0: "general", 0x80: "advanced", 0x20: "expert", 0xA0: "phoenix"}
        return names[self.flags & 0xA0]


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a seat, as the log tells it."""

    name: str
    dan: int | None = None
    rate: float | None = None
    sex: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A whole game as a log tells it; iterating over it gives its events.

    `final` holds, by seat, the last score in points and the result with uma, where the log has
    them.
    """

    id: str
    rules: Rules
    players: tuple[Player, ...]
    events: tuple[Event, ...]
    final: Final = None

    def __iter__(self) -> Iterator[Event]:
        """Iterate over the events."""
        return iter(self.events)

    @property
    def rounds(self) -> int:
        """How many rounds were dealt."""
        return sum(type(event) is Deal for event in self.events)

    @property
    def date(self) -> str | None:
        """The day of the game as YYYY-MM-DD, where a Tenhou id begins with it."""
        digits = self.id[:8]
        if len(digits) < 8 or not digits.isdigit():
            return None
        return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
