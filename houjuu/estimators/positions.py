"""Positions with every type of opponent: a model answers them before it is used."""

from __future__ import annotations

from functools import cache
from typing import Any

from houjuu.game.position import position
from houjuu.game.view import View

_ARGUMENTS: tuple[dict[str, Any], ...] = (
    {"hand": "123m067p1199s555z + 4p", "dora": "3p"},
    {
        "hand": "3408m44p1256789s + 5m",
        "rivers": {
            "self": "1m 3z~ 5m",
            "right": "1s 2s 7s~",
            "across": "5z 7z 4m~ 8p~",
            "left": "9m 1p 7s 5p",
        },
        "melds": {
            "right": "pon 3~33z from self",
            "across": "chi 7~06s",
            "left": "chi 4~23m, chi 8~79p",
        },
        "dora": "2z",
        "round": "E3",
    },
    {
        "hand": "78m249p34458s113z + 7p",
        "rivers": {
            "self": "1m 4p 8p 6z 6m 1p",
            "right": "2p 5m 4s'~ 8s'~ 7m'~ 4m' 6m'",
            "across": "4z 6z 1p 9s 3m 1m' 5p",
            "left": "9m 1s 7z' 3m 6m 4s 6p*",
        },
        "melds": {"across": "chi 4~23s, pon 8~88s from right, chi 7~68m"},
        "dora": "7z",
        "round": "S3.1",
        "scores": [34800, 1100, 24300, 36800],
        "riichi_sticks": 3,
        "seat": 1,
        "room": "expert",
    },
    {
        "hand": "6m6p33568s + 4z",
        "rivers": {
            "self": "5z 7z 4m~ 8p~ 2s 7z' 9s 5z' 5p 8m'~",
            "right": "9m 1p 7s 5p 6p' 3z 3p' 1m' 7s' 7z' 6z",
            "across": "1m 3z~ 5m 8m~ 5m 8p 7m 2s 0p* 3m' 8s'",
            "left": "1s 2s 7s~ 4s~ 1p 3p 1m 5p 2p 2z",
        },
        "melds": {
            "self": "chi 7~06s, pon 8~88m from across",
            "right": "chi 4~23m, chi 8~79p, pon 4~44s from left, chi 8~67m",
            "left": "pon 3~33z from across",
        },
        "dora": "2z",
        "round": "E3",
        "scores": [20000, 25000, 33000, 21000],
        "seat": 2,
    },
)


@cache
def positions() -> tuple[View, ...]:
    """Views of opponents without melds, with one to four, and in riichi."""
    return tuple(position(**arguments) for arguments in _ARGUMENTS)
