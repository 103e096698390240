"""The race against Scrapy on real pages: the recorded encyclopedia served whole on loopback, without dead links.

Without `<meta name="robots">` too: some pages forbid to follow their links, which topicrawl obeys and Scrapy does not,
and both have to fetch the same pages.
All defaults on, traps watched. `python -m bench.real_pages [ROUNDS]`; a published figure is the median of five rounds
on a machine that does nothing else.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from bench.against_scrapy import ROUNDS, Site, race
from bench.whole_web import ROOT, WEBS
from topicrawl.cli.demo import served
from topicrawl.page.decode import decode
from topicrawl.urls import hostname, join
from topicrawl.web.recorded import RecordedWeb

sys.path.insert(0, str(ROOT / "tests"))

WEB = WEBS / "wikispeedia.warc.gz"
SEED = "http://schools-wikipedia.test/wp/f/Flood.htm"
TOPIC = "rainstorm disaster: rainstorm, flood, storm, hurricane, rainfall, weather, climate"
_HREF = re.compile(r"""(<a\b[^>]*?)\shref=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_ROBOTS = re.compile(r"""<meta\b[^>]*\bname="robots"[^>]*>""", re.IGNORECASE)


def main(rounds: int = ROUNDS) -> None:
    """Make the web, serve it, run the race."""
    if not WEB.exists():
        print(f"skipped: there is no {WEB.name} in the folder $TOPICRAWL_WEBS")
        return
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.warc.gz"
        record_without_dead_links(whole)
        with served(str(whole)) as port:
            race(Site(SEED, port, hostname(SEED), TOPIC), rounds)


def record_without_dead_links(path: Path) -> None:
    """Write the pages of `WEB` to a WARC file; links that lead to none of them become plain anchors."""
    from web.warcs import Recorder

    web = RecordedWeb(WEB)
    known = {url for url, answer in web.answers.items() if answer.status == 200}
    with Recorder(path) as recorder:
        for url in sorted(known):
            text = _ROBOTS.sub("", decode(web.exchange(url).content, "text/html")[0])
            recorder.answer(url, without_dead_links(url, text, known).encode())


def without_dead_links(url: str, text: str, known: set[str]) -> str:
    """`text` without the href of anchors that lead to none of the `known` pages."""

    def kept(anchor: re.Match[str]) -> str:
        href = anchor[2] if anchor[2] is not None else anchor[3]
        return anchor[0] if join(url, href.replace("&amp;", "&")) in known else anchor[1]

    return _HREF.sub(kept, text)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
