"""Main text measured side by side: `python -m bench.main_text` prints the tables of docs/evidence/main-text.md.

Agreement with marks by shingles of four tokens, and processor time a page. Other programs are measured where they
are installed (`pip install '.[bench]'`). Then pages that are very large or very deep: time, and memory of the process.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.whole_web import ROOT, WEBS

sys.path.insert(0, str(ROOT / "tests"))

TESTSUITES = Path(os.environ.get("TOPICRAWL_TESTSUITES") or ROOT.parent / "shared" / "testsuites")
URL = "http://example.org/page"
Extract = Callable[[str], str]


def main() -> None:
    """Print all tables."""
    from page.marked_pages import KINDS, Marked, articles, marked_pages

    extractors = dict(programs())
    collections: dict[str, list[Marked]] = {}
    if (TESTSUITES / "article-extraction").is_dir():
        pages = articles(TESTSUITES)
        collections |= {"article": pages, "article, half A": pages[::2], "article, half B": pages[1::2]}
    if WEBS.is_dir():
        collections |= {kind: marked_pages(kind, WEBS) for kind in KINDS}
    print("| kind | pages | program | precision | recall | F1 | least recall | ms a page |")
    print("|---|--:|---|--:|--:|--:|--:|--:|")
    for kind, marked in collections.items():
        for name, extract in extractors.items():
            print(f"| {kind} | {len(marked)} | {name} | {_measured(marked, extract)} |", flush=True)
    print("\n| page | MB | seconds | characters of text | memory, MB |\n|---|--:|--:|--:|--:|")
    for name, html in _large_pages():
        print(f"| {name} | {len(html) / 1e6:.1f} | {_spent(html)} |", flush=True)


def programs() -> Iterator[tuple[str, Extract]]:
    """What is compared, under its name."""
    from topicrawl.page.html import read_html
    from topicrawl.page.main.extract import main_text

    yield "topicrawl", lambda html: main_text(URL, html).text
    yield "all text", lambda html: read_html(URL, html).text
    try:
        import trafilatura
    except ImportError:
        print("trafilatura is not installed: pip install '.[bench]'", file=sys.stderr)
    else:
        yield "trafilatura", lambda html: trafilatura.extract(html, include_comments=False) or ""
        yield (
            "trafilatura, recall",
            lambda html: trafilatura.extract(html, include_comments=True, favor_recall=True) or "",
        )
    try:
        from resiliparse.extract.html2text import extract_plain_text
    except ImportError:
        print("resiliparse is not installed: pip install '.[bench]'", file=sys.stderr)
    else:
        yield "resiliparse", lambda html: extract_plain_text(html, main_content=True)


def _measured(marked: list, extract: Extract) -> str:  # type: ignore[type-arg]
    from page.marked_pages import agreement, mean

    extract(marked[0].html)  # what is loaded with the first page
    began = time.process_time()
    texts = [extract(page.html) for page in marked]
    spent = (time.process_time() - began) / len(marked)
    found = [agreement(text, page.main) for text, page in zip(texts, marked, strict=True)]
    precision, recall, f1 = mean(found)
    least = min(each.recall for each in found)
    return f"{precision:.3f} | {recall:.3f} | {f1:.3f} | {least:.2f} | {spent * 1e3:.1f}"


def _large_pages() -> Iterator[tuple[str, str]]:
    sentence = "The river rose for three days before it reached the lower gardens of the town. "
    yield "10 MB of paragraphs", f"<p>{sentence * 3}" * (10_000_000 // (3 + 3 * len(sentence)))
    yield "one paragraph of 10 MB", "<p>" + sentence * (10_000_000 // len(sentence))
    yield "a table of 100,000 rows", "<table>" + "<tr><td>Ghent<td>12 mm<td>a rainy day" * 100_000
    yield "100,000 nested elements", "<div>" * 100_000 + sentence
    yield "100,000 nested links and lists", "<ul><li><b><a href=/x>" * 25_000 + sentence
    yield "100,000 articles", f"<article>{sentence}</article>" * 100_000
    yield (
        "linked data nested 100,000 deep",
        '<script type="application/ld+json">' + "[" * 100_000 + "</script>" + sentence,
    )


def _spent(html: str) -> str:
    """Seconds for text and Markdown, in a process of its own, whose memory is told too."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        from topicrawl.page.main.extract import main_text

        began = time.process_time()
        found = main_text(URL, html)
        length, _ = len(found.text), found.markdown
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        spent = time.process_time() - began
        os.write(writing, f"{spent:.2f} | {length:,} | {memory:,.0f}".encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as answer:
        return answer.read() or "failed |  | "


if __name__ == "__main__":
    main()
