"""Amounts of terms per link."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from topicrawl.value.term_amounts import TermAmounts

rows = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3), st.integers(1, 5)))


@given(rows)
def test_amounts_add_up_per_link_and_term(triples: list[tuple[int, int, int]]) -> None:
    amounts, expected = TermAmounts(), dict[int, dict[int, float]]()
    amounts.add(triples)
    for link, term, amount in triples:
        terms = expected.setdefault(link, {})
        terms[term] = terms.get(term, 0) + amount
    assert {link: amounts.of(link) for link in range(9) if amounts.of(link)} == expected
    columns = amounts.triples(range(9))
    found = {(int(p), int(t)): float(a) for p, t, a in zip(*columns, strict=True)}
    assert found == {
        (link, term): amount for link, terms in expected.items() for term, amount in terms.items()
    }
    mixed = {(int(p), int(t)): float(a) for p, t, a in zip(*amounts.mixed(), strict=True)}
    assert mixed == {
        (link, term): amount for (link, term), amount in found.items() if len(expected[link]) > 1
    }


def test_an_unknown_link_has_no_amounts() -> None:
    amounts = TermAmounts()
    amounts.add([(3, 1, 2.5)])
    assert amounts.of(2) == {}
    assert amounts.of(99) == {}
