"""What a mark does: the relevance of a page is what a person said, and everything that follows from it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from crawling.crawled import COUNT, A, B, Crawled
from crawling.test_state import loaded, stored
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import LEFT, WAITING
from topicrawl.frontier.scope import Scope
from topicrawl.model import Instruction, Mark, Outcome, Page, Revisit
from topicrawl.page.read import read
from topicrawl.strategies.host_memory import HostMemory
from topicrawl.strategies.registry import make_strategy, strategy_names

GOOD, BAD = A + "good", A + "bad"
WORDS = {GOOD: "glacier moraine glacier icefall", BAD: "brewery barley brewery malthouse"}
SHOWN = {GOOD: [A + f"g{n}" for n in range(3)], BAD: [A + f"b{n}" for n in range(3)]}


def text(url: str, *links: str) -> Outcome:
    """A page that says little of the topic."""
    anchors = "".join(f'<li><a href="{link}">item {link[-2:]}</a>' for link in links)
    body = f"<title>{url[-4:]}</title><body>weather notes {WORDS.get(url, url[-2:])} <ul>{anchors}</ul>"
    found = read(url, body.encode(), "text/html")
    assert found is not None
    return Outcome(url, 200, 10, page=found, counts=COUNT(found))


class Marked(Crawled):
    """Two seeds with three links each, visited."""

    def begin(self) -> Marked:
        for url in [self.ask() for _ in SHOWN]:
            self.tell(url, text(url, *SHOWN[url]))
        return self

    def mark(self, url: str, relevant: bool | None) -> None:
        pages = {visit.url: outcome.page for visit, outcome in self.log.outcomes()}
        self.instruct(Instruction(marks=[Mark(pages.get(url), relevant, url, 1_800_000_000.0)]))

    def answer(self, url: str) -> Outcome:
        return text(url)

    def columns(self) -> dict[str, list[float]]:
        frontier = self.crawl.frontier
        names = ("state", "priority", "parents_sum", "depth")
        return {name: frontier.columns[name].tolist() for name in names} | {
            "hosts": frontier.hosts.columns["relevance_sum"].tolist(),
            "relevant": [self.crawl.tally.relevant],
        }


def parameters_of(strategy: str) -> dict[str, Any]:
    """Parameters with which a short crawl learns."""
    if strategy in ("mcoa", "svsm_mcoa"):
        return {"weights": "exact", "training_pages": 4}
    return {"continuous": True, "learn_every": 1} if make_strategy(strategy, {}).by_example else {}


def priorities(crawl: Crawl, urls: list[str]) -> list[float]:
    links = [crawl.frontier.number(url) for url in urls]
    return [float(crawl.frontier.columns["priority"][link]) for link in links if link is not None]


def test_the_relevance_of_a_page_is_what_a_person_said() -> None:
    crawled = Marked(*SHOWN, strategy="ops").begin()
    frontier = crawled.crawl.frontier
    before = crawled.columns()
    links = [frontier.number(url) for url in SHOWN[GOOD]]
    said = frontier.columns["parents_sum"][links[0]]
    crawled.mark(GOOD, True)
    assert crawled.crawl.tally.relevant == 1
    assert frontier.columns["parents_sum"][links].tolist() == [1.0] * 3
    assert frontier.hosts.columns["relevance_sum"][0] == pytest.approx(before["hosts"][0] + 1.0 - said)
    crawled.mark(GOOD, False)
    assert crawled.crawl.tally.relevant == 0
    crawled.mark(GOOD, None)
    for name, values in crawled.columns().items():
        assert values == pytest.approx(before[name]), f"{name}: the word of the judge counts again"
    assert crawled.replayed().columns() == crawled.columns()


@pytest.mark.parametrize("strategy", strategy_names())
def test_strategies_that_use_marks_follow_the_links_of_what_a_person_likes(strategy: str) -> None:
    crawled = Marked(*SHOWN, strategy=strategy, **parameters_of(strategy)).begin()
    crawled.mark(GOOD, True)
    crawled.mark(BAD, False)
    liked, disliked = (priorities(crawled.crawl, SHOWN[url]) for url in (GOOD, BAD))
    again = crawled.replayed()
    assert again.columns() == crawled.columns()
    assert crawled.rest() == again.rest()
    if crawled.crawl.strategy.uses_marks and strategy not in ("mcoa", "svsm_mcoa"):
        assert min(liked) > max(disliked)


def test_a_verdict_that_is_not_there_is_not_taken_back() -> None:
    crawled = Marked(*SHOWN, strategy="scout").begin()
    before = crawled.columns()
    crawled.mark(GOOD, None)
    crawled.mark(B, None)
    assert crawled.columns() == before


@pytest.mark.parametrize("strategy", ["bfs", "ops", "scout", "fcits", "fcwseo", "semxdm", "moaco"])
def test_a_waiting_link_is_asked_next_where_a_person_says_it_is_relevant(strategy: str) -> None:
    crawled = Marked(*SHOWN, strategy=strategy).begin()
    url = SHOWN[BAD][2]
    crawled.mark(url, True)
    again = crawled.replayed()
    for each in (crawled, again):
        asked = each.rest()
        assert url in asked
        if strategy in ("bfs", "ops", "scout"):
            assert asked[0] == url
        assert each.crawl.tally.relevant == 1, "the verdict applies when the page is visited"


def test_an_unknown_page_is_fetched_where_a_person_says_it_is_relevant_and_the_scope_admits_it() -> None:
    crawled = Marked(*SHOWN, strategy="scout", scope=Scope(exclude=("/out/",))).begin()
    crawled.mark(B, True)
    crawled.mark(B + "out/", True)
    again = crawled.replayed()
    first, *rest = crawled.rest()
    assert first == B
    assert B + "out/" not in rest
    assert again.rest() == [first, *rest]


@pytest.mark.parametrize("strategy", ["bfs", "ops", "scout", "fcits", "semxdm"])
def test_a_link_is_not_asked_where_a_person_says_it_is_irrelevant_until_that_is_taken_back(
    strategy: str,
) -> None:
    crawled = Marked(*SHOWN, strategy=strategy).begin()
    known, unknown = SHOWN[GOOD][0], A + "unknown"
    for url in (known, unknown):
        crawled.mark(url, False)
    states, link = crawled.crawl.frontier.columns["state"], crawled.crawl.frontier.number(known)
    assert link is not None
    assert states[link] == LEFT
    url = crawled.ask()
    crawled.tell(url, text(url, unknown))
    assert crawled.crawl.frontier.number(unknown) is None
    again = crawled.replayed()
    crawled.mark(known, None)
    assert states[link] == WAITING
    assert known in crawled.rest()
    assert known not in again.rest()


def test_another_threshold_counts_marked_pages_as_the_person_does() -> None:
    crawled = Marked(*SHOWN, strategy="ops").begin()
    crawled.mark(GOOD, True)
    crawled.instruct(Instruction(settings={"threshold": 0.999}))
    assert crawled.crawl.tally.relevant == crawled.replayed().crawl.tally.relevant == 1


@pytest.mark.parametrize("strategy", ["scout", "semxdm", "mcoa", "fcits_oh", "moaco"])
def test_marks_are_part_of_the_state(strategy: str) -> None:
    crawled = Marked(*SHOWN, strategy=strategy, **parameters_of(strategy)).begin()
    crawled.mark(GOOD, True)
    crawled.mark(SHOWN[BAD][0], True)
    crawled.mark(SHOWN[BAD][1], False)
    again = loaded(crawled.fresh(), stored(crawled.crawl))
    assert again.verdicts.of(GOOD) == crawled.crawl.verdicts.of(GOOD)
    whole = crawled.replayed()
    crawled.crawl = again
    for each in (crawled, whole):
        pages = {visit.url: outcome.page for visit, outcome in crawled.log.outcomes()}
        each.crawl.instruct(Instruction(marks=[Mark(pages[GOOD], None, GOOD)]))
    assert crawled.rest() == whole.rest()


def test_a_mark_on_a_peeked_page_counts_for_its_links_when_they_are_added() -> None:
    crawled = Crawled(A, strategy="fcwseo", target_relevance="peek")
    crawled.tell(crawled.ask(), text(A, GOOD, BAD))
    for url in [crawled.ask() for _ in SHOWN]:
        crawled.tell(url, text(url, *SHOWN[url]))
    assert {GOOD, BAD} == {visit.url for visit in crawled.log.visits() if visit.peek}
    frontier = crawled.crawl.frontier
    crawled.instruct(Instruction(marks=[Mark(text(GOOD).page, True, GOOD)]))
    crawled.rest()
    link = frontier.number(SHOWN[GOOD][0])
    assert link is not None
    assert frontier.columns["parents_sum"][link] == 1.0


@pytest.mark.parametrize("strategy", ["ops", "scout", "fcwseo"])
def test_an_example_may_be_called_irrelevant(strategy: str) -> None:
    crawled = Marked(*SHOWN, strategy=strategy).begin()
    example = text("http://example.test/", B).page
    assert example is not None
    crawled.instruct(Instruction(examples=[example]))
    tally = crawled.crawl.tally.relevant
    crawled.instruct(Instruction(marks=[Mark(example, False, example.url)]))
    assert crawled.crawl.tally.relevant == tally, "it was not visited"
    if strategy == "scout":  # whose crawls start from examples
        link = crawled.crawl.frontier.number(B)
        assert link is not None
        assert crawled.crawl.frontier.columns["parents_sum"][link] == 0.0
    crawled.replayed()


def test_a_verdict_on_a_link_is_one_on_the_page_it_redirects_to() -> None:
    crawled = Marked(*SHOWN, strategy="ops").begin()
    crawled.mark(SHOWN[GOOD][0], True)
    asked = crawled.ask()
    assert asked == SHOWN[GOOD][0]
    crawled.tell(asked, text(A + "moved"))
    assert crawled.crawl.tally.relevant == 1
    verdict = crawled.crawl.verdicts.of(A + "moved")
    assert verdict is not None
    assert verdict.relevant
    assert crawled.replayed().columns() == crawled.columns()


def test_another_visit_of_a_marked_page_counts_as_the_person_said() -> None:
    crawled = Marked(*SHOWN, strategy="ops").begin()
    crawled.mark(GOOD, True)
    revisit = Revisit(GOOD, 1_800_000_000.0)
    assert crawled.crawl.revisit(revisit) is not None
    crawled.log.events.append(revisit)
    crawled.tell(GOOD, text(GOOD, *SHOWN[GOOD], A + "new"))
    frontier, link = crawled.crawl.frontier, crawled.crawl.frontier.number(A + "new")
    assert link is not None
    assert crawled.crawl.tally.relevant == 2
    assert frontier.columns["parents_sum"][link] == 1.0
    crawled.mark(GOOD, None)
    assert crawled.crawl.tally.relevant == 0
    assert crawled.replayed().columns() == crawled.columns()


def test_a_host_is_released_when_a_person_likes_its_pages() -> None:
    memory = HostMemory(0.5, trial=2, most=5, good_share=0.4)
    crawled = Marked(*SHOWN, strategy="fcsa")
    crawled.crawl.strategy.memory = memory  # type: ignore[attr-defined]
    crawled.begin()
    assert memory.tabu
    crawled.mark(GOOD, True)
    assert not memory.tabu
    crawled.mark(GOOD, False)
    assert memory.tabu


@pytest.mark.parametrize("strategy", ["mcoa", "svsm_mcoa"])
def test_learned_weights_predict_what_people_say(strategy: str) -> None:
    crawled = Marked(*SHOWN, strategy=strategy, **parameters_of(strategy)).begin()
    for _ in range(4):
        url = crawled.ask()
        crawled.tell(url, text(url))
    learned: Any = crawled.crawl.strategy
    before, weights = list(learned.samples), learned.lambdas.tolist()
    asked = [visit.url for visit in crawled.log.visits()][2:]
    crawled.instruct(Instruction(marks=[Mark(text(url).page, False, url) for url in asked]))
    assert [sample[-1] for sample in learned.samples] == [0.0] * 4
    assert learned.lambdas.tolist() != weights
    crawled.instruct(Instruction(marks=[Mark(text(url).page, None, url) for url in asked]))
    assert (learned.samples, learned.lambdas.tolist()) == (before, weights)
    crawled.replayed()


def test_the_judge_keeps_a_verdict_when_the_page_is_visited_later() -> None:
    crawled = Marked(*SHOWN, strategy="scout", judge="examples").begin()
    unwanted = text(SHOWN[GOOD][0]).page
    assert unwanted is not None
    crawled.instruct(Instruction(unwanted=[unwanted]))
    crawled.rest()
    judge: Any = crawled.crawl.judge
    assert judge.verdict(SHOWN[GOOD][0]) is False


def test_an_instruction_with_marks_of_earlier_versions_is_read() -> None:
    page = Page(GOOD, text="storm")
    old = msgspec.msgpack.encode({"marks": [{"page": page, "relevant": True}]})
    [mark] = msgspec.msgpack.decode(old, type=Instruction).marks
    assert (mark.of, mark.relevant, mark.time) == (GOOD, True, 0.0)
