"""Snapshots of a learner between rounds, and what it learns."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest

from topicrawl.knowledge.item_similarity import ItemSimilarity
from topicrawl.knowledge.learner import NO_LINK, Learner
from topicrawl.knowledge.settings import Settings
from topicrawl.knowledge.snapshot import Snapshot
from topicrawl.knowledge.terms import Read
from topicrawl.knowledge.thresholds import Thresholds
from topicrawl.knowledge.training import trained

QUERY = {"flood": 5, "river": 3, "rain": 2}
SUBJECTS = (
    ["flood", "river", "rain", "dam", "water"],
    ["match", "goal", "team", "league"],
    ["bank", "loan", "rate"],
)


def text(rng: random.Random) -> dict[str, int]:
    subject = rng.choice(SUBJECTS)
    words = {term: rng.randrange(1, 5) for term in rng.sample(subject, 3)} | {f"word{rng.randrange(40)}": 1}
    return words | ({f"{subject[0]} {subject[1]}": 1} if rng.random() < 0.5 else {})


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
    "settings",
    [
        Settings(),
        Settings(maintenance=False),
        Settings(labels=False, layers=1),
        Settings(phrases=2, mentions=2, item_terms=2, thresholds=Thresholds(mentioned=True)),
    ],
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
    assert again.rounds == learner.rounds
    assert again.similarities().tolist() == learner.similarities().tolist()
    assert again.model == learner.model
    assert (again.labels() != learner.labels()).nnz == 0
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
    learner.take(0, {**QUERY, "dam": 1}, np.array([5]))
    learner.take(1, {"match": 4}, np.array([9]))
    learner.close()
    assert learner.item_of(9) == learner.item_of(0) == 1
    assert learner.layers[1].tolist() == [2]


def test_training_items_give_labels_and_are_no_items_of_the_crawl() -> None:
    rng = random.Random(1)
    taught = trained([Read(text(rng), {}) for _ in range(300)])
    learner = Learner([(NO_LINK, QUERY)], settings=Settings(), training=taught)
    assert learner.first == 300
    assert {learner.items.terms[label] for label in learner.model.labels} >= {"flood", "match", "bank"}
    assert learner.rounds[0].labels == len(learner.model.labels)
    assert len(learner.score) == 1


def test_the_page_of_the_query_is_no_item_and_its_links_are_those_of_the_query() -> None:
    learner = Learner([(NO_LINK, QUERY)], settings=Settings(relevance=0.6))
    learner.take(1, {"match": 4}, np.array([6, 3]))
    learner.known(3, 0)
    assert not learner.take(3, {"flood": 4, "river": 3}, np.array([5, 7]))  # at its URL, a little changed
    learner.close()
    assert (learner.rounds[-1].items, learner.rounds[-1].harvest) == (1, 0.0)
    assert [layer.tolist() for layer in learner.layers] == [[0], [1], []]
    assert learner.links.terms(0).tolist() == [5, 7]
    assert learner.links.terms(1).tolist() == [6, 3]
    assert learner.link_worths(8)[[5, 7]].tolist() == pytest.approx([1, 1])


def test_a_copy_of_the_query_and_a_redirect_to_it_are_no_items() -> None:
    learner = Learner([(NO_LINK, QUERY)], settings=Settings())
    assert not learner.take(2, dict(QUERY), np.array([5]))
    assert learner.item_of(2) == 0
    learner.known(7, 0)
    learner.same(7, 8)
    assert not learner.take(8, {"flood": 1, "river": 4}, np.array([6]))
    assert learner.take(9, {"flood": 1, "river": 4}, np.array([6]))
    assert learner.links.terms(0).tolist() == [5]


def test_similarity_to_the_query_depends_on_nothing_but_the_two_items() -> None:
    rng = random.Random(5)
    query = {f"word{n}": rng.randrange(1, 6) for n in range(60)}  # more terms than describe an item
    item = {f"word{n}": rng.randrange(1, 6) for n in range(20, 90)}
    alone, crowded = (Learner([(NO_LINK, query)], settings=Settings()) for _ in range(2))
    for link in range(60):  # a crowd that makes half of the query's terms common
        crowded.take(link, {f"word{n}": 1 for n in range(30)} | {f"other{link}": 1}, np.empty(0, np.int64))
    crowded.close()
    for learner in (alone, crowded):
        learner.take(99, item, np.empty(0, np.int64))
        learner.close()
    assert (
        crowded.similarities()[-1] == alone.similarities()[-1] == ItemSimilarity(query).of_terms(item) > 0.1
    )
    assert crowded.similarities()[0] == pytest.approx(1)
    described = [
        {learner.items.terms[term] for term in learner.items.rows.terms(len(learner.items) - 1)}
        for learner in (alone, crowded)
    ]
    assert described[0] != described[1]  # or the measure was not put to the test


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


@pytest.mark.parametrize(("proof", "counts"), [(0.5, False), (0.0, True)])
def test_a_label_counts_in_scores_only_when_its_items_are_similar_by_their_terms(
    proof: float, *, counts: bool
) -> None:
    query = {"flood": 5, "river": 3, "rain": 2, "match": 1}
    near, far = {"flood": 3, "river": 2}, {"match": 1, "goal": 9, "team": 9, "league": 9}
    settings = Settings(relevance=1.0, layers=1, proof=proof)  # layer 0 stays the query
    learner = Learner([(NO_LINK, query)], settings=settings)
    for link in range(60):
        learner.take(link, (near, far, {"bank": 2})[link % 3] | {f"own{link}": 1}, np.empty(0, np.int64))
    learner.close()
    names = {learner.items.terms[label] for label in learner.model.labels}
    assert {"flood", "match"} <= names
    assert learner.factors(1)["cos_label"] > 0.5
    assert (learner.factors(2)["cos_label"] > 0) is counts
    assert learner.factors(2)["cos_term"] < 0.25
