"""The `bot.py` of a submission to mjai.app: ``python bot.py SEAT``, arrays in, answers out.

`examples.pack_mjai_app` puts it into the zip, beside the folder `packages` and perhaps `python`.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
INTERPRETER = HERE / "python" / "bin" / "python3"

RESTARTED = "HOUJUU_RESTARTED"

if INTERPRETER.exists() and RESTARTED not in os.environ:
    os.environ[RESTARTED] = "1"
    os.execv(INTERPRETER, [str(INTERPRETER), "-u", str(Path(__file__).resolve()), *sys.argv[1:]])
sys.path.insert(0, str(HERE / "packages"))

from houjuu import Bot  # noqa: E402


def main() -> None:
    """Answer every line until the input ends."""
    bot = Bot(sys.argv[1])
    for line in sys.stdin:
        print(bot.react(line), flush=True)


if __name__ == "__main__":
    main()
