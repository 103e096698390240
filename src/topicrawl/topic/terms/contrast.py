"""Scores candidates by contrast: they occur in more documents of the corpus than in general text.

A word that makes up the share r of general text is expected in the fraction 1 − exp(−r·n) of documents of n words. The
score is the log-likelihood ratio between the number of its documents and that expectation, as for Poisson counts;
documents rather than occurrences are counted, so that one long document has one vote. A document that has the
candidate in its title or keywords counts thrice. Of a candidate inside longer ones only the occurrences outside them
count: the bracket of the C-value of Frantzi, Ananiadou and Mima (2000).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from topicrawl.floats import expm1, log
from topicrawl.topic.terms.background import RAREST
from topicrawl.topic.terms.candidates import Candidate, Phrase
from topicrawl.topic.terms.languages import Language

HEADLINE_VOTES = 3
"""Weight of a document that has the term in its title or keywords."""
PHRASE_SHARE = 0.1
"""Assumed share of occurrences of a phrase's rarest word, in general text, that belong to this phrase."""
SWALLOWED = 0.8
"""Share of its occurrences inside one longer candidate beyond which a candidate is only a part of that one."""


def scores(
    candidates: Mapping[Phrase, Candidate], lengths: Sequence[int], language: Language
) -> dict[Phrase, float]:
    """The score of each candidate above expectation; `lengths` are those of all documents, in words."""
    words = np.asarray(lengths, dtype=np.float64)
    longer = _longer(candidates, language)
    expectation = cache(lambda rate: float(-expm1(-rate * words).sum()))  # of some 100 different rates
    above: dict[Phrase, tuple[float, float]] = {}
    for phrase, candidate in candidates.items():
        around = longer[phrase]
        if around and max(around) >= SWALLOWED * candidate.frequency:
            continue
        alone = 1 - sum(around) / len(around) / candidate.frequency if around else 1.0
        votes = alone * (len(candidate.documents) + (HEADLINE_VOTES - 1) * candidate.headlines)
        expected = expectation(_rate(phrase, language))
        if votes > expected:
            above[phrase] = votes, expected
    found, usual = np.array(list(above.values())).reshape(-1, 2).T
    ratios = found * log(found / usual) - (found - usual)
    return dict(zip(above, ratios.tolist(), strict=True))


def _rate(phrase: Phrase, language: Language) -> float:
    rarest = min(language.rate(language.base(word)) for word in phrase if word not in language.inner)
    return rarest if len(phrase) == 1 else max(RAREST, PHRASE_SHARE * rarest)


def _longer(candidates: Mapping[Phrase, Candidate], language: Language) -> dict[Phrase, list[int]]:
    """The frequencies of all longer candidates that contain a candidate."""
    around: dict[Phrase, list[int]] = defaultdict(list)
    for phrase, candidate in candidates.items():
        inside = {
            (*phrase[start : end - 1], language.base(phrase[end - 1]))
            for start in range(len(phrase))
            for end in range(start + 1, len(phrase) + 1)
        }
        for part in inside - {phrase}:
            if part in candidates:
                around[part].append(candidate.frequency)
    return around
