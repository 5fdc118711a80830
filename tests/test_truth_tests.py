"""No truth test of a tile id, a kind or a seat: 0 is the first 1m, the kind 1m and a seat."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("houjuu", "features", "models", "pipeline", "benchmarks", "examples")
NUMBERS = {"tile", "drawn", "drawn_tile", "called", "added", "kind", "seat", "source", "pai"}
NUMBERS |= {"called_by", "winner", "actor", "target", "liable", "riichi_turn", "indicator", "turn"}


def truth_tests(tree: ast.AST) -> Iterator[ast.expr]:
    """Expressions of a module that count as true or false."""
    for node in ast.walk(tree):
        match node:
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                yield test
            case ast.Assert(test=test) | ast.UnaryOp(op=ast.Not(), operand=test):
                yield test
            case ast.BoolOp(values=values):
                yield from values
            case ast.comprehension(ifs=tests):
                yield from tests
            case ast.Call(func=ast.Name(id="bool"), args=[test]):
                yield test


def named(expression: ast.expr) -> str | None:
    match expression:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None


def test_no_truth_test_of_a_number_that_may_be_zero() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{test.lineno}: {ast.unparse(test)}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for test in truth_tests(ast.parse(path.read_text()))
        if named(test) in NUMBERS
    ]
    assert wrong == []


def test_it_notices() -> None:
    lines = ("if view.drawn: pass", "x = tile or 3", "[t for t in x if not seat]", "bool(kind)")
    assert all(any(named(test) in NUMBERS for test in truth_tests(ast.parse(x))) for x in lines)
