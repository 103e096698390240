"""Examples in hand: scout begins with their links, fetches none of them again, and a run remembers them whole."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from topicrawl.cli.dry_run import first_choices
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.explain import why
from topicrawl.frontier.scope import Scope
from topicrawl.model import Event, Links, Outcome, Page, Told, Topic
from topicrawl.page.read import read
from topicrawl.setup.config import Config, read_toml
from topicrawl.setup.resolve import resolve, resume_config
from topicrawl.strategies.registry import make_strategy

SEED, EXAMPLE = "http://a.test/", "http://b.test/shown"
STORM, OTHER = "rainstorm flood river damage warning", "locomotive station track carriage"


def html(text: str, *links: str) -> bytes:
    listed = "".join(f'<li><a href="{url}">{url[-1]}</a></li>' for url in links)
    return f"<title>{text[:9]}</title><h1>A list</h1><p>{text}</p><ul>{listed}</ul>".encode()


WEB = {
    SEED: html(OTHER, "/x", EXAMPLE),
    "http://a.test/x": html(OTHER),
    EXAMPLE: html(STORM, "/1", "/2", "http://c.test/3"),
    "http://b.test/1": html(STORM, EXAMPLE),
    "http://b.test/2": html(STORM),
    "http://c.test/3": html(STORM),
}


def page(url: str) -> Page:
    found = read(url, WEB[url], "text/html; charset=utf-8")
    assert found is not None
    return found


def topic(*examples: Page) -> Topic:
    return Topic("storms", ("rainstorm",), (1.0,), examples=examples)


def crawl(*examples: Page, strategy: str = "scout", scope: Scope | None = None, **options: str) -> Crawl:
    return Crawl(topic(*examples), make_strategy(strategy, options), [SEED], scope=scope or Scope())


def events(machine: Crawl) -> Iterator[Event]:
    while ask := machine.ask():
        yield ask
        outcome = Outcome(ask.url, 200, 9, page=page(ask.url))
        yield Told(ask, outcome, machine.tell(ask, outcome))


def asked(machine: Crawl) -> list[str]:
    return [event.visit.url for event in events(machine) if isinstance(event, Told)]


def test_links_of_an_example_are_followed_and_the_example_is_not_fetched() -> None:
    assert sorted(asked(crawl(page(EXAMPLE)))) == sorted(WEB.keys() - {EXAMPLE})


def test_they_are_there_when_every_seed_is_dead() -> None:
    machine = crawl(page(EXAMPLE))
    ask = machine.ask()
    assert ask is not None
    assert ask.url == SEED
    machine.tell(ask, Outcome(SEED, 404, error="http"))
    assert sorted(asked(machine)) == ["http://b.test/1", "http://b.test/2", "http://c.test/3"]


def test_an_example_that_is_a_seed_too_is_fetched() -> None:
    assert asked(crawl(page(SEED)))[0] == SEED


@pytest.mark.parametrize("example", [Page("", "a file", text=STORM), Page(EXAMPLE, text=STORM)])
def test_an_example_without_address_or_links_is_only_read(example: Page) -> None:
    machine = crawl(example)
    assert not machine.shown
    assert len(machine.frontier) == 1


def test_whoever_wants_examples_as_text_only_says_so() -> None:
    assert EXAMPLE in asked(crawl(page(EXAMPLE), from_examples="false"))
    assert EXAMPLE in asked(crawl(page(EXAMPLE), strategy="ops"))


def test_the_scope_holds_for_their_links() -> None:
    assert asked(crawl(page(EXAMPLE), scope=Scope(same_site=True))) == [SEED, "http://a.test/x"]
    inside = crawl(page("http://b.test/1"), page(EXAMPLE), scope=Scope(max_depth=2))
    assert sorted(asked(inside)) == [SEED, "http://a.test/x", "http://b.test/2", "http://c.test/3"]


def test_an_example_outside_the_scope_is_only_read() -> None:
    assert not crawl(page(EXAMPLE), scope=Scope(exclude=("shown",))).shown


def test_examples_that_link_to_each_other_are_equals_in_any_order() -> None:
    pages = page(EXAMPLE), page("http://b.test/1")
    for machine in crawl(*pages), crawl(*pages[::-1]):
        columns = machine.frontier.columns
        for example in pages:
            link = machine.frontier.number(example.url)
            assert [int(columns[name][link]) for name in ("depth", "parent")] == [1, -1]
        assert columns["depth"][machine.frontier.number("http://b.test/2")] == 2


def test_a_crawl_from_examples_replays() -> None:
    log = list(events(crawl(page(EXAMPLE))))
    again = crawl(page(EXAMPLE))
    for event in log:
        again.replay(event)
    assert again.tally.visits == len(log) // 2


def test_why_knows_examples() -> None:
    log = list(events(crawl(page(EXAMPLE))))
    link = why(crawl(page(EXAMPLE)), log, "http://c.test/3")
    assert link.found_on == [EXAMPLE]
    assert (link.history[0].visit, link.history[0].page) == (0, EXAMPLE)
    assert sum(link.history[0].factors.values()) == pytest.approx(link.history[0].priority)
    example = why(crawl(page(EXAMPLE)), log, EXAMPLE)
    assert "not fetched" in example.state
    assert example.visit is None


def test_a_run_remembers_them_whole() -> None:
    kept = read_toml(Config(topic=topic(page(EXAMPLE), page(SEED))).to_toml(), "config.toml")["topic"]
    assert kept.examples == (page(EXAMPLE), page(SEED))
    assert asked(Crawl(kept, make_strategy("scout"), [SEED])) == asked(crawl(page(EXAMPLE), page(SEED)))


def test_an_example_shown_twice_is_known_once() -> None:
    assert len(crawl(page("http://b.test/1"), page(EXAMPLE), page(EXAMPLE)).shown) == 2


def test_a_run_goes_on_with_the_examples_it_began_with_and_takes_further_ones() -> None:
    begun = resolve(Config(topic=topic(page(EXAMPLE)), seeds=(SEED,)))
    since = page(EXAMPLE).links
    other = msgspec.structs.replace(page(EXAMPLE), links=Links([*since.urls[:-1], "http://d.test/new"]))
    assert resume_config(begun, {"topic": topic(other)}).topic == begun.topic
    further = resume_config(begun, {"topic": topic(page("http://b.test/1"))}).topic
    assert isinstance(further, Topic)
    assert further.examples == (page(EXAMPLE), page("http://b.test/1"))


def test_a_dry_run_shows_seeds_only() -> None:
    assert first_choices(resolve(Config(topic=topic(page(EXAMPLE)), seeds=(SEED,)))) == [SEED]
