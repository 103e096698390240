"""The regression over the words of links."""

from __future__ import annotations

import numpy as np

from topicrawl.frontier import Ids
from topicrawl.frontier.columns import Columns
from topicrawl.scout.link_documents import ANCHOR, LinkDocuments, Name
from topicrawl.scout.link_words import LinkWords

GOOD, BAD, INDEX, NAME = 1, 2, 3, 4
PAGES = 30


def fitted(pages: int = PAGES) -> tuple[LinkWords, LinkDocuments]:
    """A third of the links has the token GOOD, a third BAD, a third INDEX; their pages agree with the tokens."""
    documents, links = LinkDocuments(), np.arange(pages)
    documents.add(links, links % 3 + 1, np.full(pages, ANCHOR))
    model = LinkWords([Name(tokens(NAME), tokens(ANCHOR))])
    model.fit(pages, documents.rows(links, 6, model.names), np.where(links % 3 == 0, 0.9, 0.1))
    return model, documents


def tokens(*numbers: int) -> Ids:
    return np.array(numbers, dtype=np.int64)


def features() -> Columns:
    made = Columns(text=(np.float32, 0.0), company=(np.float32, 0.0))
    made.grow(30)
    return made


def test_words_that_led_to_relevant_pages_predict_more_relevance() -> None:
    model, documents = fitted()
    model.predict(documents, tokens(0, 1, 2), np.zeros(1), np.zeros(1), features())
    assert documents.predicted[0] > 0.3
    assert documents.predicted[1] < -0.1


def test_links_are_weighed_again_once_their_document_or_the_weights_have_changed() -> None:
    model, documents = fitted()
    weights, other, found = np.arange(30.0), np.arange(30.0) + 1, features()
    model.predict(documents, tokens(0, 1), weights, weights, found)
    before = found["text"].tolist()
    found["text"][:] = -1.0
    documents.add(tokens(1), tokens(9), tokens(4))
    model.predict(documents, tokens(0, 1), weights, weights, found)
    assert found["text"][0] == -1.0 != before[1] != found["text"][1] != -1.0
    model.predict(documents, tokens(0, 1), other, weights, found)
    assert found["text"][0] > before[0]


def test_titles_of_examples_have_positive_weights_from_the_start() -> None:
    model, _ = fitted(3)
    assert model.relevance[NAME] > 0.3


def test_the_next_fit_is_due_by_the_number_of_all_visited_pages() -> None:
    model, documents = fitted()
    model.fit(1000, documents.rows(np.arange(10), 6, model.names), np.full(10, 0.5))
    assert not model.due(1000 + 15)
    assert model.due(1000 + 60)


def test_a_fit_is_due_at_once_and_then_at_growing_intervals() -> None:
    model, _ = fitted()
    assert LinkWords([]).due(1)
    assert not model.due(PAGES + 5)
    assert model.due(PAGES + 15)
