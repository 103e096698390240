"""Bibliographic records: title, abstract and keywords from RIS, BibTeX, CSV and JSONL.

Each reader returns the records that have a title or an abstract, and remarks about what could not be used.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from topicrawl.page.decode import decode
from topicrawl.topic.bibtex import entries

Read = tuple[list["Record"], list[str]]


@dataclass(frozen=True, slots=True)
class Record:
    """One publication; `number` is its position in the file, from 1."""

    number: int
    title: str = ""
    abstract: str = ""
    keywords: tuple[str, ...] = ()


FIELDS = {
    "title": ("title", "article title", "document title", "primary title", "ti", "t1", "题名", "标题"),
    "abstract": ("abstract", "summary", "description", "text", "ab", "n2", "摘要"),
    "keywords": (
        *("keywords", "keyword", "author keywords", "index keywords", "keywords plus", "subject", "subjects"),
        *("kw", "de", "id", "关键词"),
    ),
}
"""Names of columns, keys and tags, as the usual databases export them."""

_RIS_LINE = re.compile(r"([A-Z][A-Z0-9]) {1,2}- ?(.*)")
_KEYWORD_BREAK = re.compile(r"[;；\n]| \| ")


def read_ris(content: bytes) -> Read:
    """The records of a RIS file: they end with `ER`; lines without a tag continue the line before."""
    return _kept(ris_records(decode(content)[0]), "TI, T1 or AB")


def read_bibtex(content: bytes) -> Read:
    """The entries of a BibTeX file."""
    return _kept(entries(decode(content)[0]), "title or abstract")


def read_csv(content: bytes) -> Read:
    """The rows of a table with a header, separated by commas, semicolons or tabs."""
    lines = decode(content)[0].splitlines(keepends=True)
    if not lines:
        return [], ["is empty; skipped"]
    parted_by = Counter({mark: lines[0].count(mark) for mark in ",;\t"}).most_common(1)[0][0]
    rows = csv.reader(lines, delimiter=parted_by)
    try:
        header = next(rows)
        table = list(rows)
    except csv.Error as error:
        return [], [f"line {rows.line_num}: {error}; skipped"]
    if not _has_fields(header):
        return [], ["its first line names neither title nor abstract; name the columns there. Skipped"]
    return _kept((dict(zip(header, row, strict=False)) for row in table), "title or abstract")


def read_jsonl(content: bytes) -> Read:
    """The objects of a file with one JSON object a line."""
    found: list[Mapping[str, Any]] = []
    faults = []
    for number, line in enumerate(decode(content)[0].splitlines(), 1):
        if line.strip():
            try:
                found.append(msgspec.json.decode(line, type=dict[str, Any]))
            except (msgspec.DecodeError, RecursionError) as error:
                faults.append(f"line {number}: {error}")
    read, odd = _kept(found, "title or abstract") if found else ([], [])
    if faults:
        odd.insert(0, f"{len(faults)} lines are no JSON objects ({faults[0]}); skipped")
    return read, odd


def _kept(rows: Iterable[Mapping[str, Any]], needed: str) -> Read:
    read = [_record(number, row) for number, row in enumerate(rows, 1)]
    kept = [record for record in read if record.title or record.abstract]
    if missing := len(read) - len(kept):
        return kept, [f"{missing} of {len(read)} records have no {needed}; skipped"]
    return kept, [] if read else ["holds no record; skipped"]


def _record(number: int, row: Mapping[str, Any]) -> Record:
    fields = {str(name).strip().lower(): value for name, value in row.items() if value}

    def first(field: str) -> str:
        return next((_text(fields[name]) for name in FIELDS[field] if name in fields), "")

    keywords = (_words(fields[name]) for name in FIELDS["keywords"] if name in fields)
    return Record(
        number, first("title"), first("abstract"), tuple(word for part in keywords for word in part)
    )


def _text(value: object) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def _words(value: object) -> list[str]:
    """Keywords given as a list, or in one text; separated by semicolons, in a text also by commas."""
    parts = _KEYWORD_BREAK.split(_text(value))
    if len(parts) == 1 and not isinstance(value, list):
        parts = re.split("[,，、]", parts[0])
    return [word.strip() for word in parts if word.strip()]


def _has_fields(header: Iterable[str]) -> bool:
    names = {name.strip().lower() for name in header}
    return not names.isdisjoint(FIELDS["title"] + FIELDS["abstract"])


def ris_records(text: str) -> Iterator[dict[str, list[str]]]:
    """The records of a RIS file as tag -> values, with every tag."""
    record: dict[str, list[str]] = {}
    for tag, value in _ris_fields(text):
        if tag not in ("TY", "ER"):
            record.setdefault(tag, []).append(value)
        elif record:
            yield record
            record = {}
    if record:
        yield record


def _ris_fields(text: str) -> Iterator[tuple[str, str]]:
    tag, parts = "ER", list[str]()
    for line in text.splitlines():
        if match := _RIS_LINE.match(line):
            yield tag, " ".join(parts)
            tag, parts = match[1], [match[2].strip()]
        elif line.strip():
            parts.append(line.strip())
    yield tag, " ".join(parts)
