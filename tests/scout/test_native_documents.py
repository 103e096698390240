"""Native code and Python give the same documents, counts and weights, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from topicrawl.judge import page_vectors
from topicrawl.model import Page, ints
from topicrawl.page.read import read
from topicrawl.scout import document_rows
from topicrawl.scout.link_documents import ANCHOR, AROUND, HEADING
from topicrawl.text.tokens import Tokens
from topicrawl.web.invented import invented_web

native = pytest.importorskip("topicrawl._native", reason="built without native code")

WIDTH = 6
FIELDS = np.array([1.0, 0.5, 0.4, 0.2])
TOPIC = "rainstorm disaster"
SAID = st.tuples(st.integers(0, 4), st.integers(1, 12), st.integers(1, 4))
NUMBERS = st.lists(st.integers(0, 70), max_size=60)


def ids(values: Any) -> Any:
    return np.array(values, dtype=np.int64)


def no_documents(links: int, width: int) -> tuple[Any, Any, Any, Any]:
    """Rows of tokens and places, sizes, and weights by which they were weighed: a number that changes where they do."""
    tokens, places = np.zeros((links, width), np.int32), np.zeros((links, width), np.uint8)
    return tokens, places, np.zeros(links, np.uint8), np.full(links, 7, np.int32)


@settings(max_examples=30)
@given(st.lists(st.lists(SAID, max_size=30), max_size=4))
def test_documents_are_equal_however_tokens_are_added(batches: list[list[tuple[int, int, int]]]) -> None:
    ours, theirs = no_documents(5, WIDTH), no_documents(5, WIDTH)
    for batch in filter(None, batches):
        links, tokens, places = ids(batch).T.copy()
        ours[3][:] = theirs[3][:] = 7
        native.add_to_documents(*ours, links, tokens, places)
        document_rows.add_to_documents(*theirs, links, tokens, places)
        for mine, other in zip(ours, theirs, strict=True):
            assert np.array_equal(mine, other)


@settings(max_examples=30)
@given(
    st.lists(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 4)), max_size=9), min_size=5, max_size=5)
)
def test_names_are_added_the_same(names: list[list[tuple[int, int]]]) -> None:
    packed = [
        ids([token * document_rows.PLACES + place for token, place in each]).tobytes() for each in names
    ]
    found = []
    for of in (native, document_rows):
        documents = no_documents(5, WIDTH)
        of.add_names(*documents, ids([0, 1, 2, 3, 1]), packed)
        found.append([each.tobytes() for each in documents])
    assert found[0] == found[1]


def pages() -> list[Page]:
    web = invented_web("invented:7")
    read_pages = [
        read(url, web.exchange(url).content, "text/html")
        for url in web.seeds(TOPIC, 4) + web.seeds("cooking", 2)
    ]
    chinese = "<h2>台风</h2><p>特大<a href=/a>暴雨灾害</a>在<a href=/b>江苏</a>。<h3><a href=/a>洪水 flood</a></h3>x"
    read_pages.append(read("http://a.test/", chinese.encode(), "text/html; charset=utf-8"))
    return [page for page in read_pages if page is not None]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.url)
def test_the_texts_of_the_links_of_a_page_are_equal(page: Page) -> None:
    tokens = Tokens()
    text = tokens.words(page.text)
    numbers = {url: number for number, url in enumerate(dict.fromkeys(page.links.urls))}
    links, rows = ids([numbers[url] for url in page.links.urls]), np.arange(len(page.links.urls))
    rows = rows[rows % 7 != 3]  # as if some were not followed
    on_page = ints(page.links.starts), ints(page.links.ends), *text
    segments = ints(page.segment_starts), ints(page.segment_groups), ids([len(page.text)])
    places = np.array([ANCHOR, HEADING, AROUND], np.uint8)
    found = []
    for of in (native, document_rows):
        documents = no_documents(len(numbers), WIDTH)
        of.add_link_texts(*documents, links[rows], rows, rows % 5 != 0, *on_page, *segments, places)
        found.append(documents)
    for ours, theirs in zip(*found, strict=True):
        assert np.array_equal(ours, theirs)
    assert found[0][2].any()


@settings(max_examples=30)
@given(st.lists(SAID, min_size=1, max_size=40), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_documents_weigh_the_same_to_the_last_bit(said: list[Any], kinds: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    documents = no_documents(5, WIDTH)
    native.add_to_documents(*documents, *ids(said).T.copy())
    amounts, table = random.random((5, kinds)), random.normal(size=(9, kinds))
    most, links = random.integers(0, WIDTH + 2, kinds), ids([4, 0, 1, 2, 3, 0])
    ours, theirs = np.zeros((kinds, len(links))), np.zeros((kinds, len(links)))
    native.weigh_documents(*documents, amounts, most, links, ours, table)
    document_rows.weigh_documents(*documents, amounts, most, links, theirs, table)
    assert ours.tobytes() == theirs.tobytes()


@settings(max_examples=30)
@given(st.lists(SAID, min_size=1, max_size=40), st.integers(0, 2**32 - 1))
def test_links_are_predicted_the_same_and_only_those_not_weighed_as_they_are(
    said: list[Any], seed: int
) -> None:
    random, found = np.random.default_rng(seed), []
    amounts, table = random.random((5, 3)), random.normal(size=(9, 3))
    most, links, by = ids([6, 6, 2]), ids([4, 0, 2, 1, 0]), random.integers(1, 3, 5)
    for of in (native, document_rows):
        documents, columns = no_documents(5, WIDTH), np.full((3, 5), -1.0, np.float32)
        native.add_to_documents(*documents, *ids(said).T.copy())
        documents[3][:] = by
        of.predict_links(*documents, amounts, most, links, table, ids([2]), *columns)
        found.append([each.tobytes() for each in (documents[3], columns)])
        assert (columns[:, by == 2] == -1.0).all()
    assert found[0] == found[1]


@settings(max_examples=30)
@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_pages_are_counted_weighed_and_projected_the_same(texts: list[Any], seed: int) -> None:
    random, found = np.random.default_rng(seed), []
    for of in (native, page_vectors):
        counted = [of.count_fields(5, *map(ids, text)) for text in texts]
        parts = [[np.frombuffer(part, np.int32) for part in each] for each in counted]
        columns, counts = (np.concatenate(each) for each in zip(*parts, strict=True))
        found.append((columns, counts, np.cumsum([0, *(len(each[0]) for each in parts)])))
    for ours, theirs in zip(*found, strict=True):
        assert np.array_equal(ours, theirs)
    columns, counts, ends = found[0]
    amounts, idf, direction = random.random(61), random.random(50), random.normal(size=230)
    factors, results = random.random(len(texts)), []
    for of in (native, page_vectors):
        values, projected = np.zeros(len(columns)), np.zeros(len(texts))
        sums, occur = np.zeros(71), np.zeros(71)
        of.weigh_fields(columns, counts, ends, amounts, idf, FIELDS, values)
        of.project(columns, values, ends, direction, projected)
        scales, placed = np.zeros((len(texts), 4)), np.zeros(len(texts))
        of.place_fields(columns, counts, ends, amounts, idf, FIELDS, direction, scales, placed)
        of.add_by_token(columns, ends, factors, sums, occur)
        frequency = np.zeros(71, np.int32)
        of.count_tokens(columns[: ends[1]], frequency)
        found_by = values, projected, sums, occur, scales, placed, frequency
        results.append([each.tobytes() for each in found_by])
        assert placed.tobytes() == projected.tobytes()
    assert results[0] == results[1]


@settings(max_examples=30)
@given(st.lists(st.lists(NUMBERS, min_size=1, max_size=6), max_size=3), st.integers(0, 2**32 - 1))
def test_columns_are_numbered_and_weighed_the_same(batches: list[list[Any]], seed: int) -> None:
    random = np.random.default_rng(seed)
    amounts, idf = random.random(200), random.random(50)
    results = []
    for of in (native, page_vectors):
        numbers, known, used = random_numbers(seed), ids([5, 0]), np.zeros(284, np.int32)
        found = []
        for texts in batches:
            pages = [page_vectors.count_fields(5, ids(text), ids(text[:3]), ids([])) for text in texts]
            parts = [[np.frombuffer(each, np.int32) for each in page] for page in pages]
            columns, counts = (np.concatenate([page[at] for page in parts]) for at in (0, 1))
            ends = np.append(0, np.cumsum([len(page[0]) for page in parts]))
            values, compact, expected = np.zeros(len(columns)), np.zeros_like(columns), np.zeros(len(columns))
            of.weigh_compact(
                *(columns, counts, ends, amounts, idf, FIELDS, values), *(numbers, known, compact, used)
            )
            page_vectors.weigh_fields(columns, counts, ends, amounts, idf, FIELDS, expected)
            assert values.tobytes() == expected.tobytes()
            assert np.array_equal(used[compact], columns)
            found += [values.tobytes(), compact.tobytes(), known.tolist(), used.tobytes()]
        assert known[1] == len(set(used[: known[1]].tolist()))
        results.append(found)
    assert results[0] == results[1]


def random_numbers(seed: int) -> Any:
    """Numbers of columns that are of earlier fits: below 5."""
    return np.random.default_rng(seed).integers(-3, 5, 284, dtype=np.int32)


def test_many_tokens_are_counted_the_same() -> None:
    random = np.random.default_rng(3)
    for largest in (2, 70, 3_000, 500_000):
        text = random.integers(0, largest, 2_000)
        parts = 800, text, text[:100], text[:0]
        found = [list(map(bytes, of.count_fields(*parts))) for of in (native, page_vectors)]
        assert found[0] == found[1]


def test_tokens_of_millions_are_sorted_too() -> None:
    tokens = np.random.default_rng(3).integers(0, 2**28, 500)
    ours, theirs = (of.count_fields(40, tokens, tokens[:9], tokens[9:20]) for of in (native, page_vectors))
    assert ours == theirs


def test_native_code_refuses_arrays_that_do_not_fit() -> None:
    documents = tokens, places, sizes, by = no_documents(3, WIDTH)
    one, floats, column = ids([1]), np.ones(4), np.ones(3, np.float32)
    number, two = np.ones(1, np.int32), np.ones(2)
    texts = np.ones(1, bool), number, number, one, one, number, number, one
    at = np.ones(3, np.uint8)
    weights = np.ones((2, 3)), ids([1, 1, 1])
    refused = [
        lambda: native.add_to_documents(*documents, ids([3]), one, one),
        lambda: native.add_to_documents(*documents, ids([-1]), one, one),
        lambda: native.add_to_documents(*documents, one, one, ids([1, 2])),
        lambda: native.add_to_documents(tokens[:2], places, sizes, by, one, one, one),
        lambda: native.add_to_documents(tokens, places, sizes, by[:2], one, one, one),
        lambda: native.add_names(*documents, one, []),
        lambda: native.add_names(*documents, one),
        lambda: native.add_names(*documents, ids([3]), [b""]),
        lambda: native.weigh_documents(*documents, floats, one, ids([9]), floats[:1], floats),
        lambda: native.weigh_documents(*documents, floats, one, one, floats, floats),
        lambda: native.weigh_documents(*documents, floats, ids([]), one, floats, floats),
        lambda: native.predict_links(*documents, *weights, ids([3]), floats[:3], one, *[column] * 3),
        lambda: native.predict_links(*documents, *weights, one, floats[:3], ids([1, 1]), *[column] * 3),
        lambda: native.predict_links(*documents, *weights, one, floats[:3], one, column[:1], *[column] * 2),
        lambda: native.predict_links(*documents, floats[:2], ids([1, 1]), one, two, one, *[column] * 3),
        lambda: native.add_link_texts(*documents, one, one, *texts, at),
        lambda: native.add_link_texts(*documents, ids([3]), one - 1, *texts, at),
        lambda: native.add_link_texts(*documents, one, one - 1, *texts, at[:2]),
        lambda: native.add_link_texts(*documents, one, ids([]), *texts, at),
        lambda: native.count_fields(40, ids([-1]), one, one),
        lambda: native.weigh_fields(tokens[0], tokens[0], ids([0, 7]), floats, floats, floats, np.ones(6)),
        lambda: native.weigh_fields(
            tokens[0], tokens[0] + 4, ids([0, 6]), floats, floats, floats, np.ones(6)
        ),
        lambda: weigh_compact(numbers=np.zeros(3, np.int32)),
        lambda: weigh_compact(used=np.zeros(0, np.int32)),
        lambda: weigh_compact(known=ids([2**31 - 1, 0])),
        lambda: weigh_compact(known=ids([0, 9])),
        lambda: weigh_compact(known=ids([0])),
        lambda: weigh_compact(compact=np.zeros(0, np.int32)),
        lambda: weigh_compact(values=np.zeros(3)),
        lambda: native.project(tokens[0], np.ones(6), ids([0, 7]), floats, np.ones(1)),
        lambda: native.count_tokens(tokens[0] + 40, tokens[1]),
        lambda: native.count_tokens(tokens[0] - 1, tokens[1]),
        lambda: native.add_by_token(tokens[0] + 40, ids([0, 6]), np.ones(1), floats, floats),
    ]
    for call in refused:
        with pytest.raises((IndexError, ValueError)):
            call()
    with pytest.raises(TypeError):
        native.add_names(*documents, one, [b"1"])
    for arguments in ((*documents, floats, one, one), (*documents, one, one), (1,)):
        with pytest.raises(TypeError):
            native.add_to_documents(*arguments)


def weigh_compact(**other: Any) -> None:
    """Weigh a page of one cell, with arrays of which one does not fit."""
    one = np.full(1, 4, np.int32)
    given = {"values": np.zeros(1), "numbers": np.zeros(8, np.int32), "known": ids([1, 0])}
    given |= {"compact": np.zeros(1, np.int32), "used": np.zeros(1, np.int32)} | other
    native.weigh_compact(
        *(one, one // 4, ids([0, 1]), np.ones(2), np.ones(3), FIELDS, given["values"]),
        *(given["numbers"], given["known"], given["compact"], given["used"]),
    )


def test_a_page_of_one_cell_is_weighed() -> None:
    weigh_compact()


def test_nothing_is_added_where_no_link_waits() -> None:
    documents, none = no_documents(2, 4), np.zeros(0, np.int64)
    document_rows.add_to_documents(*documents, none, none, none)
    assert not documents[0].any()
    assert not documents[2].any()
