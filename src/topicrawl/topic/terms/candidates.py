"""Candidate terms: words and phrases of up to four words, with their documents and counts.

As in Apriori, a phrase in two documents consists of shorter ones that are in two documents, so each pass over the
documents counts only phrases whose parts the pass before kept: memory stays small though most phrases occur once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from topicrawl.topic.terms.languages import Language

LONGEST = 4
"""Words of the longest phrase."""
LONGEST_WORD = 40
"""Most letters of a word: longer ones are base64 or broken pages."""

Phrase = tuple[str, ...]
"""Words of a term, the last one in its base form."""


@dataclass(slots=True)
class Candidate:
    """Occurrences of a phrase: its documents, how many of their headlines have it, its frequency, its other forms."""

    documents: list[int] = field(default_factory=list)
    headlines: int = 0
    frequency: int = 0
    forms: set[str] = field(default_factory=set)
    """Last words other than the base form."""


@dataclass(frozen=True, slots=True)
class Text:
    """The words of one document: of its headline and of its body, in runs."""

    number: int
    headline: list[list[str]]
    body: list[list[str]]


def candidates(texts: Sequence[Text], language: Language, least: int) -> dict[Phrase, Candidate]:
    """The phrases that may be terms and occur in at least `least` of the `texts`."""
    found: dict[Phrase, Candidate] = {}
    frequent: dict[Phrase, Candidate] = {}
    for size in range(1, LONGEST + 1):
        frequent = _frequent(texts, language, size, frequent, least)
        if size == 1:
            texts = [_cut_at_excluded(text, language, frequent) for text in texts]
        found.update(
            (phrase, candidate) for phrase, candidate in frequent.items() if _may_be_term(phrase, language)
        )
    return found


def _cut_at_excluded(text: Text, language: Language, frequent: Mapping[Phrase, Candidate]) -> Text:
    """`text` cut at every word that no phrase can hold: stop words, and words in too few documents."""

    def cut(runs: list[list[str]]) -> list[list[str]]:
        pieces: list[list[str]] = []
        for run in runs:
            piece: list[str] = []
            for word in run:
                if (word not in stop or word in language.inner) and (language.base(word),) in frequent:
                    piece.append(word)
                elif piece:
                    pieces.append(piece)
                    piece = []
            pieces.append(piece)
        return [piece for piece in pieces if len(piece) > 1]

    stop = language.stop.words
    return Text(text.number, cut(text.headline), cut(text.body))


def _frequent(
    texts: Sequence[Text], language: Language, size: int, shorter: Mapping[Phrase, Candidate], least: int
) -> dict[Phrase, Candidate]:
    """The phrases of `size` words in enough documents: terms, and beginnings and ends of longer ones."""
    seen: dict[Phrase, Candidate] = {}
    for text in texts:
        in_headline: set[Phrase] = set()
        for phrase, last in _phrases(text.headline, language, size, shorter):
            _count(seen, phrase, last, text.number)
            in_headline.add(phrase)
        for phrase, last in _phrases(text.body, language, size, shorter):
            _count(seen, phrase, last, text.number)
        for phrase in in_headline:
            seen[phrase].headlines += 1
    return {phrase: candidate for phrase, candidate in seen.items() if len(candidate.documents) >= least}


def _count(seen: dict[Phrase, Candidate], phrase: Phrase, last: str, document: int) -> None:
    candidate = seen.get(phrase)
    if candidate is None:
        candidate = seen[phrase] = Candidate()
    if not candidate.documents or candidate.documents[-1] != document:
        candidate.documents.append(document)
    candidate.frequency += 1
    if last != phrase[-1]:
        candidate.forms.add(last)


def _phrases(
    runs: list[list[str]], language: Language, size: int, shorter: Mapping[Phrase, Candidate]
) -> Iterator[tuple[Phrase, str]]:
    """Each phrase of `size` words that begins and ends with one in `shorter`, and its last word as written."""
    stop, inner, base = language.stop.words, language.inner, language.base
    if size == 1:
        yield from (
            ((base(word),), word) for run in runs for word in run if word not in stop or word in inner
        )
        return
    for run in runs:
        bases = [base(word) for word in run]
        for last in range(size - 1, len(run)):
            start = last - size + 1
            if (*run[start : last - 1], bases[last - 1]) not in shorter:
                continue
            end = (*run[start + 1 : last], bases[last])
            if end in shorter:
                yield (run[start], *end), run[last]


def _may_be_term(phrase: Phrase, language: Language) -> bool:
    first, last = phrase[0], phrase[-1]
    if not language.may_begin(first) or not language.may_end(last):
        return False
    if len(set(phrase)) < len(phrase):
        return False
    shortest = language.shortest if len(phrase) == 1 else language.shortest_in_phrase
    return all(shortest <= len(word) <= LONGEST_WORD for word in phrase)
