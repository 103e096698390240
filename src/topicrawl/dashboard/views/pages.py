"""Pages: the table of visits, searched as one types."""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response

from topicrawl.catalogue.snippet import snippet
from topicrawl.dashboard import query
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.query import Found, Wanted
from topicrawl.dashboard.views.frame import fragment, opened
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.knowledge.terms import count_terms
from topicrawl.model import Topic
from topicrawl.safe_text import one_line
from topicrawl.topic.letters import OR

LETTERS = 220
"""Letters of a passage."""
MOST_HOSTS = 200
"""Hosts that are suggested in the filter."""


def show(request: Request) -> Response:
    """The table with its filters; as a part of a page, only its rows."""
    run, wanted = opened(request), Wanted.read(request.query_params)
    run.refresh(texts=bool(wanted.words or wanted.language))
    far = run.far()
    with run.index() as connection:
        found = query.find(connection, wanted, far.threshold)
        values = {
            "rows": [
                (row, parted(one_line(passage, LETTERS), query.words_of(wanted.words)))
                for row, passage in zip(found.rows, passages(run, found, wanted), strict=True)
            ],
            "found": found,
            "wanted": wanted,
            "far": far,
            "name": run.name,
            "trouble": run.trouble,
        }
        if "part" in request.query_params:
            return fragment("rows.html", **values)
        last = connection.execute("SELECT pages, relevant FROM curve ORDER BY pages DESC LIMIT 1").fetchone()
        lists = {
            "counts": last or (0, 0),
            "languages": _column(connection.execute("SELECT name FROM languages WHERE id > 0 ORDER BY name")),
            "kinds": _column(connection.execute("SELECT name FROM kinds WHERE id > 1 ORDER BY name")),
            "hosts": _column(
                connection.execute(
                    "SELECT host FROM sites WHERE section = '' ORDER BY pages DESC LIMIT ?", (MOST_HOSTS,)
                )
            ),
        }
    choices = {"sorts": query.SORTS, "relevances": query.RELEVANCES, "marks": query.MARKS}
    return show_page(request, "pages.html", "pages", run, **values, **lists, **choices)


def parted(text: str, words: list[str]) -> list[str]:
    """A text cut at the words that were looked for: every second part is one of them, or begins with the last one.

    >>> parted("Floods and a flood", ["flood"])
    ['', 'Floods', ' and a ', 'flood', '']
    """
    *whole, begun = words or [""]
    ways = [rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in whole]
    ways += [rf"\b{re.escape(begun)}\w*" if begun.isascii() else re.escape(begun)] if begun else []
    return re.split(f"({'|'.join(ways)})", text, flags=re.IGNORECASE) if ways else [text]


def _column(rows: Iterable[tuple[str]]) -> list[str]:
    return [name for (name,) in rows if name]


def passages(run: Opened, found: Found, wanted: Wanted) -> list[str]:
    """The passage of each page that has most of the words looked for, or of the topic's."""
    if not found.rows:
        return []
    topic = run.config().topic
    assert isinstance(topic, Topic)
    looked_for = wanted.words or " ".join(term.partition(OR)[0] for term in topic.terms[:50])
    terms = frozenset(count_terms(looked_for))
    passages = []
    with run.run() as log:
        for row in found.rows:
            _, _, outcome = next(log.told(row.n - 1))
            passages.append(snippet(outcome.page, terms) if outcome.page else "")
    return passages
