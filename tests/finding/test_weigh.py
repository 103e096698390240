"""What results are worth, and how seeds are spread over hosts."""

from __future__ import annotations

from topicrawl.finding.answers import Result
from topicrawl.finding.weigh import Candidates, spread
from topicrawl.topic.read import read_topic

TOPIC = read_topic("storms: rainstorm 1, flood 0.9, warning 0.5")


def test_the_judge_weighs_title_and_snippet() -> None:
    found = Candidates()
    found.add(
        [
            Result("http://a.test/", "Cake recipes", "Bake a cake."),
            Result("http://b.test/", "Flood warning", "A rainstorm brings a flood."),
        ],
        "search: x",
    )
    first, second = found.weighed(TOPIC, "")
    assert (first.url, second.url) == ("http://b.test/", "http://a.test/")
    assert (first.relevance or 0.0) > 0.5 > (second.relevance or 1.0)


def test_without_a_topic_what_several_sources_rank_high_comes_first() -> None:
    found = Candidates()
    found.add([Result("http://a.test/"), Result("http://b.test/"), Result("http://c.test/")], "one")
    found.add([Result("http://c.test/"), Result("http://b.test/")], "two")
    weighed = found.weighed(None, "")
    assert [each.url for each in weighed] == ["http://c.test/", "http://b.test/", "http://a.test/"]
    assert weighed[0].sources == {"one": 3, "two": 1}
    assert weighed[0].relevance is None


def test_seeds_are_the_best_of_each_host_then_the_second_of_each() -> None:
    found = Candidates()
    found.add([Result(f"http://{name}.test/{page}") for name in "ab" for page in (1, 2, 3)], "one")
    weighed = found.weighed(None, "")
    assert [each.url for each in spread(weighed)][:3] == [
        "http://a.test/1",
        "http://b.test/1",
        "http://a.test/2",
    ]
    assert [each.url for each in spread(weighed, 1)] == ["http://a.test/1", "http://b.test/1"]
    assert len(spread(weighed, None, 5)) == 5
