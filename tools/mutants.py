"""The mutants of a module: copies of its syntax tree that differ from it in one place."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

OTHER = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
"""The operator that takes the place of another."""
NOT_RUN = (ast.Assert, ast.Raise, ast.Import, ast.ImportFrom)
"""Statements left alone: they only state what cannot happen, word an error, or name a module."""


@dataclass(frozen=True, order=True)
class Mutant:
    """One change: `place` is the number of the node in the tree, `kind` what is done to it."""

    module: str
    place: int
    kind: str
    line: int
    column: int
    code: str
    """The line as written."""
    before: str
    after: str


def mutants(module: str, source: str) -> list[Mutant]:
    """All mutants of a module, in the order of its tree."""
    lines, found = source.splitlines(), []
    for place, node in enumerate(_walk(ast.parse(source))):
        for kind in _kinds(node):
            line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
            after = ast.unparse(ast.fix_missing_locations(_change(copy.deepcopy(node), kind)))
            code = lines[line - 1].strip()
            found.append(Mutant(module, place, kind, line, column, code, ast.unparse(node), after))
    return [mutant for mutant in found if mutant.before != mutant.after]


def mutated(source: str, mutant: Mutant) -> ast.Module:
    """The tree of a module with one change."""
    tree = ast.parse(source)
    node = list(_walk(tree))[mutant.place]
    new = _change(node, mutant.kind)
    if new is not node:
        _Replace(node, new).visit(tree)
    return ast.fix_missing_locations(tree)


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may be mutated; not annotations, decorators, docstrings and what is in NOT_RUN."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "keywords") and not isinstance(
            node, ast.Call
        ):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, NOT_RUN) and not _is_for_types(child):
                yield from _walk(child)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _kinds(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in OTHER:
            yield "operator"
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) | ast.BoolOp(op=operator) if (
            type(operator) in OTHER
        ):
            yield "operator"
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "without"
        case ast.If() | ast.While() | ast.IfExp():
            yield "negated"
        case ast.Constant(value=bool()):
            yield "negated"
        case ast.Constant(value=int() | float()):
            yield "one more"
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield "none"
        case ast.Expr(value=ast.Call()):
            yield "left out"
        case ast.Break() | ast.Continue():
            yield "swapped"
    if isinstance(node, ast.AugAssign):
        yield "left out"


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _change(node: ast.AST, kind: str) -> ast.AST:
    match kind, node:
        case "operator", ast.Compare():
            node.ops = [OTHER[type(node.ops[0])]()]
        case "operator", ast.BinOp() | ast.AugAssign() | ast.BoolOp():
            node.op = OTHER[type(node.op)]()
        case "without", ast.UnaryOp():
            return node.operand
        case "negated", ast.If() | ast.While() | ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case "negated", ast.Constant():
            node.value = not node.value
        case "one more", ast.Constant():
            node.value += 1
        case "none", ast.Return():
            node.value = ast.Constant(None)
        case "left out", _:
            return ast.copy_location(ast.Pass(), node)
        case "swapped", ast.Break():
            return ast.copy_location(ast.Continue(), node)
        case "swapped", ast.Continue():
            return ast.copy_location(ast.Break(), node)
    return node
