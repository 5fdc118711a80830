"""The discard with the lowest expected loss, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from houjuu.risk.answers import OPPONENTS, RiskAnswer
from houjuu.util.languages import LANGUAGES, Catalogue, Language, translate
from houjuu.util.languages.names import tile_names


class BestDiscard(TypedDict):
    """The discard with the lowest expected loss.

    Attributes
    ----------
    tile : str
        Its name; of equal losses that with the lowest probability.
    why : mapping
        A sentence in each language: its risk, the opponent with the largest part of its loss, and
        the tile that comes next.
    """

    tile: str
    why: Mapping[Language, str]


def best_discard(answer: RiskAnswer) -> BestDiscard | None:
    """The discard with the lowest expected loss of an answer; None without tiles.

    The names of the tiles are those of a position, such as ``0p`` and ``1z``.
    """
    tiles = answer["tiles"]
    by_loss = sorted(tiles, key=lambda name: (tiles[name]["points"], tiles[name]["deal_in"]))
    if not by_loss:
        return None
    why = {language: _sentence(translate(language), answer, by_loss) for language in LANGUAGES}
    return {"tile": by_loss[0], "why": why}


def _sentence(t: Catalogue, answer: RiskAnswer, by_loss: list[str]) -> str:
    best, *others = by_loss
    risk = answer["tiles"][best]
    losses = risk["points_by_opponent"]
    values = {"tile": tile_names(t, best), "chance": f"{100 * risk['deal_in']:.1f}"}
    if max(losses) > 0:
        opponent = _opponent(t, answer, losses.index(max(losses)))
        text = t("why.best.risk", **values, points=risk["points"], opponent=opponent)
    else:
        text = t("why.best.safe", **values)
    if others:
        loss = answer["tiles"][others[0]]["points"]
        text = t("why.best.next", text=text, tile=tile_names(t, others[0]), points=loss)
    return t("why.sentence", text=text[:1].upper() + text[1:])


def _opponent(t: Catalogue, answer: RiskAnswer, index: int) -> str:
    opponent_type = answer["opponents"][index]["type"]
    state = opponent_type if opponent_type in ("riichi", "closed") else "melds"
    return t(f"why.opponent.{state}", seat=t(f"why.seat.{OPPONENTS[index]}"))
