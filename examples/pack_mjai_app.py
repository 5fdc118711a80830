"""Pack the bot for mjai.app: a zip with `bot.py` at the top and all that it imports.

    python -m examples.pack_mjai_app bot.zip
    python -m examples.pack_mjai_app bot.zip --python FOLDER

Run it on Linux x86-64 with the Python version that will run the bot. FOLDER contains a relocatable
interpreter (``bin/python3``) for hosts with an older Python; the bot then restarts itself with it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from examples import pip

BOT = Path(__file__).with_name("mjai_app_bot.py")
LIMIT = 300_000_000  # unit: bytes, of mjai.app
_LEFT_OUT = ("__pycache__", "tests", "test")


def main() -> None:
    """Install houjuu with all that it needs into a folder, and zip it."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("output", type=Path, help="the zip to write")
    options.add_argument("--python", type=Path, help="folder with a relocatable interpreter")
    arguments = options.parse_args()
    with TemporaryDirectory() as folder:
        pip.run("install", "--target", folder)
        pack(arguments.output, Path(folder), arguments.python)
    size = arguments.output.stat().st_size
    print(f"{arguments.output}: {size / 1e6:.0f} MB of at most {LIMIT / 1e6:.0f} MB")


def pack(output: Path, packages: Path, interpreter: Path | None = None) -> None:
    """Write the zip.

    Parameters
    ----------
    output : Path
    packages : Path
        Folder of the installed packages.
    interpreter : Path, optional
        Folder with ``bin/python3``.
    """
    folders = {"packages": packages} | ({} if interpreter is None else {"python": interpreter})
    with ZipFile(output, "w", ZIP_DEFLATED) as file:
        file.write(BOT, "bot.py")
        for name, folder in folders.items():
            for path in sorted(folder.rglob("*")):
                inside = path.relative_to(folder)
                if path.is_file() and not set(_LEFT_OUT) & set(inside.parts):
                    file.write(path, f"{name}/{inside}")


if __name__ == "__main__":
    main()
