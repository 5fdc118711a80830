"""A review as data for other programs: JSON with a versioned schema, or CSV.

``docs/review.md`` documents both, and ``docs/review.schema.json`` is the JSON Schema.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from houjuu import __version__, logs
from houjuu.game.notation import format_round
from houjuu.logs.sources import entries
from houjuu.review import rendering
from houjuu.review.review_data import discards as discards_of
from houjuu.util.errors import Error
from houjuu.util.extras import MissingPackageError

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
        "rounds": [
            _round(round, [one for one in review["choices"] if one["round"] == number], names)
            for number, round in enumerate(review["rounds"])
        ],
    }


def _round(round: Data, choices: list[Data], names: list[str]) -> Data:
    discards = list(discards_of([round]))
    return {
        "round": format_round(round["round"], round["honba"]),
        "dealer": round["dealer"],
        "deltas": round["deltas"],
        "balance": round["balance"],
        "expected": round["luck"]["expected"],
        "value_lost": round["luck"]["lost"],
        "results": round["results"],
        "discards": [_discard(one, turn, names) for turn, one in enumerate(discards, 1)],
        "choices": [_choice(one, round) for one in choices],
    }


def _choice(choice: Data, round: Data) -> Data:
    """A choice; its turn is the number of the discards before it, plus one."""
    before = round["decisions"][: choice["step"]]
    keys = ("kind", "chosen", "actions")
    turn = 1 + sum(one["discard_index"] is not None for one in before)
    return {"turn": turn, **{key: choice[key] for key in keys}}


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
        **_hand_after(decision["own"], tile),
        "explanations": [
            {part: _parts(one[part], names) for part in ("terms", "reasons")}
            for one in explanations
        ],
    }


def _hand_after(own: Data | None, tile: str) -> Data:
    """The own hand after the discard of a tile; without entries if it is not complete enough."""
    if own is None:
        return {}
    shanten, useful, furiten = own["discards"][tile.replace("0", "5")]
    return {"shanten": shanten, "useful": useful, "furiten": furiten}


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


def exported(
    paths: Sequence[str],
    *,
    as_csv: bool,
    seat: int | None = None,
    name: str | None = None,
    player: str | None = None,
    model: str,
) -> Iterator[str | Error]:
    """Yield the text of each game, or the Error for which it is left out.

    Parameters
    ----------
    paths : sequence of str
        Logs, folders, archives and databases.
    as_csv : bool
        Whether a game is lines of CSV, after a head, instead of a line of JSON.
    seat, name : int or str, optional
        The reviewed seat or player. By default the seat from whose view the log was written.
    player, model
        As in `houjuu.review.rendering.render`.

    Raises
    ------
    Error
        A path cannot be opened, there is no such player or model, or a package is missing.
    """
    rendering.check(player, model)
    if as_csv:
        yield csv_head()
    for path in paths:
        for entry in entries(path):
            try:
                file, content = entry
                if isinstance(content, Error):
                    raise content
                game = logs.parse(content, file)
                reviewed_seat = rendering.chosen_seat(game, seat, name, [entry])
                review = rendering.reviewed(game, reviewed_seat, player, model)
            except MissingPackageError:
                raise
            except Error as problem:
                yield problem.without_context()
                continue
            text = json.dumps(as_json(review), ensure_ascii=False, separators=(",", ":"))
            yield csv_lines(review) if as_csv else text + "\n"
