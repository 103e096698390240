"""The state of a crawl as plain data: what is loaded is, and behaves, as what was stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from contracts.small_web import TOPIC, SmallWeb
from contracts.test_strategies import events, start
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.offline import OfflinePages
from topicrawl.crawling.state import NotStorable, pack, unpack
from topicrawl.frontier.columns import Array
from topicrawl.frontier.traps import Traps
from topicrawl.judge import Judge, Seen
from topicrawl.judge.outside import Absent, ByFunction
from topicrawl.judge.registry import own_judge
from topicrawl.model import Ask, Event, Outcome
from topicrawl.strategies.registry import make_strategy, strategy_names
from topicrawl.web.invented import invented_web

WEB, ABOUT = "invented:5", "rainstorm disaster"
WINDOWS = [(1, None), (8, 4)]
CUTS = [0, 1, 7, 100]


def stored(crawl: Crawl) -> tuple[bytes, bytes]:
    state = pack(crawl)
    return state.values, b"".join(each.tobytes() for each in state.arrays())


class Arrays:
    """Stored arrays in memory."""

    def __init__(self, content: bytes) -> None:
        self.rest = content

    def read(self, into: Array) -> None:
        taken, self.rest = self.rest[: into.nbytes], self.rest[into.nbytes :]
        into[...] = np.frombuffer(taken, into.dtype).reshape(into.shape)

    def skip(self, size: int) -> None:
        self.rest = self.rest[size:]

    def copy(self) -> Arrays:
        return Arrays(self.rest)


def loaded(crawl: Crawl, state: tuple[bytes, bytes], *, later: bool = False) -> Crawl:
    values, arrays = state[0], Arrays(state[1])
    unpack(crawl, values, arrays, later=later)
    assert arrays.rest == b""
    return crawl


def assert_state_is_all(new: Callable[[], Crawl], log: list[Event]) -> None:
    """A crawl that is stored after some events, loaded and told the rest is as one that was told everything."""
    whole, kept = new(), {}
    for count, event in enumerate(log):
        if count in CUTS:
            kept[count] = stored(whole)
        whole.replay(event)
    assert len(kept) > 2
    end = stored(whole)
    for cut, state in kept.items():
        again = loaded(new(), state)
        assert stored(again) == state
        if cut == CUTS[-1]:
            again = loaded(new(), state, later=True)
        for event in log[cut:]:
            again.replay(event)
        assert stored(again) == end


@pytest.mark.parametrize(("window", "shuffle"), WINDOWS)
@pytest.mark.parametrize("name", strategy_names())
def test_a_crawl_that_was_stored_goes_on_as_one_that_was_not(
    name: str, window: int, shuffle: int | None
) -> None:
    web = SmallWeb()

    def new() -> Crawl:
        return start(name, web, traps=Traps(("rainstorm",)), ahead=4)

    assert_state_is_all(new, list(events(new(), web, window=window, shuffle=shuffle)))


class Invented:
    """Pages with text, parsed once for all tests."""

    def __init__(self) -> None:
        self._pages = OfflinePages(WEB)
        self._known: dict[str, Outcome] = {}
        self.seeds = invented_web(WEB).seeds(ABOUT, 6)
        examples = [self.fetch(url).page for url in self.seeds[3:]]
        self.topic = replace(TOPIC, examples=tuple(page for page in examples if page))

    def fetch(self, url: str) -> Outcome:
        if url not in self._known:
            self._known[url] = self._pages.outcome(url)
        return self._known[url]

    def answer(self, ask: Ask) -> Outcome:
        outcome = self.fetch(ask.url)
        counts = self._pages.counter(self.topic)(outcome.page) if outcome.page else None
        return msgspec.structs.replace(outcome, counts=counts)


@pytest.fixture(scope="module")
def invented() -> Invented:
    return Invented()


@pytest.mark.parametrize("name", strategy_names())
def test_what_is_learned_from_texts_is_state_too(name: str, invented: Invented) -> None:
    def new() -> Crawl:
        return Crawl(
            invented.topic, make_strategy(name), invented.seeds[:3], traps=Traps(TOPIC.terms), rng_seed=3
        )

    assert_state_is_all(new, list(events(new(), invented, window=4, most=160)))


@pytest.mark.parametrize("name", ["ops", "scout"])
def test_the_judge_by_examples_is_state_and_scout_still_shares_it(name: str, invented: Invented) -> None:
    def new() -> Crawl:
        judge = own_judge("examples", invented.topic)
        return Crawl(invented.topic, make_strategy(name), invented.seeds[:3], rng_seed=3, judge=judge)

    log = list(events(new(), invented, window=4, most=160))
    assert_state_is_all(new, log)
    crawl = new()
    for event in log[:100]:
        crawl.replay(event)
    again = loaded(new(), stored(crawl))
    assert again.strategy.judge is again.judge
    if name == "scout":
        assert again.strategy.features._judge is again.judge  # type: ignore[attr-defined]


def test_links_peeked_at_are_state() -> None:
    web = SmallWeb()

    def new() -> Crawl:
        strategy = make_strategy("fcwseo", {"target_relevance": "peek"})
        return Crawl(TOPIC, strategy, web.seeds(), rng_seed=3)

    log = list(events(new(), web, most=200))
    assert any(isinstance(event, Ask) and event.peek for event in log)
    assert_state_is_all(new, log)


def test_what_cannot_be_stored_is_named() -> None:
    crawl = start("ops", SmallWeb())
    crawl.strategy.queue.helper = open  # type: ignore[attr-defined]
    with pytest.raises(NotStorable, match=r"BestFirst\.queue: Queue\.helper: .*builtin_function"):
        pack(crawl)


def test_a_class_of_another_package_is_not_loaded() -> None:
    values, arrays = stored(start("ops", SmallWeb()))
    foreign = values.replace(b"topicrawl.frontier.hosts:Hosts", b"multiprocessing.pool:PoolState")
    assert len(b"topicrawl.frontier.hosts:Hosts") == len(b"multiprocessing.pool:PoolState")
    with pytest.raises(NotStorable, match="of no package of the crawl"):
        loaded(start("ops", SmallWeb()), (foreign, arrays))


def test_a_state_that_is_not_one_is_refused() -> None:
    values, arrays = stored(start("ops", SmallWeb()))
    for wrong in (b"", values[:-1], msgspec.msgpack.encode(([], [0, 5]))):
        with pytest.raises(NotStorable, match="does not fit"):
            loaded(start("ops", SmallWeb()), (wrong, arrays))


def test_two_names_of_one_value_stay_one() -> None:
    crawl = start("ops", SmallWeb())
    crawl.strategy.queue.one = crawl.strategy.queue.other = [1, 2]  # type: ignore[attr-defined]
    again = loaded(start("ops", SmallWeb()), stored(crawl)).strategy.queue  # type: ignore[attr-defined]
    assert again.one == [1, 2]
    assert again.one is again.other


class Outside:
    """A judge of another package: only it knows its state."""

    def __init__(self) -> None:
        self._helper = open
        self.learned = 0

    def judge(self, seen: Sequence[Seen]) -> list[float]:
        return [0.5] * len(seen)

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        self.learned += 1

    def save(self) -> bytes:
        return bytes([self.learned])

    def load(self, saved: bytes) -> None:
        self.learned = saved[0]


def judged(by: Judge) -> Crawl:
    return start("ops", SmallWeb(), judge=by)


def test_a_judge_of_another_package_saves_itself() -> None:
    outside, again = Outside(), Outside()
    crawl = judged(outside)
    outside.learned = 7
    loaded(judged(again), stored(crawl))
    assert again.learned == 7
    absent = judged(Absent("outside"))
    assert loaded(absent, stored(crawl)).judge is absent.judge, "a reader of the run does not need it"


def test_a_judge_that_is_a_function_is_not_stored() -> None:
    again = judged(ByFunction(lambda seen: [1.0] * len(seen)))
    own = again.judge
    assert loaded(again, stored(judged(ByFunction(lambda seen: [0.0] * len(seen))))).judge is own
