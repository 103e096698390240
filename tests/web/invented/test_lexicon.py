from __future__ import annotations

import re

import pytest

from topicrawl.topic.read import parse_topic, read_topic
from topicrawl.topic.shipped import ontology
from topicrawl.web.invented.lexicon import DESCRIBING, FACETS, Subject, lexicon
from topicrawl.web.invented.prose import VARIANTS, prose

SUBJECTS = lexicon().topic
TOPICS = [subject for subject in SUBJECTS if not subject.filler]
every_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.slug)


def test_there_are_eight_topics_in_english_and_some_in_chinese() -> None:
    languages = [subject.language for subject in TOPICS]
    assert languages.count("en") >= 8
    assert languages.count("zh") >= 2
    assert {"rainstorm disaster", "tourism", "暴雨灾害"} <= {subject.name for subject in TOPICS}


@every_subject
def test_each_facet_of_a_subject_has_as_many_nouns_as_the_others_at_least_four(subject: Subject) -> None:
    assert len(set(subject.nouns)) == len(subject.nouns) >= 4 * FACETS
    assert len(subject.nouns) % FACETS == 0
    assert sorted(noun for facet in range(FACETS) for noun in subject.facet(facet)) == sorted(subject.nouns)


@every_subject
def test_every_facet_holds_two_describing_nouns(subject: Subject) -> None:
    describing = set(subject.nouns[:DESCRIBING])
    assert all(len(describing.intersection(subject.facet(facet))) == 2 for facet in range(FACETS))


@every_subject
def test_words_need_no_escaping_and_chinese_ones_fit_gbk(subject: Subject) -> None:
    made = prose(1, lexicon(), subject)
    for text in made.sentences + made.headlines + made.headings:
        plain = re.sub("</?strong>", "", text)
        assert not re.search(r"[<>&\"{}]", plain)
        plain.encode("gbk" if subject.language == "zh" else "ascii")
    assert all(re.fullmatch("[a-z-]+", slug) for slug in made.slugs)


@every_subject
def test_a_sentence_has_nouns_of_its_facet_only(subject: Subject) -> None:
    made = prose(1, lexicon(), subject)
    for row in range(0, VARIANTS * FACETS, 17):
        facet = subject.facet(row // VARIANTS)
        assert any(noun in made.sentences[row] for noun in facet)
        assert any(noun in made.headlines[row].lower() for noun in facet)


@pytest.mark.parametrize(
    "subject", [subject for subject in TOPICS if subject.ontology], ids=lambda each: each.slug
)
def test_a_subject_with_an_ontology_has_its_concepts_as_nouns_and_is_that_built_in_topic(
    subject: Subject,
) -> None:
    concepts = ontology(subject.ontology).concepts
    assert set(subject.nouns) <= {concept.labels[subject.language][0] for concept in concepts}
    assert len(subject.nouns) > len(concepts) - FACETS
    topic = read_topic(subject.spec())
    spellings = {spelling for term in topic.terms for spelling in term.split("|")}
    assert set(subject.nouns) <= spellings


def test_rainstorms_and_tourism_exist_in_both_languages() -> None:
    spoken = {(subject.ontology, subject.language) for subject in TOPICS if subject.ontology}
    assert spoken == {(name, language) for name in ("rainstorm", "tourism") for language in ("en", "zh")}


@pytest.mark.parametrize(
    "subject", [subject for subject in TOPICS if not subject.ontology], ids=lambda each: each.slug
)
def test_any_other_topic_reads_back_as_an_inline_topic(subject: Subject) -> None:
    topic = parse_topic(subject.spec())
    assert topic.name == subject.name
    assert topic.terms == tuple(subject.nouns[:DESCRIBING])
    assert topic.weights[0] == 1.0
    assert topic.weights[-1] == 0.45
