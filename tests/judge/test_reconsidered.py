"""The last judgement of a crawl's pages: by themselves, and by the pages near them."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.judge import Seen, calibration, page_documents, rocchio
from topicrawl.judge.calibration import SMOOTHING, WINDOW, evidence, reconsidered, visited_about_then
from topicrawl.judge.examples import ByExamples
from topicrawl.model import Page, Topic

STORM = "storm rain flood wind damage river warning rainfall"
OTHER = "train station locomotive rail track carriage engine"
BOTH = f"{STORM} {OTHER}"


def page(words: str, number: int) -> Page:
    rng = np.random.default_rng(number)
    text = " ".join(rng.choice(words.split(), 12).tolist())
    return Page(f"http://a.test/{number}", title=text.split(maxsplit=1)[0], text=text)


TOPIC = Topic("storms", ("storm",), (1.0,), examples=tuple(page(STORM, n) for n in range(100, 105)))


def learned(pages: list[Page]) -> ByExamples:
    judge = ByExamples(TOPIC)
    for each in pages:
        judge.learn(Seen(each), None)
    return judge


def in_turn(number: int) -> list[Page]:
    """Storms and trains in turn."""
    return [page((STORM, OTHER)[n % 2], n) for n in range(number)]


def test_pages_like_relevant_ones_gain_and_pages_like_others_lose() -> None:
    pages = in_turn(40)
    found = evidence(learned(pages), np.zeros(len(pages)))
    assert found.like[::2].min() > 0 > found.like[1::2].max()
    said = reconsidered(learned(pages), np.tile([0.3, 0.0], 20))
    assert said[::2].min() > 0.5 > said[1::2].max()


def test_a_page_in_doubt_is_judged_by_what_was_visited_about_then() -> None:
    """Two pages with the same text: one among storms, one among trains."""
    storms, trains = [page(STORM, n) for n in range(22)], [page(OTHER, n) for n in range(22, 44)]
    doubted = page(BOTH, 7)
    pages = [*storms[:10], doubted, *storms[10:], *trains[:12], doubted, *trains[12:]]
    said = reconsidered(learned(pages), np.zeros(len(pages)))
    assert said[10] > said[35]


def test_pages_visited_shortly_before_and_after_a_page_are_averaged_without_it() -> None:
    relevance = np.random.default_rng(3).random(3 * WINDOW) / 2
    expected = []
    for place in range(len(relevance)):
        others = [n for n in range(len(relevance)) if n != place and abs(n - place) <= WINDOW]
        beyond = [relevance[n] - relevance.mean() for n in others]
        expected.append(sum(beyond) / (len(others) + SMOOTHING))
    assert visited_about_then(relevance) == pytest.approx(expected)
    assert visited_about_then(np.zeros(0)).tolist() == []


def test_pages_before_the_latest_are_compared_with_the_latest(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = in_turn(60)
    for module in (rocchio, page_documents):
        monkeypatch.setattr(module, "MEMORY", 20)
    monkeypatch.setattr(page_documents, "BLOCK", 8)
    judge = learned(pages)
    found = evidence(judge, np.zeros(len(pages)))
    assert len(found.like) == len(found.own) == len(pages)
    assert found.like[::2].min() > 0 > found.like[1::2].max()
    assert judge.model.seen == len(pages)


def test_pages_of_a_crawl_in_which_all_are_relevant_are_called_so() -> None:
    pages = [page(STORM, number) for number in range(30)]
    assert reconsidered(learned(pages), np.full(30, 0.8)).min() > 0.5


def test_where_all_pages_contain_the_terms_none_is_called_irrelevant_for_lack_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From words and one seed: pages of one topic in other words each, of which half are taken as not relevant."""
    words = [f"word{number}" for number in range(60)]
    rng = np.random.default_rng(2)
    topic, pages = Topic("storms", ("storm", "rain"), (1.0, 0.7)), []
    for number in range(60):
        pages.append(page(" ".join([STORM, *rng.choice(words, 20)]), number))
    terms = rng.uniform(0.5, 0.7, 60)
    called = []
    for fewest in (calibration.FEWEST, len(pages) + 1):
        monkeypatch.setattr(calibration, "FEWEST", fewest)
        judge = ByExamples(topic)
        for number, (each, by_terms) in enumerate(zip(pages, terms.tolist(), strict=True)):
            judge.learn(Seen(each, by_terms, is_seed=number == 0), None)
        called.append(int((reconsidered(judge, terms) > 0.5).sum()))
    assert called[0] > 55
    assert called[1] < 45


def test_where_no_page_contains_most_terms_the_pages_apart_from_the_others_are_called_relevant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three storms to a train; of a topic of many terms, even pages about it contain a part."""
    words = [(STORM, 0.5), (STORM, 0.5), (STORM, 0.5), (OTHER, 0.1)]
    are_storms, right = np.arange(160) % 4 < 3, []
    for fewest in (calibration.FEWEST, 1_000):
        monkeypatch.setattr(calibration, "FEWEST", fewest)
        judge, terms, at_visit = ByExamples(Topic("weather", ("storm",), (1.0,))), [], list[float]()
        for number in range(160):
            text, by_terms = words[number % 4]
            terms.append(by_terms)
            seen = Seen(page(text, number), by_terms, is_seed=number < 2)
            at_visit.extend(judge.judge([seen]))
            judge.learn(seen, None)
        called, late = reconsidered(judge, np.array(terms)) > 0.5, np.array(at_visit)[80:] > 0.5
        right.append(((called == are_storms).mean(), (late == are_storms[80:]).mean()))
    assert min(right[0]) > 0.95 > max(right[1])


def test_a_crawl_without_pages_has_no_judgement() -> None:
    assert reconsidered(ByExamples(TOPIC), np.zeros(0)).tolist() == []
