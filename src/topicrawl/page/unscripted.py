"""Markup as a browser without scripts shows it: shadow roots that are written out, and what stands in `noscript`."""

from __future__ import annotations

import re
from itertools import zip_longest

_TEMPLATE = re.compile(r"<template\b([^<>]*)>|</template\s*>", re.IGNORECASE)
_ROOT = re.compile(r"\bshadowroot(?:mode)?\s*=\s*[\"']?(?:open|closed)\b", re.IGNORECASE)
_BODY = re.compile(r"<body\b|</head\b", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_NOSCRIPT = re.compile(r"<(/?)noscript\b", re.IGNORECASE)


def with_shadow_roots(markup: str) -> str:
    """The markup with each declared shadow root as a `div`: a browser shows it without a script."""
    if "shadowroot" not in markup:
        return markup
    are_roots: list[bool] = []

    def replaced(found: re.Match[str]) -> str:
        if found[1] is None:
            return "</div>" if are_roots and are_roots.pop() else found[0]
        are_roots.append(_ROOT.search(found[1]) is not None)
        return "<div>" if are_roots[-1] else found[0]

    return _TEMPLATE.sub(replaced, markup)


def with_noscript(markup: str) -> str:
    """The markup with each `noscript` of its body as a `div`."""
    body = _BODY.search(markup)
    begin = body.start() if body else 0
    return markup[:begin] + _NOSCRIPT.sub(r"<\1div", markup[begin:])


def noscript_length(markup: str) -> int:
    """How many characters stand in `noscript` between tags, about: most hold but an image."""
    tags = [*_NOSCRIPT.finditer(markup)]
    ends = (tag.start() for tag in tags[1:])
    inside = (markup[tag.end() : end] for tag, end in zip_longest(tags, ends) if not tag[1])
    return sum(len(_TAG.sub("", each.partition(">")[2]).strip()) for each in inside)
