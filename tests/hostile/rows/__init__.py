"""The catalogue as it is judged: for each row its seeds, its group of rows that share a crawl, and the verdict.

A verdict is a list of statements, each true or false of the evidence; statements that only topicrawl can be asked
about (what its own log says) are made of it alone. A row passes when all of its statements are true.
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
        """What is not as it should be."""
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
    """Declare the plan that the rows of a group share; gives the name."""
    GROUPS[name] = plan
    return name


def load() -> dict[str, Judged]:
    """All rows."""
    from hostile.rows import bodies, broken, manners, parsing, reaching, trapping

    assert all((bodies, broken, manners, parsing, reaching, trapping))
    return dict(sorted(ROWS.items()))


def alive(e: Evidence, name: str) -> tuple[bool, str]:
    """The crawl came to a good end, and went on with the row after what was bad in it."""
    return e.code == 0 and e.asked(name, "/next") > 0, "ends well, and goes on to the next page of the host"
