"""The data of a reviewed game as one HTML file that needs no network and no server."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from houjuu.errors import Error
from houjuu.review.review_data import decisions, discard_risk

Data = dict[str, Any]

_SCRIPTS = ("common", "table", "panels", "navigation")
_WINDS = ("East", "South", "West", "North")


def page(game: Data, player: str | None) -> str:
    """Render the page.

    Parameters
    ----------
    game : dict
        The result of `houjuu.review.review_data.review`.
    player : str or None
        Name of the player whose advice the data contain.
    """
    text: str = _template().render(
        game=game,
        player=player,
        totals=_totals(game),
        rounds=[_round(game, index) for index in range(len(game["rounds"]))],
        most_dangerous=[_discard(game, *position) for position in game["most_dangerous"]],
        costliest=[_discard(game, *position) for position in game["costliest"]],
        json=_json({**game, "player": player}),
        css=_file("page.css"),
        tiles=_file("tiles.svg"),
        js=script(),
    )
    return text


def script() -> Markup:
    """The JavaScript of every page."""
    return Markup("\n").join(_file(f"{name}.js") for name in _SCRIPTS)


def write(path: Path, text: str) -> None:
    """Write a page as `write_bytes` does."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, which is replaced only once it is complete.

    Raises
    ------
    Error
        The file cannot be written.
    """
    if not path.name or path.is_dir():
        raise Error("cannot be written: it is a folder", file=str(path))
    partial = path.with_name(path.name + ".part")
    try:
        partial.write_bytes(content)
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise Error(f"cannot be written: {error.strerror}", file=str(path)) from None


def _template() -> Template:
    loader = PackageLoader("houjuu", "review")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("page.html.j2")


def _file(name: str) -> Markup:
    return Markup((resources.files("houjuu.review") / name).read_text(encoding="utf-8"))


def _json(data: Data) -> Markup:
    """JSON without "<", so that a player's name cannot end the script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def _totals(game: Data) -> Data:
    reviewed = list(decisions(game["rounds"]))
    points_lost = [ron["points"] for decision in reviewed for ron in decision["rons"]]
    return {
        "decisions": len(reviewed),
        "rons": len(points_lost),
        "points_lost": sum(points_lost),
        "expected_rons": sum(discard_risk(decision)["any"] for decision in reviewed),
        "expected_points": sum(discard_risk(decision)["points"] for decision in reviewed),
        "same_as_advice": sum(_is_advised(decision) for decision in reviewed),
    }


def _is_advised(decision: Data) -> bool:
    return bool(decision["advice"] == decision["hand"][decision["discard_index"]])


def _round(game: Data, index: int) -> Data:
    """A link of the navigation bar."""
    round = game["rounds"][index]
    name, gain = _name(round), round["deltas"][0]
    n_rons = sum(len(decision["rons"]) for decision in round["decisions"])
    n_discards = len(round["decisions"])
    return {
        "anchor": f"{index}.1",
        "name": name,
        "short_name": f"{name[0]}{round['round'] % 4 + 1}",
        "honba": round["honba"],
        "gain": f"{gain:+,}".replace("-", "−") if gain else "±0",
        "summary": f"{n_discards} discards, {gain:+,} points" + ", dealt in" * (n_rons > 0),
        "n_discards": n_discards,
        "n_rons": n_rons,
    }


def _name(round: Data) -> str:
    return f"{_WINDS[round['round'] // 4 % 4]} {round['round'] % 4 + 1}"


def _discard(game: Data, round_index: int, decision_index: int) -> Data:
    """A row of the lists of dangerous and costly discards."""
    round = game["rounds"][round_index]
    decision = round["decisions"][decision_index]
    risks = decision["risks"]
    safest = min(risks, key=lambda tile: (risks[tile]["any"], risks[tile]["points"]))
    return {
        "anchor": f"{round_index}.{decision_index + 1}",
        "round": _name(round) + (f", {round['honba']} honba" if round["honba"] else ""),
        "turn": decision_index + 1,
        "tile": decision["hand"][decision["discard_index"]],
        "risk": discard_risk(decision),
        "safest": safest,
        "lowest": risks[safest]["any"],
        "points_lost": sum(ron["points"] for ron in decision["rons"]),
    }
