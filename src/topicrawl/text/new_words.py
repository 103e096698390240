"""Numbers of new words. Native code has the same functions, with equal results."""

from __future__ import annotations

from collections.abc import Callable, Set

from topicrawl.frontier.hash_table import lookup

_NO_PLURAL = ("ss", "us", "is")
_LONG_PLURAL = ("sses", "xes", "ches", "shes", "zzes")
NO_WORD = 0
"""The number of stop words and single letters."""


def base_form(word: str) -> str:
    """The singular of what looks like an English plural."""
    if word[-1:] != "s" or len(word) < 4 or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_LONG_PLURAL) else word[:-1]


def number_words(
    words: list[str],
    recent: dict[str, int],
    size: int,
    most: int,
    base: Callable[[str], str],
    stop_words: Set[str],
    slots: memoryview[int],
    ends: memoryview[int],
    texts: memoryview[int],
    known: memoryview[int],
) -> tuple[list[int], int]:
    """The number of each word, and how many numbers were given then; `size` were given before.

    Words in the hash table of `slots`, `ends` and `texts` (frontier/hash_table.py) have a number in `known`, the latest
    words in `recent`. All others are added there, unless `most` numbers were given: a word that is not its own base
    form has the number of that, one that says nothing has `NO_WORD`.
    """

    def add(word: str) -> None:
        nonlocal size
        if word in recent:  # an earlier one is a form of it
            return
        if word in stop_words or (len(word) == 1 and word.isascii()):
            recent[word] = NO_WORD
        elif (of := base(word)) == word:
            recent[word] = size
            size += 1
        elif (form := lookup([of], slots, ends, texts)[0]) is not None:
            recent[word] = known[form]
        else:
            add(of)
            recent[word] = recent[of]

    forms = lookup(words, slots, ends, texts)
    if size < most:
        for word, form in zip(words, forms, strict=True):
            if form is None:
                add(word)
    numbers = [
        recent.get(word, NO_WORD) if form is None else known[form]
        for word, form in zip(words, forms, strict=True)
    ]
    return numbers, size
