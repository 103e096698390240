"""The mutants that `make mutation` tries: which changes are made, one at a time, and what is left alone."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

TOOL = Path(__file__).parent.parent / "tools" / "mutants.py"
SOURCE = '''
"""Text 1."""
from __future__ import annotations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    LIMIT = 3

def f(a: int = 2) -> bool:
    """Text 2."""
    assert a < 9
    if a < 0:
        raise ValueError(a + 1)
    for each in g(a):
        if not each:
            continue
        a += each
        h(a)
    return a == 5 and True
'''
EXPECTED = {
    ("2", "3"), ("a < 0", "a <= 0"), ("0", "1"), ("not each", "each"), ("continue", "break"),
    ("a += each", "a -= each"),
    ("a += each", "pass"), ("h(a)", "pass"), ("a == 5 and True", "a == 5 or True"), ("a == 5", "a != 5"), ("5", "6"),
    ("True", "False"), ("return a == 5 and True", "return None"),
}  # fmt: skip


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setitem(sys.modules, "mutants", sys)  # dataclasses look up the module of a class
    return runpy.run_path(str(TOOL), run_name="mutants")


def test_operators_numbers_conditions_and_calls_are_changed_and_nothing_else(tool: dict[str, Any]) -> None:
    changes = {(each.before, each.after) for each in tool["mutants"]("m.py", SOURCE)}
    negated = {(before, after) for before, after in changes if before.startswith("if ")}
    assert changes - negated == EXPECTED
    assert {after.splitlines()[0] for _, after in negated} == {"if not a < 0:", "if not not each:"}


def test_a_mutant_differs_from_the_module_in_its_one_place(tool: dict[str, Any]) -> None:
    unchanged = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in tool["mutants"]("m.py", SOURCE):
        changed = ast.unparse(tool["mutated"](SOURCE, mutant)).splitlines()
        assert len(changed) == len(unchanged)
        assert sum(one != other for one, other in zip(changed, unchanged, strict=True)) == 1
        assert mutant.code in SOURCE
