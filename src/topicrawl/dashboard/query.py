"""A page of the table of visits: filtered, sorted, and continued after the last row shown (by key, never by offset)."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

from topicrawl.catalogue.index import TITLE
from topicrawl.dashboard.index import searchable
from topicrawl.dashboard.schema import PAGE, PEEK

ROWS = 25
"""Rows of a page of the table."""
SEARCHED = 5_000
"""Matches of a search in titles, and in texts, that are sorted, the newest; a common word is on all pages."""
BEGUN = 4
"""Letters of a word from which on texts are searched for words that begin so: fewer letters have too many."""
SORTS = {
    "": "best match, or least sure, first",
    "doubt": "least sure first",
    "best": "most relevant first",
    "worst": "least relevant first",
    "newest": "newest first",
    "oldest": "oldest first",
}
BY_NUMBER = ("newest", "oldest")
"""Orders by the number of the visit, which is the order of the table itself."""
LARGE = 20_000
"""Pages of a host that are rather found one by one in the table than sorted."""
RELEVANCES = {"": "any", "yes": "relevant", "no": "not relevant"}
MARKS = {
    "": "marked or not",
    "any": "marked",
    "yes": "marked relevant",
    "no": "marked not relevant",
    "none": "not marked",
}
LARGEST = 1 << 62
"""Above every number of a visit."""
LAST_LETTER = "\U0010ffff"
"""Above all letters: a section and the folders inside it end here."""
FIND_OUT = "?"
"""In place of a language: have the pages read, so that their languages are known."""
FETCHED, FAILED, ALL = "", "failed", "all"
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Wanted:
    """What a person wants to see of the table; every field is a parameter of the URL."""

    words: str = ""
    sort: str = ""
    """Empty: by how well a page matches `words`, without words by doubt."""
    relevance: str = ""
    mark: str = ""
    status: str = FETCHED
    """Empty: pages; `failed`, `all`, or a kind of failure."""
    host: str = ""
    section: str = ""
    language: str = ""
    after: str = ""
    """Where to go on: `Found.next` of the page before."""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Wanted:
        """From the parameters of a URL; what is not known is left out."""
        wanted = cls(**{each.name: given[each.name][:500] for each in fields(cls) if each.name in given})
        sort = wanted.sort if wanted.sort in SORTS else ""
        if wanted.status != FETCHED and sort not in BY_NUMBER and (sort or not words_of(wanted.words)):
            sort = "newest"  # failures have no relevance
        return cls(**{**wanted.__dict__, "sort": sort})

    def parameters(self, **changed: str) -> dict[str, str]:
        """Those of the URL that shows this, with some changed; the first page unless `after` is given."""
        values = {**self.__dict__, "after": "", **changed}
        return {name: value for name, value in values.items() if value}


class Row(NamedTuple):
    """A visit of the table."""

    n: int
    url: str
    title: str
    status: int | None
    error: str | None
    host: str
    depth: int
    relevance: float
    """By all that was said and learned."""
    said: float
    """By the judge when it was fetched."""
    mark: bool | None
    kind: str
    language: str


@dataclass
class Found:
    """A page of the table."""

    rows: list[Row]
    next: str = ""
    """`Wanted.after` of the page after it; empty where there is none."""
    cut: bool = False
    """Whether a search had more matches than are sorted."""
    total: int | None = None
    """Visits with the words of a search, without those that were cut."""


@dataclass
class _Statement:
    source: str = "pages"
    where: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)


def find(connection: sqlite3.Connection, wanted: Wanted, threshold: float) -> Found:
    """The rows that are wanted; `connection` is that of `Opened.index`."""
    base = _filters(connection, wanted, threshold)
    base.values |= {"threshold": threshold, "most": ROWS + 1}
    cut, total = False, None
    if words := words_of(wanted.words):
        cut = _search(connection, words)
        base.source = "found CROSS JOIN pages USING (n)"
        total = _count(connection, base)
    elif not wanted.sort:
        wanted = replace(wanted, sort="doubt")
    if wanted.sort == "doubt":
        keys, after = _by_doubt(connection, base, wanted.after)
    else:
        keys, after = _in_order(connection, base, wanted)
    more = len(keys) > ROWS
    return Found(_rows(connection, keys[:ROWS]), after if more else "", cut, total)


def words_of(text: str) -> list[str]:
    """The words that are looked for; a single letter at the end, of which more is to come, is none yet."""
    found = _WORD.findall(searchable(text.replace("_", " ")))[:12]
    return found[:-1] if found and len(found[-1]) == 1 and found[-1].isascii() else found


def _search(connection: sqlite3.Connection, words: list[str]) -> bool:
    """Put the newest visits with all of these words into the table `found`; returns whether there are more.

    The score is BM25 of the text, and the share of BM25 of the title that `topicrawl search` gives it.
    The last word may be the beginning of one, since it is still being typed. FTS5 first reads all that begin so, which
    takes long for a common word: where the word itself has matches enough, they will do.
    """
    connection.execute("DROP TABLE IF EXISTS found")
    connection.execute("CREATE TEMP TABLE found (n INTEGER PRIMARY KEY, score REAL)")
    exact = " ".join(f'"{word}"' for word in words)
    most = 0
    for table, weight in (("titles", TITLE), ("texts", 1.0)):
        begun = table == "titles" or len(words[-1]) >= BEGUN or not words[-1].isascii()
        for match in (exact, exact + "*") if begun else (exact,):
            rows = connection.execute(
                f"SELECT rowid, -rank * ? FROM {table} WHERE {table} MATCH ? ORDER BY rowid DESC LIMIT ?",  # noqa: S608 - ours
                (weight, match, SEARCHED),
            ).fetchall()
            if len(rows) == SEARCHED:
                break
        connection.executemany(
            "INSERT INTO found VALUES (?, ?) ON CONFLICT (n) DO UPDATE SET score = score + excluded.score",
            rows,
        )
        most = max(most, len(rows))
    return most == SEARCHED


def _count(connection: sqlite3.Connection, base: _Statement) -> int:
    where = " AND ".join(base.where) or "1"
    sql = f"SELECT count(*) FROM {base.source} WHERE {where}"  # noqa: S608
    return int(connection.execute(sql, base.values).fetchone()[0])


def _filters(connection: sqlite3.Connection, wanted: Wanted, threshold: float) -> _Statement:
    found = _Statement()

    def only(condition: str, **values: Any) -> None:
        found.where.append(condition)
        found.values.update(values)

    by_number = wanted.sort in BY_NUMBER
    if wanted.status == FETCHED:
        only(
            f"+kind = {PAGE}" if by_number else f"kind = {PAGE}"
        )  # + keeps SQLite from sorting what it finds by an index
    elif wanted.status == FAILED:
        only(f"kind > {PEEK}")
    elif wanted.status != ALL:
        only("kind = (SELECT id FROM kinds WHERE name = :kind)", kind=wanted.status)
    if wanted.relevance in ("yes", "no"):
        only("now > :threshold" if wanted.relevance == "yes" else "now <= :threshold")
    if wanted.mark in ("yes", "no"):
        only("mark = :mark", mark=int(wanted.mark == "yes"))
    elif wanted.mark:
        only("mark IS NULL" if wanted.mark == "none" else "mark IS NOT NULL")
    if wanted.language not in ("", FIND_OUT):
        only(
            "language > 0 AND language = (SELECT id FROM languages WHERE name = :language)",
            language=wanted.language,
        )
    if wanted.host:
        place = "(SELECT id FROM sites WHERE host = :host AND section = :{})"
        most_of_it = by_number and _is_large(connection, wanted.host)
        only(("+host = " if most_of_it else "host = ") + place.format("whole"), host=wanted.host, whole="")
        if wanted.section:
            last = wanted.section if wanted.section == "/" else wanted.section + LAST_LETTER
            only(
                "section IN (SELECT id FROM sites WHERE host = :host AND section BETWEEN :section AND :last)",
                section=wanted.section,
                last=last,
            )
    return found


def _is_large(connection: sqlite3.Connection, host: str) -> bool:
    found = connection.execute("SELECT pages FROM sites WHERE host = ? AND section = ''", (host,)).fetchone()
    return found is not None and found[0] > LARGE


Key = tuple[int, float]


def _keys(
    connection: sqlite3.Connection, base: _Statement, order: str, by: str = "now", **more: Any
) -> list[Key]:
    """Number and relevance (or another column) of the rows of one order, from the place on that `more` says."""
    conditions = [*base.where, *([more.pop("beyond")] if "beyond" in more else [])]
    where = " AND ".join(conditions) or "1"
    sql = f"SELECT n, {by} FROM {base.source} WHERE {where} ORDER BY {order} LIMIT :most"  # noqa: S608
    return [(n, value) for n, value in connection.execute(sql, {**base.values, **more})]


def _in_order(connection: sqlite3.Connection, base: _Statement, wanted: Wanted) -> tuple[list[Key], str]:
    by_number = wanted.sort in BY_NUMBER
    by = "now" if wanted.sort else "score"
    way, sign = ("DESC", "<") if wanted.sort in ("", "newest", "best") else ("ASC", ">")
    order = f"n {way}" if by_number else f"{by} {way}, n {way}"
    more: dict[str, Any] = {}
    if (place := _place(wanted.after, 1)) is not None:
        beyond = f"n {sign} :n" if by_number else f"({by}, n) {sign} (:now, :n)"
        more = {"beyond": beyond, "n": place[0][0], "now": place[0][1]}
    keys = _keys(connection, base, order, "now" if by_number else by, **more)
    return keys, _spelled(keys[ROWS - 1]) if len(keys) > ROWS else ""


def _by_doubt(connection: sqlite3.Connection, base: _Statement, after: str) -> tuple[list[Key], str]:
    """Nearest to the threshold first: two orders, upwards and downwards from it, merged."""
    threshold = base.values["threshold"]
    places = _place(after, 2) or [(0, threshold), (0, threshold)]
    (up_n, up_now), (down_n, down_now) = places
    up = _keys(
        connection,
        base,
        "now ASC, n ASC",
        beyond="now > :threshold AND (now, n) > (:now, :n)",
        now=up_now,
        n=up_n if up_n else LARGEST,
    )
    down = _keys(
        connection,
        base,
        "now DESC, n DESC",
        beyond="now <= :threshold AND (now, n) < (:now, :n)",
        now=down_now,
        n=down_n if down_n else LARGEST,
    )
    merged = sorted(
        [(now - threshold, 0, key) for key in up for now in key[1:]]
        + [(threshold - now, 1, key) for key in down for now in key[1:]],
        key=lambda each: each[:2],
    )
    keys = [key for _, _, key in merged[: ROWS + 1]]
    shown = merged[:ROWS]
    for _, side, key in shown:
        places[side] = key
    return keys, ";".join(map(_spelled, places)) if len(keys) > ROWS else ""


def _spelled(key: Key) -> str:
    return f"{key[0]},{key[1]!r}"


def _place(text: str, count: int) -> list[Key] | None:
    """The keys that `after` holds; None where it holds none."""
    try:
        keys = [(int(n), float(now)) for n, now in (each.split(",") for each in text.split(";"))]
    except ValueError:
        return None
    return keys if len(keys) == count and all(0 <= n < LARGEST for n, _ in keys) else None


def _rows(connection: sqlite3.Connection, keys: list[Key]) -> list[Row]:
    """What is shown of some visits, in the order of `keys`."""
    sql = (
        "SELECT v.n, v.url, v.title, v.status, v.error, v.host, v.depth, p.now, v.relevance, p.mark, k.name, l.name"
        " FROM run.visits v JOIN pages p ON p.n = v.n JOIN kinds k ON k.id = p.kind"
        " JOIN languages l ON l.id = p.language WHERE v.n IN ("
    )
    found = connection.execute(f"{sql}{','.join('?' * len(keys))})", [n for n, _ in keys])
    rows = {row[0]: Row(*(*row[:9], None if row[9] is None else bool(row[9]), *row[10:])) for row in found}
    return [rows[n] for n, _ in keys if n in rows]


def row_of(connection: sqlite3.Connection, n: int) -> Row | None:
    """The row of one visit."""
    return next(iter(_rows(connection, [(n, 0.0)])), None)
