"""The links of a favoured site: those of highest priority that wait and may be pages."""

from __future__ import annotations

import re

import numpy as np

from topicrawl.dashboard.opened import Opened
from topicrawl.frontier import PEEKED
from topicrawl.page.documents import PDF

NO_PAGES = frozenset(
    (  # noqa: SIM905 - shorter to read
        "avi bmp bz2 class css deb dmg doc docx dvi eps exe gif gz ico iso jar jpe jpeg jpg js json m4a mov mp3 mp4 "
        "mpeg mpg odp ods odt ogg pdf png ppt pptx ps rpm svg swf tar tgz tif tiff ttf wav webm webp wmv woff woff2 "
        "xls xlsx xpm xz z zip"
    ).split()
)
"""Endings of file names that no page has."""


def best_waiting(run: Opened, host: str, pattern: str, most: int) -> list[str]:
    """The waiting links of a host whose URLs match, at most so many, those of highest priority first."""
    wanted, readable = re.compile(pattern), {PDF} & {*run.config().documents}
    with run.present.crawl(seconds=run.present.PATIENCE) as (crawl, _):
        frontier = crawl.frontier
        number = frontier.hosts.number(host)
        if number is None:
            return []
        links = frontier.hosts.links(number)
        columns = frontier.columns  # also of a host that has enough links in flight at this moment
        waiting = links[(columns["state"][links] <= PEEKED) & (columns["priority"][links] > -np.inf)]
        order = waiting[np.argsort(-columns["priority"][waiting], kind="stable")].tolist()
        urls = (frontier.urls[link] for link in order)
        fitting = (url for url in urls if wanted.search(url) and ending_of(url) not in NO_PAGES - readable)
        return [url for _, url in zip(range(most), fitting, strict=False)]


def ending_of(url: str) -> str:
    """The ending of the file name in a URL, in small letters; empty where it has none.

    >>> ending_of("http://a.test/Paper.PS?x=1"), ending_of("http://a.test/"), ending_of("http://a.test")
    ('ps', '', '')
    """
    name = url.partition("://")[2].partition("?")[0].partition("#")[0].partition("/")[2].rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
