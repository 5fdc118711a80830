"""A review as data for other programs: JSON with a versioned schema, or CSV.

``docs/review-export.md`` documents both, and ``docs/review.schema.json`` is the JSON Schema.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from houjuu import __version__
from houjuu.notation import format_round

SCHEMA = "houjuu-review/1"

OPPONENTS = ("right", "across", "left")
COLUMNS = (
    "game",
    "date",
    "seat",
    "player",
    "round",
    "turn",
    "tile",
    "discarded",
    "advised",
    "riichi",
    "deal_in",
    "points",
    *(f"deal_in_{opponent}" for opponent in OPPONENTS),
    *(f"points_{opponent}" for opponent in OPPONENTS),
    *(f"tenpai_{opponent}" for opponent in OPPONENTS),
    "dealt_in",
    "lost",
)
"""The columns of the CSV."""

Data = dict[str, Any]


def as_json(review: Data) -> Data:
    """The numbers of a review in the schema `SCHEMA`.

    Parameters
    ----------
    review : dict
        The result of `houjuu.review.review_data.review`.
    """
    names = review["reason_names"]
    return {
        "schema": SCHEMA,
        "houjuu": __version__,
        "model": review["model"],
        "id": review["id"],
        "date": review["date"],
        "seat": review["seat"],
        "players": review["names"],
        "rounds": [_round(round, names) for round in review["rounds"]],
    }


def _round(round: Data, names: list[str]) -> Data:
    discards = [one for one in round["decisions"] if one.get("discard_index") is not None]
    return {
        "round": format_round(round["round"], round["honba"]),
        "dealer": round["dealer"],
        "deltas": round["deltas"],
        "results": round["results"],
        "discards": [_discard(one, turn, names) for turn, one in enumerate(discards, 1)],
    }


def _discard(decision: Data, turn: int, names: list[str]) -> Data:
    return {
        "turn": turn,
        "tiles_left": decision["tiles_left"],
        "riichi_sticks": decision["sticks"],
        "scores": decision["scores"],
        "dora_indicators": decision["indicators"],
        "seats": decision["seats"],
        "hand": decision["hand"],
        "drawn": decision["drawn"],
        "discard": decision["hand"][decision["discard_index"]],
        "riichi": decision["riichi"],
        "advice": decision["advice"],
        "opponents": [_opponent(decision, i, names) for i in range(len(OPPONENTS))],
        "tiles": {tile: _tile(decision, tile, names) for tile in decision["risks"]},
        "rons": decision["rons"],
    }


def _opponent(decision: Data, index: int, names: list[str]) -> Data:
    return {
        "name": OPPONENTS[index],
        "type": decision["opponent_types"][index],
        "tenpai": decision["tenpai"][index],
        "tenpai_reasons": _parts(decision["tenpai_reasons"][index], names),
    }


def _tile(decision: Data, tile: str, names: list[str]) -> Data:
    risk = decision["risks"][tile]
    explanations = decision["explanations"][tile.replace("0", "5")]
    return {
        "deal_in": risk["any"],
        "points": risk["points"],
        "by_opponent": risk["by_opponent"],
        "points_by_opponent": risk["points_by_opponent"],
        "genbutsu": risk["genbutsu"],
        "explanations": [
            {part: _parts(one[part], names) for part in ("terms", "reasons")}
            for one in explanations
        ],
    }


def _parts(parts: list[tuple[int, float]], names: list[str]) -> list[Data]:
    return [{"name": names[index], "probability": probability} for index, probability in parts]


def csv_head() -> str:
    """The first line of the CSV: `COLUMNS`."""
    return _csv([COLUMNS])


def csv_lines(review: Data) -> str:
    """A line for each discard and each different tile in hand.

    Parameters
    ----------
    review : dict
        The result of `houjuu.review.review_data.review`.
    """
    return _csv(_rows(as_json(review)))


def _csv(rows: Any) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


def _rows(review: Data) -> Iterator[list[Any]]:
    game = [review["id"], review["date"], review["seat"], review["players"][0]]
    for round in review["rounds"]:
        for discard in round["discards"]:
            tenpai = [opponent["tenpai"] for opponent in discard["opponents"]]
            lost = sum(ron["points"] for ron in discard["rons"])
            for tile, risk in discard["tiles"].items():
                discarded = tile == discard["discard"]
                yield [
                    *game,
                    round["round"],
                    discard["turn"],
                    tile,
                    int(discarded),
                    "" if discard["advice"] is None else int(tile == discard["advice"]),
                    int(discarded and discard["riichi"]),
                    risk["deal_in"],
                    risk["points"],
                    *risk["by_opponent"],
                    *risk["points_by_opponent"],
                    *tenpai,
                    int(discarded and bool(discard["rons"])),
                    lost if discarded else 0,
                ]
