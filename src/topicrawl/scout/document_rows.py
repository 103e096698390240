"""Rows of tokens with their places: what native code does with the documents of links (link_documents.py), in Python.

`tokens` and `places` have a row for each document, `sizes` says how much of it is filled, `by` is the number of the
weights by which it was last weighed as it is. Sums are added from the first token of a document to the last, so that
both give the same bits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.model import Ints
from topicrawl.text.link_texts import headings_of, texts_at
from topicrawl.text.tokens import Words

CHUNK = 4_000
"""Documents that are weighed at a time."""
PLACES = 8
"""A number above all places."""
NUMBER_BYTES = 8
"""Bytes of a token with its place."""
NEVER = 0
"""The number of no weights."""

Column = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


def add_to_documents(
    tokens: Ints, places: Bytes, sizes: Bytes, by: Ints, links: Ids, said: Ids, at_places: Ids
) -> None:
    """Add said[i] at at_places[i] to the document of links[i]: better places first, among equals the oldest first."""
    if not len(links):
        return
    width = tokens.shape[1]
    touched, row = np.unique(links, return_inverse=True)
    before = tokens[touched], places[touched]
    row = np.concatenate((np.repeat(np.arange(len(touched)), width), row))
    token = np.concatenate((before[0].ravel().astype(np.int64), said))
    place = np.concatenate((before[1].ravel().astype(np.int64), at_places))
    row, token, place = _best_places(row[place > 0], token[place > 0], place[place > 0])
    rank = np.arange(len(row)) - np.searchsorted(row, row)
    kept = rank < width
    tokens[touched], places[touched] = 0, 0
    tokens[touched[row[kept]], rank[kept]] = token[kept]
    places[touched[row[kept]], rank[kept]] = place[kept]
    sizes[touched] = np.bincount(row[kept], minlength=len(touched))
    changed = (tokens[touched] != before[0]) | (places[touched] != before[1])
    by[touched[changed.any(axis=1)]] = NEVER


def add_names(tokens: Ints, places: Bytes, sizes: Bytes, by: Ints, links: Ids, names: list[bytes]) -> None:
    """Add names to documents, names[i] to that of links[i]: 64 bits for each token, token × PLACES + place."""
    owners = np.repeat(links, [len(each) // NUMBER_BYTES for each in names])
    found = np.frombuffer(b"".join(names), np.int64)
    add_to_documents(tokens, places, sizes, by, owners, found // PLACES, found % PLACES)


def add_link_texts(
    tokens: Ints,
    places: Bytes,
    sizes: Bytes,
    by: Ints,
    links: Ids,
    rows: Ids,
    waits: Flags,
    begins: Ints,
    ends: Ints,
    words: Ids,
    starts: Ids,
    segments: Ints,
    groups: Ints,
    length: Ids,
    at_places: Bytes,
) -> None:
    """Add the texts of links that wait, in these rows of a page, to their documents (see `texts_at`).

    `begins` and `ends` are those of all anchors of the page, whose text has this `length`. `at_places` are the places
    of anchor, heading and words around.
    """
    heads, tails = headings_of(segments, groups, int(length[0]))
    spans = begins[rows].astype(np.int64), ends[rows].astype(np.int64)
    found = texts_at(*spans, Words(words, starts), heads, tails)
    every = found.anchor, found.heading, found.around
    row = np.concatenate([text.places for text in every])
    said = np.concatenate([text.tokens for text in every])
    at = np.repeat(at_places, [len(text.places) for text in every]).astype(np.int64)
    kept = waits[row]
    add_to_documents(tokens, places, sizes, by, links[row[kept]], said[kept], at[kept])


def weigh_documents(
    tokens: Ints,
    places: Bytes,
    sizes: Bytes,
    by: Ints,
    amounts: Floats,
    most: Ids,
    links: Ids,
    found: Floats,
    table: Floats,
) -> None:
    """Set found[k, i]: Σ table[token, k] · amount over the document of links[i], divided by √Σ amount².

    The amount of a token is amounts[place, k]; the most[k] first tokens count. The last row is for all tokens beyond.
    """
    for at in range(0, len(links), CHUNK):
        some = links[at : at + CHUNK]
        sums, squares = np.zeros((len(some), len(most))), np.zeros((len(some), len(most)))
        for cell in range(int(sizes[some].max(initial=0))):
            here = amounts[places[some, cell]] * (cell < np.minimum.outer(sizes[some], most))
            squares += here * here
            sums += table.take(tokens[some, cell], axis=0, mode="clip") * here
        found[:, at : at + CHUNK] = (sums / np.where(squares > 0, np.sqrt(squares), 1.0)).T


def predict_links(
    tokens: Ints,
    places: Bytes,
    sizes: Bytes,
    by: Ints,
    amounts: Floats,
    most: Ids,
    links: Ids,
    table: Floats,
    number: Ids,
    predicted: Column,
    text: Column,
    company: Column,
) -> None:
    """Set the last three columns of links that were not weighed by the weights of this number as they are."""
    others = links[by[links] != number[0]]
    by[others] = number[0]
    found = np.zeros((len(most), len(others)))
    weigh_documents(tokens, places, sizes, by, amounts, most, others, found, table)
    similar, token, named = found
    predicted[others], company[others] = token, named
    text[others] = np.where(similar > 0, similar, 0.0)


def _best_places(row: Ids, token: Ids, place: Ids) -> tuple[Ids, Ids, Ids]:
    """Each token of a row once, at its best place; the best first, among equals the oldest first."""
    order = np.lexsort((-place, token, row))
    row, token, place = row[order], token[order], place[order]
    fresh = np.append(True, (np.diff(row) != 0) | (np.diff(token) != 0))
    order, row, token, place = order[fresh], row[fresh], token[fresh], place[fresh]
    ranked = np.lexsort((order, -place, row))
    return row[ranked], token[ranked], place[ranked]
