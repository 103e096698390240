from collections.abc import Callable, Mapping, Set

import numpy as np
import numpy.typing as npt

from topicrawl.model import Ints
from topicrawl.topic.wordnet.taxonomy import Floats

Sums = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Ids = npt.NDArray[np.int64]
Depths = npt.NDArray[np.int16]

def read_page(
    url: str,
    text: str,
    join: Callable[[str, str], str | None],
    fold: Callable[[str], str],
    nfkc: Callable[[str], str],
    refresh_target: Callable[[str], str],
    leads_nowhere: Callable[[str], bool],
    entities: Mapping[str, str],
) -> (
    tuple[
        str,
        str,
        str,
        bytes,
        bytes,
        list[str],
        list[str],
        list[str],
        bytes,
        bytes,
        bytes,
        list[str],
        bytes,
        str,
        int,
        bool,
        str,
    ]
    | None
): ...
def lookup(
    urls: list[str], slots: memoryview[int], ends: memoryview[int], texts: memoryview[int]
) -> list[int | None]: ...
def insert(urls: list[str], slots: memoryview[int], number: int) -> None: ...
def insert_all(slots: memoryview[int], ends: memoryview[int], texts: memoryview[int]) -> None: ...
def texts_of(first: int, end: int, ends: memoryview[int], texts: memoryview[int]) -> list[str]: ...
def group_names(urls: list[str], name: Callable[[str], str]) -> list[str]: ...
def learn(sample: str, salt: int, known: bytearray) -> tuple[int, int, int, int]: ...
def base_form(word: str, /) -> str: ...
def noun_named(
    words: list[str],
    text: bytes,
    bounds: memoryview[int],
    first: memoryview[int],
    exceptions: Mapping[str, Mapping[str, tuple[str, ...]]],
) -> int | None: ...
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
) -> tuple[list[int], int]: ...
def set_priorities(
    links: Ids,
    priorities: Sums,
    state: Bytes,
    host: Ints,
    held: Bytes,
    priority: Sums,
    key: Sums,
    is_stale: Flags,
) -> None: ...
def largest_place(column: Sums, largest: Sums, is_stale: Flags) -> int: ...
def links_on_page(
    said: list[int], own: int, different: Ids, state: Bytes
) -> tuple[bytearray, bytearray, bytearray, bytearray]: ...
def add_back(values: Sums, columns: Ints, ends: Ids, factors: Sums, combined: Sums, sums: Sums) -> None: ...
def add_both(values: Sums, columns: Ints, ends: Ids, factors: Sums, sums: Sums) -> None: ...
def add_by_row(values: Sums, columns: Ints, ends: Ids, factors: Sums, sums: Sums) -> None: ...
def add_by_column(values: Sums, columns: Ints, ends: Ids, factors: Sums, sums: Sums) -> None: ...
def add_pairs(
    values: Sums,
    columns: Ints,
    ends: Ids,
    other_values: Sums,
    other_columns: Ints,
    other_ends: Ids,
    sums: Sums,
) -> None: ...
def transpose(
    values: Sums, columns: Ints, ends: Ids, by_column: Sums, rows: Ints, column_ends: Ids
) -> None: ...
def add_places(
    numbers: Bytes,
    rows: Ids,
    places: npt.NDArray[np.uint16],
    targets: Ids,
    parents: Ints,
    worth: Sums,
    place_of_edge: npt.NDArray[np.uint16],
    path: npt.NDArray[np.float32],
) -> None: ...
def add_to_targets(targets: Ints, given_by: Ints, values: Sums, sums: Sums) -> None: ...
def add_visited(
    targets: Ints,
    groups: Ints,
    visited: Flags,
    judged: Sums,
    parents: Ints,
    mean: Sums,
    sums: Sums,
    counts: Sums,
) -> None: ...
def add_to_documents(
    tokens: Ints, places: Bytes, sizes: Bytes, by: Ints, links: Ids, said: Ids, at_places: Ids
) -> None: ...
def add_names(
    tokens: Ints, places: Bytes, sizes: Bytes, by: Ints, links: Ids, names: list[bytes]
) -> None: ...
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
) -> None: ...
def weigh_documents(
    tokens: Ints,
    places: Bytes,
    sizes: Bytes,
    by: Ints,
    amounts: Sums,
    most: Ids,
    links: Ids,
    found: Sums,
    table: Sums,
) -> None: ...
def predict_links(
    tokens: Ints,
    places: Bytes,
    sizes: Bytes,
    by: Ints,
    amounts: Sums,
    most: Ids,
    links: Ids,
    table: Sums,
    number: Ids,
    predicted: Floats,
    text: Floats,
    company: Floats,
) -> None: ...
def count_fields(beginning: int, text: Ids, title: Ids, url: Ids) -> tuple[bytearray, bytearray]: ...
def exp_all(values: Sums, constants: Sums, found: Sums) -> None: ...
def count_tokens(columns: Ints, frequency: Ints) -> None: ...
def weigh_fields(
    columns: Ints, counts: Ints, ends: Ids, amounts: Sums, idf: Sums, fields: Sums, values: Sums
) -> None: ...
def weigh_compact(
    columns: Ints,
    counts: Ints,
    ends: Ids,
    amounts: Sums,
    idf: Sums,
    fields: Sums,
    values: Sums,
    numbers: Ints,
    known: Ids,
    renumbered: Ints,
    used: Ints,
) -> None: ...
def add_by_token(columns: Ints, ends: Ids, factors: Sums, sums: Sums, counts: Sums) -> None: ...
def place_fields(
    columns: Ints,
    counts: Ints,
    ends: Ids,
    amounts: Sums,
    idf: Sums,
    fields: Sums,
    direction: Sums,
    scales: Sums,
    sums: Sums,
) -> None: ...
def project(columns: Ints, values: Sums, ends: Ids, direction: Sums, sums: Sums) -> None: ...
def measure_links(
    links: Ids,
    predicted: Floats,
    shares: Sums,
    constants: Sums,
    judged_sum: Sums,
    parents_count: Ints,
    start: Ints,
    parents: Floats,
    token: Floats,
    share: Floats,
) -> None: ...
def measure_hosts(
    links: Ids,
    host: Ints,
    pages: Sums,
    relevance: Sums,
    shown: Sums,
    constants: Sums,
    column: Floats,
) -> None: ...
def prioritise_links(
    links: Ids,
    weights: Sums,
    counts: Ids,
    group: Ints,
    chances: Sums,
    depth: Depths,
    state: Bytes,
    host: Ints,
    held: Bytes,
    priority: Sums,
    key: Sums,
    is_stale: Flags,
    *features: Floats,
) -> None: ...

