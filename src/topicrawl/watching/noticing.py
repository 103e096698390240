"""What a turn noticed, with what the pages say: the beginning of a new page, the difference of a changed one.

Both are of the main text, from the archive; without an archive, of all that a page says. A page whose main text is as
it was (another date in its footer, another list beside it) has not changed for people, and is left out. One that is
gone has the title and the beginning that it had.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import chain, islice, repeat

import msgspec

from topicrawl.model import CHANGED, NEW, Noticed, Visit
from topicrawl.report.digest import failure_kind
from topicrawl.store.main_texts import find_main_text
from topicrawl.store.run import Run

BEGINNING = 400
"""Characters of the main text of a page that are kept."""
MOST_LINES, MOST_WIDTH = 40, 400
"""Sentences of a difference that are kept, and characters of each."""
SHOWN_BEFORE = 80
"""Characters that are shown before the first that differs, of a sentence that is longer."""
COMPARED = 2000
"""Sentences of a text that are compared: comparing takes time in proportion to the square."""
NO_FAILURES = frozenset({"http-404", "http-410", "duplicate"})
"""Pages that are not there, and those that were fetched under another address."""
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")


def with_texts(run: Run, noticed: Iterable[Noticed]) -> Iterator[Noticed]:
    """What was noticed, with texts; a page whose main text has not changed is left out."""
    for each in noticed:
        if each.change not in (NEW, CHANGED) or not each.n:
            yield _as_it_was(run, each)
            continue
        now = text_at(run, each.n)
        filled = msgspec.structs.replace(each, text=beginning(now))
        if each.change == NEW:
            yield filled
        elif lines := difference(_text_before(run, each), now):
            yield msgspec.structs.replace(filled, diff=lines)


def failures(visits: Iterable[Visit]) -> dict[str, int]:
    """How many visits brought no page, by the kind of failure, the most frequent first."""
    kinds = Counter(failure_kind(visit) for visit in visits if not visit.fetched)
    return {kind: count for kind, count in kinds.most_common() if kind not in NO_FAILURES}


def _as_it_was(run: Run, noticed: Noticed) -> Noticed:
    """A page that is gone, has moved or is unlinked, with the title and the text that it had."""
    earlier = run.fetched_before(noticed.url, noticed.n) if noticed.n else run.fetched_before(noticed.url)
    if earlier is None:
        return noticed
    text = beginning(text_at(run, earlier.n))
    return msgspec.structs.replace(noticed, title=noticed.title or earlier.title, text=text)


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
    """The sentences that differ: `- ` was removed, `+ ` was added; the last line says how many more there are."""
    found = list(islice(_differing(_sentences(before), _sentences(now)), 10 * MOST_LINES))
    if len(found) <= MOST_LINES:
        return found
    return [*found[:MOST_LINES], f"… and {len(found) - MOST_LINES:,} more lines"]


def _sentences(text: str) -> list[str]:
    """A paragraph is often one long line: of its sentences few have changed."""
    parts = (part for line in text.splitlines() for part in _SENTENCE_END.split(line))
    return list(islice((said for part in parts if (said := " ".join(part.split()))), COMPARED))


def _differing(before: list[str], now: list[str]) -> Iterator[str]:
    for what, first, last, begin, end in SequenceMatcher(None, before, now, autojunk=False).get_opcodes():
        if what != "equal":
            removed, added = before[first:last], now[begin:end]
            yield from (f"- {_cut(line, other)}" for line, other in _beside(removed, added))
            yield from (f"+ {_cut(line, other)}" for line, other in _beside(added, removed))


def _beside(lines: list[str], others: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with the one in its place; empty where there is none."""
    return zip(lines, chain(others, repeat("")), strict=False)


def _cut(line: str, other: str) -> str:
    """A line that is too long from shortly before where it differs from `other`, which took its place."""
    if len(line) <= MOST_WIDTH:
        return line
    pairs = enumerate(zip(line, other, strict=False))
    differs = next((at for at, (one, two) in pairs if one != two), len(other))
    begin = max(min(differs - SHOWN_BEFORE, len(line) - MOST_WIDTH), 0)
    end = begin + MOST_WIDTH
    return f"{'… ' if begin else ''}{line[begin:end]}{' …' if end < len(line) else ''}"
