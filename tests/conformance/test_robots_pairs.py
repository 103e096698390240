"""Robots rules on random pairs: as in the RFC on all, and different from protego only for a known reason."""

from __future__ import annotations

from conformance.robots_pairs import WAYS, Pair, pairs, reference

SAMPLE = list(pairs(4000, seed=1))
"""`python -m bench.robots_pairs` takes 200,000."""


def test_every_pair_is_judged_as_by_a_plain_reading_of_the_rfc() -> None:
    wrong = [pair for pair in SAMPLE if pair.ours() != reference(pair.file, pair.url)]
    assert wrong == []
    assert 1000 < sum(pair.ours() for pair in SAMPLE) < 3000


def test_where_protego_differs_the_rfc_gives_the_reason() -> None:
    reasons = [pair.why() for pair in SAMPLE if pair.ours() != pair.protegos()]
    assert 100 < len(reasons) < 600
    assert all(reasons)
    assert {way for ways in reasons for way in ways or ()} == WAYS.keys()


def test_a_wrong_verdict_would_have_no_reason() -> None:
    plain = Pair(b"User-agent: *\nDisallow: /a\n", "http://a.test/a")
    assert not plain.ours()
    assert not plain.protegos()
    assert plain.why() == ()
