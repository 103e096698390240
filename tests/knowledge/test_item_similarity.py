"""A page is most similar to itself, and words of all texts do not count."""

from __future__ import annotations

import pytest

from topicrawl.knowledge.item_similarity import ItemSimilarity
from topicrawl.knowledge.terms import page_terms
from topicrawl.model import Page


def page(text: str) -> Page:
    return Page("http://x.test/", language="en", text=text)


def test_similarity_is_the_cosine_of_the_terms_of_highest_tf_idf() -> None:
    like = ItemSimilarity(page_terms(page("The flood broke the levee and the dam.")))
    assert like(page("A levee, a dam, floods: they broke.")) == pytest.approx(1)
    assert like(page("The bank gave the loan and the people took it.")) == 0
    assert 0.2 < like(page("The dam belongs to a bank that lends money for mortgages.")) < 0.8
    assert like(page("")) == 0
