"""Tenhou's shuffle: the whole wall of a round from the seed of the log, to check replays.

Tenhou publishes its shuffle. MT19937 is seeded once a game (``SHUFFLE``), and a round uses 288
words, hashed by SHA-512 in blocks of 1024 bits. In 2009 each ``INIT`` had its own seed, and the
words were used without hashing.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Wall = list[int]
Words = npt.NDArray[Any]
FIRST_DRAW = 135 - 52


class Dead(NamedTuple):
    """Indices of the tiles of the dead wall in the wall."""

    indicator: int  # the first; each further one has an index higher by 2
    rinshan: tuple[int, int, int, int]


OLD, NEW = Dead(4, (0, 1, 2, 3)), Dead(5, (1, 0, 3, 2))


def walls(document: str) -> Iterator[tuple[Wall, Dead]]:
    """Yield the wall of every round."""
    shuffle = re.search(r'<SHUFFLE seed="mt19937ar-sha512-n288-base64,([^"]*)"', document)
    if shuffle is None:
        for words in re.findall(r'shuffle="mt19937ar,([0-9A-F,]*)"', document):
            key = np.array([int(word, 16) for word in words.split(",")], dtype=np.uint32)
            yield _shuffled(_words(np.random.RandomState(key), 135)), OLD
        return
    state = np.random.RandomState(np.frombuffer(base64.b64decode(shuffle[1]), dtype="<u4"))
    for _ in re.findall("<INIT", document):
        source = _words(state, 288).astype("<u4").tobytes()
        blocks = (source[i : i + 128] for i in range(0, len(source), 128))
        hashed = b"".join(hashlib.sha512(block).digest() for block in blocks)
        yield _shuffled(np.frombuffer(hashed, dtype="<u4")), NEW


def _words(state: np.random.RandomState, count: int) -> Words:
    return state.randint(0, 2**32, count, dtype=np.uint32)


def _shuffled(random: Words) -> Wall:
    wall = list(range(136))
    for i in range(135):
        j = i + int(random[i]) % (136 - i)
        wall[i], wall[j] = wall[j], wall[i]
    return wall


def dealt(wall: Wall, dealer: int) -> tuple[tuple[int, ...], ...]:
    """The four sorted hands: three times four tiles each, then one, from the end of the wall."""
    hands: list[list[int]] = [[], [], [], []]
    end = 136
    for tiles in (4, 4, 4, 1):
        for i in range(4):
            hands[(dealer + i) % 4] += wall[end - tiles : end]
            end -= tiles
    return tuple(tuple(sorted(hand)) for hand in hands)
