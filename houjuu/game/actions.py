"""The actions of a seat: what players choose from, independent of log formats and of referees.

An action names tiles by id, and equal tiles make equal actions: two copies of 3p, but not a red and
a plain five.

>>> from houjuu.game.tiles import parse_tiles
>>> plain, other, red = parse_tiles("550p")
>>> discard = Action(ActionKind.DISCARD, plain)
>>> discard == Action(ActionKind.DISCARD, other), discard == Action(ActionKind.DISCARD, red)
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from houjuu.game.events import Meld, MeldKind
from houjuu.game.round_state import meld_problem
from houjuu.game.tiles import KIND, RED_FIVES, mjai_name
from houjuu.game.view import View
from houjuu.util.errors import Error


class ActionKind(StrEnum):
    """The kinds of actions; the five kinds of melds have the values of `MeldKind`."""

    DISCARD = "discard"
    RIICHI = "riichi"
    CHI = "chi"
    PON = "pon"
    DAIMINKAN = "daiminkan"
    ANKAN = "ankan"
    KAKAN = "kakan"
    TSUMO = "tsumo"
    RON = "ron"
    NINE_TERMINALS = "nine_terminals"
    PASS = "pass"


WINS = (ActionKind.TSUMO, ActionKind.RON)
"""The two kinds of wins."""
DISCARDS = (ActionKind.DISCARD, ActionKind.RIICHI)
"""A discard, and riichi with one."""
CALLS = (ActionKind.PON, ActionKind.CHI, ActionKind.DAIMINKAN)
"""The kinds that claim a discard for a meld."""
OWN_KANS = (ActionKind.ANKAN, ActionKind.KAKAN)
"""The kans at an own draw."""
ENDS = (*WINS, ActionKind.NINE_TERMINALS)
"""The kinds that end the round."""


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """An action of a seat.

    Equal actions have equal tiles: the same kind of tile, red or plain, whatever the ids.

    Attributes
    ----------
    kind : ActionKind
    tile : int or None
        The id of the tile that is discarded or won on; None for the other kinds.
    meld : Meld or None
        The meld that a call or a kan makes; the `added` tile of an added kan is in the hand.

    Raises
    ------
    Error
        The kind and the other fields do not belong together.
    """

    kind: ActionKind
    tile: int | None = None
    meld: Meld | None = None

    def __post_init__(self) -> None:
        made = None if self.meld is None else self.meld.kind.value
        to_make = self.kind.value if self.kind in (*CALLS, *OWN_KANS) else None
        if made != to_make or (self.tile is None) == (self.kind in (ActionKind.DISCARD, *WINS)):
            raise Error(f"{self.kind} with tile {self.tile} and meld {self.meld} is no action")

    @classmethod
    def from_meld(cls, meld: Meld) -> Action:
        """The call or kan that makes a meld."""
        return cls(ActionKind(meld.kind.value), meld=meld)

    @property
    def from_hand(self) -> tuple[int, ...]:
        """The ids of the tiles that leave the hand."""
        if self.meld is not None:
            return self.meld.from_hand
        return () if self.tile is None or self.kind in WINS else (self.tile,)

    @property
    def claimed(self) -> int | None:
        """The id of the tile of another seat that the action calls or wins on."""
        if self.meld is not None:
            return None if self.kind in OWN_KANS else self.meld.called
        return self.tile if self.kind is ActionKind.RON else None

    def _key(self) -> tuple[object, ...]:
        tile = None if self.tile is None else _kind_and_redness(self.tile)
        if self.meld is None:
            return self.kind, tile
        tiles = tuple(sorted(map(_kind_and_redness, self.meld.tiles)))
        marked = (self.meld.called, self.meld.added)
        names = tuple(None if one is None else _kind_and_redness(one) for one in marked)
        return self.kind, tile, tiles, names, self.meld.source

    def __eq__(self, other: object) -> bool:
        """Whether the actions have the same kind and equal tiles."""
        return self._key() == other._key() if isinstance(other, Action) else NotImplemented

    def __hash__(self) -> int:
        """The same for equal actions."""
        return hash(self._key())

    def to_mjai(self, view: View) -> dict[str, Any]:
        """The action as a message of mjai.

        Parameters
        ----------
        view : View
            Of the acting seat, before the action.

        Returns
        -------
        dict
            ``{"type": "none"}`` for a pass.
        """
        actor = {"actor": view.seat}
        name = partial(mjai_name, red_fives=view.rules.red_fives)
        if self.meld is not None:
            return meld_message(view.seat, self.meld, name)
        if self.tile is not None:
            pai = {"pai": name(self.tile)}
            if self.kind is ActionKind.DISCARD:
                tsumogiri = self.tile == view.drawn
                return {"type": "dahai", **actor, **pai, "tsumogiri": tsumogiri}
            own = self.kind is ActionKind.TSUMO
            target = view.seat if own else source_of(view, self.tile)
            return {"type": "hora", **actor, "target": target, **pai}
        if self.kind is ActionKind.RIICHI:
            return {"type": "reach", **actor}
        if self.kind is ActionKind.NINE_TERMINALS:
            return {"type": "ryukyoku", "reason": "kyushukyuhai", **actor}
        return {"type": "none"}

    @classmethod
    def from_mjai(cls, message: Mapping[str, Any], view: View) -> Action:
        """The action that a message of mjai contains.

        Parameters
        ----------
        message : mapping
            As `to_mjai` returns it. A ``hora`` may lack its tile, and a ``dahai`` its tsumogiri.
        view : View
            Of the acting seat, before the action.

        Raises
        ------
        Error
            The message is no action, or names tiles that the view does not have there.
        """
        match message:
            case {"type": "none"}:
                return cls(ActionKind.PASS)
            case {"type": "reach"}:
                return cls(ActionKind.RIICHI)
            case {"type": "ryukyoku"}:
                return cls(ActionKind.NINE_TERMINALS)
            case {"type": "dahai", "pai": pai}:
                (tile,) = _own_tiles(view, [pai], drawn_first=message.get("tsumogiri", True))
                return cls(ActionKind.DISCARD, tile)
            case {"type": "hora"} if message.get("target", view.seat) == view.seat:
                return cls(ActionKind.TSUMO, _named(view, view.hand[-1:], message.get("pai")))
            case {"type": "hora", "target": source}:
                offered = _offered(view, source)
                return cls(ActionKind.RON, _named(view, offered, message.get("pai")))
            case {"type": "ankan", "consumed": consumed}:
                return cls._from_possible(Meld(MeldKind.ANKAN, _own_tiles(view, consumed)))
            case {"type": "kakan", "pai": pai}:
                kan = added_kan(view.seats[view.seat].melds, *_own_tiles(view, [pai]))
                if kan is not None:
                    return cls.from_meld(kan)
            case {
                "type": ("chi" | "pon" | "daiminkan") as kind,
                "target": source,
                "pai": pai,
                "consumed": consumed,
            }:
                last = [discard.tile for discard in view.seats[source].river[-1:]]
                called = _named(view, last, pai)
                tiles = tuple(sorted((*_own_tiles(view, consumed), called)))
                return cls._from_possible(Meld(MeldKind(kind), tiles, called, source))
        raise Error(f"{dict(message)!r:.160} is no action here")

    @classmethod
    def _from_possible(cls, meld: Meld) -> Action:
        problem = meld_problem(meld)
        if problem:
            raise Error(problem)
        return cls.from_meld(meld)


def discards(actions: Iterable[Action]) -> dict[int, Action]:
    """The discards among some actions, by the ids of their tiles."""
    return {tile: action for action in actions if not action.meld for tile in action.from_hand}


def grouped(actions: Iterable[Action]) -> dict[ActionKind, list[Action]]:
    """The actions of each kind."""
    groups: dict[ActionKind, list[Action]] = {}
    for action in actions:
        groups.setdefault(action.kind, []).append(action)
    return groups


def source_of(view: View, tile: int) -> int:
    """The opponent whose last discard, or whose kan, a tile is; raises Error if there is none."""
    for seat in view.opponents:
        if tile in _offered(view, seat.seat):
            return seat.seat
    raise Error(f"no opponent has just offered the tile {tile}")


def added_kan(melds: Iterable[Meld], tile: int) -> Meld | None:
    """The kan that a tile of the hand makes of a pon; None if there is no pon of its kind."""
    for pon in melds:
        if pon.kind is MeldKind.PON and KIND[pon.tiles[0]] == KIND[tile]:
            tiles = tuple(sorted((*pon.tiles, tile)))
            return Meld(MeldKind.KAKAN, tiles, pon.called, pon.source, added=tile)
    return None


def own_kan(view: View, kind: int) -> Meld:
    """The kan that the seat can make of its tiles of a kind: an added kan if it has the pon."""
    tiles = tuple(sorted(tile for tile in view.hand if KIND[tile] == kind))
    kan = added_kan(view.seats[view.seat].melds, tiles[0]) if len(tiles) == 1 else None
    return kan or Meld(MeldKind.ANKAN, tiles)


def meld_message(seat: int, meld: Meld, name: Callable[[int], str]) -> dict[str, Any]:
    """The message of mjai with which a seat makes a meld; `name` names a tile."""
    message: dict[str, Any] = {"type": meld.kind.value, "actor": seat}
    consumed = meld.from_hand
    if meld.added is not None:
        message["pai"] = name(meld.added)
        consumed = tuple(tile for tile in meld.tiles if tile != meld.added)
    elif meld.called is not None:
        message |= {"target": meld.source, "pai": name(meld.called)}
    return message | {"consumed": [name(tile) for tile in consumed]}


def _kind_and_redness(tile: int) -> tuple[int, bool]:
    return KIND[tile], tile in RED_FIVES


def _offered(view: View, source: int) -> tuple[int, ...]:
    """The tiles that a seat may have just offered: its last discard, and those of its kans."""
    seat = view.seats[source]
    kans = (meld.from_hand for meld in seat.melds if meld.kind in (MeldKind.ANKAN, MeldKind.KAKAN))
    return (*(discard.tile for discard in seat.river[-1:]), *(tile for kan in kans for tile in kan))


def _own_tiles(view: View, names: Iterable[str], *, drawn_first: bool = True) -> tuple[int, ...]:
    """Tiles of the hand with these names; of equal copies the drawn one is the first or last."""
    hand = sorted(view.hand, key=lambda tile: (tile == view.drawn) != drawn_first)
    tiles: list[int] = []
    for name in names:
        tiles.append(_named(view, hand, name))
        hand.remove(tiles[-1])
    return tuple(sorted(tiles))


def _named(view: View, tiles: Iterable[int], name: str | None) -> int:
    """The first of some tiles with a name of mjai; the first of all without a name."""
    for tile in tiles:
        if name in (None, mjai_name(tile, red_fives=view.rules.red_fives)):
            return tile
    raise Error(f"the view has no tile {name} there")
