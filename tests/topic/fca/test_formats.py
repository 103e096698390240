from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import concepts as peer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topic.fca.examples import TABLE_1, contexts
from topicrawl.errors import TopicError
from topicrawl.topic.fca.context import Context
from topicrawl.topic.fca.formats import read_csv, read_cxt, write_csv, write_cxt

CXT = "B\n\n2\n3\n\nd1\nd2\nrain\nwind\nhail\nX.X\n.X.\n"
CSV = "document,rain,wind,hail\nd1,1,0,1\nd2,0,1,0\n"

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
    assert read_csv(write_csv(context).encode()) == context


def test_the_formats_look_as_they_should() -> None:
    context = read_cxt(CXT.encode())
    assert context == Context.from_sets(
        ("rain", "wind", "hail"), [("d1", ("rain", "hail")), ("d2", ("wind",))]
    )
    assert write_cxt(context) == CXT
    assert write_csv(context) == CSV


def test_an_independent_library_reads_what_we_write() -> None:
    theirs = peer.Context.fromstring(write_cxt(TABLE_1), frmat="cxt")
    assert theirs.objects == TABLE_1.documents
    assert theirs.properties == TABLE_1.terms
    assert [sum(mark << j for j, mark in enumerate(row)) for row in theirs.bools] == list(TABLE_1.rows)


@pytest.mark.parametrize(("read", "form"), [(read_cxt, "cxt"), (read_csv, "csv")])
def test_we_read_what_an_independent_library_writes(read: Callable[[bytes], Context], form: str) -> None:
    table = [[bool(row >> j & 1) for j in range(4)] for row in TABLE_1.rows]
    theirs = peer.Context(TABLE_1.documents, TABLE_1.terms, table)
    assert read(theirs.tostring(frmat=form).encode()) == TABLE_1


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
def test_other_habits_of_writing_a_cxt_are_understood(text: str) -> None:
    assert read_cxt(text.encode()) == read_cxt(CXT.encode())


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + CSV,
        CSV.replace("\n", "\r\n"),
        CSV.replace("1", "x").replace("dx", "d1").replace("0", ""),
        CSV.replace("document", "").replace(",", " , "),
        CSV.replace("d2", '\n"d2"') + "\n",
    ],
    ids=["byte order mark", "carriage returns", "crosses", "space", "empty lines"],
)
def test_other_habits_of_writing_a_table_are_understood(text: str) -> None:
    assert read_csv(text.encode()) == read_cxt(CXT.encode())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad.cxt, line 1: the file ends where the letter B should stand"),
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
            "bad.cxt, line 7: document 'd1' stands already at bad.cxt, line 6",
        ),
        (CXT.replace("d2", " ").encode(), "bad.cxt, line 7: the name '' of a document is blank"),
        (CXT.replace("X.X", "X.").encode(), "bad.cxt, line 11: row of 2 marks; 3 terms need 3"),
        (CXT.replace("X.X", "X?X").encode(), "bad.cxt, line 11, column 2: mark '?'"),
        (CXT.replace(".X.\n", "").encode(), "bad.cxt, line 12: the file ends where the row of document 'd2'"),
        ((CXT + "\nX..\n").encode(), "bad.cxt, line 14: 'X..' stands after the last row"),
        (b"B\n\n1\n1\n\nd\n\xff\nX\n", "bad.cxt, line 7: is not UTF-8 text"),
        (CXT.encode("utf-16"), "bad.cxt, line 1: is not UTF-8 text"),
        (CXT.encode() + b"x" * 10_000_000, "bad.cxt, line 13: 'xxx"),
    ],
)
def test_a_broken_cxt_is_refused_where_it_breaks(content: bytes, message: str) -> None:
    with pytest.raises(TopicError) as error:
        read_cxt(content, source="bad.cxt")
    assert message in str(error.value)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad.csv, line 1: has no terms"),
        (b"document\nd1\n", "bad.csv, line 1: has no terms"),
        (b"document,rain\n", "bad.csv: has no documents"),
        (
            CSV.replace("wind", "rain").encode(),
            "bad.csv, line 1, column 3: term 'rain' stands already at bad.csv, line 1",
        ),
        (CSV.replace("wind", "").encode(), "bad.csv, line 1, column 3: the name '' of a term is blank"),
        (CSV.replace("wind", '"a\nb"').encode(), "bad.csv, line 1, column 3: the name 'a\\nb' of a term"),
        (
            CSV.replace("d2", "d1").encode(),
            "bad.csv, line 3: document 'd1' stands already at bad.csv, line 2",
        ),
        (CSV.replace("d2,0", "d2").encode(), "bad.csv, line 3: 2 cells after the name; 3 terms need 3"),
        (CSV.replace("d2,0,1", "d2,0,maybe").encode(), "bad.csv, line 3, column 3: 'maybe' is no mark"),
        (CSV.replace("d2", '"d2').encode(), "bad.csv, line 3: is no CSV"),
        (CSV.replace("d2", "d" * 10_000_000).encode(), "bad.csv, line 3: is no CSV"),
        (CSV.replace("rain", "r\xe4in").encode("latin-1"), "bad.csv, line 1: is not UTF-8 text"),
    ],
)
def test_a_broken_table_is_refused_where_it_breaks(content: bytes, message: str) -> None:
    with pytest.raises(TopicError) as error:
        read_csv(content, source="bad.csv")
    assert message in str(error.value)
    assert len(str(error.value)) < 200


@given(st.binary(max_size=60))
def test_any_other_bytes_are_read_or_refused(content: bytes) -> None:
    for read in (read_cxt, read_csv):
        for begin in (b"", b"B\n\n1\n1\n", b"d,t\n"):
            with suppress(TopicError):
                assert read(begin + content).terms
