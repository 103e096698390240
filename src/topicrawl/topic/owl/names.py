"""Names of concepts in IRIs.

A concept's IRI is its name with `_` for spaces and %-escapes for all but lower-case letters, digits and hyphens, so
that the name can be decoded, and so that IRIs of other tools ("#FlashFlood") can be distinguished from ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote_to_bytes

OWN = "urn:topicrawl:"
VOCABULARY = f"{OWN}Vocabulary#"  # no ontology of ours has a capital in its IRI
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"

PROPERTIES: Mapping[str, str] = {
    "part-of": f"{VOCABULARY}part-of",
    "attribute-of": f"{VOCABULARY}attribute-of",
    "induce": f"{VOCABULARY}induced-by",
    "synonym": f"{VOCABULARY}synonym-of",
}
"""Relations and the properties that state them, from child to parent; is-a needs none."""
ROOT = f"{VOCABULARY}root"
PROVENANCE = f"{VOCABULARY}provenance"

_RELATION_OF = {
    "part of": "part-of",
    "attribute of": "attribute-of",
    "induced by": "induce",
    "synonym of": "synonym",
}
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def spell(name: str) -> str:
    """`name` encoded as the local part of an IRI."""
    return "".join(map(_spell_character, name))


def unspell(local: str) -> str | None:
    """The name encoded in `local`, or None where `spell` did not write it."""
    try:
        name = unquote_to_bytes(local.replace("_", " ")).decode()
    except UnicodeDecodeError:
        return None
    return name if name and spell(name) == local else None


def local_part(iri: str) -> str:
    """The part of an IRI after the last `#`, `/` or `:`."""
    return re.split(r"[#/:]", iri.rstrip("#/"))[-1]


def readable(iri: str) -> str:
    """The words in the local part of an IRI of another tool: "x#FlashFlood" → "flash flood"."""
    return " ".join(re.split(r"[\W_]+", _HUMP.sub(" ", local_part(iri)).lower())).strip()


def relation_of(property_iri: str) -> str | None:
    """The relation a property states; by its words, so that a user's own `partOf` is understood."""
    words = readable(property_iri).removeprefix("is ")
    return _RELATION_OF.get(words)


def _spell_character(character: str) -> str:
    if character == " ":
        return "_"
    if character == "-" or (character.isalnum() and character == character.lower()):
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode())
