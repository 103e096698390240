"""Rules give labels only to items that mention them."""

from __future__ import annotations

import numpy as np

from topicrawl.knowledge.items import Items
from topicrawl.knowledge.learner import NO_LINK, Learner
from topicrawl.knowledge.settings import Settings
from topicrawl.knowledge.similar import similar_items
from topicrawl.knowledge.thresholds import Thresholds

NO_LINKS = np.empty(0, np.int64)


def test_an_item_mentions_terms_that_occur_often_but_do_not_describe_it() -> None:
    items = Items(most_terms=1, mentions=3)
    items.add([{"volcano": 9, "water": 3, "people": 2}])
    assert [items.terms[term] for term in items.rows.terms(0).tolist()] == ["volcano"]
    assert [items.terms[term] for term in items.mentioned.terms(0).tolist()] == ["water"]


def learned(mentions: int) -> Learner:
    """Sixty items of which a third is described by lava and volcano; then two by lava and many rarer words."""
    limits = Thresholds(mentioned=mentions > 0)
    settings = Settings(item_terms=3, mentions=mentions, thresholds=limits)
    learner = Learner([(NO_LINK, {"query": 1})], settings=settings)
    for link in range(60):
        subject = ({"lava": 5, "volcano": 5}, {"goal": 5}, {"bank": 5})[link % 3]
        learner.take(link, subject | {f"own{link}": 1}, NO_LINKS)
    for link, times in ((60, 4), (61, 3)):
        rare = {f"rare{link}": 99, f"odd{link}": 99}
        learner.take(link, {"lava": 30, "volcano": times} | rare, NO_LINKS)
    learner.close()
    return learner


def has_volcano(learner: Learner, item: int) -> bool:
    column = learner.model.labels.index(learner.items.number("volcano"))
    return bool(learner.labels()[learner.queries + item, column])


def test_a_rule_gives_a_label_to_the_item_that_says_it_often_enough() -> None:
    learner = learned(mentions=4)
    assert [has_volcano(learner, item) for item in (0, 1, 60, 61)] == [True, False, True, False]


def test_without_the_condition_the_rule_suffices() -> None:
    learner = learned(mentions=0)
    assert [has_volcano(learner, item) for item in (0, 1, 60, 61)] == [True, False, True, True]


def test_a_page_that_is_no_item_has_labels_by_the_same_conditions() -> None:
    rare = {"rarest": 99, "oddest": 99}
    often, seldom = (
        similar_items(learned(mentions=4), {"lava": 30, "volcano": times} | rare).labels[0, 1]
        for times in (4, 3)
    )
    assert often > seldom


def test_a_word_is_not_said_by_a_longer_phrase_that_has_it() -> None:
    items = Items(most_terms=1, phrases=1, mentions=3)
    items.add([{"railroad": 40, "pacific": 6, "coast": 6, "southern pacific": 4}])
    assert [items.terms[term] for term in items.mentioned.terms(0).tolist()] == ["coast"]


def test_a_long_item_must_say_a_term_more_often_to_mention_it() -> None:
    items = Items(most_terms=1, mentions=3)
    items.add([{"railroad": 900, "coast": 7, "sea": 5}])  # 912 words: once in 150 is more than six times
    assert [items.terms[term] for term in items.mentioned.terms(0).tolist()] == ["coast"]
