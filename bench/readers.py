"""Compares native code with the full HTML5 parser: `python -m bench.readers [--every N] [--broken N] [--native FILE]`.

Reads every page of the recorded webs and of the collection of articles by both, then pages whose markup was broken.
Prints for each web how many pages native code left to Python, how many differ (there must be none) and the processor
time a page. `--native` loads another build of native code, such as one with sanitizers (`make sanitize`).
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.whole_web import ROOT, WEBS

sys.path.insert(0, str(ROOT / "tests"))

NAMES = ("wikispeedia", "webkb", "uci_ics", "archwiki", "zhdocs", "debdocs")
TESTSUITES = Path(os.environ.get("TOPICRAWL_TESTSUITES") or ROOT.parent / "shared" / "testsuites")


def main() -> None:
    """Compare; exit code 1 when a page differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.readers", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="read only each N-th page of a web")
    parser.add_argument("--broken", type=int, default=20_000, help="how many broken pages (default 20,000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the faults")
    parser.add_argument("--native", type=Path, help="another build of native code")
    given = parser.parse_args()
    if given.native:
        load(given.native)
    from page.recorded_pages import articles, recorded

    differing = 0
    for name in NAMES:
        if (archive := WEBS / f"{name}.warc.gz").exists():
            differing += compare(name, lambda archive=archive: recorded(archive, given.every))
    if (TESTSUITES / "article-extraction").is_dir():
        differing += compare("articles", lambda: articles(TESTSUITES, given.every))
    differing += compare("broken", lambda: broken_pages(given.broken, given.seed))
    sys.exit(differing > 0)


def load(file: Path) -> None:
    """Use `file` as native code."""
    spec = importlib.util.spec_from_file_location("topicrawl._native", file)
    if spec is None or spec.loader is None:
        sys.exit(f"{file} is no extension module")
    sys.modules["topicrawl._native"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


def broken_pages(count: int, seed: int) -> Iterator[tuple[str, str, bool]]:
    """`count` broken pages, equally many of each web."""
    from page.broken_markup import broken
    from page.recorded_pages import recorded

    rng = random.Random(seed)
    archives = [archive for name in NAMES if (archive := WEBS / f"{name}.warc.gz").exists()]
    for archive in archives:
        pages = list(recorded(archive, 20))
        for _ in range(count // len(archives)):
            url, text, xml = rng.choice(pages)
            yield url, broken(text, rng), xml


def compare(name: str, pages: Callable[[], Iterator[tuple[str, str, bool]]]) -> int:
    """Print a row; how many pages differ."""
    from topicrawl.page.html import native_columns, read_html
    from topicrawl.page.html_turbohtml import parse

    count = left = differing = 0
    seconds = [0.0, 0.0]
    for url, text, xml in pages():
        began = time.process_time()
        page = read_html(url, text, xml=xml)
        between = time.process_time()
        twin = read_html(url, text, xml=xml, parser=parse)
        seconds[0] += between - began
        seconds[1] += time.process_time() - between
        count += 1
        left += native_columns(url, text) is None
        if page != twin:
            differing += 1
            print(f"differs: {url}")
    ours, full = (1e3 * each / max(1, count) for each in seconds)
    print(
        f"{name:12} {count:7,} pages, {left:4,} left to Python ({left / max(1, count):.2%}), {differing} differ; "
        f"{ours:.2f} ms a page, {full:.2f} by the full parser",
        flush=True,
    )
    return differing


if __name__ == "__main__":
    main()
