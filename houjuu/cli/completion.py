"""``houjuu completion``: the script that completes the commands in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from houjuu.cli.common import Commands
from houjuu.util.extras import missing_packages

SHELLS = ("bash", "zsh", "fish")
_PATHS = ("PATH", "FILE", "FOLDER", "GAME", "GAMES", "LOGS")  # metavars


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "completion",
        help="print the script that completes the commands in a shell",
        description="Print the script that completes the commands in a shell; it needs the extra "
        '"completion". bash: eval "$(houjuu completion bash)" in ~/.bashrc. zsh: write it to '
        "_houjuu in a folder of $fpath. fish: write it to "
        "~/.config/fish/completions/houjuu.fish.",
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    try:
        import shtab
    except ImportError as problem:
        raise missing_packages("completion", problem) from None
    for action in _actions(options.parser):
        if action.metavar in _PATHS:
            setattr(action, "complete", shtab.FILE)  # noqa: B010 - the attribute is shtab's
    print(shtab.complete(options.parser, options.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)
