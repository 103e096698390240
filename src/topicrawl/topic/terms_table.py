"""Reads terms.csv: the terms of a corpus, with the number of their documents but not which."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from topicrawl.errors import TopicError
from topicrawl.topic.letters import normal
from topicrawl.topic.terms.result import COLUMNS, Term, Terms

NEEDED = ("term", "score", "documents", "frequency")


def read_terms(content: bytes, source: str = "terms.csv") -> Terms:
    """The terms in a table that `Terms.csv` wrote and a user may have edited; a term of score 0 was named by the user.

    The documents of a term are numbered from 0 on: only their count is meaningful.
    """
    try:
        lines = content.decode("utf-8-sig").splitlines(keepends=True)
    except UnicodeDecodeError as error:
        raise TopicError(f"{source}: is not UTF-8 text ({error.reason}); save it as UTF-8") from None
    table = csv.DictReader(lines, strict=True)
    try:
        missing = sorted(set(NEEDED) - set(table.fieldnames or ()))
        if missing:
            raise TopicError(f"{source}, line 1: has no column {missing[0]!r}; write {','.join(COLUMNS)}")
        terms = tuple(_terms(table, source))
    except csv.Error as error:
        raise TopicError(f"{source}, line {table.reader.line_num}: is no CSV: {error}") from None
    if not terms:
        raise TopicError(f"{source}: has no terms; build the topic again, or write one a line")
    return Terms((), terms)


def _terms(table: csv.DictReader[str], source: str) -> Iterator[Term]:
    taken: dict[str, int] = {}
    for row in table:
        where = f"{source}, line {table.line_num}"
        name = normal(row["term"] or "")
        if not any(map(str.isalpha, name)):
            raise TopicError(f"{where}: the term {name[:40]!r} has no letter; write a word there")
        if name in taken:
            raise TopicError(f"{where}: {name[:40]!r} is already in line {taken[name]}; keep one of the two")
        taken[name] = table.line_num
        labels = dict.fromkeys((name, *filter(None, map(normal, (row.get("labels") or "").split(";")))))
        try:
            score, documents, frequency = float(row["score"]), int(row["documents"]), int(row["frequency"])
        except (TypeError, ValueError):
            raise TopicError(
                f"{where}: score, documents and frequency of {name[:40]!r} are not numbers"
            ) from None
        if not 0 <= score < float("inf") or documents < 0:
            raise TopicError(f"{where}: score or documents of {name[:40]!r} is unusable; give 0 or more")
        yield Term(
            tuple(labels),
            row.get("language") or "",
            tuple(range(documents)),
            frequency,
            score,
            named=not score,
        )
