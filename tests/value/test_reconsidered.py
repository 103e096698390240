"""The last judgement of a crawl's pages: by themselves, and by the pages near them."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from topicrawl.model import Links, Page, Topic
from topicrawl.value import rocchio
from topicrawl.value.judges import Seen
from topicrawl.value.judges.examples import ByExamples
from topicrawl.value.judges.reconsidered import (
    BESIDE,
    SOURCES,
    VISITS,
    WINDOW,
    evidence,
    linked_beside,
    reconsidered,
    visited_about_then,
)

STORM = "storm rain flood wind damage river warning rainfall"
OTHER = "train station locomotive rail track carriage engine"
NEITHER = "letter paper ink pencil"


def page(words: str, number: int, links: tuple[int, ...] = ()) -> Page:
    rng = np.random.default_rng(number)
    text = " ".join(rng.choice(words.split(), 12).tolist())
    urls = [f"http://a.test/{link}" for link in links]
    return Page(f"http://a.test/{number}", title=text.split(maxsplit=1)[0], text=text, links=Links(urls))


TOPIC = Topic("storms", ("storm",), (1.0,), examples=tuple(page(STORM, n) for n in range(100, 105)))


def concluded(pages: list[Page]) -> tuple[ByExamples, dict[str, int], list[Seen]]:
    judge, seen = ByExamples(TOPIC), [Seen(each) for each in pages]
    for each in seen:
        judge.learn(each, None)
    return judge, {each.url: place for place, each in enumerate(pages)}, seen


def crawl() -> list[Page]:
    """Storms and trains in turn; then lists of storms and of trains; pages 24 and 25 say nothing."""
    pages = [page((STORM, OTHER)[number % 2], number) for number in range(24)]
    pages += [page(NEITHER, 24), page(NEITHER, 25)]
    storms, trains = tuple(range(0, 24, 2)), tuple(range(1, 24, 2))
    return [*pages, page(NEITHER, 26, (*storms, 24)), page(NEITHER, 27, (*trains, 25))]


def test_a_page_that_says_nothing_is_judged_by_what_is_linked_beside_it() -> None:
    pages = crawl()
    found = evidence(*concluded(pages))
    assert found.beside[24] > 0.05
    assert found.beside[25] < -0.05
    said = reconsidered(*concluded(pages))
    bare = [msgspec.structs.replace(each, links=Links()) for each in pages]
    without = reconsidered(*concluded(bare))
    assert said[24] > without[24]
    assert said[25] < without[25]
    assert said[:24:2].min() > 0.5 > said[1:24:2].max()


def test_pages_linked_beside_a_page_are_averaged_for_each_page_that_links_to_it() -> None:
    """Page 0 links to 1, 2 and 3, page 1 to 2 and 3; the mean relevance is 0.5."""
    sources, targets = np.array([0, 0, 0, 1, 1]), np.array([1, 2, 3, 2, 3])
    found = linked_beside(np.array([0.5, 1.0, 0.0, 0.5]), sources, targets)
    first = (0.5 + 0.0) / (2 + BESIDE)  # beside 2: the pages 1 and 3 on page 0
    second = 0.0 / (1 + BESIDE)  # and 3 on page 1
    assert found[2] == pytest.approx((first + second) / (2 + SOURCES))
    assert found[0] == 0  # nothing links there
    assert linked_beside(np.zeros(0), np.zeros(0, int), np.zeros(0, int)).tolist() == []


def test_pages_visited_shortly_before_and_after_a_page_are_averaged_without_it() -> None:
    relevance = np.random.default_rng(3).random(3 * WINDOW)
    expected = []
    for place in range(len(relevance)):
        near = [relevance[n] for n in range(len(relevance)) if n != place and abs(n - place) <= WINDOW]
        expected.append(sum(value - relevance.mean() for value in near) / (len(near) + VISITS))
    assert visited_about_then(relevance) == pytest.approx(expected)
    assert visited_about_then(np.zeros(0)).tolist() == []


def test_pages_that_are_no_longer_in_memory_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rocchio, "MEMORY", 10)
    pages = crawl()
    judge, places, seen = concluded(pages)
    said = reconsidered(judge, places, seen)
    assert len(said) == len(pages)
    assert said[:24:2].min() > said[1:24:2].max()
    assert reconsidered(judge, places, seen).tolist() == said.tolist()
    assert judge.model.seen == len(pages)


def test_a_crawl_without_pages_has_no_judgement() -> None:
    assert reconsidered(ByExamples(TOPIC), {}, []).tolist() == []
