"""Which templates, hosts and sites are closed as traps, which stay open, and that a replay closes the same."""

from __future__ import annotations

import random

import pytest

from topicrawl.crawling.core import Crawl
from topicrawl.frontier import LEFT
from topicrawl.frontier.traps import Credit, Traps, template
from topicrawl.model import Ask, Event, Links, Outcome, Page, TermCounts, Told, Topic, Visit, pack_ints
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.letters import OR

TOPIC = Topic("rain", ("rain", "flood"), (1.0, 0.5))
SYLLABLES = "ba ce di fo gu ha ke li mo nu pa re si to vu".split()  # noqa: SIM905


def prose(seed: str, words: int = 120) -> str:
    """Text with new words, as people write it."""
    dice = random.Random(seed)
    made = ["".join(dice.choices(SYLLABLES, k=dice.randint(2, 5))) for _ in range(words)]
    return ". ".join(" ".join(made[at : at + 8]) for at in range(0, words, 8))


def links(urls: list[str]) -> Links:
    zeros = pack_ints([0] * len(urls))
    return Links(urls, [""] * len(urls), [""] * len(urls), zeros, zeros, bytes(len(urls)))


def outcome(url: str, text: str, *urls: str, rain: int = 0) -> Outcome:
    counts = TermCounts(pack_ints([0]), pack_ints([[rain, 0, 0, 0, 0]]), length=len(text.split()))
    return Outcome(url, 200, len(text), page=Page(url, text=text, links=links(list(urls))), counts=counts)


def visit(url: str, error: str | None = None) -> Visit:
    return Visit(1, url, url, 200, error is None, False, 0.0, 0.0, url.split("/")[2], 1, None, "", 1, error)


def tell(traps: Traps, url: str, text: str, rain: int = 0) -> None:
    traps.tell(visit(url), outcome(url, text, rain=rain))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.h.test/", "h.test//1"),
        ("http://h.test/about.html", "h.test//1"),
        ("http://h.test/wiki/Rain", "h.test/wiki/2"),
        ("http://h.test/2026/11/02/rain", "h.test/#/4"),
        ("http://h.test/s/0a1b2c3d4e5f/1", "h.test/s/3"),
        ("http://h.test/shop?color=red&size=9", "h.test//1?"),
    ],
)
def test_generated_urls_share_a_template(url: str, expected: str) -> None:
    assert template("h.test", url) == expected


def test_a_template_of_equal_pages_is_closed_soon_and_its_neighbours_stay_open() -> None:
    traps = Traps()
    for month in range(20):
        tell(
            traps,
            f"http://h.test/calendar/2026/{month}",
            f"Rain calendar for month {month}. No events were found.",
        )
        tell(traps, f"http://h.test/news/item/{month}", prose(f"news {month}"))
    assert traps.refuses("http://h.test/calendar/2099/1")
    assert not traps.refuses("http://h.test/news/item/999")
    assert not traps.refuses("http://h.test/other/thing/1")
    assert traps.closed == 1


def test_a_site_with_new_text_on_every_page_stays_open() -> None:
    traps = Traps()
    for number in range(3000):
        tell(traps, f"http://h.test/wiki/{number}", prose(str(number), 60))
    assert not traps.watched


def test_a_host_that_becomes_a_trap_is_closed_although_it_was_good_for_long() -> None:
    traps = Traps()
    for number in range(500):
        tell(traps, f"http://h.test/wiki/{number}", prose(str(number), 60))
    for number in range(500, 530):
        tell(
            traps,
            f"http://h.test/wiki/{number}",
            "This page does not exist. Please go back to where you came from.",
        )
    assert traps.refuses("http://h.test/wiki/9999")


def test_generated_sentences_of_known_words_are_closed() -> None:
    traps, dice = Traps(), random.Random(3)
    words = prose("vocabulary", 60).replace(".", "").split()
    for number in range(120):
        text = ". ".join(" ".join(dice.choices(words, k=8)) for _ in range(16))
        tell(traps, f"http://h.test/maze/{number}", text)
    assert traps.refuses("http://h.test/maze/9999")


def test_pages_stuffed_with_topic_words_are_closed() -> None:
    traps = Traps(TOPIC.terms)
    for number in range(10):
        tell(traps, f"http://h.test/farm/{number}", "rain " * 90 + prose(str(number), 40), rain=120)
    assert traps.refuses("http://h.test/farm/9999")


def test_many_hosts_of_a_site_with_the_same_pages_are_closed() -> None:
    traps = Traps()
    for number in range(20):
        tell(
            traps,
            f"http://w{number}.farm.test/",
            "The best rain of the region in one place, for you and for all.",
        )
    assert traps.refuses("http://w999.farm.test/")
    assert not traps.refuses("http://w999.other.test/")


def test_a_strict_host_with_ever_new_folders_tries_few_of_them() -> None:
    traps, tried = Traps(), 0
    for number in range(400):
        url = f"http://h.test/{prose(str(number), 1)}/x"
        if traps.admits(url):
            tried += 1
            tell(traps, url, "Sorry, there is no such page here. Use the search or go back to the home page.")
    assert tried < 100


