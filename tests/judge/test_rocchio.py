"""The classifier: relevance by examples, by the topic's words alone, during the crawl, and by marks of a person."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from topicrawl.frontier import Ids
from topicrawl.frontier.columns import in_memory
from topicrawl.judge import stand_ins
from topicrawl.judge.direction import KNOWN
from topicrawl.judge.page_documents import BLOCK, MEMORY, Document, Documents, concatenated
from topicrawl.judge.rocchio import Rocchio, document
from topicrawl.judge.stand_ins import COMPLETED, FEWEST
from topicrawl.model import Page
from topicrawl.text.tokens import Tokens, once

STORM = "storm rain flood wind damage river warning rainfall"
OTHER = "train station locomotive rail track carriage engine"


def read(tokens: Tokens, text: str, number: int = 0) -> Document:
    page = Page(f"http://a.test/{number}", title=text.split(maxsplit=1)[0], text=text)
    return document(tokens, page, tokens.words(text).tokens)


def shuffled(words: str, number: int) -> str:
    rng = np.random.default_rng(number)
    return " ".join(rng.choice(words.split(), 12).tolist())


def places(model: Rocchio, *documents: Document) -> list[float]:
    """Where the model puts documents: 0 with pages that are not relevant, 1 with the examples."""
    found: list[float] = model.figures(*concatenated(documents)).places.tolist()
    return found


def judge(examples: int, pages: int = 24) -> list[float]:
    """Relevances after pages of which every other one is about storms."""
    tokens = Tokens()
    shown = [read(tokens, shuffled(STORM, 100 + number)) for number in range(examples)]
    model = Rocchio(tokens, shown, np.unique(tokens.text("storm rain flood")))
    for number in range(pages):
        about = number % 2 == 0
        page = read(tokens, shuffled(STORM if about else OTHER, number), number)
        model.add(page, by_terms=0.8 if about else 0.0)
    model.fit()
    return model.strengths.tolist()


@pytest.mark.parametrize("examples", [0, 1, 20, 200])
def test_pages_similar_to_the_examples_are_relevant_for_any_number_of_pages(examples: int) -> None:
    found = judge(examples)
    assert min(found[::2]) > 0.5 > max(found[1::2])


def test_before_negatives_are_learned_the_examples_decide() -> None:
    found = judge(20, pages=KNOWN - 1)
    assert min(found[::2]) > max(found[1::2])


def test_an_empty_page_has_a_relevance() -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [], np.zeros(0, dtype=np.int64))
    silent = document(tokens, Page("http://a.test/"), np.zeros(0, dtype=np.int64))
    for _ in range(KNOWN + 3):
        model.add(silent, by_terms=0.0)
    assert np.isfinite(model.strengths).all()


def test_all_documents_are_kept_the_latest_as_arrays() -> None:
    tokens = Tokens()
    kept, every = Documents(in_memory), [read(tokens, shuffled(STORM, n), n) for n in range(2 * MEMORY + 300)]
    for number, page in enumerate(every, 1):
        kept.append(page)
        if number in (1, MEMORY // 2 + 1, MEMORY, MEMORY + 1, MEMORY + BLOCK, MEMORY + BLOCK + 1, len(every)):
            latest = every[max(0, number - MEMORY) : number]
            assert len(kept) == len(latest)
            assert apart(*kept.latest()) == plain(latest)
            earlier = [each for some in kept.earlier() for each in apart(*some)]
            assert earlier == plain(every[: number - len(latest)])
            assert (kept[len(latest) - 1].counts == page.counts).all()
    assert kept._cells.size < 3 * len(kept.latest()[0].columns)
    assert 0 < kept.nbytes < 2 * sum(len(each.columns) for each in every)  # uncompressed: 8 bytes for each


def apart(joined: Document, ends: Ids) -> list[tuple[list[int], list[int]]]:
    between = pairwise(ends.tolist())
    return plain([Document(joined.columns[first:end], joined.counts[first:end]) for first, end in between])


def plain(documents: Sequence[Document]) -> list[tuple[list[int], list[int]]]:
    return [(each.columns.tolist(), each.counts.tolist()) for each in documents]


def test_only_the_latest_pages_are_kept() -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, STORM)], np.zeros(0, dtype=np.int64))
    page = read(tokens, OTHER)
    for _ in range(MEMORY + 200):
        model.add(page, by_terms=0.0)
    assert model.seen == MEMORY + 200
    assert len(model.strengths) <= MEMORY


def test_words_of_relevant_pages_have_positive_weights_and_others_negative() -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, shuffled(STORM, n)) for n in range(5)], tokens.text("storm"))
    for number in range(KNOWN):
        model.add(read(tokens, shuffled(OTHER, number)), by_terms=0.0)
    rain, train = int(tokens.text("rain")[0]), int(tokens.text("train")[0])
    assert model.body[rain] > 0 > model.body[train]


def test_words_on_relevant_pages_and_examples_have_positive_company() -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, f"{STORM} isobar")] * 5, np.unique(tokens.text("storm")))
    assert not model.company.any()
    for number in range(KNOWN + 16):
        text = f"{STORM} evenly cumulus" if number % 2 else f"{OTHER} evenly buffet"
        model.add(read(tokens, text, number), by_terms=0.0)
    cumulus, buffet, evenly, isobar = model.company[tokens.text("cumulus buffet evenly isobar")]
    assert cumulus > 0.2
    assert isobar > 0.2
    assert buffet < -0.2
    assert abs(evenly) < 1e-9
    assert model.company[-1] == 0.0


def test_it_is_fitted_after_every_fourth_page_and_later_every_twentieth_of_the_crawl() -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, STORM)] * 5, np.unique(tokens.text("storm")))
    pages = range(1, 701)
    fits, learnt = [model.fits], []
    for page in pages:
        model.add(read(tokens, OTHER, page), by_terms=0.0)
        fits.append(model.fits)
        learnt += [page] if fits[-1] > fits[-2] else []
    gaps = [(at, later - at) for at, later in pairwise(learnt)]
    assert all(gap == (1 if at < KNOWN else max(4, at // 20, at // 10 - 25)) for at, gap in gaps)
    assert gaps[-1][1] > 35  # a twentieth of 700


def test_a_fit_depends_on_what_was_learned_and_not_on_earlier_fits() -> None:
    found = []
    for fitted in (True, False):
        tokens = Tokens()
        model = Rocchio(tokens, [read(tokens, STORM)] * 5, np.unique(tokens.text("storm")))
        for number in range(30):
            page = read(tokens, shuffled(STORM if number % 3 else OTHER, number), number)
            (model.add if fitted else model.note)(page, 0.0)
        model.fit()
        found += places(model, read(tokens, STORM + " train"))
    assert found[0] == found[1]


def test_marks_of_a_person_move_the_pages_that_are_like_the_marked_ones() -> None:
    """Pages about floods at sea are found by the examples; a person says that they are not meant."""
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, shuffled(STORM, n)) for n in range(5)], tokens.text("storm"))
    sea = STORM + " tide sea ship"
    for number in range(20):
        model.add(read(tokens, shuffled(sea if number % 2 else OTHER, number), number), by_terms=0.0)
    model.fit()
    probe = read(tokens, shuffled(sea, 99))
    before = places(model, probe)
    marked = [read(tokens, shuffled(sea, number), number) for number in (1, 3)]
    model.mark([], marked)
    refused = places(model, probe)
    model.mark(marked, [])
    wanted = places(model, probe)
    model.mark([], [])
    assert refused < before < wanted
    assert places(model, probe) == before


def test_a_concluded_copy_leaves_the_model_as_it_is() -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, STORM)] * 5, np.unique(tokens.text("storm")))
    for number in range(44):
        model.add(read(tokens, shuffled(STORM if number % 3 else OTHER, number), number), 0.0)
    probe = read(tokens, STORM + " train")
    before, fits = places(model, probe), model.fits
    other = model.concluded()
    assert places(model, probe) == before
    assert model.fits == fits
    model.fit()
    assert places(other, probe) == places(model, probe) != before


def preference_for_storms(examples: int, *, seed_terms: float, are_seeds: bool) -> float:
    """How much more similar pages about storms are than others, after seeds about storms and pages with more terms."""
    tokens = Tokens()
    shown = [read(tokens, shuffled(STORM, 100 + number)) for number in range(examples)]
    model = Rocchio(tokens, shown, np.unique(tokens.text("harbour")))
    for number in range(FEWEST):
        model.note(read(tokens, shuffled(STORM, number), number), seed_terms, is_chosen=are_seeds)
    for number in range(20):
        model.note(read(tokens, shuffled(OTHER, number), number), 0.9)
    model.fit()
    storm, other = places(model, read(tokens, STORM), read(tokens, OTHER))
    return storm - other


def test_seeds_with_a_term_of_the_topic_replace_missing_examples_before_other_pages() -> None:
    assert preference_for_storms(0, seed_terms=0.4, are_seeds=True) > 0
    assert preference_for_storms(0, seed_terms=0.4, are_seeds=False) < 0
    assert preference_for_storms(0, seed_terms=0.0, are_seeds=True) < 0


def difference_by_seeds(examples: int) -> float:
    """How much it matters for that preference whether somebody chose the pages about storms."""
    as_seeds, as_others = (
        preference_for_storms(examples, seed_terms=0.4, are_seeds=are_seeds) for are_seeds in (True, False)
    )
    return abs(as_seeds - as_others)


def test_seeds_complete_examples_to_ten_and_then_are_pages_like_others() -> None:
    assert difference_by_seeds(FEWEST) > 0
    assert difference_by_seeds(COMPLETED - 1) > 0
    assert difference_by_seeds(COMPLETED) == 0


def test_without_that_seeds_only_replace_missing_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_ins, "COMPLETED", FEWEST)
    assert difference_by_seeds(FEWEST - 1) > 0
    assert difference_by_seeds(FEWEST) == 0


def standing_in(model: Rocchio) -> list[int]:
    """The pages that stand in for examples, by number."""
    shown = len(model._examples) + len(model._positives)
    found = [model._pages[number] for number in range(len(model._pages))]
    return [
        next(n for n, page in enumerate(found) if page.is_among([each]))
        for each in model._all_shown()[shown:]
    ]


def test_other_pages_complete_examples_to_five_alone() -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, STORM)] * 2, tokens.text("storm"))
    for number in range(12):
        model.note(read(tokens, shuffled(STORM, number), number), 0.1 * number, is_chosen=number in (3, 9))
    assert standing_in(model) == [9, 3, 11]


def test_where_a_person_marked_pages_seeds_complete_them_to_five_alone() -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, STORM)] * 2, tokens.text("storm"))
    for number in range(12):
        model.note(read(tokens, shuffled(STORM, number), number), 0.1 * number, is_chosen=number < 9)
    assert standing_in(model) == [8, 7, 6, 5, 4, 3, 2, 1]
    model.mark([read(tokens, STORM)] * 2, [])
    assert standing_in(model) == [8]
    model.mark([read(tokens, STORM)] * 3, [])
    assert standing_in(model) == []


def test_a_seed_that_a_person_marked_counts_by_its_mark_alone() -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, STORM)] * 3, tokens.text("storm"))
    seeds = [read(tokens, f"storm {text}", number) for number, text in enumerate((STORM, OTHER))]
    for seed in seeds:
        model.note(seed, 0.5, is_chosen=True)
    assert standing_in(model) == [0, 1]
    model.mark([], [seeds[1]])
    assert standing_in(model) == [0]
    model.mark([seeds[0]], [seeds[1]])
    assert standing_in(model) == []


@pytest.mark.parametrize(
    ("examples", "seeds", "share"),
    [(0, 0, 1.0), (0, 1, 0.8), (0, 3, 0.4), (1, 3, 0.2), (0, 9, 0.0), (20, 1, 0.0)],
)
def test_it_says_how_many_of_the_pages_that_it_compares_with_somebody_chose(
    examples: int, seeds: int, share: float
) -> None:
    tokens = Tokens()
    model = Rocchio(tokens, [read(tokens, STORM)] * examples, tokens.text("storm"))
    for number in range(12):
        model.add(read(tokens, shuffled(STORM, number), number), by_terms=0.8, is_chosen=number < seeds)
    assert model.unchosen == pytest.approx(share)
    if seeds < FEWEST:
        model.mark([read(tokens, STORM)] * FEWEST, [])
        assert model.unchosen == 0.0


CHINESE = ("暴雨", "洪水", "灾害", "预警", "降雨", "河流", "停电", "救援")
TRAINS = ("火车", "车站", "铁路", "机车", "车厢", "轨道", "路线", "发动机")


def after_pages_in_two_scripts(words: str) -> tuple[Tokens, Rocchio]:
    """A model with English examples of a topic of these words, after English and Chinese pages."""
    tokens, rng = Tokens(), np.random.default_rng(1)
    model = Rocchio(tokens, [read(tokens, shuffled(STORM, n)) for n in range(5)], once(tokens.text(words)))
    for number in range(90):
        about, english = number % 2 == 0, number % 3 == 0
        words = (STORM if about else OTHER).split() if english else CHINESE if about else TRAINS
        model.add(read(tokens, " ".join(rng.choice(words, 12)), number), by_terms=0.8 if about else 0.0)
    return tokens, model


@pytest.mark.parametrize(
    ("words", "are_told_apart"), [("storm flood 暴雨 洪水", True), ("storm flood", False)]
)
def test_a_page_is_compared_with_pages_in_its_script_where_the_topic_has_words_in_it(
    words: str, are_told_apart: bool
) -> None:
    tokens, model = after_pages_in_two_scripts(words)
    storms, trains = (read(tokens, " ".join(each), 99) for each in (CHINESE, TRAINS))
    place, other = places(model, storms, trains)
    assert (place > 0.7) == are_told_apart
    assert other < 0.3
    assert min(places(model, *(read(tokens, shuffled(STORM, n)) for n in range(5)))) > 0.7
    single = [model.placed(each, int(each.counts.max())).place for each in (storms, trains)]
    assert single == [place, other]


def test_a_model_that_takes_over_a_direction_says_the_same_of_pages_in_each_script() -> None:
    tokens, model = after_pages_in_two_scripts("storm flood 暴雨 洪水")
    other = model.concluded()
    other.fit()
    direction, borders, scripts = other.given
    strengths = other.strengths.tolist()
    model.take(direction, borders, scripts, 0.0, other.company)
    assert len(borders.low) == 2
    assert model.strengths.tolist() == pytest.approx(strengths)
    pages = [read(tokens, " ".join(each), 99) for each in (CHINESE, TRAINS)]
    assert places(model, *pages) == places(other, *pages)


def test_a_person_who_marks_pages_in_another_script_gives_examples_in_it() -> None:
    tokens, model = after_pages_in_two_scripts("storm flood 暴雨 洪水")
    page = read(tokens, "机车 火车 路线", 99)
    (before,) = places(model, page)
    model.mark([read(tokens, " ".join(TRAINS), number) for number in range(COMPLETED)], [])
    (after,) = places(model, page)
    assert before < 0.3
    assert after > 0.7


@pytest.mark.parametrize("english", [0, 1, 3, 5, 10])
def test_pages_in_each_script_are_told_apart_however_examples_are_divided(english: int) -> None:
    tokens, rng = Tokens(), np.random.default_rng(2)
    shown = [*[STORM.split()] * english, *[list(CHINESE)] * (5 if english in (0, 5) else 3)]
    examples = [read(tokens, " ".join(rng.choice(words, 12))) for words in shown]
    model = Rocchio(tokens, examples, once(tokens.text("storm flood 暴雨 洪水")))
    for number in range(120):
        about, is_english = number % 3 > 0, number % 2 == 0
        words = (STORM if about else OTHER).split() if is_english else list(CHINESE if about else TRAINS)
        model.add(read(tokens, " ".join(rng.choice(words, 12)), number), by_terms=0.8 if about else 0.0)
    probes = [read(tokens, " ".join(words), 999) for words in ([STORM], CHINESE, [OTHER], TRAINS)]
    storm, chinese, train, chinese_train = places(model, *probes)
    assert min(storm, chinese) > 0.7
    assert max(train, chinese_train) < 0.3


def test_of_two_scripts_with_some_examples_the_one_of_most_pages_comes_first() -> None:
    tokens = Tokens()
    texts = [STORM] * 3 + [" ".join(CHINESE)] * 8
    model = Rocchio(
        tokens, [read(tokens, text) for text in texts], once(tokens.text("storm flood 暴雨 洪水"))
    )
    for number in range(8):
        model.add(read(tokens, STORM if number else " ".join(CHINESE), number), by_terms=0.5)
    chinese = 1
    assert model.given[2] == [chinese]
