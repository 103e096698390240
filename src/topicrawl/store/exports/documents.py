"""One file per page: plain text or Markdown, in a folder with an index.

File names come from the visit's number and a hash of its URL, never from anything a page or server chose.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path

from topicrawl.model import Page, Visit, ints
from topicrawl.safe_text import for_terminal
from topicrawl.store.exports.rows import disarmed
from topicrawl.store.exports.selection import Selection

INDEX = "index.tsv"
OUR_NAMES = re.compile(r"\d{6,}-[0-9a-f]{16}\.(txt|md)|index\.tsv")
HEADINGS = {0: "# ", 1: "## ", 2: "### "}
"""Markdown for a block that is wholly in one tag group: h1, then h2 and h3, then h4 to h6 and strong."""
INLINE = re.compile(r"([\\`*_\[\]<>~|])")
BLOCK = re.compile(r"^(\s*)([#+=-]|\d+(?=[.)]))")


def write_text(selection: Selection, folder: Path) -> int:
    """The visible text of each page as .txt."""
    return _write(selection, folder, ".txt", lambda _, page, __: page.text + "\n")


def write_markdown(selection: Selection, folder: Path) -> int:
    """Each page as .md: title, URL and relevance in front, then headings and paragraphs."""
    return _write(selection, folder, ".md", markdown)


def _write(
    selection: Selection, folder: Path, suffix: str, render: Callable[[Visit, Page, float], str]
) -> int:
    count = 0
    with (folder / INDEX).open("x", encoding="utf-8", errors="replace", newline="\n") as index:
        index.write("file\turl\trelevance\ttitle\trelevance_now\n")
        for count, (visit, page) in enumerate(selection.pages(), 1):  # noqa: B007
            name = file_name(visit) + suffix
            with (folder / name).open("x", encoding="utf-8", errors="replace", newline="\n") as file:
                file.write(render(visit, page, selection.relevance(visit)))
            title = disarmed(" ".join(for_terminal(page.title or visit.title).split()))
            now = selection.relevance(visit)
            index.write(f"{name}\t{visit.url}\t{visit.relevance:.6f}\t{title}\t{now:.6f}\n")
    return count


def file_name(visit: Visit) -> str:
    """The visit's number, so that files sort as fetched, and a hash of its URL."""
    return f"{visit.n:06}-{hashlib.sha256(visit.url.encode()).hexdigest()[:16]}"


def markdown(visit: Visit, page: Page, now: float) -> str:
    """The page as Markdown, escaped so that its text cannot become markup or control a terminal.

    `now` is its relevance by all that was learned.
    """
    title = " ".join((page.title or visit.title).split())
    front = {"title": title, "url": visit.url, "relevance": visit.relevance, "language": page.language}
    front["relevance_now"] = now
    lines = [f"{name}: {_scalar(value)}" for name, value in front.items()]
    body = [f"# {_escape(title)}"] if title else []
    body += [mark + _escape(block) for mark, block in _blocks(page) if block != title]
    return "---\n" + "\n".join(lines) + "\n---\n\n" + "\n\n".join(body) + "\n"


def _scalar(value: object) -> str:
    """A YAML scalar: a JSON string without the characters that YAML forbids."""
    return json.dumps(for_terminal(value) if isinstance(value, str) else value, ensure_ascii=False)


def _blocks(page: Page) -> Iterator[tuple[str, str]]:
    """The blocks of the page's text, each with the Markdown that marks its kind."""
    starts, groups = ints(page.segment_starts).tolist(), ints(page.segment_groups).tolist()
    at = 0
    for line in page.text.split("\n"):
        first = max(bisect_right(starts, at) - 1, 0)
        kinds = set(groups[first : bisect_left(starts, at + len(line))])
        in_head = first == 0  # title, keywords and description come first, in one segment
        if line:
            yield HEADINGS.get(kinds.pop(), "") if len(kinds) == 1 and not in_head else "", line
        at += len(line) + 1


def _escape(text: str) -> str:
    plain = INLINE.sub(r"\\\1", for_terminal(text).replace("&", "&amp;"))
    return BLOCK.sub(lambda found: found[1] + _harmless(found[2]), plain)


def _harmless(mark: str) -> str:
    return f"{mark}\\" if mark.isdigit() else f"\\{mark}"
