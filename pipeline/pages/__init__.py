"""The pages that the pipeline writes: one file each, with nothing outside of it."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

_FOLDER = Path(__file__).parent


def template(name: str) -> Template:
    """One of the folder's templates; all of them have the same style."""
    loader = FileSystemLoader(_FOLDER)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    environment.globals["css"] = (_FOLDER / "style.css").read_text()
    return environment.get_template(name)
