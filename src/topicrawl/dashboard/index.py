"""Keeps `ui/index.db` up to date with the log of a run (schema.py has the tables).

Two passes. The first reads rows of visits, which takes about a hundredth of the time of a crawl, and follows it while
somebody looks. The second reads the pages themselves, for their language and for a search of their texts, and is made
only when somebody asks for these.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from topicrawl.dashboard.schema import EARLIER, PAGE, PEEK, open_index
from topicrawl.dashboard.sections import section_of
from topicrawl.model import Visit
from topicrawl.report.digest import failure_kind
from topicrawl.store.run import Run
from topicrawl.store.standing import standing

AT_ONCE = 2_000
"""Visits of one commit: what is committed is shown while the rest is read."""
SECTIONS = 500
"""Sections of a host from which on further ones are told apart by their first folder only."""
LETTERS = 20_000
"""Letters of a page's text that can be searched."""
_NOT_SPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Letters of scripts without spaces: each is a word of the search."""


class Index:
    """The index of one run, for the thread that writes it."""

    def __init__(self, path: Path, run: str) -> None:
        self._connection = open_index(path, run)
        self._names: dict[str, dict[str, int]] = {
            table: dict(self._connection.execute(f"SELECT name, id FROM {table}"))  # noqa: S608 - our own tables
            for table in ("kinds", "languages")
        }
        self._sites: dict[tuple[str, str], int] = {
            (host, section): number
            for number, host, section in self._connection.execute("SELECT id, host, section FROM sites")
        }
        self._sections = Counter(host for host, _ in self._sites)
        self._compared = -1
        """The last visit when earlier visits of the same pages were looked for."""

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @property
    def last_n(self) -> int:
        """The last visit of the first pass."""
        return int(self._one("SELECT last_n FROM about"))

    @property
    def read_n(self) -> int:
        """The last visit of the second pass."""
        return int(self._one("SELECT read_n FROM about"))

    def follow(self, run: Run, threshold: float, stop: threading.Event) -> None:
        """The first pass: add the visits that are not in yet."""
        if threshold != self._one("SELECT threshold FROM about"):
            self._execute("UPDATE about SET threshold = ?", threshold)
            self._recount(threshold)
        while not stop.is_set():
            visits = list(islice(run.visits(self.last_n), AT_ONCE))
            if not visits:
                break
            with _commit(self._connection):
                self._add(visits, threshold)
        if self._compared != self.last_n:
            self._compared = self.last_n
            self._show_once(run, threshold)

    def read(self, run: Run, stop: threading.Event) -> None:
        """The second pass: add the texts and languages of the pages that are not in yet."""
        while not stop.is_set():
            last, end = self.read_n, self.last_n
            told = [each for each in islice(run.told(last), AT_ONCE // 10) if each[0].n <= end]
            if not told:
                return
            with _commit(self._connection):
                for visit, _, outcome in told:
                    if outcome.page is None or not visit.fetched:
                        continue
                    language = self._name("languages", outcome.page.language.partition("-")[0].lower()[:20])
                    self._execute("UPDATE pages SET language = ? WHERE n = ?", language, visit.n)
                    text = searchable(outcome.page.text[:LETTERS])
                    self._execute("INSERT INTO texts (rowid, words) VALUES (?, ?)", visit.n, text)
                self._execute("UPDATE about SET read_n = ?", told[-1][0].n)

    def mark(self, marks: Mapping[str, bool], stamp: str, relevance: Callable[[int], float]) -> None:
        """Take over the marks that stand, unless `stamp` is as before; `relevance` is that of a visit without one."""
        if stamp == self._one("SELECT marks FROM about"):
            return
        threshold = float(self._one("SELECT threshold FROM about"))
        with _commit(self._connection):
            marked = self._connection.execute("SELECT n FROM pages WHERE mark IS NOT NULL").fetchall()
            for (n,) in marked:
                self._execute("UPDATE pages SET mark = NULL, now = ? WHERE n = ?", relevance(n), n)
            for url, said in marks.items():
                numbers = self._connection.execute("SELECT n FROM addresses WHERE key = ?", (key_of(url),))
                for (n,) in numbers.fetchall():
                    self._execute(
                        "UPDATE pages SET mark = ?1, now = ?1 WHERE n = ?2 AND kind = ?3", int(said), n, PAGE
                    )
            self._execute("UPDATE about SET marks = ?", stamp)
        self._recount(threshold)

    @property
    def judged(self) -> str:
        """The stamp of the last `judge`."""
        return str(self._one("SELECT judged FROM about"))

    def judge(self, now: Iterable[tuple[int, float]], stamp: str) -> None:
        """Take over the relevance that pages have by all that was learned; marks stay."""
        with _commit(self._connection):
            self._connection.executemany(
                "UPDATE pages SET now = ?2 WHERE n = ?1 AND mark IS NULL AND kind = 0", now
            )
            self._execute("UPDATE about SET judged = ?", stamp)
        self._recount(float(self._one("SELECT threshold FROM about")))

    def _add(self, visits: list[Visit], threshold: float) -> None:
        counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
        pages, relevant = self._connection.execute(
            "SELECT coalesce(max(pages), 0), coalesce(max(relevant), 0) FROM curve"
        ).fetchone()
        # the curve ends with the last visit of each commit, so the counts go on from there
        rows, addresses, titles, curve = [], [], [], []
        for visit in visits:
            kind = self._kind(visit)
            host = self._site(visit.host, "")
            section = self._site(visit.host, self._section(visit))
            rows.append((visit.n, kind, host, section, visit.relevance))
            addresses += [(key_of(url), visit.n) for url in {visit.url, visit.asked}]
            titles.append((visit.n, searchable(f"{visit.title[:500]} {words_of_url(visit.url)}")))
            is_relevant = kind == PAGE and visit.relevance > threshold
            for place in (host, section):
                count = counts[place]
                count[0] += kind == PAGE
                count[1] += is_relevant
                count[2] += kind > PEEK
            if kind == PAGE:
                pages, relevant = pages + 1, relevant + is_relevant
                if pages % step(pages) == 0:
                    curve.append((pages, relevant, visit.n))
        if pages and (not curve or curve[-1][0] != pages):
            curve.append((pages, relevant, visits[-1].n))
        many = self._connection.executemany
        many("INSERT INTO pages (n, kind, host, section, now) VALUES (?, ?, ?, ?, ?)", rows)
        many("INSERT OR IGNORE INTO addresses VALUES (?, ?)", addresses)
        many("INSERT INTO titles (rowid, words) VALUES (?, ?)", titles)
        many("INSERT OR REPLACE INTO curve VALUES (?, ?, ?)", curve)
        many(
            "UPDATE sites SET pages = pages + ?, relevant = relevant + ?, failed = failed + ? WHERE id = ?",
            [(*count, place) for place, count in counts.items()],
        )
        self._execute("UPDATE about SET last_n = ?", visits[-1].n)

    def _show_once(self, run: Run, threshold: float) -> None:
        """Of a watched run, leave each page once, as last seen, and none that is gone."""
        old = [(n, EARLIER, PAGE) for n in standing(run).replaced]
        before = self._connection.total_changes
        with _commit(self._connection):
            self._connection.executemany("UPDATE pages SET kind = ?2 WHERE n = ?1 AND kind = ?3", old)
        if self._connection.total_changes > before:
            self._recount(threshold)

    def _recount(self, threshold: float) -> None:
        """Count pages anew, after a change of the threshold, of what is said of pages or of which are shown."""
        with _commit(self._connection):
            counted = "SELECT {0}, sum(now > ?1), count(*) FROM pages WHERE kind = 0 GROUP BY {0}"
            self._execute("UPDATE sites SET relevant = 0, pages = 0")
            for place in ("host", "section"):
                found = self._connection.execute(counted.format(place), (threshold,)).fetchall()
                self._connection.executemany(
                    "UPDATE sites SET relevant = ?2, pages = ?3 WHERE id = ?1", found
                )
            rows = self._connection.execute(
                "SELECT n, now > ? FROM pages WHERE kind = 0 ORDER BY n", (threshold,)
            )
            values = np.array(rows.fetchall(), dtype=np.int64).reshape(-1, 2)
            found_by = np.cumsum(values[:, 1])
            kept = [at for at in range(len(values)) if (at + 1) % step(at + 1) == 0 or at + 1 == len(values)]
            self._execute("DELETE FROM curve")
            points = [(at + 1, int(found_by[at]), int(values[at, 0])) for at in kept]
            self._connection.executemany("INSERT INTO curve VALUES (?, ?, ?)", points)

    def _kind(self, visit: Visit) -> int:
        if visit.peek:
            return PEEK
        return PAGE if visit.fetched else self._name("kinds", failure_kind(visit)[:40])

    def _name(self, table: str, name: str) -> int:
        known = self._names[table]
        if name not in known:
            self._execute(f"INSERT INTO {table} (name) VALUES (?)", name)  # noqa: S608 - our own tables
            known[name] = int(self._one(f"SELECT id FROM {table} WHERE name = ?", name))  # noqa: S608
        return known[name]

    def _site(self, host: str, section: str) -> int:
        if (host, section) not in self._sites:
            self._execute("INSERT INTO sites (host, section) VALUES (?, ?)", host, section)
            self._sites[host, section] = int(self._one("SELECT last_insert_rowid()"))
            self._sections[host] += 1
        return self._sites[host, section]

    def _section(self, visit: Visit) -> str:
        """The folder of a visit; the first one where its host has too many others."""
        section = section_of(visit.url)
        if self._sections[visit.host] < SECTIONS or (visit.host, section) in self._sites:
            return section
        return section_of(visit.url, 1)

    def _one(self, sql: str, *values: object) -> Any:
        return self._connection.execute(sql, values).fetchone()[0]

    def _execute(self, sql: str, *values: object) -> None:
        self._connection.execute(sql, values)


class _commit:  # noqa: N801 - read as a statement
    """A transaction: all of the block, or nothing."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def step(pages: int) -> int:
    """Pages between two points of the curve: so many that it has a few thousand points."""
    return int(10 ** max(0, len(str(pages)) - 4))


def key_of(url: str) -> int:
    """A number for a URL, to find its visits by; another URL has the same with a chance of 1 in 2⁶⁴."""
    return int.from_bytes(blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)


def words_of_url(url: str) -> str:
    """Host and path of a URL as a person reads them."""
    return unquote(url[:1000].partition("://")[2].partition("?")[0], errors="replace").replace("_", " ")


def searchable(text: str) -> str:
    """`text` with spaces around letters of scripts without spaces, so that each is found."""
    return _NOT_SPACED.sub(r" \g<0> ", text).encode("utf-8", "replace").decode()
