"""Sites whose furniture names the topic: what they are, and that their pages are judged by what they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bench.made_site import HOST, KINDS, NAMED, TOPIC, MadeSite

import topicrawl


def test_every_third_page_of_300_is_about_floods_and_all_have_the_furniture() -> None:
    site = MadeSite(furniture={"menu": True, "footer": False})
    pages = {site.url(number): site.html(number) for number in range(site.pages)}
    assert sum(map(site.is_relevant, pages)) == 100
    for url, html in pages.items():
        assert all(name in html for name in NAMED)
        assert f"{HOST}/" in url
        text = re.sub(r"<(nav|footer|ul).*?</\1>", "", html)
        assert ("flood" in text.lower() or "river" in text.lower()) == site.is_relevant(url)
        assert {int(link) for link in re.findall(r"href=/(\d+)", html)} <= set(range(300))


@pytest.mark.parametrize("kind", KINDS)
def test_pages_are_judged_by_what_they_say_whatever_their_furniture_names(tmp_path: Path, kind: str) -> None:
    site = MadeSite(100, furniture={kind: True})
    web, out = site.write(tmp_path / "made.warc.gz"), tmp_path / "run"
    visits = topicrawl.crawl_sync(topic=TOPIC, seeds=[site.url(0)], web=web, pages=80, concurrency=1, out=out)
    pages = {visit.n: site.is_relevant(visit.url) for visit in visits if visit.fetched}
    with topicrawl.Run(out) as run:
        now, summary = run.relevance_now(), run.summary or {}
    called = [pages[n] for n, relevance in now.items() if relevance > 0.5]
    claimed = summary["expected_precision"]
    assert claimed is None or sum(called) >= (claimed - 0.1) * len(called)
    relevant = sum(pages.values())
    assert sum(called) >= 0.9 * relevant
    assert len(called) <= 1.1 * relevant
