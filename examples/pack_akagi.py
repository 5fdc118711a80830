"""Pack the bot for Akagi: a folder for its `mjai_bot`, which installs from the wheels inside it.

    python3.12 -m examples.pack_akagi houjuu

Run it with Python 3.12, the version that Akagi runs bots with, on the platform of Akagi. The folder
then needs no network: `uv sync` of Akagi installs the wheels.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from examples import pip
from houjuu import __version__
from houjuu.util import EXTRAS, command_words

BOT = Path(__file__).with_name("akagi_bot.py")
PYTHON = (3, 12)  # of Akagi

PYPROJECT = """\
[project]
name = "houjuu-bot"
version = "{version}"
requires-python = ">={python},<{next_python}"
dependencies = ["houjuu[arena]=={version}"]

[tool.uv]
override-dependencies = [{left_out}]
package = false
no-index = true
find-links = ["wheels"]
environments = ["{environment}"]
"""

PACKAGES = ("numpy", *EXTRAS["arena"])
LEFT_OUT = ("ipython", "pygments", "pyyaml")
"""What riichienv requires for its viewer and its scripts, with dozens of packages; no bot does."""

MANIFEST = """\
manifest_version = 1

[bot]
name = "{name}"
display = "houjuu"
description = "Plays by the effect on the final ranks; its card shows the risk of every discard."
version = "{version}"
supported_modes = ["4p"]

[settings.language]
type = "enum"
label = "Language of the card"
default = "en"
choices = ["en", "ja", "zh"]

[settings.rules]
type = "enum"
label = "Rules of the site"
default = "tenhou"
choices = ["tenhou", "mahjong-soul", "m-league"]

[settings.length]
type = "enum"
label = "Length of the games (assumed: a hanchan)"
default = "assumed"
choices = ["assumed", "hanchan", "east"]
"""

README = """\
# houjuu {version}

A bot for four-player games. The Bot Show card has P(tenpai) of each opponent and, for each tile in
hand, the probability of dealing in and the expected loss.

Copy this folder to `mjai_bot/{name}` of Akagi and press "Install environment". The packages are in
`wheels`: no network is needed. They are for {system} {machine} and Python {python}.

Akagi warns of suspended accounts: "Game developers and publishers reserve the right to act against
users who violate their terms of service." Read the rules of the server before you use it.
"""


def main() -> None:
    """Collect the wheels of houjuu and of all that it needs, and make the folder."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("output", type=Path, help="the folder to make")
    options.add_argument(
        "--beside", metavar="COMMAND", help="answer as another bot: uv run --project ../mortal …"
    )
    arguments = options.parse_args()
    output = arguments.output
    if sys.version_info[:2] != PYTHON:
        raise SystemExit(f"Akagi runs bots with Python {_dotted(PYTHON)}: run this with it")
    if output.exists():
        raise SystemExit(f"{output} exists: remove it, or choose another folder")
    with TemporaryDirectory() as wheels:
        pip.run("wheel", "--no-deps", "--wheel-dir", wheels, *PACKAGES)
        pack(output, Path(wheels), arguments.beside)
    size = sum(path.stat().st_size for path in output.rglob("*"))
    print(f"{output}: {size / 1e6:.0f} MB")


def pack(output: Path, wheels: Path, beside: str | None = None) -> None:
    """Make the folder.

    Parameters
    ----------
    output : Path
        Must not exist.
    wheels : Path
        Folder with the wheels of houjuu and its packages, for the running Python and platform.
    beside : str, optional
        The command of another bot, which plays; our card rides on its answers.
    """
    python = sys.version_info[:2]
    system, machine = platform.system(), platform.machine()
    values = {
        "name": output.name,
        "version": __version__,
        "python": _dotted(python),
        "next_python": _dotted((python[0], python[1] + 1)),
        "left_out": ", ".join(f"\"{name} ; sys_platform == 'none'\"" for name in LEFT_OUT),
        "system": system,
        "machine": machine,
        "environment": f"sys_platform == '{sys.platform}' and platform_machine == '{machine}'",
    }
    output.mkdir(parents=True)
    shutil.copy(BOT, output / "bot.py")
    if beside is not None:
        (output / "beside.json").write_text(json.dumps(command_words(beside)), encoding="utf-8")
    texts = {"pyproject.toml": PYPROJECT, "manifest.toml": MANIFEST, "README.md": README}
    for name, text in texts.items():
        (output / name).write_text(text.format(**values), encoding="utf-8")
    shutil.copytree(wheels, output / "wheels")


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


if __name__ == "__main__":
    main()
