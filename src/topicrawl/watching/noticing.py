"""What a turn noticed, with what the pages say: the beginning of a new page, the difference of a changed one.

Both are of the main text, from the archive; without an archive, of all that a page says. A page whose main text is as
it was (another date in its footer, another list beside it) has not changed for people, and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import islice

import msgspec

from topicrawl.model import CHANGED, NEW, Noticed
from topicrawl.store.main_texts import find_main_text
from topicrawl.store.run import Run

BEGINNING = 400
"""Characters of the main text of a page that are kept."""
MOST_LINES, MOST_WIDTH = 40, 400
"""Lines of a difference that are kept, and characters of each."""
COMPARED = 2000
"""Lines of a text that are compared: comparing takes time in proportion to the square."""


def with_texts(run: Run, noticed: Iterable[Noticed]) -> Iterator[Noticed]:
    """What was noticed, with texts; a page whose main text has not changed is left out."""
    for each in noticed:
        if each.change not in (NEW, CHANGED) or not each.n:
            yield each
            continue
        now = text_at(run, each.n)
        filled = msgspec.structs.replace(each, text=beginning(now))
        if each.change == NEW:
            yield filled
        elif lines := difference(_text_before(run, each), now):
            yield msgspec.structs.replace(filled, diff=lines)


def _text_before(run: Run, noticed: Noticed) -> str:
    """The main text of a page before the visit that found it changed."""
    earlier = run.fetched_before(noticed.url, noticed.n)
    return "" if earlier is None else text_at(run, earlier.n)


def text_at(run: Run, n: int) -> str:
    """The main text of the page of visit n."""
    page = run.page_of(n)
    return "" if page is None else find_main_text(run, n, page).main.text


def beginning(text: str) -> str:
    """The first words of a text, in one line."""
    words = " ".join(text[: 4 * BEGINNING].split())
    return words if len(words) <= BEGINNING else words[:BEGINNING].rpartition(" ")[0] + " …"


def difference(before: str, now: str) -> list[str]:
    """The lines that differ: `- ` was removed, `+ ` was added; the last line says how many more there are."""
    found = list(islice(_differing(_lines(before), _lines(now)), 10 * MOST_LINES))
    if len(found) <= MOST_LINES:
        return found
    return [*found[:MOST_LINES], f"… and {len(found) - MOST_LINES:,} more lines"]


def _lines(text: str) -> list[str]:
    return [line for line in (" ".join(each.split()) for each in text.splitlines()) if line][:COMPARED]


def _differing(before: list[str], now: list[str]) -> Iterator[str]:
    for what, first, last, begin, end in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if what != "equal":
            yield from (f"- {_cut(line)}" for line in before[first:last])
            yield from (f"+ {_cut(line)}" for line in now[begin:end])


def _cut(line: str) -> str:
    return line if len(line) <= MOST_WIDTH else line[:MOST_WIDTH] + " …"
