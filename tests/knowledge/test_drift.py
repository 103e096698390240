"""A crawl that finds nothing like its query, or loses it, is told so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from topicrawl.knowledge.drift import warnings
from topicrawl.knowledge.learner import NO_LINK, Learner
from topicrawl.knowledge.settings import Settings

QUERY = {"flood": 5, "river": 3, "levee": 2}
NEAR = {"flood": 4, "river": 3, "levee": 1, "dam": 1}
FAR = {"league": 4, "goalkeeper": 2}
PARTLY = {"flood": 1, "league": 4, "goalkeeper": 3, "stadium": 4, "referee": 3, "penalty": 4, "striker": 2}


def crawled(*rounds: dict[str, int], settings: Settings = Settings()) -> Learner:  # noqa: B008 - frozen
    learner, link = Learner([(NO_LINK, QUERY)], settings=settings), 0
    for counts in rounds:
        for _ in range(6):
            learner.take(link, {**counts, f"word{link}": 1}, np.empty(0, np.int64))
            link += 1
        learner.close()
    return learner


def test_a_crawl_that_finds_its_query_again_has_no_warning() -> None:
    assert warnings(crawled(NEAR, NEAR, NEAR)) == []


def test_an_empty_layer_0_is_named_unless_the_strategy_never_fills_it() -> None:
    (said,) = warnings(crawled(PARTLY, PARTLY))
    assert "join layer 0 (relevance above 0.5)" in said
    assert warnings(crawled(PARTLY, PARTLY, settings=Settings(relevance=1.0))) == []
    assert warnings(crawled(PARTLY)) == []  # one round says little


def test_a_similarity_that_collapses_is_named() -> None:
    (said,) = warnings(crawled(NEAR, NEAR, FAR))
    assert "fell from 0." in said
    assert "to 0.000 in round 3" in said


def test_the_last_round_is_compared_with_the_best_however_few_pages_that_has() -> None:
    learner = crawled(NEAR, NEAR, NEAR)
    figures = ((3, 0.129), (45, 0.051), (24, 0.016))  # of a real crawl; round 1 is its seeds
    for place, (items, similarity) in enumerate(figures, start=1):
        learner.rounds[place] = replace(learner.rounds[place], items=items, similarity=similarity)
    (said,) = warnings(learner)
    assert "fell from 0.129 in round 1 to 0.016 in round 3" in said
    learner.rounds[3] = replace(learner.rounds[3], items=4)
    assert warnings(learner) == []  # the last pages are too few: the round before them counts
