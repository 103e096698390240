"""One file per page: plain text or Markdown, in a folder with an index.

File names begin with the visit's number, which makes them unique; of the title they have letters and digits only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from topicrawl.model import Visit
from topicrawl.page.main.spans import Span, heading, lines
from topicrawl.safe_text import for_terminal
from topicrawl.store.exports.contents import Content, contents
from topicrawl.store.exports.rows import disarmed
from topicrawl.store.exports.selection import Selection

INDEX = "index.tsv"
OUR_NAMES = re.compile(r"\d{6,}(-[\w-]*)?\.(txt|md)|index\.tsv")
LONGEST_NAME = 60
"""Characters of a title in a file name."""
NAME_BYTES = 120
"""Bytes of a title in a file name: file systems take 255."""
_NO_LETTERS = re.compile(r"[\W_]+")


def write_text(selection: Selection, folder: Path) -> int:
    """The text of each page as .txt."""
    return _write(selection, folder, ".txt", lambda content: content.text + "\n")


def write_markdown(selection: Selection, folder: Path) -> int:
    """Each page as .md: what is known of it in front, then its title and text."""
    return _write(selection, folder, ".md", document)


def _write(selection: Selection, folder: Path, suffix: str, render: Callable[[Content], str]) -> int:
    count = 0
    with (folder / INDEX).open("x", encoding="utf-8", errors="replace", newline="\n") as index:
        index.write("file\turl\trelevance\ttitle\trelevance_now\n")
        for count, content in enumerate(contents(selection), 1):  # noqa: B007
            visit = content.visit
            name = file_name(visit, content.title) + suffix
            with (folder / name).open("x", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(render(content))
            title = disarmed(" ".join(for_terminal(content.title).split()))
            index.write(f"{name}\t{visit.url}\t{visit.relevance:.6f}\t{title}\t{content.relevance_now:.6f}\n")
    return count


def file_name(visit: Visit, title: str) -> str:
    """The visit's number, so that files sort as fetched, and the beginning of the title, or else of the address."""
    words = _NO_LETTERS.sub("-", title.lower()) if title else ""
    words = words.strip("-") or _NO_LETTERS.sub("-", visit.url.partition("://")[2]).strip("-")
    short = words[:LONGEST_NAME].encode()[:NAME_BYTES].decode("utf-8", "ignore").strip("-")
    return f"{visit.n:06}-{short}"


def document(content: Content) -> str:
    """A page as Markdown, escaped so that its text cannot become markup or control a terminal."""
    visit, main = content.visit, content.main
    title = " ".join(content.title.split())
    front = {
        "title": title,
        "url": visit.url,
        "relevance": visit.relevance,
        "language": content.page.language,
        "relevance_now": content.relevance_now,
        "fetched_at": content.fetched_at,
        "status": visit.status,
        "parent": visit.parent,
        "digest": content.digest,
        "read_digest": content.read_digest,
        "author": main.author,
        "published": main.date,
    }
    known = [f"{name}: {_scalar(value)}" for name, value in front.items() if value not in ("", None)]
    body = filter(None, [heading(1, lines([Span(title)])) if title else "", content.markdown])
    return "---\n" + "\n".join(known) + "\n---\n\n" + "\n\n".join(body) + "\n"


def _scalar(value: object) -> str:
    """A YAML scalar: a JSON string without the characters that YAML forbids."""
    return json.dumps(for_terminal(value) if isinstance(value, str) else value, ensure_ascii=False)
