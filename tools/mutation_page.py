"""The page docs/evidence/mutation.md, from the results of tools/mutation.py."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mutants import Mutant

TESTS, GOLDENS, SURVIVED = "tests", "golden", "survived"
"""What killed a mutant."""
Row = tuple[str, Mutant, str | None, str | None]
"""Package, mutant, why it is equivalent (if it is), what killed it (None if it was not run)."""
HEAD = """\
# Mutation testing

`make mutation` changes the code in one place and runs the tests that concern it (`tools/mutation.toml`). A change that
no test notices has survived. Changes are: another comparison, arithmetic or logical operator; a condition negated; a
number one larger; `True` for `False`; a call or an augmented assignment left out; `None` returned; `break` for
`continue`. Asserts and the wording of errors are left alone.

{sample} mutants of each package, drawn with seed {seed}: `make mutation MUTANTS={sample} SEED={seed}`.
Equivalent mutants, which no test could tell from the code, are left out of the shares and listed below with the
reason. "Without golden files" counts only mutants that fail another test: golden files were made by the code itself.

{history}| package | mutants | equivalent | killed | without golden files | survived | not run |
|---|---|---|---|---|---|---|
"""


def write_page(page: Path, rows: Sequence[Row], *, sample: int, seed: int, history: str) -> None:
    """Write the shares, the survivors and the equivalent mutants of the packages of which any mutant was run.

    `history` is about earlier runs.
    """
    run = {package for package, _, _, killer in rows if killer is not None}
    rows = [row for row in rows if row[0] in run]
    lines = [HEAD.format(sample=sample, seed=seed, history=history)]
    for package in dict.fromkeys(row[0] for row in rows):
        lines.append(_share(package, [row for row in rows if row[0] == package]))
    survivors = [mutant for _, mutant, why, killer in rows if why is None and killer == SURVIVED]
    lines += ["\n## Survivors\n\n| where | change |\n|---|---|\n", *map(_line, survivors)]
    equal = [(mutant, why) for _, mutant, why, _ in rows if why is not None]
    lines.append("\n## Equivalent mutants\n\n| where | change | why no test can tell |\n|---|---|---|\n")
    lines += [f"{_line(mutant)[:-1]} {why} |\n" for mutant, why in equal]
    page.write_text("".join(lines), encoding="utf-8")


def _share(package: str, rows: Sequence[Row]) -> str:
    equal = sum(why is not None for _, _, why, _ in rows)
    by = [killer for _, _, why, killer in rows if why is None]
    run = sum(killer is not None for killer in by) or 1
    tests, golden = by.count(TESTS), by.count(GOLDENS)
    return (
        f"| {package} | {len(rows)} | {equal} | {(tests + golden) / run:.1%} | {tests / run:.1%} "
        f"| {by.count(SURVIVED)} | {by.count(None)} |\n"
    )


def _line(mutant: Mutant) -> str:
    """Where a mutant is, and the first line of what it changes."""
    before, after = mutant.before.splitlines(), mutant.after.splitlines()
    first = next(
        (place for place, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0
    )
    was, now = (_code(lines[first] if first < len(lines) else "") for lines in (before, after))
    return f"| {mutant.module}:{mutant.line} | {was} → {now} |\n"


def _code(text: str) -> str:
    return f"`{text.strip()}`".replace("|", "\\|")
