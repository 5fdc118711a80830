"""``houjuu bot``: play mjai, or advise, on standard input and output."""

from __future__ import annotations

import argparse
import logging
import sys
from typing import Any

from houjuu.cli.common import (
    LANGUAGE_NAMES,
    Commands,
    import_extra,
    model_option,
    positive,
    room_option,
)
from houjuu.estimators.loading import load
from houjuu.game.rules import PROFILES, Rules
from houjuu.live.advisor import Advisor, answers
from houjuu.live.beside import Beside
from houjuu.player.protocol import DEFAULT_PLAYER
from houjuu.util.errors import Error
from houjuu.util.files import bounded_lines
from houjuu.util.languages import LANGUAGES
from houjuu.util.line_process import words

_LOG = logging.getLogger(__name__)
_MAX_LINE = 8 << 20  # unit: bytes; the limit of a log


def add(commands: Commands) -> None:
    parser = commands.add_parser("bot", help="play mjai on standard input and output")
    parser.add_argument("--player", help=f"player of the arena (default: {DEFAULT_PLAYER})")
    parser.add_argument(
        "--seat", type=int, choices=range(4), help="own seat (default: the id of start_game)"
    )
    parser.add_argument(
        "--advise", action="store_true", help="do not play: answer none with the risks"
    )
    parser.add_argument(
        "--beside",
        metavar="COMMAND",
        help="play as another bot, 'python mortal/bot.py': add the risks to its answers",
    )
    parser.add_argument(
        "--card",
        choices=LANGUAGES,
        help=f"add the risks as a card of text, meta.show: {LANGUAGE_NAMES} (default: no card)",
    )
    parser.add_argument(
        "--unseen", action="store_true", help="add where the unseen tiles are, meta.unseen"
    )
    parser.add_argument(
        "--deals", type=positive, default=0, metavar="N", help="add N deals of the unseen tiles"
    )
    parser.add_argument(
        "--rules",
        choices=PROFILES,
        default="tenhou",
        help="rules, unless start_game names some (default: %(default)s)",
    )
    parser.add_argument(
        "--east-only",
        action=argparse.BooleanOptionalAction,
        help="length of the games, unless start_game states it (default: a hanchan is assumed)",
    )
    room_option(parser)
    model_option(parser, of_player=True)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answer every message until the input ends."""
    lines = bounded_lines(getattr(sys.stdin, "buffer", sys.stdin), _MAX_LINE)
    bot = _bot(options)
    _LOG.info("%r answers by the model %s", bot, bot.live.estimator.model)
    if options.beside:
        for line in Beside(words(options.beside), bot).answers(lines):
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        return 0
    for answer in answers(bot, lines):
        print(answer, flush=True)
    return 0


def _bot(options: argparse.Namespace) -> Advisor:
    if options.advise and options.player:
        raise Error("--advise does not play: omit --player")
    if options.beside and (options.player or options.advise):
        raise Error("--beside plays as another bot: omit --player and --advise")
    estimator = load(options.model) if options.model else None
    rules = Rules.from_site(options.rules, east_only=options.east_only)
    more: dict[str, Any] = {
        "card": options.card,
        "unseen": options.unseen,
        "deals": options.deals,
        "rules": rules,
        "room": options.room,
    }
    if options.advise or options.beside:
        return Advisor(options.seat, estimator, **more)
    module = import_extra("arena", "player.bot")
    player = options.player or DEFAULT_PLAYER
    bot: Advisor = module.Bot(options.seat, player, estimator, **more)
    return bot
