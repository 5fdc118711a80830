"""Hanchan of riichienv as each seat hears them, rewritten in the dialects of mjai's clients."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from riichienv import Action, ActionType, GameRule, RiichiEnv, calculate_shanten

from houjuu.game.events import START_SCORES

Message = dict[str, Any]
Stream = list[Message]
Dialect = Callable[[Stream, int], Stream]

OWN_ACTIONS = ("dahai", "reach", "ankan", "kakan")
_WINS = (ActionType.RON, ActionType.TSUMO, ActionType.RIICHI)
_KANS = (ActionType.DAIMINKAN, ActionType.ANKAN, ActionType.KAKAN)


@cache
def hanchan(seed: int) -> tuple[Stream, tuple[Stream, Stream, Stream, Stream]]:
    """The messages of a hanchan: all of them, and those to each seat."""
    env = RiichiEnv(game_mode="4p-red-half", seed=seed, rule=GameRule.default_tenhou())
    choose = random.Random(seed).random
    streams: tuple[Stream, Stream, Stream, Stream] = ([], [], [], [])
    observations = env.reset()
    while not env.done():
        actions = {}
        for seat, observation in sorted(observations.items()):
            streams[seat].extend(map(json.loads, observation.new_events()))
            actions[seat] = choose_action(observation, choose)
        observations = env.step(actions)
    log = [dict(message) for message in env.mjai_log]
    for seat, stream in enumerate(streams):  # the end of the game is observed by nobody
        stream.extend(masked(message, seat) for message in log[len(stream) :])
    return log, streams


def choose_action(observation: Any, choose: Callable[[], float]) -> Action:
    """Win, declare riichi and make kans where possible, call sometimes, discard by shanten."""
    legal = {action.action_type: action for action in observation.legal_actions()}
    for preferred in (*_WINS, *_KANS):
        if preferred in legal and (preferred in _WINS or choose() < 0.7):
            return legal[preferred]
    for call in (ActionType.PON, ActionType.CHI):
        if call in legal and choose() < 0.3:
            return legal[call]
    if ActionType.PASS in legal:
        return legal[ActionType.PASS]

    def shanten(discard: Action) -> float:
        rest = [tile for tile in observation.hand if tile != discard.tile]
        return float(calculate_shanten(rest)) + choose() / 2

    discards = [a for a in observation.legal_actions() if a.action_type == ActionType.DISCARD]
    return min(discards, key=shanten)


def masked(message: Message, seat: int) -> Message:
    if message["type"] == "start_kyoku":
        hands = [h if i == seat else ["?"] * 13 for i, h in enumerate(message["tehais"])]
        return message | {"tehais": hands}
    if message["type"] == "tsumo" and message["actor"] != seat:
        return message | {"pai": "?"}
    return message


def riichienv(stream: Stream, seat: int) -> Stream:
    """As it is, with the id in ``start_game``."""
    return [m | {"id": seat} if m["type"] == "start_game" else m for m in stream]


def mortal(stream: Stream, seat: int, *, is_whole: bool = False) -> Stream:
    """Only the fields of Mortal's event.rs; ``deltas`` and ``ura_markers`` are optional."""
    rewritten = []
    for number, original in enumerate(stream):
        message = original
        match message["type"]:
            case "start_game":
                names = ["Mortal", "", "b", "c"]
                flags = {"kyoku_first": 0, "aka_flag": True, "id": seat}
                message = {"type": "start_game", "names": names, **flags}
            case "hora":
                keys = (
                    "type",
                    "actor",
                    "target",
                    *(["deltas", "ura_markers"] * (is_whole or number % 2)),
                )
                message = {key: message[key] for key in keys if key in message}
            case "ryukyoku":
                keys = ("type", *(["deltas"] * (is_whole or number % 2)))
                message = {key: message[key] for key in keys}
        rewritten.append(message)
    return rewritten


