"""What the words of links teach."""

from __future__ import annotations

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.value.link_documents import ANCHOR, LinkDocuments
from topicrawl.value.link_words import TOO_FEW, LinkWords

GOOD, BAD, INDEX, NAME = 1, 2, 3, 4
PAGES = 30


def taught(pages: int = PAGES) -> tuple[LinkWords, LinkDocuments]:
    """A third of the links says GOOD, a third BAD, a third INDEX; what they led to was as they say."""
    documents, links = LinkDocuments(), np.arange(pages)
    documents.add(links, links % 3 + 1, np.full(pages, ANCHOR))
    lessons = LinkWords([tokens(NAME)])
    relevances, promises = np.where(links % 3 == 0, 0.9, 0.1), np.where(links % 3 == 2, 8.0, 0.0)
    lessons.fit(pages, documents.rows(links, 6, lessons.names), relevances, promises)
    return lessons, documents


def tokens(*numbers: int) -> Ids:
    return np.array(numbers, dtype=np.int64)


def test_words_that_led_to_relevant_pages_promise_more() -> None:
    lessons, documents = taught()
    _, relevance, _ = lessons.predict(documents, tokens(0, 1, 2), np.zeros(1))
    assert relevance[0] > 0.3
    assert relevance[1] < -0.1


def test_words_that_led_to_pages_with_good_links_promise_a_yield() -> None:
    lessons, documents = taught()
    _, _, yields = lessons.predict(documents, tokens(0, 2), np.zeros(1))
    assert yields[1] > yields[0] + 0.3


def test_what_examples_are_called_is_good_from_the_start() -> None:
    lessons, _ = taught(3)
    assert lessons.relevance[NAME] > 0.3


def test_few_pages_say_nothing_about_yields() -> None:
    lessons, _ = taught(TOO_FEW)
    assert not lessons.yields.any()


def test_a_lesson_from_the_latest_pages_counts_all_that_were_told() -> None:
    lessons, documents = taught()
    lessons.fit(1000, documents.rows(np.arange(10), 6, lessons.names), np.full(10, 0.5), np.zeros(10))
    assert not lessons.due(1000 + 15)
    assert lessons.due(1000 + 60)


def test_lessons_are_due_at_once_and_then_ever_less_often() -> None:
    lessons, _ = taught()
    assert LinkWords([]).due(1)
    assert not lessons.due(PAGES + 5)
    assert lessons.due(PAGES + 15)
