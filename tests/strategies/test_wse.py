"""Web space evolution on small webs: order, banks, radius, restarts, peeks, and explanations."""

from __future__ import annotations

import pytest

from contracts.small_web import TOPIC, SmallWeb
from contracts.test_strategies import events, visits
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import PEEKED, VISITED
from topicrawl.model import Ask
from topicrawl.strategies.registry import make_strategy
from topicrawl.strategies.wse import MARKED, RETRIEVED, WebSpaceEvolution

WEB = SmallWeb(fails=0)


def start(seeds: int = 3, web: SmallWeb = WEB, **settings: object) -> tuple[Crawl, WebSpaceEvolution]:
    strategy = make_strategy("fcwseo", settings)
    assert isinstance(strategy, WebSpaceEvolution)
    return Crawl(TOPIC, strategy, web.seeds(seeds), rng_seed=1), strategy


def run(crawl: Crawl, most: int, web: SmallWeb = WEB) -> list[str]:
    return [visit.asked for visit in visits(list(events(crawl, web, most=most)))]


def links_of(url: str, web: SmallWeb = WEB) -> list[str]:
    page = web.answer(Ask(0, url, 0.0, 0)).page
    assert page is not None
    return page.links.urls


def until_generation(
    crawl: Crawl, strategy: WebSpaceEvolution, number: int, web: SmallWeb = WEB
) -> list[str]:
    """Crawl until a generation is planned; returns all links asked."""
    asked = []
    while not strategy.ledger.generations or strategy.ledger.generations[-1].number < number:
        ask = crawl.ask()
        assert ask is not None
        asked.append(ask.url)
        crawl.tell(ask, web.answer(ask))
    return asked


def test_the_first_generation_is_the_seeds_links_in_document_order() -> None:
    crawl, _ = start(link_threshold=-1)
    asked = run(crawl, 3 + 10)
    seeds = WEB.seeds(3)
    children = dict.fromkeys(url for seed in seeds for url in links_of(seed) if url not in seeds)
    assert asked == [*seeds, *list(children)[:10]]


def test_a_link_at_or_below_the_threshold_is_left_out() -> None:
    crawl, strategy = start(discarded="never")
    until_generation(crawl, strategy, 2)
    columns = crawl.frontier.columns
    fetched = columns["retrieved"] != 0
    assert fetched.sum() > 5
    seeds = [crawl.frontier.number(url) for url in WEB.seeds(3)]
    children = {crawl.frontier.number(url) for seed in WEB.seeds(3) for url in links_of(seed)} - {*seeds}
    left = [link for link in children if link is not None and columns["state"][link] != VISITED]
    assert all(columns["value"][link] <= strategy.link_threshold for link in left)


def test_the_radius_starts_at_half_the_mean_distance_and_doubles() -> None:
    crawl, strategy = start()
    until_generation(crawl, strategy, 5)
    first = strategy.ledger.generations[0].radius
    assert 0.5 <= first <= 1.0
    assert [each.radius for each in strategy.ledger.generations] == [first * 2**n for n in range(5)]


def test_a_bank_of_few_seeds_is_filled_from_the_first_generations() -> None:
    crawl, strategy = start(seeds=2, bank_size=8)
    until_generation(crawl, strategy, 1)
    assert len(strategy.bank.links) == 2
    until_generation(crawl, strategy, 2)
    assert len(strategy.bank.links) == 8
    assert len(set(strategy.bank.links)) == 8
    until_generation(crawl, strategy, 5)
    assert len(strategy.bank.links) == 8
    assert strategy.bank.points.shape == (8, 4)


def test_more_seeds_than_the_bank_is_large_are_all_kept() -> None:
    crawl, strategy = start(seeds=5, bank_size=2)
    until_generation(crawl, strategy, 3)
    assert len(strategy.bank.links) == 5


def test_test_links_are_those_with_the_most_relevant_anchors_and_are_marked() -> None:
    crawl, strategy = start(seeds=4, bank_size=4, link_threshold=-1)
    until_generation(crawl, strategy, 2)
    columns = crawl.frontier.columns
    tests = list(strategy.ledger._trials)
    assert len(tests) == 4
    assert (columns["retrieved"][tests] == MARKED).all()
    assert columns["anchor"][tests].tolist() == sorted(columns["anchor"][tests], reverse=True)


