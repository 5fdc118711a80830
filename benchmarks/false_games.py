"""False games: the share of each kind of damage to the meaning that is refused.

Every kind of `tests.fuzz.meaning` damages games of mjlog that pass the strict checks. A game has no
place for some kinds. The damaged log is parsed alone, and with `houjuu.scoring.strict`.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks import output
from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.logs.sources import contents
from houjuu.scoring import strict
from houjuu.util.errors import LogError
from tests.fuzz.meaning import KINDS, damaged

_LEAST = 0.99  # of the games, for a kind that counts as refused


def main() -> None:
    options = output.parser(__doc__)
    options.add_argument("paths", nargs="+", type=Path, help="logs of mjlog, as for houjuu parse")
    options.add_argument("--games", type=int, default=14, help="games of each path (%(default)s)")
    options.add_argument("--every", type=int, default=1, help="use every n-th game (%(default)s)")
    arguments = options.parse_args()
    logs = [log for path in arguments.paths for log in _logs(path, arguments)]
    results = [count(kind, logs) for kind in tqdm(KINDS, unit="kind")]
    output.show(results, as_json=arguments.json)
    for name in ("plain", "strict"):
        refused = sum(result[name] is not None and result[name] >= _LEAST for result in results)
        print(f"{name}: {refused} of {len(results)} kinds are refused in {_LEAST:.0%} of the games")


def _logs(path: Path, arguments: Any) -> list[tuple[str, bytes]]:
    stop = arguments.games * arguments.every
    return list(islice(contents(path), 0, stop, arguments.every))


def count(kind: str, logs: list[tuple[str, bytes]]) -> dict[str, Any]:
    """The games with a place for a kind, and the shares that are refused."""
    counts = Counter[str]()
    for seed, (name, data) in enumerate(logs):
        false = damaged(data, kind, seed)
        if false is not None:
            counts["games"] += 1
            counts[_refused_by(false, name)] += 1
    games = counts["games"]
    plain = counts["plain"] / games if games else None
    either = (counts["plain"] + counts["strict"]) / games if games else None
    return {"kind": kind, "games": games, "plain": plain, "strict": either}


def _refused_by(data: bytes, name: str) -> str:
    game: Game | None = None
    try:
        game = mjlog.parse(data, name)
        strict.check(game)
    except LogError:
        return "plain" if game is None else "strict"
    return "none"


if __name__ == "__main__":
    main()
