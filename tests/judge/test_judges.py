"""The judges of topicrawl: by terms, by examples; and what stands for a judge from outside."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.errors import ConfigError, JudgeError
from topicrawl.judge import Judge, Seen
from topicrawl.judge.calibration import reconsidered
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.outside import as_judge
from topicrawl.judge.registry import check_judge, default_threshold, make_judge
from topicrawl.model import Page, Topic

STORM = "storm rain flood wind damage river warning rainfall"
OTHER = "train station locomotive rail track carriage engine"
SEA = "tide sea ship harbour sailor"


def page(words: str, number: int) -> Page:
    rng = np.random.default_rng(number)
    text = " ".join(rng.choice(words.split(), 12).tolist())
    return Page(f"http://a.test/{number}", title=text.split(maxsplit=1)[0], text=text)


TOPIC = Topic(
    "storms", ("storm", "flood"), (1.0, 1.0), examples=tuple(page(STORM, n) for n in range(100, 105))
)


def learned(pages: int = 24) -> ByExamples:
    """After pages about storms, storms at sea and trains, in turn."""
    judge = ByExamples(TOPIC)
    for number in range(pages):
        judge.learn(Seen(page((STORM, f"{STORM} {SEA}", OTHER)[number % 3], number)), None)
    return judge


def test_terms_repeats_the_relevance_by_terms() -> None:
    judge = make_judge("terms", TOPIC)
    assert judge.judge([Seen(page(STORM, 1), 0.7), Seen(page(OTHER, 2), 0.1)]) == [0.7, 0.1]


def test_examples_judges_a_batch_like_each_page_alone() -> None:
    judge = learned()
    seen = [Seen(page(STORM, 50)), Seen(page(OTHER, 51)), Seen(page(STORM, 52))]
    together = list(judge.judge(seen))
    assert together == [judge.judge([each])[0] for each in seen]
    assert min(together[0], together[2]) > together[1]
    assert all(0 <= said <= 1 for said in together)


@pytest.mark.parametrize(("seed", "counts"), [("http://b.test/storms", True), ("http://b.test/", False)])
def test_from_words_alone_a_seed_is_an_example_unless_it_is_a_front_page(seed: str, counts: bool) -> None:
    found = []
    for is_seed in (True, False):
        judge = ByExamples(Topic("harbours", ("harbour",), (1.0,)))
        judge.learn(Seen(Page(seed, text=STORM), 0.1, is_seed=is_seed), None)
        for number in range(12):
            judge.learn(Seen(page(OTHER, number), 0.9), None)
        found.append(judge.strength(page(STORM, 50)))
    assert (found[0] > found[1]) is counts


def test_words_count_for_more_after_one_seed_than_after_five() -> None:
    counted = []
    for seeds in (1, 5):
        judge = ByExamples(Topic("storms", ("storm",), (1.0,)))
        for number in range(12):
            judge.learn(Seen(page(STORM, number), 0.5, is_seed=number < seeds), None)
        new = page(STORM, 50)
        counted.append(judge.own(Seen(new, 0.6)) - judge.own(Seen(new, 0.0)))
    assert counted[0] > counted[1] > 0


def test_asking_changes_nothing() -> None:
    judge, probe = learned(), Seen(page(STORM, 50))
    before = judge.judge([probe])[0]
    for number in range(60, 80):
        judge.judge([Seen(page(OTHER, number))])
    assert judge.judge([probe])[0] == before
    assert judge.model.seen == 24


def test_a_verdict_is_what_it_says_of_that_page_and_moves_pages_like_it() -> None:
    judge, like = learned(), Seen(page(f"{STORM} {SEA}", 90))
    judge.model.fit()
    before = judge.judge([like])[0]
    refused = [Seen(page(f"{STORM} {SEA}", number)) for number in (1, 4, 7)]
    for each in refused:
        judge.learn(each, False)
    assert judge.judge(refused) == [0.0] * 3
    assert judge.judge([like])[0] < before
    judge.mark([(each, None) for each in refused])
    assert judge.judge([like])[0] == before


@pytest.mark.parametrize("verdict", [True, False])
def test_pages_nearly_the_same_as_a_marked_one_are_judged_as_marked(verdict: bool) -> None:
    """In text: titles and addresses differ. Storms are relevant, trains are not, until a person says otherwise."""
    words, terms = (OTHER, 0.0) if verdict else (STORM, 0.8)
    marked, copy = page(words, 1), Page("http://b.test/copy", title="elsewhere", text=page(words, 1).text)
    judge = learned()
    assert (judge.judge([Seen(copy, terms)])[0] > 0.5) is not verdict
    judge.learn(Seen(marked), verdict)
    for each in (copy, Page("http://b.test/2", text=copy.text.rsplit(maxsplit=1)[0])):
        assert judge.judge([Seen(each, terms)])[0] == pytest.approx(float(verdict), abs=0.1)
        assert judge.strength(each) == pytest.approx(float(verdict), abs=0.1)
    judge.learn(Seen(copy, terms), None)
    judge.model.fit()
    assert judge.model.strengths[-1] == pytest.approx(float(verdict), abs=0.1)
    assert reconsidered(judge, np.full(judge.model.seen, terms))[-1] == pytest.approx(float(verdict), abs=0.1)


@pytest.mark.parametrize("verdict", [True, False])
def test_thirty_marks_decide_about_pages_like_them(verdict: bool) -> None:
    """Storms at sea are in doubt: half of their words are on the examples."""
    words = f"{STORM} {SEA} {SEA}"
    judge = learned(60)
    probes = [Seen(page(words, number)) for number in range(200, 210)]
    for number in range(300, 330):
        judge.learn(Seen(page(words, number)), verdict)
    said = np.array(judge.judge(probes))
    assert ((said > 0.9) if verdict else (said < 0.1)).all()
    assert judge.judge([Seen(page(OTHER, 400))])[0] < 0.5


def test_a_page_called_relevant_counts_as_an_example() -> None:
    judge = learned()
    trains = [Seen(page(OTHER, number)) for number in range(2, 24, 3)]
    before = judge.judge([Seen(page(OTHER, 91))])[0]
    for each in trains:
        judge.learn(each, True)
    assert judge.judge([Seen(page(OTHER, 91))])[0] > before
    assert judge.judge(trains[:1]) == [1.0]


def test_pages_noted_and_concluded_are_judged_as_if_learned_one_by_one() -> None:
    one_by_one, at_once = learned(), ByExamples(TOPIC)
    for number in range(24):
        at_once.note(Seen(page((STORM, f"{STORM} {SEA}", OTHER)[number % 3], number)))
    probes = [Seen(page(words, 70)) for words in (STORM, SEA, OTHER)]
    assert one_by_one.concluded().judge(probes) == at_once.concluded().judge(probes)


def test_the_latest_pages_are_judged_from_memory_as_if_they_were_read_again() -> None:
    judge = learned().concluded()
    again = judge.judge(
        [Seen(page((STORM, f"{STORM} {SEA}", OTHER)[number % 3], number)) for number in range(24)]
    )
    assert judge.again(np.zeros(24)).relevance.tolist() == pytest.approx(again, abs=1e-12)


def test_a_function_is_a_judge() -> None:
    judge = as_judge(lambda seen: [0.25 for _ in seen])
    assert isinstance(judge, Judge)
    assert judge.judge([Seen(page(STORM, 1))]) == [0.25]


def test_names_and_arguments_are_checked() -> None:
    with pytest.raises(ConfigError, match="unknown judge 'example'; did you mean 'examples'"):
        check_judge("example")
    with pytest.raises(ConfigError, match="'terms' takes no argument"):
        check_judge("terms:2")


def test_a_judge_that_is_not_installed_can_be_read_past_but_not_asked() -> None:
    judge = make_judge("elsewhere:7", TOPIC)
    judge.learn(Seen(page(STORM, 1)), None)
    with pytest.raises(JudgeError, match="'elsewhere' of this run is not here"):
        judge.judge([Seen(page(STORM, 1))])


def test_thresholds_are_those_of_the_papers_for_terms_and_one_half_for_others() -> None:
    assert [default_threshold(name) for name in ("terms", "examples", "mine:1")] == [0.62, 0.5, 0.5]
