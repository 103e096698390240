"""Crawls by example on a small web of words: rounds, ranking, replay."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from rich.console import Console

from contracts.test_strategies import events as driven
from topicrawl.cli.tables import show_changes
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.explain import why
from topicrawl.knowledge.items import Items
from topicrawl.model import Ask, Event, Links, Outcome, Page, TermCounts, Told, Topic, pack_ints
from topicrawl.strategies.registry import make_strategy

NAMES = ["semxdm", "best_n_first", "context_graph"]
WORDS = {
    "flood": "flood river dam rainfall levee drainage inundation catchment overflow torrent",
    "sport": "football goalkeeper league stadium referee tournament championship striker midfield penalty",
    "bank": "banking mortgage lender interest inflation currency treasury dividend bond creditor",
}
EXAMPLE = Page(
    "http://example.test/", "Floods", text="flood river dam rainfall levee flood river drainage flood"
)
TOPIC = Topic("floods", ("flood", "river"), (1.0, 0.5), examples=(EXAMPLE,))


@dataclass(frozen=True)
class WordWeb:
    """Pages about one subject each; a page links to its own kind three times out of four."""

    pages: int = 400
    fails: float = 0.1

    def url(self, number: int) -> str:
        return f"http://h{number % 7}.test/{number}"

    def subject(self, number: int) -> str:
        return list(WORDS)[number % 3]

    def answer(self, ask: Ask) -> Outcome:
        number = int(ask.url.rpartition("/")[2])
        rng = random.Random(number)
        if rng.random() < self.fails:
            return Outcome(ask.url, 404, error="http")
        words = WORDS[self.subject(number)].split()
        text = " ".join(rng.choices(words, k=30)) + f" filler{number % 11} chatter"
        targets = [self._target(number, rng) for _ in range(8)]
        links = Links(
            [self.url(target) for target in targets],
            [""] * 8,
            [""] * 8,
            pack_ints([0] * 8),
            pack_ints([0] * 8),
            bytes(8),
        )
        page = Page(ask.url, f"page {number}", "en", text, links=links)
        return Outcome(ask.url, 200, 100, page=page, counts=TermCounts(length=32))

    def _target(self, number: int, rng: random.Random) -> int:
        target = rng.randrange(self.pages)
        return target - target % 3 + number % 3 if rng.random() < 0.75 else target


WEB = WordWeb()
SEEDS = [WEB.url(number) for number in range(6)]


def start(name: str, **settings: object) -> Crawl:
    return Crawl(TOPIC, make_strategy(name, {"per_round": 25, **settings}), SEEDS, rng_seed=1)


def events(crawl: Crawl, *, window: int = 1, most: int = 150, shuffle: int | None = None) -> Iterator[Event]:
    return driven(crawl, WEB, window=window, most=most, shuffle=shuffle)  # type: ignore[arg-type]


def share_of_floods(log: list[Event]) -> float:
    numbers = [int(e.visit.url.rpartition("/")[2]) for e in log if isinstance(e, Told) and e.visit.fetched]
    return sum(WEB.subject(number) == "flood" for number in numbers) / len(numbers)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("continuous", [False, True])
def test_it_finds_the_pages_about_the_example(name: str, continuous: bool) -> None:
    log = list(events(start(name, continuous=continuous, learn_every=20)))
    assert share_of_floods(log) > 0.5
    breadth = list(events(Crawl(TOPIC, make_strategy("bfs"), SEEDS)))
    assert share_of_floods(log) > share_of_floods(breadth) + 0.1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("settings", [{}, {"continuous": True, "learn_every": 20}])
def test_what_was_learned_replays_from_the_log(name: str, settings: dict[str, object]) -> None:
    crawl = start(name, **settings)
    log = list(events(crawl, window=6, shuffle=3))
    again = start(name, **settings)
    for event in log:
        again.replay(event)
    learned, relearned = crawl.strategy.learner, again.strategy.learner  # type: ignore[attr-defined]
    assert relearned.rounds == learned.rounds
    assert relearned.score.tolist() == learned.score.tolist()
    assert list(events(again, most=200)) == list(events(crawl, most=200))


@pytest.mark.parametrize("name", NAMES)
def test_a_round_has_the_same_links_however_many_are_in_flight(name: str) -> None:
    one = [e for e in events(start(name)) if isinstance(e, Ask)]
    many = [e for e in events(start(name), window=16) if isinstance(e, Ask)]
    rounds = {ask.walker for ask in one} - {max(ask.walker for ask in one)}
    assert len(rounds) > 3
    for number in rounds:
        assert {a.url for a in one if a.walker == number} == {a.url for a in many if a.walker == number}


def test_no_link_is_asked_for_before_the_round_before_is_answered() -> None:
    crawl = start("semxdm")
    answered = 0
    for event in events(crawl, window=16, shuffle=2):
        if isinstance(event, Told):
            answered += 1
        else:
            assert {ask.walker for ask in crawl.pending.values()} == {event.walker}


def test_it_stops_after_the_requested_rounds_and_can_continue() -> None:
    crawl = start("semxdm")
    crawl.strategy.rounds = 3  # type: ignore[attr-defined]
    log = list(events(crawl))
    assert max(event.walker for event in log if isinstance(event, Ask)) == 3
    assert crawl.ask() is None
    assert crawl.strategy.done  # type: ignore[attr-defined]
    longer = start("semxdm")
    for event in log:
        longer.replay(event)
    assert longer.ask() is not None


def test_a_link_is_worth_what_its_best_page_is() -> None:
    crawl = start("best_n_first")
    list(events(crawl, most=100))
    learner, frontier = crawl.strategy.learner, crawl.frontier  # type: ignore[attr-defined]
    for link in range(len(frontier)):
        pages = [learner.item_of(page) for page in frontier.graph.sources(link)]
        known = [learner.score[item] for item in pages if item is not None and item < len(learner.score)]
        if known and frontier.columns["state"][link] == 0:
            assert frontier.columns["priority"][link] == pytest.approx(max(known), abs=1e-8)
            assert crawl.strategy.explain(frontier, link)["r_item"] == pytest.approx(max(known), abs=1e-6)


def test_a_link_of_the_current_round_is_not_called_discarded() -> None:
    crawl = start("semxdm")
    log = list(events(crawl, most=40))
    fresh = crawl.frontier.urls[int(np.flatnonzero(crawl.frontier.columns["priority"] == -np.inf)[-1])]
    out = io.StringIO()
    show_changes(why(start("semxdm"), log, fresh), Console(file=out, width=120))
    assert "not ranked yet" in out.getvalue()


def test_layer_first_puts_every_link_of_a_nearer_layer_first() -> None:
    crawl = start("semxdm", layer_first=True)
    list(events(crawl, most=120))
    learner = crawl.strategy.learner  # type: ignore[attr-defined]
    worths = learner.worth(learner.score, learner.layer)
    for layer in range(2):
        nearer, further = worths[learner.layer == layer], worths[learner.layer > layer]
        assert len(nearer)
        assert not len(further) or nearer.min() >= further.max() - 1e-9


def test_layer_0_grows_by_similar_items_except_in_best_n_first() -> None:
    grown = start("semxdm")
    list(events(grown))
    layer = grown.strategy.learner.layers[0]  # type: ignore[attr-defined]
    assert len(layer) > 10
    fixed = start("best_n_first")
    list(events(fixed))
    assert fixed.strategy.learner.layers[0].tolist() == [0]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "settings",
    [{"labels": False}, {"maintenance": False}, {"layers": 1}, {"window": 40}, {"layer_discount": 0.5}],
)
def test_every_part_can_be_switched_off(settings: dict[str, object]) -> None:
    crawl = start("semxdm", **settings)
    assert share_of_floods(list(events(crawl))) > 0.5
    learner = crawl.strategy.learner  # type: ignore[attr-defined]
    assert (learner.model.version > 3) is (settings != {"maintenance": False})
    assert len(learner.layers) == settings.get("layers", 3)


def test_without_examples_the_query_is_the_words_of_the_topic() -> None:
    topic = Topic("floods", ("flood|floods", "river", "dam"), (1.0, 0.5, 0.5))
    crawl = Crawl(topic, make_strategy("semxdm", {"per_round": 25}), SEEDS, rng_seed=1)
    assert share_of_floods(list(events(crawl))) > 0.5


def test_the_other_examples_are_for_training_only() -> None:
    more = Page("http://example.test/2", "Banks", text=WORDS["bank"])
    topic = Topic("floods", ("flood",), (1.0,), examples=(EXAMPLE, more))
    first = Crawl(topic, make_strategy("semxdm", {"query": "first"}), SEEDS).strategy.learner  # type: ignore[attr-defined]
    both = Crawl(topic, make_strategy("semxdm"), SEEDS).strategy.learner  # type: ignore[attr-defined]
    assert (first.queries, first.first, both.queries, both.first) == (1, 1, 2, 0)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("settings", [{}, {"continuous": True, "learn_every": 20}])
def test_the_query_is_no_result_of_its_own_crawl(name: str, settings: dict[str, object]) -> None:
    page = WEB.answer(Ask(0, WEB.url(3), 1.0, 0)).page
    assert page is not None
    topic = Topic("floods", ("flood",), (1.0,), examples=(page,))
    seeds = [WEB.url(number) for number in (3, 1, 2)]
    crawl = Crawl(topic, make_strategy(name, {"per_round": 25, **settings}), seeds, rng_seed=1)
    log = list(events(crawl, most=60))
    learner = crawl.strategy.learner  # type: ignore[attr-defined]
    assert any(isinstance(event, Told) and event.visit.url == page.url for event in log)
    assert learner.item_of(crawl.frontier.number(page.url)) == 0
    fetched = {event.visit.url for event in log if isinstance(event, Told) and event.visit.fetched}
    learner.close()
    assert len(learner.links) - learner.queries == len(fetched) - 1
    assert set(learner.links.terms(0).tolist()) <= set(range(len(crawl.frontier)))
    assert len(learner.links.terms(0))


def test_items_are_described_by_their_terms_of_highest_tf_idf() -> None:
    items = Items(most_terms=2)
    items.add([{"flood": 3, "people": 3, "levee": 3}])
    assert {items.terms[term] for term in items.rows.terms(0)} == {"flood", "levee"}


def test_ordinary_texts_outnumber_a_few_rounds() -> None:
    asked = {27: 1000, 2000: 10_000}
    for per_round, ordinary in asked.items():
        assert make_strategy("semxdm", {"per_round": per_round}).settings.ordinary == ordinary  # type: ignore[attr-defined]
    assert make_strategy("semxdm", {"ordinary": 100}).settings.ordinary == 100  # type: ignore[attr-defined]
