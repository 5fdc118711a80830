"""Types of the values in JSON answers, with their bounds as keywords of JSON Schema.

`houjuu.serve.json_schema` writes the schemas from them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple, TypeVar

T = TypeVar("T")


class Keywords(NamedTuple):
    """Bounds of a value, and an example; those that are None do not exist.

    ``length`` is the number of items of a list, ``keys`` a pattern of the keys of an object.
    """

    minimum: float | None = None
    maximum: float | None = None
    pattern: str | None = None
    length: int | None = None
    keys: str | None = None
    example: object = None

    def schema(self) -> dict[str, Any]:
        """The keywords of JSON Schema."""
        keywords = {
            "minimum": self.minimum,
            "maximum": self.maximum,
            "pattern": self.pattern,
            "minItems": self.length,
            "maxItems": self.length,
            "propertyNames": self.keys and {"pattern": self.keys},
            "examples": None if self.example is None else [self.example],
        }
        return {name: value for name, value in keywords.items() if value is not None}


_MJAI_TILE = "^([1-9][mps]|5[mps]r|[ESWNPFC])$"
_MJAI_KIND = "^([1-9][mps]|[ESWNPFC])$"

Probability = Annotated[float, Keywords(0, 1, example=0.036)]
Seat = Annotated[int, Keywords(0, 3, example=2)]
NaturalNumber = Annotated[int, Keywords(0, example=253)]
Turn = Annotated[int, Keywords(1, example=7)]
"""Number of a discard of the seat in the round, from 1."""
Copies = Annotated[float, Keywords(0, 4, example=1.4)]
"""Expected copies of a kind."""
TileName = Annotated[str, Keywords(pattern="^[0-9][mps]$|^[1-7]z$", example="5p")]
"""A tile such as 5p, or 0p for the red five."""
DealtTile = Annotated[str, Keywords(pattern="^[0-9][mps]r?$|^[1-7]z$|^[ESWNPFC]$", example="5p")]
"""The name of a tile in the notation of the answer: that of mjai in ``meta``."""
ModelName = Annotated[str, Keywords(example="houjuu@c01c1412")]
"""Name of a model, with the digest of its file if that does not ship."""
RoomName = Literal["phoenix", "expert", "advanced", "general", "bots"]
"""A room of Tenhou (鳳凰, 特上, 上級, 一般), or the tables of programs."""
BySeat = Annotated[list[T], Keywords(length=4)]
"""Values of the reviewed seat, and of the seats to its right, across and to its left."""
ByOpponent = Annotated[list[T], Keywords(length=3)]
"""Values of the opponents to the right, across and to the left."""
ByMjaiTile = Annotated[dict[str, T], Keywords(keys=_MJAI_TILE)]
"""Values by the name of a tile in mjai."""
ByMjaiKind = Annotated[dict[str, T], Keywords(keys=_MJAI_KIND)]
"""Values by the name of a kind in mjai."""
