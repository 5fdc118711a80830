"""``houjuu risks``: the predictions of a model at every decision of many games, as a table."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from houjuu.cli.common import Commands, import_extra, language_option, model_option, positive
from houjuu.util.languages import problem_text, system_language, translate


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "risks",
        help="write the risks of every decision of many games as a table",
        description="A row per decision and opponent: the predictions of a model, and the truth "
        "where the log shows it. An interrupted command continues where it stopped.",
    )
    parser.add_argument(
        "logs", nargs="+", metavar="LOGS", help="logs in any format, folders or archives"
    )
    parser.add_argument(
        *("-o", "--output"),
        type=Path,
        required=True,
        metavar="FILE",
        help='output, .csv or .parquet (needs the extra "parquet")',
    )
    parser.add_argument("--jobs", type=positive, help="processes (default: one for each core)")
    parser.add_argument(
        "--keep-seen",
        action="store_true",
        help="also of games that the model was fitted to; measure nothing on them",
    )
    language_option(parser)
    model_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the table and print each log that is left out; 1 if there is one."""
    t = translate(options.lang or system_language())
    files = import_extra("arena", "arena.risk_files")
    problems = files.write_risks(
        options.logs,
        options.output,
        options.model,
        options.jobs,
        keep_seen=options.keep_seen,
        report=partial(print, file=sys.stderr),
    )
    for problem in problems:
        print(t("site.left_out", problem=problem_text(t, problem)), file=sys.stderr)
    return int(bool(problems))
