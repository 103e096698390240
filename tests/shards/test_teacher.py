"""The teacher: what all shards have seen, learned once and by words."""

from __future__ import annotations

from statistics import fmean

import msgspec

from crawling.test_state import assert_state_is_all
from shards.crawled import crawled, crawls, invented
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.letters import Post
from topicrawl.frontier.route import Route
from topicrawl.judge import Seen
from topicrawl.judge.examples import ByExamples
from topicrawl.model import Instruction, Learned, Mark, Topic
from topicrawl.scout.lessons import Model
from topicrawl.scout.strategy import Scout
from topicrawl.setup.inputs import open_topic
from topicrawl.shards.shard import Shard
from topicrawl.shards.teacher import Teacher
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.letters import RUNNING, kind
from topicrawl.web.invented import invented_web

WEB = invented_web("invented:7")
SEEDS = WEB.seeds("rainstorm disaster", 4)
TOPIC = Topic("rainstorm", ("rainstorm", "flood"), (1.0, 0.5))
FETCH = invented("invented:7", TOPIC)
ROUTE = Route(3, split=("invented.test",))
PAGES = 25


def scout(**parameters: object) -> Scout:
    made = make_strategy("scout", parameters)
    assert isinstance(made, Scout)
    return made


def test_shards_judge_by_what_one_judge_learns_from_all_their_pages() -> None:
    shards = crawls(ROUTE, SEEDS, "scout", TOPIC)
    crawled(shards, FETCH, PAGES)
    teacher, alone = Teacher(TOPIC, scout()), ByExamples(TOPIC)
    pages = []
    for name, crawl in shards.items():
        lessons, last = Shard(crawl).lessons(0)
        teacher.learn(name, lessons)
        assert teacher.known(name) == last == crawl.tally.fetched
        for url in visited(crawl):
            outcome, link = FETCH(url), crawl.frontier.number(url)
            assert link is not None
            seen = crawl.seen(link, outcome)
            assert seen is not None
            alone.learn(seen, None)
            pages.append(seen.page)
    alone.model.fit()  # a teacher fits when it sends a model
    data = teacher.model()
    assert data is not None
    assert teacher.model() is None
    model = msgspec.msgpack.decode(data, type=Model)
    assert (model.pages, sum(model.reached.values()), len(pages)) == (PAGES, PAGES, PAGES)
    for crawl in shards.values():
        before = [crawl.strategy.features._judge.strength(page) for page in pages]  # type: ignore[attr-defined]
        crawl.take_model(Learned("strategy", data))
        after = [crawl.strategy.features._judge.strength(page) for page in pages]  # type: ignore[attr-defined]
        # words that are on one page alone are not in the model
        aim = [alone.strength(page) for page in pages]
        assert apart(after, aim) < 0.02
        assert apart(before, aim) > 1.5 * apart(after, aim)


def test_shards_judge_pages_in_every_script_as_their_teacher() -> None:
    topic = open_topic(WEB.topic_spec("rainstorm disaster"))
    fetch = invented("invented:7", topic)
    shards = crawls(ROUTE, [*SEEDS, *WEB.seeds("暴雨灾害", 2)], "scout", topic)
    crawled(shards, fetch, 60)
    teacher = Teacher(topic, scout())
    for name, crawl in shards.items():
        teacher.learn(name, Shard(crawl).lessons(0)[0])
    data = teacher.model()
    assert data is not None
    model = msgspec.msgpack.decode(data, type=Model)
    (of_another,) = model.others.values()
    assert of_another != (model.high, model.low)
    taught = teacher._features.model
    aim = dict(
        zip(taught.given[2], zip(*(border[1:] for border in taught.given[1][::-1]), strict=True), strict=True)
    )
    assert model.others == aim
    pages = [page for crawl in shards.values() for url in visited(crawl) if (page := fetch(url).page)]
    for crawl in shards.values():
        crawl.take_model(Learned("strategy", data))
        judge = crawl.strategy.features._judge  # type: ignore[attr-defined]
        assert judge.model.given[2] == [*model.others]
        assert judge.model.given[1].high.tolist() == taught.given[1].high.tolist()
        strength = {True: [], False: []}
        for page in pages:
            strength[kind(page.title[0]) == RUNNING].append(judge.strength(page))
        assert min(len(each) for each in strength.values()) > 5
        assert min(fmean(each) for each in strength.values()) > 0.5


def apart(one: list[float], other: list[float]) -> float:
    """The mean difference."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one)


def visited(crawl: Crawl) -> list[str]:
    """The pages of a shard, in the order visited."""
    links = crawl.strategy.features.visited["link"]  # type: ignore[attr-defined]
    return [crawl.frontier.urls[link] for link in links.tolist()]


def test_a_shard_that_was_taught_replays_and_its_state_is_stored() -> None:
    shards = crawls(ROUTE, SEEDS, "scout", TOPIC)
    done = crawled(shards, FETCH, PAGES, teacher=Teacher(TOPIC, scout()))
    name, log = max(done.logs.items(), key=lambda item: len(item[1]))
    assert sum(isinstance(event, Learned) for event in log) >= 2
    assert_state_is_all(lambda: crawls(ROUTE, SEEDS, "scout", TOPIC)[name], log)


def test_lessons_are_learned_once_and_in_order() -> None:
    shards = crawls(ROUTE, SEEDS, "scout", TOPIC)
    crawled(shards, FETCH, 20)
    name, crawl = max(shards.items(), key=lambda item: item[1].tally.fetched)
    lessons, last = Shard(crawl).lessons(0)
    later, _ = Shard(crawl).lessons(2)
    teacher = Teacher(TOPIC, scout())
    teacher.learn(name, later)
    assert teacher.known(name) == 0
    for _ in range(2):
        teacher.learn(name, lessons)
        assert teacher.known(name) == last
    data = teacher.model()
    assert data is not None
    assert msgspec.msgpack.decode(data, type=Model).pages == last


def test_a_mark_on_a_page_of_another_shard_teaches_the_judge_and_enters_nothing() -> None:
    shards = {
        name: Crawl(TOPIC, scout(), SEEDS, judge=ByExamples(TOPIC), post=Post(name, ROUTE.owner))
        for name in ROUTE.names
    }
    crawled(shards, FETCH, PAGES, teacher=Teacher(TOPIC, scout()))
    owner, other, _ = shards.values()
    url = visited(owner)[0]
    page = FETCH(url).page
    assert page is not None
    forgotten = Instruction(marks=[Mark(page, None, url)])
    other.instruct(Instruction(marks=[Mark(page, True, url)]))
    other.instruct(forgotten)  # now the judge has learned from all its pages, as after every mark
    before, links, counts = other.judge.judge([Seen(page)]), len(other.frontier.urls), other.tally.relevant
    other.instruct(Instruction(marks=[Mark(page, False, url)]))
    assert other.judge.judge([Seen(page)]) < before
    assert (len(other.frontier.urls), other.tally.relevant) == (links, counts)
    other.instruct(forgotten)
    assert other.judge.judge([Seen(page)]) == before
    unknown = (f"http://x{number}.invented.test/" for number in range(99))
    url = next(each for each in unknown if ROUTE.owner(each) == ROUTE.names[0])
    other.instruct(Instruction(marks=[Mark(None, True, url)]))
    assert other.frontier.number(url) is None
