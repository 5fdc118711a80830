"""The numbers of `budget.toml`: imports, tokens, words, bytes, lines and requirements.

``python -m tools.house`` prints each beside its budget; ``--lower`` first writes those that fell.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUDGET = ROOT / "budget.toml"
PACKAGES = ("houjuu", "features", "models", "pipeline", "benchmarks", "web")
_BUDGET_LINE = re.compile(r"^([\w.]+) = ([\d_]+)$", re.MULTILINE)
_LAYOUT = {
    *(tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.COMMENT, tokenize.ENDMARKER),
}
_STARTS, _ENDS = (
    {kind for kind, name in tokenize.tok_name.items() if name.endswith(f"STRING_{end}")}
    for end in ("START", "END")
)
"""From Python 3.12 on an f-string is several tokens from a start to an end."""

_COMMENT_OR_TOKEN = re.compile(
    r"""//.*|/\*[\s\S]*?\*/|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\w$]+|[^\w\s])"""
)
"""Of JavaScript; group 1 is a token: a string, a word, a number, or any other character."""


def counted(root: Path = ROOT) -> dict[str, int]:
    """The numbers of a tree by their keys in the budget, such as "tokens.tests"."""
    tokens = {top: sum(map(tokens_of, _python(root / top))) for top in (*PACKAGES, "tests")}
    tokens["scripts"] = sum(map(script_tokens, map(_text, _scripts(root))))
    pages = [*root.glob("README*.md"), *(root / "docs").rglob("*.md")]
    extras = tomllib.loads(_text(root / "pyproject.toml"))["project"]["optional-dependencies"]
    tables = {
        "house": house(root),
        "tokens": tokens,
        "words": {"docs": sum(len(_text(page).split()) for page in pages)},
        "bytes": {"dvc": len(_text(root / "dvc.yaml").encode())},
        "lines": {"readme": _text(root / "README.md").count("\n")},
        "requirements": {name: len(_listed(extras, name)) for name in extras},
        "all_requirements": {name: len(_resolved(extras, name)) for name in extras},
    }
    return {f"{name}.{key}": n for name, table in tables.items() for key, n in table.items()}


def _scripts(root: Path) -> Iterator[Path]:
    for top in ("houjuu", "web"):
        yield from (root / top).rglob("*.js")


def budgets(text: str) -> dict[str, int]:
    """The numbers of a budget file by key, those of `tools.seconds` included."""
    return {key: int(number) for key, number in _BUDGET_LINE.findall(text)}


def lowered(text: str, numbers: Mapping[str, int]) -> str:
    """A budget file with those numbers that are below its own."""

    def line(old: re.Match[str]) -> str:
        return f"{old[1]} = {min(int(old[2]), numbers.get(old[1], int(old[2]))):_}"

    return _BUDGET_LINE.sub(line, text)


def house(root: Path) -> dict[str, int]:
    """The imports by rooms: a room is a module or package of houjuu, or another package.

    Floors are the longest chain of imports, arrows the pairs of rooms with imports. A circle is a
    set of rooms that all import each other, directly or through others.
    """
    modules = {}
    for path in (path for top in PACKAGES for path in _python(root / top)):
        parts = path.relative_to(root).with_suffix("").parts
        modules[parts[:-1] if parts[-1] == "__init__" else parts] = path
    needs: dict[str, set[str]] = {_room(name): set() for name in modules}
    for name, path in modules.items():
        targets = _imported(name, path, modules.keys()) - {("houjuu",)}
        needs[_room(name)] |= {_room(target) for target in targets} - {_room(name)}
    reached = {room: set(targets) for room, targets in needs.items()}
    for _ in needs:
        for far in reached.values():
            far |= {room for near in far for room in reached[near]}
    circles = {frozenset(o for o in far if room in reached[o]) for room, far in reached.items()}
    floors, above = 0, needs
    while ground := {room for room, targets in above.items() if not targets & above.keys()}:
        above = {room: targets for room, targets in above.items() if room not in ground}
        floors += 1
    return {
        "rooms": len(needs),
        "floors": floors,
        "arrows": sum(map(len, needs.values())),
        "circles": len(circles - {frozenset()}),
        "modules": len(modules),
    }


def _room(module: tuple[str, ...]) -> str:
    return "/".join(module[:2]) if module[0] == "houjuu" else module[0]


def _imported(
    name: tuple[str, ...], path: Path, modules: Set[tuple[str, ...]]
) -> set[tuple[str, ...]]:
    """The modules of the tree that a module imports, anywhere in it."""
    package = name if path.name == "__init__.py" else name[:-1]
    targets = set[tuple[str, ...]]()
    for node in ast.walk(ast.parse(_text(path))):
        if isinstance(node, ast.Import):
            targets |= {tuple(alias.name.split(".")) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            names = {(*base, alias.name) for alias in node.names}
            targets |= (names & modules) | ({base} if names - modules else set())
    return targets & modules


def tokens_of(path: Path) -> int:
    """The tokens of a module without docstrings, comments and layout; an f-string is one."""
    total = depth = 0
    with path.open(encoding="utf-8") as file:
        for token in tokenize.generate_tokens(file.readline):
            kind = token.type
            docstring = kind == tokenize.STRING and token.string.startswith(('"""', "'''"))
            total += not (depth or docstring or kind in _LAYOUT)
            depth += (kind in _STARTS) - (kind in _ENDS)
    return total


def script_tokens(text: str) -> int:
    """The tokens of JavaScript without comments."""
    return sum(bool(token) for token in _COMMENT_OR_TOKEN.findall(text))


def _listed(extras: Mapping[str, list[str]], name: str) -> set[str]:
    """The names of the requirements that an extra lists, without other extras of houjuu."""
    lines = (re.match(r"[\w.-]+", line) for line in extras[name])
    return {line[0] for line in lines if line} - {"houjuu"}


def _resolved(extras: Mapping[str, list[str]], name: str) -> set[str]:
    """Those of an extra and of the extras of houjuu that it lists."""
    within = (re.match(r"houjuu\[(.*)\]", line) for line in extras[name])
    others = {other for extra in within if extra for other in extra[1].split(",")}
    return _listed(extras, name).union(*(_resolved(extras, other) for other in others))


def _python(folder: Path) -> Iterator[Path]:
    return folder.rglob("*.py")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def main() -> None:
    """Print each number and its budget."""
    numbers, text = counted(), _text(BUDGET)
    if "--lower" in sys.argv:
        text = lowered(text, numbers)
        BUDGET.write_text(text, encoding="utf-8")
    for key, budget in budgets(text).items():
        print(f"{key:28}{numbers.get(key, '–'):>9} of {budget:>9}")


if __name__ == "__main__":
    main()
