"""Extracts the terms of a corpus, ranked by contrast with general text.

documents ─► texts without boilerplate ─► candidates (words, phrases) ─► contrast with the background ─► Terms

Paper: FCWSEO §3 and FCITS_OH §2.1 take "the most frequent terms" of their documents, less an expert's stop list.
Differs: neither says how many terms or how they are found; here a term occurs in at least two documents and the
best 80 are kept, by contrast rather than frequency, which would rank "also" before "flood". Of ten documents or more, a
term in over 70 % of them is left out (`most`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from topicrawl.errors import TopicError
from topicrawl.page.language import spoken
from topicrawl.topic.corpus import Document
from topicrawl.topic.letters import OR, normal
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.terms.boilerplate import without_boilerplate
from topicrawl.topic.terms.candidates import Candidate, Phrase, Text, candidates
from topicrawl.topic.terms.contrast import scores
from topicrawl.topic.terms.languages import Language, language
from topicrawl.topic.terms.result import Term, Terms

LIMIT = 80
"""Terms that are kept."""
LEAST = 2
"""Least documents of a term."""
MOST = 0.7
"""Largest share of documents of a term; beyond it, it distinguishes them no more than "the" does."""
FEW = 10
"""Documents below which `MOST` is not applied."""

__all__ = ["LIMIT", "Term", "Terms", "find_terms"]


def find_terms(
    documents: Sequence[Document],
    *,
    named: Iterable[str] = (),
    stop: Iterable[str] = (),
    limit: int = LIMIT,
    least: int = LEAST,
    most: float = MOST,
) -> Terms:
    """The terms of `documents`: those the user `named`, in any number of documents, then the best of all others.

    `stop` are words and phrases that are no terms. `TopicError` when no term is found besides those named.
    """
    stopped = {normal(word) for word in stop}
    texts = without_boilerplate(documents)
    found = [
        term
        for code, numbers in _by_language(documents).items()
        for term in _in_language(language(code, stopped), documents, texts, numbers, least)
    ]
    chosen = _named(documents, texts, named, found)
    taken = {label for term in chosen for label in term.labels}
    ranked = sorted(
        (term for term in found if stopped.isdisjoint(term.labels) and taken.isdisjoint(term.labels)),
        key=lambda term: (-term.score, term.name),
    )
    enough = most * len(documents) if len(documents) >= FEW else len(documents)
    useful = [term for term in ranked if len(term.documents) <= enough]
    common = tuple(term.name for term in ranked if len(term.documents) > enough)
    if not useful:
        raise TopicError(
            f"corpus: no term stands out in {least} of its {len(documents)} documents; give more documents "
            "about the topic, or give the terms yourself"
        )
    return Terms(tuple(document.source for document in documents), (*chosen, *useful[:limit]), common)


def _by_language(documents: Sequence[Document]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for number, document in enumerate(documents):
        groups[document.language or "en"].append(number)
    return groups


def _in_language(
    lang: Language, documents: Sequence[Document], texts: Sequence[str], numbers: Iterable[int], least: int
) -> Iterator[Term]:
    read = [
        Text(number, list(lang.runs(documents[number].headline)), list(lang.runs(texts[number])))
        for number in numbers
    ]
    lang.learn({word for text in read for run in (*text.headline, *text.body) for word in run})
    found = candidates(read, lang, least)
    lengths = [sum(map(len, text.headline)) + sum(map(len, text.body)) for text in read]
    for phrase, score in scores(found, lengths, lang).items():
        yield _term(phrase, found[phrase], score, lang)


def _term(phrase: Phrase, candidate: Candidate, score: float, lang: Language) -> Term:
    *begin, last = phrase
    forms = dict.fromkeys((*lang.forms(last), *sorted(candidate.forms)))
    return Term(
        labels=tuple(lang.joiner.join((*begin, form)) for form in forms),
        language=lang.code,
        documents=tuple(candidate.documents),
        frequency=candidate.frequency,
        score=score,
    )


def _named(
    documents: Sequence[Document], texts: Sequence[str], named: Iterable[str], found: Iterable[Term]
) -> list[Term]:
    """The user's own terms, with the forms and documents they were found in, if any."""
    known = {label: term for term in found for label in term.labels}
    chosen: dict[str, Term] = {}
    for name in filter(None, map(normal, named)):
        spellings = name.split(OR)
        if term := next((known[label] for label in spellings if label in known), None):
            labels = tuple(dict.fromkeys((*spellings, *term.labels)))
            chosen[term.name] = replace(term, labels=labels, named=True)
        else:
            chosen[name] = _exact(name, documents, texts)
    return list(chosen.values())


def _exact(name: str, documents: Sequence[Document], texts: Sequence[str]) -> Term:
    """A term that is no candidate, in the documents that hold it exactly as it is named."""
    matcher = Matcher([name])
    counts = [
        matcher.count_text(f"{document.headline}\n{text}").get(0, 0)
        for document, text in zip(documents, texts, strict=True)
    ]
    places = tuple(number for number, count in enumerate(counts) if count)
    return Term(tuple(name.split(OR)), spoken("", name) or "en", places, sum(counts), score=0.0, named=True)
