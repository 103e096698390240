"""The four texts of links on whole pages, against the sums written out."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from topicrawl.model import Page, Topic
from topicrawl.page.read import read
from topicrawl.topic.pages import topic_pages
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.words import says_something, words
from topicrawl.value.page_texts import PageTexts

TOPIC = Topic(
    "storms", ("storm",), (1.0,), pages=topic_pages(["storm flood rain rain", "hurricane wind storm"])
)
HTML = """<title>Storm report</title><p>{left} <a href="/a">the flood</a> {right} <a href="/b">bread</a></p>
<a href="/c"><img src="x.png" alt="hurricane"></a>"""


def page(left: str = "one", right: str = "two", url: str = "http://a.test/") -> Page:
    found = read(url, HTML.format(left=left, right=right).encode(), "text/html")
    assert found is not None
    return found


def written_out(text: str, texts: list[str], sem: dict[tuple[str, str], float]) -> float:
    """SVSM with the nearest page of TOPIC, Eq. (3) as it stands; `texts` give the idf."""
    seen = [set(filter(says_something, words(each))) for each in texts]

    def idf(word: str) -> float:
        return math.log(1 + len(seen) / max(1, sum(word in each for each in seen)))

    counts = Counter(filter(says_something, words(text)))
    best = 0.0
    for topic_page in TOPIC.pages:
        pairs = [
            (count * idf(word), often * idf(term), sem[word, term])
            for word, count in counts.items()
            for term, often in topic_page
        ]
        product = sum(w * t * s * s for w, t, s in pairs)
        lengths = sum((w * s) ** 2 for w, _, s in pairs) * sum((t * s) ** 2 for _, t, s in pairs)
        best = max(best, product / math.sqrt(lengths) if lengths else 0.0)
    return best


def test_the_sum_over_words_equals_the_sum_over_pairs() -> None:
    wordnet = WordNet.load()
    if wordnet is None:
        pytest.skip("built without WordNet: make setup")
    text = "a violent tempest brought rain and drowned the bread harvest; rain, river, dog"
    terms = [term for topic_page in TOPIC.pages for term, _ in topic_page]
    sem = {(w, t): wordnet.similarity(w, t) for w in words(text) for t in terms}
    texts = PageTexts(TOPIC, "svsm", wordnet, refresh_every=1)
    found = texts.observe(Page("http://a.test/", text=text), [])
    texts = [*(" ".join(word for word, _ in each) for each in TOPIC.pages), text]
    assert found.full == pytest.approx(written_out(text, texts, sem), abs=2e-4)  # likeness is kept in 16 bits


def test_each_text_of_a_link_has_a_similarity() -> None:
    found = PageTexts(TOPIC, "vsm").observe(page(), [0, 1, 2])
    assert found.title > 0
    assert found.anchors[0] > 0
    assert found.anchors[1] == 0
    assert found.anchors[2] > 0, "an image is described outside the text"
    assert (found.contexts > 0).all(), "the flood stands near all three"


def test_a_context_reaches_twenty_words_and_no_farther() -> None:
    for between, near in ((20, True), (21, False)):
        filler = " ".join(["bread"] * (between - 1))
        source = f'<p>storm {filler} <a href="/b">bread</a></p>'.encode()
        found = read("http://a.test/", source, "text/html")
        assert found is not None
        assert bool(PageTexts(TOPIC, "vsm").observe(found, [0]).contexts[0] > 0) is near


def test_only_the_heaviest_words_of_a_text_count() -> None:
    many = " ".join(
        f"{chr(97 + i)}{chr(97 + j)}zz {chr(97 + i)}{chr(97 + j)}zz" for i in range(10) for j in range(6)
    )
    alone, drowned = (
        PageTexts(TOPIC, "vsm").observe(Page("http://a.test/", text=text), []).full
        for text in ("flood", f"flood {many}")
    )
    assert alone > 0
    assert drowned == 0


def test_an_empty_page_has_similarity_0() -> None:
    found = PageTexts(TOPIC, "svsm", WordNet.load()).observe(Page("http://a.test/"), [])
    assert (found.full, found.title) == (0, 0)


def test_rare_words_count_more_after_a_refresh() -> None:
    texts = PageTexts(TOPIC, "vsm", refresh_every=3)
    common = Page("http://a.test/", text="storm bread flood")
    values = [texts.observe(common, []).full for _ in range(8)]
    assert values[1] == values[2] == values[3], "rarity stands still between refreshes"
    assert values[0] != values[1] != values[4], "it moves when pages have doubled, then every third page"


def test_a_topic_without_pages_is_a_page_of_its_terms() -> None:
    texts = PageTexts(Topic("s", ("flood|floods", "heavy rain"), (1.0, 0.5)), "vsm")
    similarities = [
        texts.observe(Page("http://a.test/", text=text), []).full for text in ("floods", "rain", "dog")
    ]
    assert similarities[0] > similarities[1] > similarities[2] == 0


def test_the_same_pages_give_the_same_similarities() -> None:
    def run() -> list[np.ndarray]:
        texts = PageTexts(TOPIC, "svsm", WordNet.load(), refresh_every=2)
        return [
            texts.observe(page(f"storm {n} tempest", "rain", f"http://{n}.test/"), [0, 1]).contexts
            for n in range(9)
        ]

    for first, second in zip(run(), run(), strict=True):
        np.testing.assert_array_equal(first, second)


def test_a_page_that_is_compared_again_is_not_counted_again() -> None:
    once, twice = (PageTexts(TOPIC, "vsm", refresh_every=1) for _ in range(2))
    first, second = page(), page("storm flood", "wind", "http://b.test/")
    seen = [once.observe(first, [0, 1]), once.observe(second, [0, 1])]
    again = twice.observe(first, [0, 1])
    compared = twice.compare(first, [1])
    assert compared.full == again.full
    assert compared.anchors.tolist() == again.anchors[1:].tolist()
    assert twice.observe(second, [0, 1]).contexts.tolist() == seen[1].contexts.tolist()
