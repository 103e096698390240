"""Which pages are worth asking a person about."""

from __future__ import annotations

import math

import numpy as np
import pytest

from topicrawl.frontier import VISITED, Frontier
from topicrawl.model import Page
from topicrawl.value.questions import doubt, hanging, similarities, worth_asking

WORDS = [f"w{chr(97 + number // 26)}{chr(97 + number % 26)}x" for number in range(400)]


class Web:
    """Visited pages with links that wait."""

    def __init__(self) -> None:
        self.frontier = Frontier()
        self.links: list[int] = []
        self.probabilities: list[float] = []
        self.pages: list[Page] = []

    def page(self, url: str, probability: float, waiting: int, text: str | None = None) -> None:
        """A visited page with this many links that wait; by default its words are its own."""
        number = len(self.pages)
        link = int(self.frontier.add([url], depth=0, parent=-1)[0])
        self.frontier.settle(link, VISITED)
        targets = self.frontier.add([f"{url}/{each}" for each in range(waiting)], depth=1, parent=link)
        self.shows(link, targets)
        self.links.append(link)
        self.probabilities.append(probability)
        own = " ".join(WORDS[20 * number : 20 * number + 20])
        self.pages.append(Page(url, text=own if text is None else text))

    def shows(self, link: int, targets: np.ndarray) -> None:
        self.frontier.contained(targets, 0.5)
        self.frontier.graph.add(link, targets, out_degree=len(targets))

    def asked(self, count: int, threshold: float = 0.5) -> list[str]:
        places = worth_asking(
            self.frontier,
            np.array(self.links, dtype=np.int64),
            np.array(self.probabilities),
            self.pages.__getitem__,
            count,
            threshold=threshold,
        )
        return [self.pages[place].url for place in places]


def test_doubt_is_the_entropy_of_a_probability_and_largest_at_the_threshold() -> None:
    bits = doubt(np.array([0.0, 0.11, 0.5, 0.89, 1.0]))
    expected = -(0.11 * math.log2(0.11) + 0.89 * math.log2(0.89))
    assert bits.tolist() == pytest.approx([0, expected, 1, expected, 0], abs=1e-6)
    assert doubt(np.array([0.31, 0.62, 0.81]), 0.62).tolist() == pytest.approx([0.811278, 1, 0.811278])


def test_pages_in_doubt_come_before_sure_ones_with_as_many_waiting_links() -> None:
    web = Web()
    for number, probability in enumerate((0.95, 0.45, 0.02, 0.7)):
        web.page(f"http://h{number}.test/", probability, 5)
    assert web.asked(3) == ["http://h1.test/", "http://h3.test/", "http://h0.test/"]


def test_a_page_in_doubt_comes_before_a_hub_that_is_rather_not_relevant() -> None:
    web = Web()
    for number, (probability, waiting) in enumerate(((0.21, 400), (0.46, 0), (0.49, 2), (0.51, 9))):
        web.page(f"http://h{number}.test/", probability, waiting)
    assert web.asked(4) == [f"http://h{number}.test/" for number in (3, 2, 1, 0)]


def test_of_pages_in_equal_doubt_the_one_with_more_waiting_links_comes_first() -> None:
    web = Web()
    for number, waiting in enumerate((2, 30, 0, 9)):
        web.page(f"http://h{number}.test/", 0.5, waiting)
    assert web.asked(4) == [f"http://h{number}.test/" for number in (1, 3, 0, 2)]


def test_a_link_that_many_pages_contain_hangs_on_each_of_them_in_part() -> None:
    web = Web()
    web.page("http://a.test/", 0.5, 4)
    web.page("http://b.test/", 0.5, 1)
    shared = np.arange(1, 5)
    web.shows(web.links[1], shared)
    found = hanging(web.frontier)
    assert found.links[web.links].tolist() == [4, 1 + 4]
    assert found.shares[web.links].tolist() == [2.0, 1 + 2.0]
    web.frontier.settle(1, VISITED)
    assert hanging(web.frontier).links[web.links].tolist() == [3, 1 + 3]


def test_more_than_two_pages_of_a_host_are_asked_only_after_those_of_all_others() -> None:
    web = Web()
    for number in range(4):
        web.page(f"http://large.test/{number}", 0.5, 50 - number)
    web.page("http://small.test/", 0.1, 3)
    large = [f"http://large.test/{number}" for number in range(4)]
    assert web.asked(9) == [*large[:2], "http://small.test/", *large[2:]]


def test_of_pages_that_look_alike_one_is_asked() -> None:
    web = Web()
    text = " ".join(WORDS[200:240])
    web.page("http://a.test/", 0.5, 9, text)
    web.page("http://b.test/", 0.5, 8, text + " and a few more")
    web.page("http://c.test/", 0.5, 7)
    assert web.asked(3) == ["http://a.test/", "http://c.test/"]


def test_words_that_all_pages_have_do_not_make_them_alike() -> None:
    frame = " ".join(WORDS[:30])
    pages = [Page("", text=f"{frame} {' '.join(WORDS[60 + 30 * n : 90 + 30 * n])}") for n in range(8)]
    found = similarities(pages)
    assert found[0, 1] < 0.2
    assert found[0, 0] == pytest.approx(1)


def test_no_page_is_asked_about_twice_and_pages_without_text_never() -> None:
    web = Web()
    web.page("http://a.test/", 0.5, 9, "")
    web.page("http://b.test/", 0.5, 8)
    assert web.asked(5) == ["http://b.test/"]
    assert Web().asked(5) == []
