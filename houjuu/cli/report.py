"""``houjuu report``: the calibration of models on any games, side by side on one page."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from importlib import import_module
from pathlib import Path

from houjuu.cli.common import Commands, language_option, positive, print_problem
from houjuu.estimators.loading import DEFAULT_MODEL
from houjuu.util.errors import Error
from houjuu.util.extras import missing_packages
from houjuu.util.languages import system_language, translate

_MODULE = "pipeline.model_report"  # of a checkout: the package has no pipeline


def add(commands: Commands) -> None:
    parser = commands.add_parser(
        "report",
        help="measure models on games: predicted and measured, side by side",
        description="A page: calibration of P(tenpai) and of dealing in, with intervals, and the "
        "log losses of all models paired by game. It needs a checkout with the extra train.",
    )
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="LOGS",
        help="logs in any format, folders or archives; tables of houjuu risks, .csv or .parquet",
    )
    parser.add_argument(
        "--model",
        action="append",
        help=f"as of houjuu risks (repeatable; default: {DEFAULT_MODEL})",
    )
    parser.add_argument(
        *("-o", "--output"),
        type=Path,
        default=Path("report.html"),
        metavar="FILE",
        help="output (default: %(default)s)",
    )
    parser.add_argument("--jobs", type=positive, help="processes (default: one for each core)")
    language_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Write the page and print each log that is left out; 1 if there is one."""
    try:
        write = import_module(_MODULE).write
    except ModuleNotFoundError as absent:
        raise missing_packages("train", absent) from None
    models = options.model or [DEFAULT_MODEL]
    report = partial(print, file=sys.stderr)
    problems: list[Error] = write(options.logs, models, options.output, options.jobs, report)
    t = translate(options.lang or system_language())
    for problem in problems:
        print_problem(t, problem)
    print(f"{options.output}: open it in a browser")
    return int(bool(problems))
