"""The package in Pyodide, the Python of browsers, beside the native one: same answers, and times.

``python -m benchmarks.browser`` needs Node and ``make runtime``, and writes
docs/real-run/browser.json. A game of bots is read, one seat is reviewed, and its page is written.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from houjuu.arena.selfplay import play
from houjuu.logs import mjlog
from web.build import build
from web.runtime import FOLDER

_FIGURES = Path(__file__).parents[1] / "docs" / "real-run" / "browser.json"
_NODE = """
const [folder, job, ...inputs] = process.argv.slice(1);
const { readFileSync, writeFileSync } = require("node:fs");
const { loadPyodide } = require(`${folder}/pyodide.js`);
const settings = JSON.parse(readFileSync(`${folder}/settings.json`, "utf8"));
writeFileSync(`${folder}/pyodide-lock.json`, JSON.stringify(settings.lock));
(async () => {
  const python = await loadPyodide({ indexURL: folder });
  const options = { messageCallback() {} };
  await python.loadPackage(Object.keys(settings.lock.packages), options);
  for (const input of inputs)
    python.FS.writeFile(`/tmp/${input.split("/").at(-1)}`, readFileSync(input));
  globalThis.seconds = () => { const t = process.cpuUsage(); return (t.user + t.system) / 1e6; };
  globalThis.names = inputs.map((input) => `/tmp/${input.split("/").at(-1)}`);
  python.runPython("import js; seconds = js.seconds; paths = list(js.names)");
  python.runPython(readFileSync(job, "utf8"));
})().catch((error) => { console.error(String(error).slice(-2000)); process.exit(1); });
"""
_NATIVE = """
import os, sys
paths = sys.argv[2:]
seconds = lambda: sum(os.times()[:2])
exec(open(sys.argv[1], encoding="utf-8").read())
"""

_JOB = """
import json
started = seconds()
import houjuu
from houjuu.logs import any_format as logs
from houjuu.review import rendering
estimator = houjuu.load()
rivers = {"self": "9m", "right": "1z 9p", "across": "9s 4z*", "left": "2z 8m"}
view = houjuu.position("123m067p1199s555z + 4p", seat=3, dora="3p", rivers=rivers)
risk = estimator.deal_in(view)
times = {"start": started, "first_query": seconds() - started}
game = logs.parse(open(paths[0], "rb").read(), "game")
for name, player in (("review", "none"), ("advice", None)):
    start = seconds()
    page, reviews = rendering.render(game, [0], player)
    times[name] = seconds() - start
print(json.dumps({"query": str(risk["4p"]), "seconds": times}))
"""


def in_node(folder: Path, job: Path, *inputs: Path) -> str:
    """What a Python script prints in Pyodide.

    Parameters
    ----------
    folder : Path
        The page with Pyodide beside it: `web.build.build`.
    job : Path
        The script. Its names ``paths``, of the inputs, and ``seconds()``, of processor time, exist.
    *inputs : Path
    """
    return _output("node", "--eval", _NODE, "--", str(folder), str(job), *map(str, inputs))


def natively(job: Path, *inputs: Path) -> str:
    """What the same script prints in this Python."""
    return _output(sys.executable, "-c", _NATIVE, str(job), *map(str, inputs))


def _output(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return done.stdout


def main() -> None:
    """Measure both, and write the figures."""
    with TemporaryDirectory() as temporary:
        page, job, game = (Path(temporary, name) for name in ("page", "job.py", "game.mjlog"))
        size = build(page, FOLDER)
        job.write_text(_JOB, encoding="utf-8")
        game.write_bytes(mjlog.write(play(0)))
        figures: dict[str, Any] = {"bytes": size}
        for name, printed in (
            ("native", natively(job, game)),
            ("pyodide", in_node(page, job, game)),
        ):
            figures[name] = json.loads(printed)
            taken = figures[name].pop("seconds")
            figures[name]["ms"] = {key: round(1000 * value) for key, value in taken.items()}
    if figures["native"]["query"] != figures["pyodide"]["query"]:
        raise SystemExit("the answers differ")
    text = json.dumps(figures, indent=1) + "\n"
    print(text)
    _FIGURES.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
