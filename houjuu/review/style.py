"""The style and templates of all pages, and the fonts of each language there and in pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from houjuu.util.languages import Language, translate

FONTS: Mapping[Language, tuple[str, ...]] = {
    "en": (),
    "ja": (
        "Hiragino Sans", "Yu Gothic UI", "Yu Gothic", "Meiryo", "Noto Sans CJK JP", "Noto Sans JP",
    ),
    "zh": ("PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC"),
}  # fmt: skip
"""Fonts with the characters of a language; none for a language that every font can write."""


@cache
def style(*files: str) -> Markup:
    """The style of a page: ``page.css``, the fonts, and files, each as PACKAGE/NAME in houjuu."""
    texts = [asset("review/page.css"), *_font_rules(), *map(asset, files)]
    return Markup("\n".join(texts))


@cache
def template(folder: str, name: str) -> Template:
    """A template of a folder in houjuu."""
    loader = PackageLoader("houjuu", folder)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
    return environment.get_template(name)


def families(language: Language) -> str:
    """The fonts of a language for CSS and SVG, with a comma behind each."""
    return "".join(f"'{font}'," for font in FONTS[language])


def asset(file: str) -> Markup:
    """A file of the package as it is, named PACKAGE/NAME."""
    return Markup((resources.files("houjuu") / file).read_text(encoding="utf-8"))


def _font_rules() -> list[str]:
    return [
        f"body:lang({translate(language).tag}) "
        f"{{ font-family: system-ui, {families(language)} sans-serif; }}"
        for language, fonts in FONTS.items()
        if fonts
    ]
