"""Data for the scripts of a page: rows become columns, as JSON, compressed by zlib, in base64.

Equal things then stand side by side, and compress to half. `common.js` inverts it.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

MOST_DECIMALS = 5
_LONGEST_TUPLE = 6
_MOST_WORDS = 3  # texts for each different one, at least
_MOST_WHOLE = 2**53
"""Above it floats do not have every whole number."""


def compressed(data: Any) -> str:
    """Data as JSON, compressed by zlib, in base64."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 8)).decode()


def columns(rows: Sequence[Any]) -> Any:
    """Rows of one type as columns, without loss.

    Plain values and rows of several types stay a list. All else is an object: texts that are often
    the same are ``words`` and their numbers; floats are whole numbers and their ``scale``; rows
    with nulls are the others and where they are ``present``; lists are their ``lengths`` and all
    items, or of one length a ``tuple`` of columns; objects are their ``keys`` and a column for each
    key, or one of all values.

    >>> columns(["5p"] * 4)
    {'words': ['5p'], 'values': [0, 0, 0, 0]}
    >>> columns([{"p": [0.5, 0.25]}, {"p": [1.0, 0.0]}])["columns"]["p"]["tuple"][0]
    {'scale': 10, 'values': [5, 10]}
    """
    types = {*map(type, rows)} - {type(None)}
    if types == {str} and None not in rows:
        return _words(rows)
    if not types & {float, dict, list, tuple}:
        return rows
    if None in rows:
        present = [row is not None for row in rows]
        others = columns([row for row in rows if row is not None])
        return {"present": [*map(int, present)], "values": others}
    if types <= {float, int}:
        return _scaled(rows)
    if types == {dict}:
        return _objects(rows)
    return _lists(rows) if types <= {list, tuple} else rows


def _words(texts: Sequence[str]) -> Any:
    """The indices of texts that are often the same."""
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    if _MOST_WORDS * len(numbers) > len(texts):
        return texts
    return {"words": [*numbers], "values": [numbers[text] for text in texts]}


def _scaled(numbers: Sequence[float]) -> Any:
    exact = np.array(numbers)
    for scale in (10**decimals for decimals in range(MOST_DECIMALS + 1)):
        whole = np.rint(exact * scale)
        if (whole / scale == exact).all() and (abs(whole) < _MOST_WHOLE).all():
            return {"scale": scale, "values": whole.astype(int).tolist()}
    return numbers


def _lists(rows: Sequence[Sequence[Any]]) -> Any:
    lengths = [len(row) for row in rows]
    if len({*lengths}) == 1 and 0 < lengths[0] <= _LONGEST_TUPLE:
        return {"tuple": [columns([row[i] for row in rows]) for i in range(lengths[0])]}
    return {"lengths": lengths, "values": columns([item for row in rows for item in row])}


def _objects(rows: Sequence[dict[str, Any]]) -> Any:
    keys = [" ".join(row) for row in rows]
    names = dict.fromkeys(key for row in rows for key in row)
    if len(names) > 2 * min(map(len, rows)):
        return {"keys": keys, "values": columns([item for row in rows for item in row.values()])}
    by_name = {name: columns([row[name] for row in rows if name in row]) for name in names}
    return {"keys": keys if len({*keys}) > 1 else keys[:1], "n": len(rows), "columns": by_name}
