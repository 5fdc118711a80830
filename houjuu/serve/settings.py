"""The settings of the server."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from houjuu.estimators.loading import DEFAULT_MODEL
from houjuu.util.errors import Error


def _limit(default: float, help: str) -> Any:
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """The limits of the server; more is refused with a status and a sentence.

    Attributes
    ----------
    log : int, unit: bytes
        Body of a request for a review.
    message : int, unit: bytes
        One WebSocket message, or the body of a request for a risk.
    sessions : int
        Live seats that are open at the same time.
    session_time : float, unit: seconds
        How long a live seat may stay open.
    pending : int
        Requests over HTTP that wait for a worker or are at work.
    request_time : float, unit: seconds
        How long the body of a request may take to arrive, and how long a worker may take.
    header_time : float, unit: seconds
        How long the headers of a request may take, from the connection or the last response on.
    idle : int
        Connections besides those of the live seats and the pending requests; of one more the
        oldest that waits for a request is refused.

    Raises
    ------
    Error
        A limit is not positive.
    """

    log: int = _limit(8 << 20, "bytes of a log to review")
    message: int = _limit(32 << 10, "bytes of a WebSocket message or a position")
    sessions: int = _limit(1000, "live seats that are open at the same time")
    session_time: float = _limit(6 * 3600.0, "seconds that a live seat may stay open")
    pending: int = _limit(32, "pending requests over HTTP")
    request_time: float = _limit(120.0, "seconds for the body of a request, and for its work")
    header_time: float = _limit(10.0, "seconds for the headers of a request")
    idle: int = _limit(128, "connections besides the seats and the pending requests")

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if not value > 0:
                raise Error(f"the limit {limit.name} is {value}, but it must be positive")


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """All settings.

    Attributes
    ----------
    workers : int
        Processes for live seats and risks; one more process makes the reviews.
    model : str
        A model as `houjuu.load` takes it.
    origins : tuple of str
        Origins (``https://example.org``, or ``*``) of pages that may use the server, besides its
        own.
    hosts : tuple of str
        Names of the server in the header ``Host`` (or ``*`` for all), besides ``localhost`` and
        the address that it listens on.
    limits : ServerLimits

    Raises
    ------
    Error
        There is no worker.
    """

    workers: int = 2
    model: str = DEFAULT_MODEL
    origins: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    limits: ServerLimits = field(default_factory=ServerLimits)

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise Error(f"there are {self.workers} workers, but at least one is needed")