class Terms:
    def __init__(
        self,
        spellings: list[str],
        terms: list[int],
        heads: bytes,
        tails: bytes,
        fold: Callable[[str], str],
        kind_block: Callable[[int], bytes],
    ) -> None: ...
    def find(self, text: str) -> list[tuple[int, int]]: ...
    def count(
        self, text: str, segment_starts: bytes, segment_groups: bytes, anchors: list[str]
    ) -> tuple[bytes, bytes, bytes, bytes, bytes, int]: ...

class Words:
    def __init__(
        self,
        number_all: Callable[[list[str]], list[int]],
        fold: Callable[[str], str],
        kind_block: Callable[[int], bytes],
        pairs: bool,
    ) -> None: ...
    def read(self, text: str) -> tuple[bytearray, bytearray]: ...
    def read_urls(
        self, urls: list[str], left_out: tuple[str, ...], spell: Callable[[str], list[str]]
    ) -> tuple[bytearray, bytearray]: ...

class CommonAncestors:
    def __init__(
        self,
        ancestor_starts: Ints,
        ancestors: Ints,
        information: Floats,
        cell_starts: Ints,
        cell_terms: Ints,
        cell_least: Floats,
        terms: int,
    ) -> None: ...
    def compare(self, starts: Ints, senses: Ints, similarity: Floats) -> None: ...
