"""The text of ``houjuu danger``: the position, a line for each tile, the parts of a risk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from houjuu.game.decisions import Decision
from houjuu.game.notation import format_hand, format_melds, format_river, seat_name
from houjuu.game.seat import Seat
from houjuu.game.tiles import EAST, KIND, format_tiles, kind_name, parse_kind, tile_id
from houjuu.game.view import View
from houjuu.risk.answers import DIGITS, OPPONENTS
from houjuu.risk.deal_in import DealIn
from houjuu.risk.hidden_hands import HiddenHands
from houjuu.risk.opponent_risk import Term
from houjuu.risk.own_hand import OwnHand, own_hand
from houjuu.risk.reasons import tenpai_reasons, wait_reasons
from houjuu.risk.texts import best_discard
from houjuu.risk.unseen import UnseenTiles
from houjuu.util.languages import Catalogue, width
from houjuu.util.languages.glossary import term
from houjuu.util.languages.names import round_name, tile_names

_MOST_TERMS = 4  # waits or scores listed for one opponent
_LEAST_LISTED = 0.00005  # unit: probability; reasons below it are left out
_LABEL, _TILE, _SEAT = 7, 8, 16  # unit: columns of the first cells, and of an opponent


@dataclass(frozen=True)
class DangerText:
    """Texts about one position.

    Attributes
    ----------
    catalogue : Catalogue
        The language.
    view : View
    risk : DealIn
    """

    catalogue: Catalogue
    view: View
    risk: DealIn

    def title(self, decision: Decision) -> str:
        """The place of a decision in the game."""
        view = self.view
        name = round_name(self.catalogue, view.round, view.honba)
        return self.catalogue("danger.title", round=name, seat=view.seat, turn=decision.turn + 1)

    def table(self) -> str:
        """The position as text, in the notation of `houjuu.game.notation`."""
        view = self.view
        first = self.catalogue(
            "danger.table",
            round=round_name(self.catalogue, view.round, view.honba),
            sticks=self.catalogue("position.sticks", n=view.riichi_sticks),
            tiles=self.catalogue("page.tiles_left", n=view.tiles_left),
            dora=format_tiles(view.dora_indicators, red_fives=view.rules.red_fives),
        )
        seats = [self._seat(seat) for seat in (view.seats[view.seat], *view.opponents)]
        hand = f"{width.left(self.catalogue('danger.hand'), _LABEL)} {format_hand(view)}"
        return "\n".join([first, *seats, hand])

    def _seat(self, seat: Seat) -> str:
        view = self.view
        name = self.catalogue(f"seat.{seat_name(view, seat.seat)}")
        wind = self.catalogue(f"wind.short.{view.seat_wind(seat.seat) - EAST}")
        river = format_river(seat, red_fives=view.rules.red_fives)
        melds = "".join(f" [{self._meld(meld)}]" for meld in format_melds(view, seat))
        score = view.scores[seat.seat]
        return f"{width.left(name, _LABEL)} {wind} {score:6}  {river}{melds}"

    def _meld(self, text: str) -> str:
        """A meld in notation, in the language."""
        kind, tiles, *names = text.split()
        named = self.catalogue(f"danger.meld.{kind}", tiles=tiles)
        if not names:
            return named
        seat = self.catalogue(f"seat.{names[-1]}")
        return self.catalogue("danger.meld.from", meld=named, seat=seat)

    def danger(self, chosen: int | None) -> str:
        """A line for each tile of the hand, the lowest expected loss first; > marks `chosen`."""
        risk = self.risk
        red_fives = self.view.rules.red_fives

        def name_of(tile: int | None) -> str | None:
            if tile is None:
                return None
            return tile_names(self.catalogue, format_tiles([tile], red_fives=red_fives))

        lines = [self._heading()]
        tenpai = "".join(f"{100 * p:15.1f}%" for p in risk.tenpai)
        lines.append(width.left(self.catalogue("page.tenpai"), _TILE) + tenpai)
        points = {name_of(tile): (risk.points_of(tile), KIND[tile]) for tile in self.view.hand}
        for name, (expected, kind) in sorted(points.items(), key=lambda item: item[1]):
            by_opponent = "".join(f"{100 * p:15.2f}%" for p in risk.by_opponent[:, kind])
            label = f"{'>' if name == name_of(chosen) else ' '} {name}"
            totals = f"{100 * risk.any[kind]:8.2f}%{expected:9.0f}"
            lines.append(width.left(label, _TILE) + by_opponent + totals)
        return "\n".join(lines)

    def best(self) -> str:
        """The discard with the lowest expected loss, in a sentence."""
        best = best_discard(self.risk.to_dict(self.view.hand))
        assert best is not None  # a seat that discards shows its hand
        return best["why"][self.catalogue.language]

    def fold(self) -> str:
        """The two tiles that together deal in least, for a fold over this turn and the next."""
        pair = min(combinations(sorted(self.view.hand), 2), key=self.risk.either)
        named = format_tiles(pair, red_fives=self.view.rules.red_fives)
        chance = f"{100 * self.risk.either(pair):.2f}"
        return self.catalogue(
            "danger.fold", tiles=tile_names(self.catalogue, named), probability=chance
        )

    def room(self) -> Iterator[str]:
        """Yield the room for which the estimates hold, in a sentence; nothing of unknown ones."""
        if self.risk.room is not None:
            room = self.catalogue(f"page.room.{self.risk.room}")
            yield self.catalogue("page.room", room=room)

    def own_hand(self, unseen: UnseenTiles, chosen: int | None) -> str:
        """A line for the hand after the chosen discard, and after the one that keeps most tiles."""
        own = own_hand(self.view, unseen)
        kinds = [own["best"]] if chosen is None else [kind_name(KIND[chosen]), own["best"]]
        return "\n".join(self._hand_after(own, kind, unseen) for kind in dict.fromkeys(kinds))

    def _hand_after(self, own: OwnHand, kind: str, unseen: UnseenTiles) -> str:
        t = self.catalogue
        after = own["discards"][kind]
        shanten, useful = after["shanten"], after["useful"]
        n = sum(int(unseen.copies[parse_kind(name)]) for name in useful)
        parts = [t("page.shanten", shanten=shanten) if shanten else t("page.in_tenpai")]
        if after["furiten"]:
            parts.append(t("page.furiten"))
        tiles = t("page.useful" if shanten else "page.own_waits", n=n, kinds=len(useful))
        names = tile_names(t, format_tiles(tile_id(name) for name in useful)) if useful else "–"
        parts.append(f"{tiles} ({names})")
        none = round(100 * after["none_in_wall"])
        parts.append(t("page.in_wall", wall=f"{after['wall']:.1f}", n=n, none=none))
        return t(
            "danger.own_hand",
            hand=t("page.own_hand", tile=tile_names(t, kind)),
            parts="; ".join(parts),
        )

    def hands(self, hands: HiddenHands, n: int) -> Iterator[str]:
        """Yield the likely shapes of each hidden hand, and n deals."""
        for opponent, name in enumerate(OPPONENTS):
            lines = [self._opponent(name)]
            for shape in hands.likely(opponent):
                shanten = self.catalogue("page.shanten", shanten=shape.shanten)
                waits = " ".join(map(kind_name, shape.waits))
                held = f"{shape.blocks} ({waits})" if shape.blocks else waits
                tenpai = f"{self.catalogue('page.in_tenpai')}: {held}"
                text = shanten if shape.shanten else tenpai
                lines.append(f"  {100 * shape.share:5.1f}%  {text}")
            yield "\n".join(lines)
        red_fives = self.risk.red_fives
        for *dealt, _ in hands.sample(n).tiles():
            names = (format_tiles(hand, red_fives=red_fives) for hand in dealt)
            both = zip(map(self._opponent, OPPONENTS), names, strict=True)
            yield "\n".join(width.left(name, _SEAT) + tiles for name, tiles in both)

    def _heading(self) -> str:
        opponents = "".join(
            width.right(f"{self._opponent(name)} {self._type(opponent.opponent_type)}", _SEAT)
            for name, opponent in zip(OPPONENTS, self.risk.opponents, strict=True)
        )
        totals = (self.catalogue(f"danger.{name}") for name in ("any", "points"))
        tile = width.left(self.catalogue("page.tile"), _TILE)
        return tile + opponents + "".join(width.right(total, 9) for total in totals)

    def explanations(self, kind: int) -> Iterator[str]:
        """Yield the parts of the risk of a kind for each opponent, in percentage points."""
        for name, explanation in zip(OPPONENTS, self.risk.explain(kind_name(kind)), strict=True):
            lines = [
                self.catalogue(
                    "danger.explanation",
                    seat=self._opponent(name),
                    type=self._type(explanation.opponent_type),
                    probability=f"{100 * explanation.probability:.2f}",
                    tile=tile_names(self.catalogue, kind_name(kind)),
                )
            ]
            terms = explanation.terms[:_MOST_TERMS]
            melded = explanation.opponent_type.is_melded
            lines += self._parts("danger.score" if melded else "danger.wait", terms)
            lines += self._parts("danger.reason", wait_reasons(explanation, self.view, kind))
            if explanation.tenpai_reasons:
                tenpai = f"{100 * explanation.tenpai:.1f}"
                lines.append("  " + self.catalogue("danger.tenpai_reasons", probability=tenpai))
                reasons = tenpai_reasons(explanation)
                lines += self._parts("danger.reason", reasons, indent="  ")
            yield "\n".join(lines)

    def _opponent(self, name: str) -> str:
        return self.catalogue(f"seat.{name}")

    def _type(self, name: str) -> str:
        return term(self.catalogue, name)

    def _parts(self, key: str, parts: Iterable[Term], indent: str = "") -> Iterator[str]:
        for part in parts:
            if abs(part.probability) >= _LEAST_LISTED:
                text = self.catalogue(key, name=term(self.catalogue, part.name))
                yield f"  {100 * part.probability:+8.2f}  {indent}{text}"


def explanation_dicts(risk: DealIn, kind: int) -> list[dict[str, Any]]:
    """The parts of the risk of a kind for each opponent, for JSON; by the groups of the model."""
    return [
        {
            "opponent": name,
            "deal_in": round(explanation.probability, DIGITS),
            "tenpai": round(explanation.tenpai, DIGITS),
            "genbutsu": explanation.genbutsu,
            "terms": _part_dicts(explanation.terms),
            "reasons": _part_dicts(explanation.reasons),
            "tenpai_reasons": _part_dicts(explanation.tenpai_reasons),
        }
        for name, explanation in zip(OPPONENTS, risk.explain(kind_name(kind)), strict=True)
    ]


def _part_dicts(parts: Iterable[Term]) -> list[dict[str, Any]]:
    return [{"name": part.name, "probability": round(part.probability, DIGITS)} for part in parts]
