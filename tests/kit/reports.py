"""Reports as mjai-reviewer writes them: the state of each entry is kept from the messages alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from houjuu.logs import any_format, mjai_writer, tenhou6_writer

Message = dict[str, Any]
GAME = Path(__file__).parents[2] / "docs/game.mjlog"
_OWN = ("tsumo", "chi", "pon", "reach")


@cache
def report_text(seat: int, engine: str = "Mortal") -> str:
    """The text of `report`: a test changes its own copy."""
    return json.dumps(_report(seat, engine))


def report(seat: int, engine: str = "Mortal") -> Message:
    """A report of docs/game.mjlog, of which the engine would have done as the seat did."""
    found: Message = json.loads(report_text(seat, engine))
    return found


def data(report: Message) -> bytes:
    return json.dumps(report).encode()


def _report(seat: int, engine: str) -> Message:
    game = any_format.parse(GAME.read_bytes(), "game")
    messages = [{**one, "tenhou": None} for one in mjai_writer.messages(game)]
    for one in messages:
        del one["tenhou"]  # what other programs do not write
    messages[0]["kyoku_first"] = 0
    rounds = json.loads(tenhou6_writer.write(game))
    logs = [{**rounds, "log": [one]} for one in rounds["log"]]
    kyokus: list[Message] = []
    for message, entry in _entries(messages, seat):
        if message["type"] == "start_kyoku":
            kyokus.append({"entries": []})
        elif entry and engine == "Mortal":
            action = entry["actual"]
            other = {"action": {"type": "none"}, "q_value": -1.0, "prob": 0.25}
            details = [{"action": action, "q_value": -0.5, "prob": 0.75}, other]
            kyokus[-1]["entries"].append({**entry, "expected": action, "details": details})
        elif entry and not entry["at_self_riichi"]:
            moves = [entry["actual"], *entry["then"]]
            details = [{"moves": moves, "review": {"pt_exp_total": 1.5}}]
            kyokus[-1]["entries"].append({**entry, "expected": moves, "details": details})
    review: Message = {"kyokus": kyokus}
    if engine == "Mortal":
        phi = [[0.1 * row, 0.2, 0.3, 0.5 - 0.1 * row] for row in range(4)]
        review |= {"model_tag": "mortal4", "relative_phi_matrix": [phi] * len(kyokus)}
    return {
        "engine": engine,
        "version": "1.5.10",
        "player_id": seat,
        "review": review,
        "split_logs": logs,
        "mjai_log": messages,
    }


def _entries(messages: list[Message], seat: int) -> Iterator[tuple[Message, Message | None]]:
    """Yield each message, and the entry after it where the seat acted next."""
    state: Message = {"riichi": True}
    hand: list[str] = []
    for index, message in enumerate(messages):
        kind, own = message["type"], message.get("actor") == seat
        if kind == "start_kyoku":
            hand = list(message["tehais"][seat])
            state |= {"tiles_left": 70, "tile": None, "riichi": False}
        if kind == "tsumo":
            state["tiles_left"] -= 1
        if own:
            _change(hand, message)
        if (kind == "tsumo" and own) or kind in ("dahai", "kakan"):
            state["tile"] = message["pai"]
        state["last_actor"] = message.get("actor", state.get("last_actor"))
        following = [one for one in messages[index + 1 : index + 4] if "actor" in one]
        entry = None
        if following and following[0]["actor"] == seat and not state["riichi"]:
            own_turn = own and kind in _OWN
            if own_turn or following[0]["type"] in ("chi", "pon", "daiminkan"):
                entry = {
                    **{key: state[key] for key in ("tiles_left", "last_actor", "tile")},
                    "state": {"tehai": list(hand)},
                    "at_self_chi_pon": own and kind in ("chi", "pon"),
                    "at_self_riichi": own and kind == "reach",
                    "at_opponent_kakan": False,
                    "actual": _as_reviewed(following[0]),
                    "then": [one for one in following[1:2] if one["actor"] == seat]
                    if following[0]["type"] in ("reach", "chi", "pon")
                    else [],
                }
        if own and kind == "dahai" and messages[index - 1]["type"] == "reach":
            state["riichi"] = True
        yield message, entry


def _as_reviewed(message: Message) -> Message:
    """mjai-reviewer calls every kan a closed one, of four tiles."""
    if message["type"] in ("daiminkan", "kakan"):
        tiles = [*message["consumed"], message["pai"]]
        return {"type": "ankan", "actor": message["actor"], "consumed": tiles}
    return message


def _change(hand: list[str], message: Message) -> None:
    """Put a drawn tile into the hand, or take tiles out."""
    if message["type"] == "tsumo":
        hand.append(message["pai"])
    elif message["type"] in ("dahai", "kakan"):
        hand.remove(message["pai"])
    elif message["type"] in ("chi", "pon", "daiminkan", "ankan"):
        for name in message["consumed"]:
            hand.remove(name)