def test_network_errors_do_not_count_against_a_template() -> None:
    traps = Traps()
    for number in range(100):
        traps.tell(visit(f"http://h.test/a/{number}", "timeout"), Outcome("http://h.test/a", error="timeout"))
    assert not traps.watched
    for number in range(100):
        traps.tell(visit(f"http://h.test/a/{number}", "http"), Outcome("http://h.test/a", 404, error="http"))
    assert traps.refuses("http://h.test/a/1")


def web(ask: Ask) -> Outcome:
    """A site with an endless calendar and forty articles."""
    kind, _, number = ask.url.removeprefix("http://h.test/").partition("/")
    if kind == "calendar":
        near = [f"http://h.test/calendar/{int(number) + step}" for step in (1, 2, 7)]
        return outcome(ask.url, f"Rain calendar {number}. There are no events this month.", *near)
    articles = [f"http://h.test/article/{n}" for n in range(40)]
    return outcome(ask.url, prose(ask.url), "http://h.test/calendar/1", *articles)


def crawl(visits: int) -> tuple[Crawl, list[Event]]:
    machine = Crawl(TOPIC, make_strategy("bfs"), ["http://h.test/"], traps=Traps(TOPIC.terms))
    log: list[Event] = []
    while machine.tally.visits < visits and (ask := machine.ask()):
        told = web(ask)
        log += [ask, Told(ask, told, machine.tell(ask, told))]
    return machine, log


def test_a_crawl_of_a_trap_ends_and_finds_everything_else() -> None:
    machine, log = crawl(10_000)
    fetched = [event.visit.url for event in log if isinstance(event, Told)]
    assert sum("/article/" in url for url in fetched) == 40
    assert sum("/calendar/" in url for url in fetched) < 15
    assert LEFT in machine.frontier.columns["state"]
    assert machine.waiting == 0


@pytest.mark.parametrize("cut", [5, 40, 90])
def test_a_replay_closes_the_same_traps_at_the_same_visits(cut: int) -> None:
    machine, log = crawl(10_000)
    again = Crawl(TOPIC, make_strategy("bfs"), ["http://h.test/"], traps=Traps(TOPIC.terms))
    for event in log[: 2 * (cut // 2)]:
        again.replay(event)
    for event in log[2 * (cut // 2) :]:
        again.replay(event)
    assert again.frontier.columns["state"].tolist() == machine.frontier.columns["state"].tolist()


def test_a_page_costs_one_credit_a_page_without_news_two_and_new_text_earns_sixteen() -> None:
    credit = Credit(40.0, 8.0)
    left = []
    for worth in (1.0, 0.5, 0.03, 0.02, 0.019, 0.0):
        credit.spend(worth)
        left.append(credit.left)
    assert left == pytest.approx([23, 30, 29.48, 28.8, 27.104, 25.104]), "below 0.02 there is nothing new"
    assert not credit.spend(1.0)
    credit.spend(1.0)
    assert credit.left == 40.0, "credit is bounded"


def test_the_page_that_uses_up_the_credit_is_told_once() -> None:
    credit = Credit(40.0, 4.0)
    assert [credit.spend(0.0) for _ in range(4)] == [False, True, False, False]


def test_a_template_has_proven_itself_when_its_pages_earned_what_they_cost() -> None:
    assert not Credit(40.0, 8.0).proven, "no page yet"
    assert Credit(40.0, 8.0, pages=16, worth=1.0).proven
    assert not Credit(40.0, 8.0, pages=17, worth=1.0).proven


@pytest.mark.parametrize(("times", "stuffed"), [(50, False), (51, True)])
def test_a_page_is_stuffed_when_over_half_of_its_letters_are_words_of_the_topic(
    times: int, *, stuffed: bool
) -> None:
    counts = TermCounts(pack_ints([0]), pack_ints([[times, 0, 0, 0, 0]]), length=100)
    assert Traps(("rain",))._stuffed(counts, 400) == stuffed
    assert not Traps(("rain",))._stuffed(counts, 299), "short pages are not tested"
    assert not Traps()._stuffed(counts, 400)


def test_words_of_scripts_without_spaces_count_by_their_own_length() -> None:
    """Text with fewer than two letters a word is in such a script: there the term has two letters, else four."""
    traps = Traps((f"rain{OR}暴雨",))
    counts = TermCounts(pack_ints([0]), pack_ints([[90, 0, 0, 0, 0]]), length=200)
    assert not traps._stuffed(counts, 399), "180 of 399 letters"
    assert traps._stuffed(counts, 400), "360 of 400"


def test_a_site_where_only_a_template_is_closed_still_admits_new_templates() -> None:
    traps = Traps()
    for month in range(20):
        tell(traps, f"http://h.test/calendar/{month}/x", "Rain calendar. No events were found in this month.")
        tell(traps, f"http://h.test/news/item/{month}", prose(f"news {month}"))
    assert traps.watched == {"h.test"}
    assert [traps.admits(f"http://h.test/folder{letter}/x") for letter in "abc"] == [True] * 3
    assert all(not credit.on_trial for credit in traps.templates.values())
    assert {host: credit.chances for host, credit in traps.hosts.items()} == {"h.test": 20}
