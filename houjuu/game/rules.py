"""The rules of a game as data: the score, the legal actions and the end of a game ask them.

Tenhou writes the rules of a game as flags. What the flags do not say is a `Profile`: the rules of a
site or a league.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from houjuu.game.limits import MAX_RULES, MAX_SCORE, whole
from houjuu.util.errors import TableError, shown
from houjuu.util.json_types import RoomName

NO_RED_FIVES = 0x02
_NO_OPEN_TANYAO = 0x04
HANCHAN = 0x08
_THREE_PLAYERS = 0x10
_PEOPLE = 0x01
_ROOM = 0xA0
ROOMS: dict[int | None, RoomName] = {
    0xA0: "phoenix",
    0x20: "expert",
    0x80: "advanced",
    0: "general",
    None: "bots",
}
"""The rooms by the flags of Tenhou: 鳳凰, 特上, 上級, 一般; and the tables of programs."""
_RANKED = 0xFF
_TIPS = 0x200
_KNOWN = 0xEFF

LAST_ROUND = {False: 3, True: 7}
"""The last scheduled round: East 4 of an East-only game (False), South 4 of a hanchan (True)."""


class Profile(NamedTuple):
    """The rules of a site or a league; the default is Tenhou.

    Attributes
    ----------
    name : str
    target : int
        Points that end the game from the last round on. Unit: points.
    base : int
        Points from which the results count. Unit: points.
    uma : (int, int)
        Of the first and of the second seat; the others pay them. Unit: thousands of points.
    extra_rounds : int
        Rounds that follow the last scheduled one at most, while no seat has the target.
    bust : bool
        Whether a score below 0 ends the game (飛び).
    agari_yame : bool
        Whether the game ends if the dealer of the last round stays and leads with the target.
    most_rons : int
        The seats that may win on one tile. With 1 it is the next in turn (頭ハネ); with 2 a third
        aborts the round (三家和).
    aborts : bool
        Whether a round can be aborted (途中流局).
    kuikae : bool
        Whether the kinds that a chi or pon swaps may be discarded after it (喰い替え).
    riichi_points : int
        The score that a riichi needs. Unit: points.
    riichi_tiles : int
        The tiles of the wall that a riichi needs.
    pao : bool
        Whether the seat pays whose tile completed 大三元 or 大四喜 (責任払い).
    pao_of_all : bool
        Whether that seat answers for all yakuman of the hand, or only for the completed one.
    kokushi_robs_ankan : bool
        Whether 国士無双 wins on the tile of a closed kan (搶槓).
    empty_wait : bool
        Whether a hand is tenpai that has, with its melds, all copies of the tiles it waits for.
    kiriage : bool
        Whether 4 han of 30 fu and 3 han of 60 fu are mangan (切り上げ満貫).
    kazoe : bool
        Whether 13 han are a yakuman (数え役満).
    double_yakuman : bool
        Whether 四暗刻単騎, 純正九蓮宝燈, 国士無双13面 and 大四喜 count twice.
    """

    name: str = "tenhou"
    target: int = 30_000
    base: int = 30_000
    uma: tuple[int, int] = (20, 10)
    extra_rounds: int = 4
    bust: bool = True
    agari_yame: bool = True
    most_rons: int = 2
    aborts: bool = True
    kuikae: bool = False
    riichi_points: int = 1_000
    riichi_tiles: int = 4
    pao: bool = True
    pao_of_all: bool = True
    kokushi_robs_ankan: bool = False
    empty_wait: bool = True
    kiriage: bool = False
    kazoe: bool = True
    double_yakuman: bool = False

    @property
    def last_target(self) -> int:
        """The target where it matters; 0 where the game ends with the last round anyway."""
        return self.target if self.extra_rounds else 0


TENHOU = Profile()
MAHJONG_SOUL = Profile(
    "mahjong-soul",
    base=25_000,
    uma=(15, 5),
    # The next three as docs/RULES.md of smly/RiichiEnv has them, with those of Tenhou.
    most_rons=3,
    pao_of_all=False,
    kokushi_robs_ankan=True,
    double_yakuman=True,
)
M_LEAGUE = Profile(
    "m-league",
    uma=(30, 10),
    extra_rounds=0,
    bust=False,
    agari_yame=False,
    most_rons=1,
    aborts=False,
    riichi_points=-MAX_SCORE,
    riichi_tiles=0,
    empty_wait=False,  # nekobean/mahjong-cpp #26 has Tenhou, Mahjong Soul and leagues
    kiriage=True,
    kazoe=False,
)
_UNRANKED = (TENHOU, MAHJONG_SOUL)  # other programs write games of both in the formats of Tenhou
PROFILES = {profile.name: profile for profile in (TENHOU, MAHJONG_SOUL, M_LEAGUE)}
"""The profiles by name, as ``start_game`` of mjai may name one under the key ``rules``."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game; the default is a ranked hanchan of Tenhou.

    Attributes
    ----------
    flags : int
        As Tenhou's ``<GO type>``.
    lobby : str or None
    stated : bool
        False if the source contains neither the length of the game nor its room, so that the flags
        are those of a ranked hanchan.
    profile : Profile
        What the flags do not say. A lobby with tips (0x200, as Ron2 and clubs have) rounds up to
        mangan.

    Raises
    ------
    TableError
        The flags are none of Tenhou's.
    """

    flags: int = 0x09
    lobby: str | None = None
    stated: bool = field(default=True, compare=False)
    profile: Profile = TENHOU
    named_room: RoomName | None = None

    def __post_init__(self) -> None:
        if self.named_room not in (None, *ROOMS.values()):
            names = ", ".join(ROOMS.values())
            raise TableError(f"there is no room {shown(self.named_room)}; the rooms are {names}")
        whole(self.flags, "the type of the game", MAX_RULES, error=TableError)
        if self.flags & _TIPS and not self.profile.kiriage:
            object.__setattr__(self, "profile", self.profile._replace(kiriage=True))

    @classmethod
    def from_site(cls, profile: str = TENHOU.name, *, east_only: bool | None = None) -> Rules:
        """The rules of a site or league, one of `PROFILES`, with red fives.

        Without `east_only` the length is not stated, and a hanchan is assumed. Raises TableError if
        there is no such profile.

        >>> Rules.from_site("mahjong-soul", east_only=True).last_round
        3
        """
        if profile not in PROFILES:
            raise TableError(
                f"there are no rules {shown(profile)}; there are {', '.join(PROFILES)}"
            )
        flags = cls().flags & ~HANCHAN if east_only else cls().flags
        return cls(flags, stated=east_only is not None, profile=PROFILES[profile])

    @property
    def of_scores(self) -> Rules:
        """The rules that change the score of a hand: games with equal ones score alike."""
        profile = self.profile
        scoring = Profile(
            kiriage=profile.kiriage, kazoe=profile.kazoe, double_yakuman=profile.double_yakuman
        )
        return Rules(self.flags & (NO_RED_FIVES | _NO_OPEN_TANYAO), profile=scoring)

    @property
    def red_fives(self) -> bool:
        """Whether one five of each suit is red."""
        return not self.flags & NO_RED_FIVES

    @property
    def open_tanyao(self) -> bool:
        """Whether tanyao counts in an open hand (喰いタン)."""
        return not self.flags & _NO_OPEN_TANYAO

    @property
    def hanchan(self) -> bool:
        """Whether the game includes the South rounds."""
        return bool(self.flags & HANCHAN)

    @property
    def last_round(self) -> int:
        """The last scheduled round, as in `LAST_ROUND`."""
        return LAST_ROUND[self.hanchan]

    @property
    def three_players(self) -> bool:
        """Whether it is a three-player game, which houjuu does not support."""
        return bool(self.flags & _THREE_PLAYERS)

    @property
    def room(self) -> RoomName | None:
        """The room of `ROOMS` whose players sit at the table; None if it is unknown.

        Without the bits of a room it is general only where the source has a lobby.
        """
        bits = self.flags & _ROOM
        if self.named_room or not self.flags & _PEOPLE:
            return self.named_room or ROOMS[None]
        is_known = self.stated and self.profile.name == TENHOU.name and (bits or self.lobby)
        return ROOMS[bits] if is_known else None

    @property
    def special(self) -> bool:
        """Whether the lobby has rules of its own, such as tips, with another target and uma."""
        return bool(self.flags & ~_RANKED)

    @property
    def unknown_flags(self) -> int:
        """The flags whose rules are not known."""
        return self.flags & ~_KNOWN

    @property
    def possible(self) -> Iterator[Rules]:
        """The rules that the log may have been played by, as far as it states them."""
        yield self
        if self.special:
            yield replace(self, flags=self.flags & _RANKED, profile=TENHOU)
            yield replace(self, profile=self.profile._replace(kiriage=True))
        elif self.profile in _UNRANKED and not self.flags & _ROOM and self.lobby is None:
            (other,) = (profile for profile in _UNRANKED if profile != self.profile)
            yield replace(self, profile=other)
