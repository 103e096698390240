"""Rows of tokens with their places: what native code does with the documents of links (link_documents.py), in Python.

`tokens` and `places` have a row for each document, `sizes` says how much of it is filled. Sums are added from the first
token of a document to the last, so that both give the same bits.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.value.link_texts import texts_at
from topicrawl.value.tokens import Words

CHUNK = 4_000
"""Documents that are weighed at a time."""
PLACES = 8
"""A number above all places."""
NUMBER_BYTES = 8
"""Of a token with its place."""
ABOUT_ANCHOR, ABOUT_HEADING = 1, 2
"""Flags of links: a word of the topic is in the anchor, in the heading above."""

Tokens = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


def add_to_documents(
    tokens: Tokens, places: Bytes, sizes: Bytes, links: Ids, said: Ids, at_places: Ids
) -> None:
    """Add said[i] at at_places[i] to the document of links[i]: better places first, among equals the oldest first."""
    if not len(links):
        return
    width = tokens.shape[1]
    touched, row = np.unique(links, return_inverse=True)
    row = np.concatenate((np.repeat(np.arange(len(touched)), width), row))
    token = np.concatenate((tokens[touched].ravel().astype(np.int64), said))
    place = np.concatenate((places[touched].ravel().astype(np.int64), at_places))
    row, token, place = _best_places(row[place > 0], token[place > 0], place[place > 0])
    rank = np.arange(len(row)) - np.searchsorted(row, row)
    kept = rank < width
    tokens[touched], places[touched] = 0, 0
    tokens[touched[row[kept]], rank[kept]] = token[kept]
    places[touched[row[kept]], rank[kept]] = place[kept]
    sizes[touched] = np.bincount(row[kept], minlength=len(touched))


def add_names(tokens: Tokens, places: Bytes, sizes: Bytes, links: Ids, names: list[bytes]) -> None:
    """Add names to documents, names[i] to that of links[i]: 64 bits for each token, token × PLACES + place."""
    owners = np.repeat(links, [len(each) // NUMBER_BYTES for each in names])
    found = np.frombuffer(b"".join(names), np.int64)
    add_to_documents(tokens, places, sizes, owners, found // PLACES, found % PLACES)


def add_link_texts(
    tokens: Tokens,
    places: Bytes,
    sizes: Bytes,
    links: Ids,
    waits: Flags,
    begins: Ids,
    ends: Ids,
    words: Ids,
    starts: Ids,
    heads: Ids,
    tails: Ids,
    topic: Bytes,
    at_places: Bytes,
    below: Ids,
    about: Bytes,
) -> None:
    """Add the texts of links that wait to their documents (see `texts_at`).

    `at_places` are the places of anchor, heading and words around. Sets `below`, the number of the heading above each
    link, and `about`, flags. `topic` says of the first tokens which are words of the topic.
    """
    found = texts_at(begins, ends, Words(words, starts), heads, tails)
    every = found.anchor, found.heading, found.around
    below[:], about[:] = found.below, 0
    for text, flag in zip(every, (ABOUT_ANCHOR, ABOUT_HEADING), strict=False):
        known = text.tokens < len(topic)
        about[text.places[known][topic[text.tokens[known]] > 0]] |= flag
    row = np.concatenate([text.places for text in every])
    said = np.concatenate([text.tokens for text in every])
    at = np.repeat(at_places, [len(text.places) for text in every]).astype(np.int64)
    kept = waits[row]
    add_to_documents(tokens, places, sizes, links[row[kept]], said[kept], at[kept])


def weigh_documents(
    tokens: Tokens,
    places: Bytes,
    sizes: Bytes,
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


def _best_places(row: Ids, token: Ids, place: Ids) -> tuple[Ids, Ids, Ids]:
    """Each token of a row once, at its best place; the best first, among equals the oldest first."""
    order = np.lexsort((-place, token, row))
    row, token, place = row[order], token[order], place[order]
    fresh = np.append(True, (np.diff(row) != 0) | (np.diff(token) != 0))
    order, row, token, place = order[fresh], row[fresh], token[fresh], place[fresh]
    ranked = np.lexsort((order, -place, row))
    return row[ranked], token[ranked], place[ranked]
