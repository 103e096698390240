"""Snapshots of a learner between rounds, and what it learns."""

from __future__ import annotations

import random
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from topicrawl.knowledge.learner import NO_LINK, Learner, Settings
from topicrawl.knowledge.snapshot import Snapshot
from topicrawl.knowledge.training import trained

QUERY = {"flood": 5, "river": 3, "rain": 2}
SUBJECTS = (
    ["flood", "river", "rain", "dam", "water"],
    ["match", "goal", "team", "league"],
    ["bank", "loan", "rate"],
)


def text(rng: random.Random) -> dict[str, int]:
    subject = rng.choice(SUBJECTS)
    return {term: rng.randrange(1, 5) for term in rng.sample(subject, 3)} | {f"word{rng.randrange(40)}": 1}


def portions(count: int = 4, size: int = 25) -> list[list[tuple[int, dict[str, int], np.ndarray]]]:
    rng = random.Random(3)
    links = iter(range(count * size))
    return [
        [(next(links), text(rng), np.array(sorted(rng.sample(range(150), 6)))) for _ in range(size)]
        for _ in range(count)
    ]


def tell(learner: Learner, portion: list[tuple[int, dict[str, int], np.ndarray]]) -> None:
    for link, counts, links in portion:
        learner.take(link, counts, links)


@pytest.mark.parametrize(
    "settings", [Settings(), Settings(maintenance=False), Settings(labels=False, layers=1)]
)
def test_a_learner_restored_from_a_snapshot_continues_as_the_original(settings: Settings) -> None:
    learner = Learner([(NO_LINK, QUERY)], [{"flood": 1, "dam": 2}], settings=settings)
    first, second, third, fourth = portions()
    tell(learner, first)
    learner.close()
    tell(learner, second)  # a round in progress
    packed = msgspec.msgpack.encode(learner.snapshot())
    again = Learner.restored(msgspec.msgpack.decode(packed, type=Snapshot), settings)
    for each in (learner, again):
        tell(each, third)
        each.close()
        tell(each, fourth)
        each.close()
    assert [replace(each, similarity=0, harvest=0) for each in again.rounds] == [
        replace(each, similarity=0, harvest=0) for each in learner.rounds
    ]
    assert again.model == learner.model
    assert again.score == pytest.approx(learner.score)
    assert again.link_worths(150).tolist() == pytest.approx(learner.link_worths(150).tolist())


@pytest.mark.parametrize("layers", [1, 3])
def test_items_similar_to_the_query_join_layer_0_and_items_that_link_to_them_layer_1(layers: int) -> None:
    learner = Learner([(NO_LINK, QUERY)], settings=Settings(relevance=0.6, layers=layers))
    learner.take(0, {"flood": 4, "river": 3, "rain": 1, "dam": 1}, np.array([5]))
    learner.take(1, {"match": 4, "goal": 2}, np.array([6, 0]))
    learner.take(2, {"league": 3}, np.array([1, 7]))
    learner.close()
    assert [layer.tolist() for layer in learner.layers] == [[0, 1], [2], [3]][:layers]
    assert learner.rounds[-1].layers == (2, 1, 1)[:layers]
    worths = learner.link_worths(8)
    assert worths[5] > 0.9
    assert worths[2] == -np.inf
    assert worths[7] == pytest.approx(1 if layers == 3 else 0)  # similar to itself, the only one in layer 2


def test_a_redirected_link_leads_to_the_item_behind_it() -> None:
    learner = Learner([(NO_LINK, QUERY)], settings=Settings(relevance=0.6))
    learner.same(9, 0)
    learner.take(0, dict(QUERY), np.array([5]))
    learner.take(1, {"match": 4}, np.array([9]))
    learner.close()
    assert learner.item_of(9) == learner.item_of(0) == 1
    assert learner.layers[1].tolist() == [2]


def test_training_items_give_labels_and_are_no_items_of_the_crawl() -> None:
    rng = random.Random(1)
    taught = trained([text(rng) for _ in range(300)])
    learner = Learner([(NO_LINK, QUERY)], settings=Settings(), training=taught)
    assert learner.first == 300
    assert {learner.items.terms[label] for label in learner.model.labels} >= {"flood", "match", "bank"}
    assert learner.rounds[0].labels == len(learner.model.labels)
    assert len(learner.score) == 1


def test_similarity_to_the_query_does_not_depend_on_other_items() -> None:
    item = {"flood": 2, "river": 1, "goal": 1}
    crowded, alone = (Learner([(NO_LINK, QUERY)], settings=Settings()) for _ in range(2))
    for learner, others in ((crowded, [QUERY] * 60), (alone, [])):
        for link, counts in enumerate([item, *others]):
            learner.take(link, counts, np.empty(0, np.int64))
        learner.close()
    assert crowded.similarities()[1] == pytest.approx(alone.similarities()[1])
    assert crowded.items.vectors()[1].toarray().max() != pytest.approx(
        alone.items.vectors()[1].toarray().max()
    )


def test_with_many_ordinary_texts_the_subject_of_a_crawl_does_not_become_common() -> None:
    query = {"mortgage": 4, "supernova": 3}
    weights = {}
    for ordinary in (100, 10_000):
        learner = Learner([(NO_LINK, query)], settings=Settings(ordinary=ordinary))
        for link in range(200):
            learner.take(link, {"mortgage": 3, f"word{link}": 1}, np.empty(0, np.int64))
        learner.close()
        row = learner.items.vectors()[0]
        weights[ordinary] = (
            row[0, learner.items.number("mortgage")] / row[0, learner.items.number("supernova")]
        )
    assert weights[100] < 0.3 < weights[10_000]
