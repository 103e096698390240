"""From documents to ranked terms, and from terms to matrix, weights and topic."""

from __future__ import annotations

import csv

import pytest

from topicrawl.errors import TopicError
from topicrawl.topic.corpus import Document, read_corpus
from topicrawl.topic.fca.context import Context
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.terms.find import find_terms
from topicrawl.topic.terms.result import Term, Terms

STORIES = (
    "The hurricane brought heavy rain. A storm surge flooded the coast, and people left their homes.",
    "Hurricanes form over warm water. The storm surge is what kills most people.",
    "Meteorologists watch each hurricane. Their forecast warned of a storm surge.",
    "The forecast said rain. No meteorologist was surprised by the storm.",
)
CHINESE = (
    "暴雨引发山洪和泥石流，城市内涝严重。",
    "气象部门发布暴雨预警信号，提醒防范泥石流。",
    "排水系统能力不足造成城市内涝。发布暴雨预警信号。",
)


def documents(*texts: str, language: str = "en") -> list[Document]:
    return [Document(f"d{n}", text=text, language=language) for n, text in enumerate(texts)]


def test_distinctive_terms_come_first_and_common_words_are_absent() -> None:
    names = find_terms(documents(*STORIES)).names
    assert set(names[:3]) == {"hurricane", "storm surge", "meteorologist"}
    assert not {"people", "the", "brought", "watch each"} & set(names)


def test_a_term_has_all_its_forms_as_labels_so_that_each_is_matched() -> None:
    terms = {term.name: term for term in find_terms(documents(*STORIES)).terms}
    assert terms["hurricane"].labels == ("hurricane", "hurricanes")
    assert terms["hurricane"].documents == (0, 1, 2)
    assert terms["hurricane"].frequency == 3
    assert terms["meteorologist"].documents == (2, 3)


def test_chinese_terms_are_words_and_phrases_without_spaces() -> None:
    names = find_terms(documents(*CHINESE, language="zh")).names
    assert {"城市内涝", "泥石流"} <= set(names)
    assert any("暴雨预警" in name for name in names)
    assert "造成" not in names


def test_documents_of_two_languages_give_terms_of_both() -> None:
    mixed = documents(*STORIES) + [
        Document(f"z{n}", text=text, language="zh") for n, text in enumerate(CHINESE)
    ]
    terms = {term.name: term for term in find_terms(mixed).terms}
    assert terms["hurricane"].language == "en"
    assert terms["城市内涝"].language == "zh"
    assert terms["城市内涝"].documents == (4, 6)


def test_titles_and_keywords_weigh_more_than_text() -> None:
    def score(**headline: object) -> float:
        first = Document("a", text="hail", **headline)  # type: ignore[arg-type]
        return find_terms([first, Document("b", text="some hail")]).terms[0].score

    assert score(title="Hail") > score()
    assert score(keywords=("hail",)) > score()


def test_a_term_in_more_than_seven_of_ten_documents_is_dropped_unless_it_was_named() -> None:
    letters = "abcdefghij"
    texts = [f"hurricane. {'tornado.' if n < 7 else ''} {letters[n] * 5}." for n in range(10)]
    found = find_terms(documents(*texts))
    assert found.names == ("tornado",)
    assert found.common == ("hurricane",)
    kept = find_terms(documents(*texts), most=1.0)
    assert set(kept.names) == {"hurricane", "tornado"}
    assert kept.common == ()
    named = find_terms(documents(*texts), named=["Hurricanes"])
    assert named.names == ("hurricanes", "tornado")
    assert named.terms[0].labels == ("hurricanes", "hurricane")
    assert named.terms[0].documents == tuple(range(10))


def test_a_named_term_is_kept_where_it_is_no_candidate_or_in_no_document() -> None:
    terms = find_terms(documents(*STORIES), named=["what kills most people", "暴雨"]).terms
    assert [(term.name, term.documents, term.language) for term in terms[:2]] == [
        ("what kills most people", (1,), "en"),
        ("暴雨", (), "zh"),
    ]


