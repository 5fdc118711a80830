"""``houjuu serve``: live seats, positions and reviews over HTTP and WebSocket."""

from __future__ import annotations

import argparse
from dataclasses import fields

from houjuu.cli.common import Commands, import_extra, model_option
from houjuu.serve.settings import ServerLimits, ServerSettings


def add(commands: Commands) -> None:
    parser = commands.add_parser("serve", help="serve live seats, positions and reviews over HTTP")
    parser.add_argument("--host", default="127.0.0.1", help="address (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="port (default: %(default)s)")
    parser.add_argument(
        "--workers",
        type=int,
        default=2,
        metavar="N",
        help="processes for live seats and risks (default: %(default)s)",
    )
    parser.add_argument(
        "--cors",
        nargs="+",
        default=[],
        metavar="ORIGIN",
        help='origins of other pages that may use the server, or "*" (default: none)',
    )
    parser.add_argument(
        "--allowed-host",
        action="append",
        default=[],
        metavar="NAME",
        help='another name of the server in requests, or "*" (default: localhost and --host)',
    )
    model_option(parser)
    limits = parser.add_argument_group("limits", "more is refused")
    for limit in fields(ServerLimits):
        option = f"--max-{limit.name.replace('_', '-')}"
        default = limit.default
        help_ = f"{limit.metadata['help']} (default: %(default)s)"
        limits.add_argument(option, type=type(default), default=default, metavar="N", help=help_)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    server = import_extra("serve", "serve.server")
    values = vars(options)
    limits = ServerLimits(
        **{limit.name: values[f"max_{limit.name}"] for limit in fields(ServerLimits)}
    )
    settings = ServerSettings(
        workers=options.workers,
        model=options.model,
        origins=tuple(options.cors),
        hosts=tuple(options.allowed_host),
        limits=limits,
    )
    server.run(options.host, options.port, settings, _print_address)
    return 0


def _print_address(address: str) -> None:
    print(f"houjuu serve: {address} (Ctrl-C ends it)", flush=True)
