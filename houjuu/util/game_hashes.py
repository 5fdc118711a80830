"""Hashes of the ids of games: which games a fit has seen, without their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

SEEN = "games/seen"
"""The array of a parameter file with the games of its fit, ascending."""

OF_ROOMS = "games/rooms"
"""That with the games of its factors by room."""

Hashes = npt.NDArray[np.uint64]


def hashes(games: Iterable[object]) -> Hashes:
    """The hash of the id of each game, (n,): 8 bytes of BLAKE2b."""
    digests = [blake2b(str(game).encode(), digest_size=8).digest() for game in games]
    return np.frombuffer(b"".join(digests), dtype="<u8")


def seen_in(arrays: Mapping[str, npt.NDArray[Any]]) -> Hashes:
    """The games of a parameter file: of its fit, its prior and its factors; none if unknown."""
    found = [arrays.get(name, np.zeros(0)).astype(np.uint64) for name in (SEEN, OF_ROOMS)]
    return np.unique(np.concatenate(found))