def test_the_users_stop_words_and_phrases_are_no_terms() -> None:
    names = find_terms(documents(*STORIES), stop=["Hurricane", "storm surge"]).names
    assert not {"hurricane", "storm surge"} & set(names)
    assert "meteorologist" in names


def test_at_most_as_many_terms_as_asked_for_and_the_named_ones_besides() -> None:
    assert len(find_terms(documents(*STORIES), limit=2).names) == 2
    assert len(find_terms(documents(*STORIES), limit=2, named=["flood"]).names) == 3


def test_documents_that_share_no_term_are_an_error() -> None:
    with pytest.raises(TopicError, match="no term stands out in 2 of its 2 documents"):
        find_terms(documents("hurricane", "tornado"))


def test_a_language_without_stop_list_is_supported() -> None:
    names = find_terms(documents("Überschwemmung am Fluss", "Eine Überschwemmung", language="de")).names
    assert "überschwemmung" in names


def test_the_footer_of_a_site_gives_no_terms() -> None:
    footer = (
        "\nHurricane Club is a registered charity; donate to the Hurricane Club today, it is tax deductible."
    )
    site = [Document(f"h/{n}", text=text + footer, host="h.example") for n, text in enumerate(STORIES)]
    names = find_terms(site).names
    assert not {"hurricane club", "charity", "tax"} & set(names)
    assert "storm surge" in names


def test_the_matrix_is_what_a_formal_context_is_made_of() -> None:
    terms = find_terms(documents(*STORIES))
    context = Context.from_rows(terms.documents, terms.names, terms.rows())
    column = terms.names.index("hurricane")
    assert context.columns[column] == 0b0111


def terms_of(*rows: tuple[str, float, bool]) -> Terms:
    found = tuple(Term((name, name + "s"), "en", (0,), 1, score, named) for name, score, named in rows)
    return Terms(("d",), found)


def test_weights_are_scores_relative_to_the_best_and_named_terms_weigh_one() -> None:
    assert terms_of(("flood", 0.0, True), ("storm", 8.0, False), ("rain", 2.0, False)).weights() == {
        "flood": 1.0,
        "storm": 1.0,
        "rain": 0.25,
    }


def test_a_phrase_weighs_no_less_than_its_words() -> None:
    assert terms_of(("storm", 8.0, False), ("storm surge", 2.0, False)).weights()["storm surge"] == 1.0


def test_the_topic_counts_all_forms_of_a_term_as_one() -> None:
    topic = find_terms(documents(*STORIES)).topic("storms")
    assert "hurricane|hurricanes" in topic.terms
    assert all(0 < weight <= 1 for weight in topic.weights)
    assert list(Matcher(topic.terms).count_text("a hurricane, two hurricanes").values()) == [2]


def test_a_form_of_two_terms_belongs_to_the_first() -> None:
    terms = Terms(
        ("d",),
        (Term(("axis", "axes"), "en", (0,), 1, 2.0), Term(("axe", "axes"), "en", (0,), 1, 1.0)),
    )
    assert terms.topic("t").terms == ("axis|axes", "axe")


def test_a_term_may_be_named_in_several_spellings() -> None:
    first = find_terms(documents(*STORIES), named=["Hurricane|飓风"]).terms[0]
    assert first.labels == ("hurricane", "飓风", "hurricanes")
    assert first.documents == (0, 1, 2)


def test_the_table_of_terms_reads_back_with_any_reader_of_csv() -> None:
    table = list(
        csv.DictReader(terms_of(('a "big", wet storm', 1.0, True), ("rain", 2.5, False)).csv().splitlines())
    )
    assert [row["term"] for row in table] == ['a "big", wet storm', "rain"]
    assert table[1] == {
        **{"term": "rain", "score": "2.50", "documents": "1", "frequency": "1"},
        **{"language": "en", "labels": "rain;rains"},
    }


def test_papers_and_pages_make_one_corpus() -> None:
    corpus = read_corpus(
        [
            ("a.html", b"<title>Storm surge</title><p>A hurricane brings a storm surge.</p>"),
            ("b.bib", b"@article{x, title={Hurricane forecasts}, abstract={We forecast the storm surge.}}"),
        ]
    )
    assert {"hurricane", "storm surge"} <= set(find_terms(corpus.documents).names)
