"""XML as it is found: what may not be in it, and what is mended."""

from __future__ import annotations

import re

REFERENCE = rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)"
LITERAL = rb"<!\[CDATA\[(?:.*?\]\]>|.*)|<!--(?:.*?-->|.*)"
"""CDATA sections and comments, in which `&` is itself; one without an end goes to the end of the file."""
TO_ESCAPE = re.compile(LITERAL + b"|" + REFERENCE, re.DOTALL)
DECLARES = re.compile(rb"<!(?:ENTITY|ATTLIST|DOCTYPE[^>\[]*\[)", re.IGNORECASE)
DECLARATION = "declares a document type or entities, which are not read"


def declares(content: bytes) -> bool:
    """Whether XML declares entities or attributes, which may expand without bound; a bare document type does not."""
    return DECLARES.search(content) is not None


def with_references(content: bytes) -> bytes:
    """XML whose `&` are all references: those that begin none, as in `?a=1&b=2`, are escaped."""
    return TO_ESCAPE.sub(lambda found: b"&amp;" if found[0] == b"&" else found[0], content)
