from __future__ import annotations

from contextlib import suppress

import concepts as peer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topic.fca.examples import TABLE_1, context_of, contexts
from topicrawl.errors import TopicError
from topicrawl.topic.fca.context import Context
from topicrawl.topic.fca.formats import read_cxt, write_cxt

CXT = "B\n\n2\n3\n\nd1\nd2\nrain\nwind\nhail\nX.X\n.X.\n"

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
    lambda name: name == name.strip() and len(name.splitlines()) == 1
)


@st.composite
def named_contexts(draw: st.DrawFn) -> Context:
    """Any small context whose documents and terms have any names."""
    plain = draw(contexts(documents=4, terms=4))
    documents, terms = (
        draw(st.lists(names, min_size=len(side), max_size=len(side), unique=True))
        for side in (plain.documents, plain.terms)
    )
    return Context.from_rows(documents, terms, plain.rows)


@given(named_contexts())
def test_a_written_context_reads_back_the_same(context: Context) -> None:
    assert read_cxt(write_cxt(context).encode()) == context


def test_the_format_is_burmeisters() -> None:
    context = read_cxt(CXT.encode())
    assert context == context_of(("rain", "wind", "hail"), {"d1": ("rain", "hail"), "d2": ("wind",)})
    assert write_cxt(context) == CXT


def test_an_independent_library_reads_what_we_write() -> None:
    theirs = peer.Context.fromstring(write_cxt(TABLE_1), frmat="cxt")
    assert theirs.objects == TABLE_1.documents
    assert theirs.properties == TABLE_1.terms
    assert [sum(mark << j for j, mark in enumerate(row)) for row in theirs.bools] == list(TABLE_1.rows)


def test_we_read_what_an_independent_library_writes() -> None:
    table = [[bool(row >> j & 1) for j in range(4)] for row in TABLE_1.rows]
    theirs = peer.Context(TABLE_1.documents, TABLE_1.terms, table)
    assert read_cxt(theirs.tostring(frmat="cxt").encode()) == TABLE_1


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + CXT,
        CXT.replace("\n", "\r\n"),
        CXT.replace("\n\n2", "\nrainy days\n2"),
        CXT.replace("3\n\nd1", "3\nd1"),
        CXT.replace("X", "x").replace("rain\n", "rain  \n") + "\n\n",
    ],
    ids=["byte order mark", "carriage returns", "a name", "no blank line", "space"],
)
def test_other_ways_of_writing_a_cxt_are_accepted(text: str) -> None:
    assert read_cxt(text.encode()) == read_cxt(CXT.encode())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad.cxt, line 1: the file ends where the letter B is expected"),
        (b"A\n", "bad.cxt, line 1: is not the letter B"),
        (CXT.replace("2\n3", "two\n3").encode(), "bad.cxt, line 3: 'two' is not the number of documents"),
        (CXT.replace("2\n3", "2\n0").encode(), "bad.cxt, line 4: '0' is not the number of terms"),
        (CXT.replace("2\n3", "2\n" + "9" * 9999).encode(), "bad.cxt, line 4: '999"),
        (
            CXT.replace("2\n3", "999999999\n3").encode(),
            "bad.cxt, line 13: the file ends where the name of document 8",
        ),
        (
            CXT.replace("d2", "d1").encode(),
            "bad.cxt, line 7: document 'd1' is already at bad.cxt, line 6",
        ),
        (CXT.replace("d2", " ").encode(), "bad.cxt, line 7: the name '' of a document is blank"),
        (CXT.replace("X.X", "X.").encode(), "bad.cxt, line 11: row of 2 marks; 3 terms need 3"),
        (CXT.replace("X.X", "X?X").encode(), "bad.cxt, line 11, column 2: mark '?'"),
        (CXT.replace(".X.\n", "").encode(), "bad.cxt, line 12: the file ends where the row of document 'd2'"),
        ((CXT + "\nX..\n").encode(), "bad.cxt, line 14: 'X..' follows the last row"),
        (b"B\n\n1\n1\n\nd\n\xff\nX\n", "bad.cxt, line 7: is not UTF-8 text"),
        (CXT.encode("utf-16"), "bad.cxt, line 1: is not UTF-8 text"),
        (CXT.encode() + b"x" * 10_000_000, "bad.cxt, line 13: 'xxx"),
    ],
)
def test_a_broken_cxt_is_refused_with_the_line(content: bytes, message: str) -> None:
    with pytest.raises(TopicError) as error:
        read_cxt(content, source="bad.cxt")
    assert message in str(error.value)
    assert len(str(error.value)) < 200


@given(st.binary(max_size=60))
def test_any_other_bytes_are_read_or_refused(content: bytes) -> None:
    for begin in (b"", b"B\n\n1\n1\n"):
        with suppress(TopicError):
            assert read_cxt(begin + content).terms
