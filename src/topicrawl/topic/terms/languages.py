"""Languages: splitting text into words, and which words can be terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from typing import Protocol

from topicrawl.topic.letters import fold
from topicrawl.topic.terms.background import RAREST, Rates, background
from topicrawl.topic.terms.inflection import is_adverb, is_participle, plurals, singular
from topicrawl.topic.terms.stop import StopList, stop_list

_NOT_SAID = re.compile(
    r"(?<!\S)\S*(?:://|www\.|@)\S*"
    r"|(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{1,3}\b"
    r"|\bunder construction\b"
)
"""Addresses, names of hosts and files, and the notice "under construction", none of which is about the topic."""
_WORD = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_RUN = re.compile(rf"(?<!\w){_WORD}(?: {_WORD})*(?!\w)")
_POSSESSIVE = re.compile(r"(?<=['’]s) ")
_ELIDING = ("fr", "it", "ca")
_ELISION = re.compile(r"(?<=[^\W\d_])['’](?=[^\W\d_])")
"""Ends an article or pronoun: *l'eau* is two words."""
UNSPACED = {"zh": re.compile(r"[㐀-鿿]+"), "ja": re.compile(r"[㐀-鿿々゠-ヺー]+")}
"""Languages without spaces between words, and the runs of characters that words are found in. What is written in
hiragana is grammar, for the most part."""
_ONE_SCRIPT = re.compile(r"[㐀-鿿々]+|[゠-ヺー]+")
SYLLABLES = ("zh", "ja", "ko")
"""Languages in which two characters make a word."""


class Language(Protocol):
    """The properties of a language that term extraction needs.

    `joiner` separates the words of a phrase; `inner` are words a phrase may hold but not begin or end with;
    a term of one word has at least `shortest` letters, each word of a phrase at least `shortest_in_phrase`.
    """

    code: str
    joiner: str
    inner: frozenset[str]
    shortest: int
    shortest_in_phrase: int
    stop: StopList

    def runs(self, text: str) -> Iterator[list[str]]:
        """The words of `text` in lower case, in runs that neither punctuation nor a line break interrupts."""

    def learn(self, words: Set[str]) -> None:
        """Set the words of the corpus: a rare plural is recognised by its singular among them."""

    def base(self, word: str) -> str:
        """The base form of `word`."""

    def may_begin(self, word: str) -> bool:
        """Whether a phrase may begin with `word`."""

    def may_end(self, word: str) -> bool:
        """Whether a phrase may end with the base form `word`."""

    def forms(self, word: str) -> tuple[str, ...]:
        """The attested forms of the base form `word`, itself first."""

    def rate(self, word: str) -> float:
        """The share of general text that `word`, a base form, and its other forms make up."""


class Spaced:
    """Languages with spaces between words. Only English has inflection and a background table."""

    joiner = " "
    inner = frozenset({"of"})
    shortest_in_phrase = 2

    def __init__(self, code: str, stop: StopList) -> None:
        self.code = code
        self.shortest = 2 if code in SYLLABLES else 3
        self.stop = stop
        self._rates: Rates = background(code)
        self._bases: dict[str, str] = {}

    def runs(self, text: str) -> Iterator[list[str]]:
        said = _NOT_SAID.sub("\n", fold(text))
        for run in _RUN.finditer(_ELISION.sub("' ", said) if self.code in _ELIDING else said):
            for part in _POSSESSIVE.split(run[0]):
                words = part.split(" ")
                words[-1] = words[-1].removesuffix("'s").removesuffix("’s")
                yield words

    def learn(self, words: Set[str]) -> None:
        if self.code == "en":
            self._bases = {word: singular(word, self._rates, words) for word in words}

    def base(self, word: str) -> str:
        return self._bases.get(word, word)

    def may_begin(self, word: str) -> bool:
        if word in self.stop.words or word in self.stop.heads:
            return False
        return self.code != "en" or not is_adverb(word, self._rates)

    def may_end(self, word: str) -> bool:
        if self.code == "en" and (is_adverb(word, self._rates) or is_participle(word, self._rates)):
            return False
        return word not in self.stop.words

    def forms(self, word: str) -> tuple[str, ...]:
        others = plurals(word) if self.code == "en" else ()
        return (word, *(form for form in others if singular(form, self._rates) == word))

    def rate(self, word: str) -> float:
        return max(RAREST, sum(self._rates.get(form, 0.0) for form in self.forms(word)))


class Unspaced:
    """Chinese, segmented by rjieba, and Japanese, where a word ends with its script; phrases have no spaces."""

    joiner = ""
    inner: frozenset[str] = frozenset()
    shortest = 2
    shortest_in_phrase = 1

    def __init__(self, code: str, stop: StopList) -> None:
        self.code = code
        self.stop = stop
        self._rates: Rates = background(code)

    def runs(self, text: str) -> Iterator[list[str]]:
        if self.code == "ja":
            yield from (_ONE_SCRIPT.findall(run[0]) for run in UNSPACED["ja"].finditer(text))
            return
        import rjieba  # loads its dictionary: 0.1 s

        for run in UNSPACED["zh"].finditer(text):
            yield rjieba.cut(run[0])

    def learn(self, words: Set[str]) -> None:
        """Words have one form."""

    def base(self, word: str) -> str:
        return word

    def may_begin(self, word: str) -> bool:
        return word not in self.stop.words and word not in self.stop.heads

    def may_end(self, word: str) -> bool:
        return word not in self.stop.words

    def forms(self, word: str) -> tuple[str, ...]:
        return (word,)

    def rate(self, word: str) -> float:
        return self._rates.get(word, RAREST)


def language(code: str, stop: Iterable[str] = ()) -> Language:
    """The language called `code`, with `stop` added to its list. An unknown one is treated as English."""
    known = stop_list(code or "en")
    together = StopList(known.words | set(stop), known.heads)
    return Unspaced(code, together) if code in UNSPACED else Spaced(code or "en", together)