def akagi(stream: Stream, seat: int) -> Stream:
    """A round ends with ``end_kyoku`` alone; the dealer's own 14 tiles are sorted."""
    order = [f"{n}{s}" for s in "mps" for n in ("1", "2", "3", "4", "5", "6", "7", "8", "9")]
    order += ["E", "S", "W", "N", "P", "F", "C"]
    rewritten: Stream = []
    for original in stream:
        message = original
        match message["type"]:
            case "hora" | "ryukyoku":
                continue
            case "start_game":
                message = {"type": "start_game", "id": seat}
            case "tsumo" if message["actor"] == seat and rewritten[-1]["type"] == "start_kyoku":
                hand = [*rewritten[-1]["tehais"][seat], message["pai"]]
                hand.sort(key=lambda name: order.index(name[:2]))
                hands = [hand[:13] if i == seat else ["?"] * 13 for i in range(4)]
                rewritten[-1] = rewritten[-1] | {"tehais": hands}
                message = message | {"pai": hand[13]}
        rewritten.append(message)
    return rewritten


def mjai_manue(stream: Stream, seat: int) -> Stream:
    """``start_kyoku`` without ``scores``; results, and accepted riichi, have ``scores``."""
    scores = list(START_SCORES)
    rewritten: Stream = [{"type": "hello", "protocol": "mjsonp", "protocol_version": 3}]
    for original in stream:
        message = original
        match message["type"]:
            case "start_game":
                message = {"type": "start_game", "id": seat, "names": list("abcd")}
            case "start_kyoku":
                message = {key: message[key] for key in message if key != "scores"}
            case "hora" | "ryukyoku" | "reach_accepted":
                stick = [-1000 * (i == message.get("actor")) for i in range(4)]
                deltas = message.get("deltas", stick)
                scores = [score + delta for score, delta in zip(scores, deltas, strict=True)]
                message = message | {"deltas": deltas, "scores": scores}
                if "ura_markers" in message:
                    message["uradora_markers"] = message.pop("ura_markers")
                if message["type"] == "ryukyoku":
                    message |= {"reason": "fanpai", "tenpais": [False] * 4}
                    message["tehais"] = [["?"] * 13] * 4
            case "tsumo" | "dahai":
                message = message | {"possible_actions": [], "cannot_dahai": []}
        rewritten.append(message)
    return rewritten


def akochan(stream: Stream, seat: int) -> Stream:
    """Empty ``names``; ``hora`` and ``ryukyoku`` have ``scores`` and no ``deltas``."""
    rewritten = []
    for manue, original in zip(mjai_manue(stream, seat)[1:], stream, strict=True):
        message = original
        if message["type"] == "start_game":
            message = {"type": "start_game", "id": seat, "names": [], "kyoku_first": 0}
        elif message["type"] in ("hora", "ryukyoku"):
            message = {key: message[key] for key in message if key != "deltas"}
            message["scores"] = manue["scores"]
        rewritten.append(message)
    return rewritten


def akochan_log(stream: Stream, seat: int) -> Stream:
    """As its logs of Tenhou's games: ``hora`` has ``actor`` and ``target`` alone."""
    keys = ("type", "actor", "target")
    return [
        {key: message[key] for key in keys} if message["type"] == "hora" else message
        for message in akochan(stream, seat)
    ]


DIALECTS: dict[str, Dialect] = {
    dialect.__name__: dialect
    for dialect in (riichienv, mortal, akagi, mjai_manue, akochan, akochan_log)
}


def batches(stream: Stream, seat: int) -> Iterator[list[Message]]:
    """Yield the messages between two own actions, as mjai.app sends them."""
    batch: list[Message] = []
    for message in stream:
        if batch and message["type"] in OWN_ACTIONS and message.get("actor") == seat:
            yield batch
            batch = []
        batch.append(message)
    yield batch


def as_text(batch: Sequence[Message]) -> str:
    """A batch as one line with an array."""
    return json.dumps(batch)
