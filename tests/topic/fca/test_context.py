from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topic.fca.examples import TABLE_1, bitset, contexts
from topicrawl.errors import TopicError
from topicrawl.topic.fca.context import Context, bits


def test_the_empty_set_of_documents_has_all_terms_and_the_empty_set_of_terms_all_documents() -> None:
    assert TABLE_1.shared_terms(0) == 0b1111
    assert TABLE_1.documents_with(0) == 0b1111


@given(contexts(), st.data())
def test_the_derivations_are_a_galois_connection(context: Context, data: st.DataObject) -> None:
    extent = data.draw(st.integers(0, context.all_documents))
    intent = data.draw(st.integers(0, context.all_terms))
    below = extent & context.documents_with(intent) == extent
    assert below == (intent & context.shared_terms(extent) == intent)


@given(contexts(), st.data())
def test_giving_some_shared_terms_does_not_change_the_result(context: Context, data: st.DataObject) -> None:
    extent = data.draw(st.integers(0, context.all_documents))
    shared = context.shared_terms(extent)
    least = shared & data.draw(st.integers(0, context.all_terms))
    assert context.shared_terms(extent, least) == shared


@given(contexts())
def test_rows_and_columns_are_consistent(context: Context) -> None:
    for i, row in enumerate(context.rows):
        for j, column in enumerate(context.columns):
            assert row >> j & 1 == column >> i & 1


@given(contexts(), st.data())
def test_the_terms_in_some_documents_are_the_union_of_their_rows(
    context: Context, data: st.DataObject
) -> None:
    extent = data.draw(st.integers(0, context.all_documents))
    rows = [set(bits(context.rows[i])) for i in bits(extent)]
    assert set(bits(context.terms_in(extent))) == set().union(*rows)


@given(st.sets(st.integers(0, 200)))
def test_the_members_of_a_bitset_are_in_order(members: set[int]) -> None:
    assert list(bits(bitset(members))) == sorted(members)


@pytest.mark.parametrize(
    ("documents", "terms", "message"),
    [
        ([], ["t"], "no documents"),
        (["d"], [], "no terms"),
        (["d", "d"], ["t"], "document 'd' occurs 2 times"),
        (["d", "e"], [" "], "term 1: name ' '"),
        (["d", "e\nf"], ["t"], "document 2"),
        (["d", "e"], ["t\n"], "term 1"),
        (["d", "e"], ["x" * 10_000_000 + " "], "term 1: name 'xxx"),
    ],
)
def test_a_context_without_usable_names_is_refused(
    documents: list[str], terms: list[str], message: str
) -> None:
    with pytest.raises(TopicError) as error:
        Context.from_rows(documents, terms, [0] * len(documents))
    assert message in str(error.value)
    assert len(str(error.value)) < 200