def test_an_exhausted_bank_is_replaced_whole_by_the_best_links_not_marked() -> None:
    web = SmallWeb(pages=60, fails=0)
    crawl, strategy = start(seeds=2, bank_size=2, web=web)
    run(crawl, 10_000, web)
    restarted = [each for each in strategy.ledger.generations if each.restarted]
    assert restarted
    assert not (crawl.frontier.columns["retrieved"] == RETRIEVED).any()
    assert crawl.waiting == 0


def test_as_published_the_crawl_ends_when_nothing_is_left_above_the_threshold() -> None:
    dull = SmallWeb(dull=True, fails=0)
    crawl, _ = start(web=dull, discarded="never", link_threshold=0.9)
    assert run(crawl, 10_000, dull) == dull.seeds(3)


@pytest.mark.parametrize("shuffle", [None, 3])
def test_a_generation_fetched_in_parallel_fetches_the_same_links(shuffle: int | None) -> None:
    def first_generation(window: int, shuffle: int | None) -> set[str]:
        crawl, strategy = start(link_threshold=-1)
        for _ in events(crawl, WEB, window=window, shuffle=shuffle):
            if strategy.ledger.generations and strategy.ledger.generations[-1].number == 2:
                break
        judged = crawl.frontier.columns["judged"]
        return {url for link, url in enumerate(crawl.frontier.urls) if judged[link] == 1}

    whole = first_generation(1, None)
    assert len(whole) > 10
    assert first_generation(16, shuffle) == whole


@pytest.mark.parametrize("selection", ["nfcs", "crowding"])
def test_both_selections_reach_every_page(selection: str) -> None:
    crawl, _ = start(seeds=3, bank_size=4, selection=selection)
    assert len(run(crawl, 10_000)) > 250


def test_peeking_fetches_a_generation_first_and_adds_the_links_above_the_threshold() -> None:
    crawl, _ = start(target_relevance="peek", link_threshold=0.5)
    log = visits(list(events(crawl, WEB, most=15)))
    seeds = WEB.seeds(3)
    children = list(dict.fromkeys(url for seed in seeds for url in links_of(seed) if url not in WEB.seeds(3)))
    assert [visit.asked for visit in log] == [*seeds, *children[:12]]
    assert [visit.peek for visit in log] == [False] * 3 + [True] * 12
    assert all(type(visit.peek) is bool for visit in log)
    columns = crawl.frontier.columns
    for visit in log[3:]:
        link = crawl.frontier.number(visit.url)
        if columns["state"][link] == PEEKED:
            assert columns["value"][link] <= 0.5
    assert {VISITED, PEEKED} <= set(columns["state"].tolist())


def test_the_story_of_a_link_has_its_front_its_distance_and_why_it_won_or_lost() -> None:
    crawl, strategy = start(seeds=4, bank_size=4, link_threshold=-1)
    until_generation(crawl, strategy, 3)
    frontier = crawl.frontier
    for link, (_, trial) in strategy.ledger._trials.items():
        story = strategy.story(frontier, link)
        assert "front " in story[0]
        assert f"{trial.distance} from the nearest seed" in story[1]
        assert ("won" in story[1]) == (trial.replaced is not None)
        assert strategy.explain(frontier, link)["distance to nearest seed"] == trial.distance
    waiting = int((frontier.columns["state"] == 0).argmax())
    assert strategy.story(frontier, waiting) == []


def test_the_story_of_a_link_that_filled_the_bank_says_so() -> None:
    crawl, strategy = start(seeds=2, bank_size=8)
    until_generation(crawl, strategy, 2)
    joined = strategy.bank.links[2]
    story = strategy.story(crawl.frontier, joined)
    assert story[1] == "generation 1: taken into the bank of seeds without a contest"
    assert story[2] == "it is a seed now"
    strategy.bank.links.remove(joined)
    assert strategy.story(crawl.frontier, joined)[2] == "it is no seed any more"


def test_when_all_is_below_the_threshold_the_best_links_are_planned() -> None:
    """docs/papers.md, E4: with `discarded=last` the crawl does not end there."""
    crawl, strategy = start(link_threshold=2.0)
    asked = run(crawl, 4)
    values = crawl.frontier.columns["value"]
    waits = [link for link in range(3, len(crawl.frontier)) if crawl.frontier.urls[link] != asked[3]]
    assert all(values[crawl.frontier.number(asked[3])] >= values[link] for link in waits)
    assert strategy.fall_back(crawl.frontier, 2) is True
    assert len(strategy.plan) <= 2
    never, published = start(link_threshold=2.0, discarded="never")
    assert run(never, 4) == WEB.seeds(3)
    assert not published.fall_back(never.frontier, 2)
