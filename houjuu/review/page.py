"""The data of a reviewed game as one HTML file that needs nothing else: no network, no server."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from houjuu.errors import Error
from houjuu.review.reviewed import decisions, made

Data = dict[str, Any]

_SCRIPTS = ("words", "table", "panels", "steps")
_WINDS = ("East", "South", "West", "North")


def page(game: Data, player: str | None) -> str:
    """The page.

    Parameters
    ----------
    game : dict
        What `houjuu.review.reviewed.reviewed` made.
    player : str or None
        Who advised.
    """
    text: str = _template().render(
        game=game,
        player=player,
        sums=_sums(game),
        rounds=[_round(game, i) for i in range(len(game["rounds"]))],
        dangerous=[_discard(game, *at) for at in game["dangerous"]],
        costly=[_discard(game, *at) for at in game["costly"]],
        json=_json({**game, "player": player}),
        css=_file("page.css"),
        tiles=_file("tiles.svg"),
        js=Markup("\n").join(_file(f"{part}.js") for part in _SCRIPTS),
    )
    return text


def write(path: Path, text: str) -> None:
    """Write a page: whole or not at all.

    Raises
    ------
    Error
        It cannot be written there.
    """
    unfinished = path.with_name(path.name + ".part")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
    except OSError as problem:
        unfinished.unlink(missing_ok=True)
        raise Error(f"cannot be written: {problem.strerror}", file=str(path)) from None


def _template() -> Template:
    loader = PackageLoader("houjuu", "review")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template("page.html.j2")


def _file(name: str) -> Markup:
    return Markup((resources.files("houjuu.review") / name).read_text(encoding="utf-8"))


def _json(data: Data) -> Markup:
    """JSON that no name of a player can end the script with."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def _sums(game: Data) -> Data:
    found = list(decisions(game["rounds"]))
    rons = [ron["lost"] for decision in found for ron in decision["rons"]]
    return {
        "decisions": len(found),
        "rons": len(rons),
        "lost": sum(rons),
        "any": sum(made(decision)["any"] for decision in found),
        "expected": sum(made(decision)["lost"] for decision in found),
        "agreed": sum(_alike(decision) for decision in found),
    }


def _alike(decision: Data) -> bool:
    return bool(decision["advised"] == decision["hand"][decision["discarded"]])


def _round(game: Data, index: int) -> Data:
    round = game["rounds"][index]
    name, gained = _name(round), round["deltas"][0]
    rons = sum(len(decision["rons"]) for decision in round["decisions"])
    discards = len(round["decisions"])
    told = f"{discards} discards, {gained:+,} points" + ", dealt in" * (rons > 0)
    return {
        "at": f"{index}.1",
        "name": name,
        "short": f"{name[0]}{round['round'] % 4 + 1}",
        "honba": round["honba"],
        "gained": f"{gained:+,}".replace("-", "−") if gained else "±0",
        "told": told,
        "discards": discards,
        "rons": rons,
    }


def _name(round: Data) -> str:
    return f"{_WINDS[round['round'] // 4 % 4]} {round['round'] % 4 + 1}"


def _discard(game: Data, index: int, turn: int) -> Data:
    """A line of a list."""
    round = game["rounds"][index]
    decision = round["decisions"][turn]
    risks = decision["risks"]
    safest = min(risks, key=lambda tile: (risks[tile]["any"], risks[tile]["lost"]))
    return {
        "at": f"{index}.{turn + 1}",
        "round": _name(round) + (f", {round['honba']} honba" if round["honba"] else ""),
        "turn": turn + 1,
        "tile": decision["hand"][decision["discarded"]],
        "risk": made(decision),
        "safest": safest,
        "least": risks[safest]["any"],
        "lost": sum(ron["lost"] for ron in decision["rons"]),
    }
