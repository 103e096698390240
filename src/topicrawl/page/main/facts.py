"""What a page says of itself in its head and in linked data: title, author, date, and whether it is an article."""

from __future__ import annotations

import json
import re
from calendar import monthrange
from collections import deque
from collections.abc import Iterator
from email.utils import parsedate_tz
from html import unescape
from typing import Any, NamedTuple

from topicrawl.page.main.document import Document
from topicrawl.page.main.tree import Node, elements, inner_text
from topicrawl.page.normalize import fold

_AUTHOR = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author")
_DATE = (
    *(
        "article:published_time",
        "datepublished",
        "og:article:published_time",
        "date",
        "dc.date",
        "dcterms.date",
    ),
    *("dc.date.issued", "dcterms.created", "pubdate", "publish-date", "parsely-pub-date", "sailthru.date"),
    *(
        "publishdate",
        "publish_date",
        "pub_date",
        "publication_date",
        "cxenseparse:recs:publishtime",
        "og:time",
    ),
    "apub:time",
)
_ARTICLE = re.compile(r"(?:Article|BlogPosting|Review|Report)$")
_POST = re.compile(r"(?<!\S)single-post(?!\S)")
"""The class that WordPress gives to the body of an article."""
_ARTICLES = ("article", "news", "news_article", "newsarticle")
"""Kinds of the Open Graph that are articles; pages in Chinese say `news`."""
_SAYS_NOTHING = ("", "blog", "video", "video.other")
"""Kinds of the Open Graph that an article may have too; `website` and `product` say that it is none."""
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")
_DAY = re.compile(
    r"(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})(?!\d)|年(\d{1,2})月(\d{1,2})日|([01]\d)([0-3]\d)(?!\d))"
)
"""A day, year first, written in another way."""
_BY = re.compile(r"by[:\s]\s*", re.IGNORECASE)
"""What may be in front of the name of an author."""
_PUBLISHED = re.compile(r"(?<![a-z])published(?![a-z])")
_MOST_VALUES = 10_000
"""Values of linked data that are looked at."""
_MOST_AUTHORS = 10
_LONGEST_DATE = 100
"""Characters that are looked at."""
_LONGEST_NAME = 500
"""Characters of all authors; what is longer is a text, not names."""


class Facts(NamedTuple):
    """Empty where the page does not say it."""

    title: str = ""
    author: str = ""
    date: str = ""
    """When it was published: a day or a moment as ISO 8601 writes it."""
    titles: frozenset[str] = frozenset()
    """All titles, to be compared with headings."""
    is_article: bool = False
    may_be_article: bool = False
    """Whether the page does not say that it is something else."""


def read_facts(document: Document) -> Facts:
    """What the head and the marked elements of a page say."""
    metas: dict[str, str] = {}
    for name, content in document.metas:
        metas.setdefault(name, content)
    things = [thing for script in document.linked_data for thing in _things("".join(script))]
    article = next((thing for thing in things if _is_article(thing)), {})
    marked = _marked(document.root)
    title = fold("".join(document.title))
    titles = (title, metas.get("og:title"), metas.get("twitter:title"), _text(article.get("headline")))
    kind = metas.get("og:type", "").strip().lower()
    is_article = kind in _ARTICLES or (kind in _SAYS_NOTHING and (bool(article) or "article" in marked))
    authors = (_name(article.get("author")), *map(metas.get, _AUTHOR), marked.get("author"))
    dates = (
        *(_text(article.get("datePublished")), *map(metas.get, _DATE), marked.get("datepublished")),
        *(_text(thing.get("datePublished")) for thing in things if thing.get("@type") == "WebPage"),
        _published(document.root, is_article=is_article),
    )
    return Facts(
        title or fold(metas.get("og:title", "")),
        next((_without_by(each) for each in authors if each and _may_be_name(each)), ""),
        next((found for each in dates if each and (found := _moment(each))), ""),
        frozenset(fold(each) for each in titles if each),
        is_article,
        kind in (*_SAYS_NOTHING, "website"),
    )


def _things(script: str) -> Iterator[dict[str, Any]]:
    """The objects in a script of JSON-LD, outermost first; none where it is not JSON."""
    try:
        left = deque([json.loads(script)])
    except (ValueError, RecursionError):
        return
    for _ in range(_MOST_VALUES):
        if not left:
            return
        value = left.popleft()
        if isinstance(value, dict):
            yield value
            left += value.values()
        elif isinstance(value, list):
            left += value


def _is_article(thing: dict[str, Any]) -> bool:
    kinds = thing.get("@type")
    several = kinds if isinstance(kinds, list) else [kinds]
    return any(isinstance(kind, str) and _ARTICLE.search(kind) for kind in several)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _name(value: object) -> str:
    """The name of a person or of several, as linked data writes them."""
    several = value[:_MOST_AUTHORS] if isinstance(value, list) else [value]
    names = (_text(each.get("name") if isinstance(each, dict) else each) for each in several)
    return ", ".join(filter(None, names))


def _may_be_name(text: str) -> bool:
    is_address = "://" in text or "@" in text
    return len(text) <= _LONGEST_NAME and not is_address and any(map(str.isalpha, text))


def _without_by(text: str) -> str:
    """A name as it is said, without "by" in front."""
    text = fold(unescape(text))  # some pages escape it twice
    found = _BY.match(text)
    return text[found.end() :] if found else text


def _moment(text: str) -> str:
    """A day or a moment as ISO 8601 writes it; empty where the text is no date that can be read in one way only."""
    text = text.strip()[:_LONGEST_DATE]
    if found := _ISO.match(text):
        return found[0] if _is_day(*map(int, found[0][:10].split("-"))) else ""
    if found := _DAY.match(text):
        year, _, *rest = found.groups()
        month, day = map(int, filter(None, rest))
        return f"{year}-{month:02}-{day:02}" if _is_day(int(year), month, day) else ""
    read = parsedate_tz(text)  # as in mails: Thu, 06 Oct 2011 08:10:27 EST
    if read is None or not _is_day(*read[:3]):
        return ""
    year, month, day, hour, minute, second, *_, east = read
    if hour > 23 or minute > 59 or second > 59:
        return f"{year:04}-{month:02}-{day:02}"
    sign, minutes = "-" if (east or 0) < 0 else "+", abs(east or 0) // 60
    zone = "" if east is None else f"{sign}{minutes // 60:02}:{minutes % 60:02}"
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}"


def _is_day(year: int, month: int, day: int) -> bool:
    return 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]


def _published(root: Node, *, is_article: bool) -> str:
    """The time that is named as that of publication; of an article that has one time only, that."""
    times = [node for node in elements(root) if node.tag == "time" and node.attributes.get("datetime")]
    named = [node for node in times if _PUBLISHED.search(node.name)]
    found = {node.attributes["datetime"] for node in named or (times if is_article else ())}
    return found.pop() if len(found) == 1 else ""


def _marked(root: Node) -> dict[str, str]:
    """The author and date that elements are marked with, and whether one is marked as an article."""
    found: dict[str, str] = {}
    for node in elements(root):
        for name in node.attributes.get("itemprop", "").lower().split():
            if name in ("author", "datepublished"):
                said = node.attributes.get("datetime") or node.attributes.get("content")
                found.setdefault(name, said or inner_text(node))
            elif name == "articlebody":
                found["article"] = name
        if _ARTICLE.search(node.attributes.get("itemtype", "")) or (
            node.tag == "body" and _POST.search(node.name)
        ):
            found["article"] = "article"
    return found
