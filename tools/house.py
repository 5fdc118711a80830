"""The numbers of `budget.toml`: tokens by product, imports, words, bytes, lines and requirements.

``python -m tools.house`` prints each beside its budget, and the sum of each kind. ``--lower`` first
settles: each number becomes its count, as long as the numbers of its kind do not grow together.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Set
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

ROOT = Path(__file__).parents[1]
BUDGET = ROOT / "budget.toml"
PACKAGES = ("houjuu", "features", "models", "pipeline", "benchmarks", "web")
"""The top folders whose imports are counted."""

_Module = tuple[str, ...]
_Node = TypeVar("_Node", bound=Hashable)
_BUDGET_LINE = re.compile(r"^(\w+\.\w+) = ([\d_]+)\n", re.MULTILINE)
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


def budgets(text: str) -> dict[str, int]:
    """The numbers of a budget file by key, those of `tools.seconds` included."""
    return {key: int(number) for key, number in _BUDGET_LINE.findall(text)}


def kind(key: str) -> str:
    """The kind of a number: its table, scripts with code; some numbers are kinds of their own."""
    table = key.partition(".")[0]
    if table in ("imports", "bytes", "lines", "seconds"):
        return key
    return "tokens" if table == "scripts" else table


def sums(numbers: Mapping[str, int]) -> Counter[str]:
    """The sum of the numbers of each kind."""
    total = Counter[str]()
    for key, number in numbers.items():
        total[kind(key)] += number
    return total


def allowances(text: str) -> dict[tuple[str, str], tuple[int, int]]:
    """The granted and the spent amount by title of the issue and kind."""
    tables: dict[str, dict[str, Any]] = tomllib.loads(text).get("allowance", {})
    return {
        (title, name): (amount["granted"], amount["spent"])
        for title, table in tables.items()
        for name, amount in table.items()
    }


def unpaid(text: str, earlier: str) -> list[str]:
    """The debts of a version of the budget to an earlier one, a sentence each.

    The numbers of a kind may grow together by the amounts that its allowances spent in between.
    An allowance is granted once: its amount stays, and it never gets back what it spent.
    """
    debts = []
    old, new = allowances(earlier), allowances(text)
    spent = Counter[str]()
    for (title, name), (granted, used) in new.items():
        before, used_before = old.get((title, name), (granted, 0))
        if granted != before or not used_before <= used <= granted:
            debts.append(f"the allowance {title!r} of {name} is not the one granted, or overspent")
        spent[name] += used - used_before
    debts += [f"the allowance {title!r} of {name} is gone" for title, name in old.keys() - new]
    rises = sums(budgets(text))
    rises.subtract(sums(budgets(earlier)))
    return debts + [
        f"{name} rose by {rise}, and {spent[name]} of it is paid"
        for name, rise in rises.items()
        if rise > spent[name]
    ]


def lowered(text: str, numbers: Mapping[str, int]) -> str:
    """A budget file with the counts: all of a kind that did not grow, else those that fell.

    The number of a removed product or extra is removed.
    """
    old = budgets(text)
    tables = {key.partition(".")[0] for key in numbers}
    grown = sums({key: numbers.get(key, number) for key, number in old.items()}) - sums(old)

    def line(match: re.Match[str]) -> str:
        key, number = match[1], old[match[1]]
        if key not in numbers and key.partition(".")[0] in tables:
            return ""
        count = numbers.get(key, number)
        return f"{key} = {min(count, number) if grown[kind(key)] else count:_}\n"

    return _BUDGET_LINE.sub(line, text)


def counted(root: Path = ROOT) -> dict[str, int]:
    """The numbers of a tree by their keys in the budget, such as "tests.play"."""
    names = products(_text(root / "budget.toml"))
    sizes = Counter[str]()
    for path in _python(root):
        table = "tests" if path.parts[0] == "tests" else "tokens"
        sizes[f"{table}.{product(path, names)}"] += tokens_of(root / path)
    pages = [*root.glob("README*.md"), *(root / "docs").rglob("*.md")]
    extras = tomllib.loads(_text(root / "pyproject.toml"))["project"]["optional-dependencies"]
    tables = {
        "imports": imports(root),
        "scripts": {"show": sum(map(script_tokens, map(_text, _scripts(root))))},
        "words": {"docs": sum(len(_text(page).split()) for page in pages)},
        "bytes": {"dvc": len(_text(root / "dvc.yaml").encode())},
        "lines": {"readme": _text(root / "README.md").count("\n")},
        "requirements": {name: len(_listed(extras, name)) for name in extras},
    }
    flat = {f"{name}.{key}": n for name, table in tables.items() for key, n in table.items()}
    return {**sizes, **flat}


def products(text: str) -> dict[_Module, str]:
    """The product of each path that the table [products] of a budget file lists."""
    listed: dict[str, list[str]] = tomllib.loads(text)["products"]
    return {
        PurePosixPath(path).parts: product for product, paths in listed.items() for path in paths
    }


def product(path: PurePosixPath, names: Mapping[_Module, str]) -> str:
    """The product of a Python file by the longest listed path that contains it.

    A test belongs to the package that it mirrors; the path of any other test is listed.

    Raises
    ------
    LookupError
        No listed path contains the file.
    """
    parts = path.with_suffix("").parts
    mirrored = (*parts[1:-1], parts[-1].removeprefix("test_"))
    of_test = [("houjuu", *mirrored), mirrored] if parts[0] == "tests" else []
    for name in (*of_test, parts):
        for length in range(len(name), 0, -1):
            if name[:length] in names:
                return names[name[:length]]
    raise LookupError(f"{path} is in no product: add it to [products] of budget.toml")


def _python(root: Path) -> Iterator[PurePosixPath]:
    """The Python files of a repository, those that git does not know yet included."""
    git = ("git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard", "*.py", "*.pyi")
    names = subprocess.run(git, check=True, capture_output=True, encoding="utf-8").stdout
    yield from (PurePosixPath(name) for name in names.split("\0") if (root / name).is_file())


def _scripts(root: Path) -> Iterator[Path]:
    for top in ("houjuu", "web"):
        yield from (root / top).rglob("*.js")


def imports(root: Path) -> dict[str, int]:
    """The imports by rooms: a room is a module or package of houjuu, or another package.

    Floors are the longest chain of imports, arrows the pairs of rooms with imports. A circle is a
    set of rooms, or of modules, that all import each other, directly or through others.
    """
    paths: dict[_Module, Path] = {}
    for path in (path for top in PACKAGES for path in (root / top).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        paths[parts[:-1] if parts[-1] == "__init__" else parts] = path
    modules = {
        name: _imported(name, path, paths.keys()) - {("houjuu",), name}
        for name, path in paths.items()
    }
    rooms: dict[str, set[str]] = {_room(name): set() for name in modules}
    for name, targets in modules.items():
        rooms[_room(name)] |= {_room(target) for target in targets} - {_room(name)}
    floors, above = 0, rooms
    while ground := {room for room, targets in above.items() if not targets & above.keys()}:
        above = {room: targets for room, targets in above.items() if room not in ground}
        floors += 1
    return {
        "rooms": len(rooms),
        "floors": floors,
        "arrows": sum(map(len, rooms.values())),
        "circles": len(circles(rooms))
        + sum(len({_room(name) for name in circle}) == 1 for circle in circles(modules)),
        "modules": len(modules),
    }


def circles(needs: Mapping[_Node, Set[_Node]]) -> set[frozenset[_Node]]:
    """The sets of nodes that all reach each other, without nodes that reach none of a set."""
    within = dict(needs)
    while outside := within.keys() - set().union(*within.values()) | {
        node for node, targets in within.items() if not targets & within.keys()
    }:
        within = {node: set(within[node] - outside) for node in within.keys() - outside}
    reached = {node: set(targets & within.keys()) for node, targets in within.items()}
    for _ in reached:
        for far in reached.values():
            far.update(*(reached[near] for near in far))
    sets = {frozenset(o for o in far if node in reached[o]) for node, far in reached.items()}
    return sets - {frozenset()}


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
        elif isinstance(node, ast.Call) and _called(node) == "import_module":
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                targets.add(tuple(first.value.split(".")))
    return targets & modules


def _called(call: ast.Call) -> str:
    """The last part of the name of the function that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


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


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def main() -> None:
    """Print each number and its budget, then the sums of the kinds."""
    numbers, text = counted(), _text(BUDGET)
    if "--lower" in sys.argv:
        text = lowered(text, numbers)
        BUDGET.write_text(text, encoding="utf-8")
    budget = budgets(text)
    for key, number in budget.items():
        print(f"{key:28}{numbers.get(key, '–'):>9} of {number:>9}")
    counts, limits = sums(numbers), sums(budget)
    for name in ("tokens", "tests"):
        print(f"{name + ', all':28}{counts[name]:>9} of {limits[name]:>9}")
    for (title, name), (granted, spent) in allowances(text).items():
        print(f"{granted - spent} {name} of {granted} are left for {title!r}")


if __name__ == "__main__":
    main()
