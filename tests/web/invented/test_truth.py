from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from topicrawl.errors import WebError
from topicrawl.page.read import read
from topicrawl.page.relevance import PageRelevance
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.read import read_topic
from topicrawl.web.invented import InventedWeb, invented_web

from .conftest import Graph

THRESHOLD = 0.5
"""Below the default: a topic of 71 concepts is spread so wide that few pages come near all of it."""


@pytest.mark.parametrize("topic", invented_web("invented:7").topics())
def test_seeds_are_readable_pages_about_the_topic_on_different_hosts(web: InventedWeb, topic: str) -> None:
    seeds = web.seeds(topic, 5)
    assert len({urlsplit(seed).hostname for seed in seeds}) == 5
    assert all(web.relevant(seed, topic) and web.exchange(seed).status == 200 for seed in seeds)
    assert seeds == web.seeds(topic, 5)


def test_there_are_as_many_seeds_as_asked_for_until_the_pages_run_out(web: InventedWeb) -> None:
    assert len(set(web.seeds("tourism", 60))) == 60
    seeds = web.seeds("旅游", 10_000)
    assert len(set(seeds)) == len(seeds) > 100
    assert all(web.relevant(seed, "旅游") for seed in seeds)


def test_shares_name_the_topics_of_a_page(graph: Graph) -> None:
    subjects = graph.web.atlas.words.topic
    for spot, traits in list(graph.traits.items())[::50]:
        shares = graph.web.truth(graph.web.atlas.url(spot))
        if traits.fault in ("failing", "cut"):
            assert shares == {}
            continue
        topics = [subjects[number] for number in (traits.topic, traits.second) if number >= 0]
        assert set(shares) == {subject.name for subject in topics if not subject.filler}
        assert 0 <= sum(shares.values()) <= 1


def test_a_url_without_a_page_has_no_topic_and_no_links(web: InventedWeb) -> None:
    assert web.truth("http://example.org/") == {}
    assert not web.relevant("http://example.org/", "tourism")
    assert web.links("http://example.org/") == []


def test_a_page_about_an_ontology_counts_in_whichever_language_it_is(web: InventedWeb) -> None:
    (chinese,) = web.seeds("暴雨灾害", 1)
    assert web.relevant(chinese, "rainstorm disaster")
    assert web.share(chinese, "rainstorm disaster") >= 0.5
    assert web.relevant(web.seeds("tourism", 1)[0], "旅游")
    assert not web.relevant(chinese, "tourism")


def test_an_unknown_topic_is_refused(web: InventedWeb) -> None:
    for ask in (web.topic_spec, lambda topic: web.seeds(topic, 3), lambda topic: web.relevant("", topic)):
        with pytest.raises(WebError, match="no topic 'chess'; it has rainstorm disaster"):
            ask("chess")


@pytest.mark.parametrize("name", ["rainstorm disaster", "medicine", "暴雨灾害"])
def test_measured_relevance_tells_pages_about_the_topic_from_others(graph: Graph, name: str) -> None:
    web, topic = graph.web, read_topic(graph.web.topic_spec(name))
    matcher, relevance = Matcher(topic.terms), PageRelevance(topic)
    right = missed = false = 0
    for spot in list(graph.traits)[::5]:
        answer = web.exchange(web.atlas.url(spot))
        page = read(answer.url, answer.content, answer.header("content-type"))
        assert page is not None
        measured, true = relevance(matcher.count(page)) > THRESHOLD, web.relevant(answer.url, name)
        right += measured and true
        missed += true and not measured
        false += measured and not true
    assert right > 20 * missed
    assert right > 3 * false
