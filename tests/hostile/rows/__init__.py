"""The judges of the rows of docs/reliability.md: seeds, group of rows crawled together, and statements.

A statement is true or false by the evidence; statements about topicrawl's own log are made for topicrawl only. A row
passes when all its statements are true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hostile.harness import Evidence, Plan

Statements = Iterator[tuple[bool, str]]
Judge = Callable[[Evidence], Statements]


@dataclass(frozen=True)
class Judged:
    """A row and how it is judged."""

    name: str
    what: str
    group: str
    seeds: tuple[str, ...]
    judge: Judge

    def complaints(self, evidence: Evidence) -> list[str]:
        """The statements that are false."""
        return [statement for true, statement in self.judge(evidence) if not true]


ROWS: dict[str, Judged] = {}
GROUPS: dict[str, Plan] = {}


def row(name: str, group: str, *seeds: str) -> Callable[[Judge], Judge]:
    """Judge the row `name`, crawled with the others of `group` from its home page or from `seeds`."""
    from topicrawl_lab.hostile import ROWS as SERVED

    def register(judge: Judge) -> Judge:
        ROWS[name] = Judged(name, SERVED[name].what, group, seeds or (f"http://{name}.test/",), judge)
        return judge

    return register


def group(name: str, plan: Plan) -> str:
    """Declare the plan that the rows of a group share; returns the name."""
    GROUPS[name] = plan
    return name


def load() -> dict[str, Judged]:
    """All rows."""
    from hostile.rows import bodies, broken, manners, parsing, reaching, trapping

    assert all((bodies, broken, manners, parsing, reaching, trapping))
    return dict(sorted(ROWS.items()))


def alive(e: Evidence, name: str) -> tuple[bool, str]:
    """The crawl ended normally, and fetched the next page of the host."""
    return e.code == 0 and e.asked(name, "/next") > 0, "ends normally and fetches the next page of the host"
