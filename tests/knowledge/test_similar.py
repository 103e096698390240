"""Items similar to one text: what labels add to terms."""

from __future__ import annotations

import numpy as np

from topicrawl.knowledge.learner import NO_LINK, Learner
from topicrawl.knowledge.settings import Settings
from topicrawl.knowledge.similar import similar_items

NO_LINKS = np.empty(0, np.int64)


def test_of_two_items_with_one_label_the_one_that_says_it_more_often_is_more_similar() -> None:
    learner = Learner([(NO_LINK, {"flood": 1})], settings=Settings())
    about, touched = {"earthquake": 40, "plate": 2}, {"earthquake": 2, "plate": 40}
    for number in range(60):
        counts = (about, touched, {"bank": 2}, {"river": 2}, {"music": 2})[number % 5]
        learner.take(number, counts | {f"own{number}": 3}, NO_LINKS)
    learner.close()
    found = similar_items(learner, {"earthquake": 60, "plate": 3, "shock": 9})
    first, second, third = (float(found.labels[0, learner.queries + item]) for item in range(3))
    assert first > second + 0.2 > third == 0
    # Eq. (3): the mean of both where labels agree, else that of terms
    assert found.relevance[0, learner.queries] == (found.terms + found.labels)[0, learner.queries] / 2
    assert found.relevance[0, learner.queries + 2] == found.terms[0, learner.queries + 2]


def test_labels_of_fewer_than_fifty_items_do_not_count() -> None:
    learner = Learner([(NO_LINK, {"flood": 1})], settings=Settings())
    for number in range(20):
        learner.take(number, {("earthquake", "bank")[number % 2]: 4, f"own{number}": 3}, NO_LINKS)
    learner.close()
    assert learner.model.labels
    assert not similar_items(learner, {"earthquake": 9}).labels.any()
