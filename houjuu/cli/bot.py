"""``houjuu bot``: play mjai on standard input and output."""

from __future__ import annotations

import argparse
import sys

from houjuu.cli.common import Commands, import_extra


def add(commands: Commands) -> None:
    """Add the command and its options."""
    parser = commands.add_parser("bot", help="play mjai on standard input and output")
    parser.add_argument(
        "--player", default="estimator", help="player of the arena (default: %(default)s)"
    )
    parser.add_argument(
        "--seat", type=int, choices=range(4), help="own seat, if start_game does not contain it"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answer every message until the input ends."""
    players, bot = (import_extra("arena", name) for name in ("player.players", "player.bot"))
    player = players.player(options.player)
    for answer in bot.serve(bot.Bot(player, options.seat), sys.stdin):
        print(answer, flush=True)
    return 0
