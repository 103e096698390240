"""Tests a paper's claims on our crawls: reproduced, not reproduced, undecided, or not yet.

Not yet: a crawler that the claim names is missing, or has generations and in one of its crawls none of them ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from topicrawl_lab import statistics
from topicrawl_lab.reproduce.design import Claim
from topicrawl_lab.reproduce.experiment import Crawled, Scaled
from topicrawl_lab.statistics import Pairing

ALPHA = 0.05
REPRODUCED, NOT_REPRODUCED, UNDECIDED, NOT_YET = "reproduced", "not reproduced", "undecided", "not yet"
NO_JOIN_BEFORE = 5
"""The first round of SemXDM's proof of concept in which an item joined layer 0 (§4.2.2)."""
Key = tuple[str, int]
"""Subject and repeat; crawls with the same key are paired."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A claim and the result of its test."""

    claim: Claim
    verdict: str
    pairings: tuple[Pairing, ...] = ()
    """The claimed winner against each other crawler, larger is better, Holm-corrected together."""
    missing: tuple[str, ...] = ()
    """Crawlers of the claim that are not implemented."""
    unevolved: tuple[str, ...] = ()
    """Crawlers of the claim with a crawl in which no generation had ended: it says nothing about their evolution."""
    short: tuple[str, ...] = ()
    """Crawlers with a crawl that did not reach the budget, where the claim is about those that do."""
    independent: Judgement | None = None
    """The same claim by the independent judge, where there is one; a claim on parameters by the truth of the web."""
    by_people: Judgement | None = None
    """The same claim by labels of people, on recorded webs."""


def judge_both(claim: Claim, crawls: Sequence[Crawled], scaled: Scaled) -> Judgement:
    """A claim judged as in the paper, and independently; once where no judge of pages is part of its measure."""
    as_published = [each for each in crawls if not each.independent]
    if claim.search:
        apart = [replace(each, own=each.true) for each in as_published]
    else:
        apart = [each for each in crawls if each.independent]
    judged = judge(claim, as_published, scaled)
    if claim.measure in OF_CRAWLS:
        return judged
    return replace(judged, independent=judge(claim, apart, scaled)) if apart else judged


def judge(
    claim: Claim,
    crawls: Sequence[Crawled],
    scaled: Scaled,
    measured: Callable[[Claim, Crawled], float] | None = None,
) -> Judgement:
    """Reproduced when the claimed winner is better than every other, not when it is worse than one, else undecided.

    `measured` replaces the paper's measures.
    """
    measured = measured or partial(_measured, scaled)
    present = {crawled.crawler for crawled in crawls}
    missing = tuple(name for name in (claim.crawler, *claim.others) if name not in present)
    if missing:
        return Judgement(claim, NOT_YET, missing=missing)
    crawls = [crawled for crawled in crawls if claim.subject in {"", crawled.subject}]
    if unevolved := _named(claim, crawls, lambda crawled: crawled.generations == 0):
        return Judgement(claim, NOT_YET, unevolved=unevolved)
    short: tuple[str, ...] = ()
    if claim.reaching:
        short = _named(claim, crawls, lambda crawled: crawled.own.values.size < scaled.budget)
    if claim.crawler in short:
        return Judgement(claim, NOT_REPRODUCED, short=short)
    mine = _values(claim, claim.crawler, crawls, measured)
    compared = [name for name in claim.others if name not in short] if claim.others else [f"{claim.least:g}"]
    pairings = []
    for name in compared:
        theirs = _values(claim, name, crawls, measured) if claim.others else dict.fromkeys(mine, claim.least)
        keys = sorted(mine.keys() & theirs.keys())
        scores = ([mine[key] for key in keys], [theirs[key] for key in keys])
        pairings.append(statistics.pairing(claim.subject or "all", claim.crawler, name, scores))
    tested = tuple(statistics.corrected(pairings))
    winners = [pair.verdict(ALPHA) for pair in tested]
    return Judgement(claim, _verdict(claim.crawler, winners), tested, short=short)


def _named(claim: Claim, crawls: Sequence[Crawled], holds: Callable[[Crawled], bool]) -> tuple[str, ...]:
    """The crawlers of a claim for one of whose crawls `holds`."""
    held = {crawled.crawler for crawled in crawls if holds(crawled)}
    return tuple(name for name in (claim.crawler, *claim.others) if name in held)


def _verdict(crawler: str, winners: Sequence[str]) -> str:
    if any(winner not in {crawler, "undecided"} for winner in winners):
        return NOT_REPRODUCED
    return REPRODUCED if winners and all(winner == crawler for winner in winners) else UNDECIDED


def _values(
    claim: Claim, crawler: str, crawls: Sequence[Crawled], measured: Callable[[Claim, Crawled], float]
) -> dict[Key, float]:
    """The crawler's measure in each of its crawls."""
    return {
        (crawled.subject, crawled.repeat): measured(claim, crawled)
        for crawled in crawls
        if crawled.crawler == crawler
    }


def _measured(scaled: Scaled, claim: Claim, crawled: Crawled) -> float:
    """The measure of a claim, negated where less is claimed."""
    if claim.measure in OF_CRAWLS:
        return OF_CRAWLS[claim.measure](crawled)
    begin, end = round(claim.since * scaled.budget), max(1, round(claim.after * scaled.budget))
    value = crawled.at(claim.measure, end, begin)
    return -value if claim.less else value


def errors_saved(crawled: Crawled) -> float:
    """Mean absolute error of equal quarters less that of the learned weights, on the test links."""
    learned = crawled.learned
    return learned.equal_error - learned.error if learned else 0.0


def first_join(crawled: Crawled) -> int:
    """The first round in which an item joined layer 0; 0 where none did."""
    begun = crawled.rounds[0].layers[0] if crawled.rounds else 0
    return next((each.number for each in crawled.rounds if each.layers[0] > begun), 0)


def _joins_late(crawled: Crawled) -> float:
    first = first_join(crawled)
    return float(not first or first >= NO_JOIN_BEFORE)


def _labels_gained(crawled: Crawled) -> float:
    """Labels inferred for the items of the last round less those for the items of the first."""
    return float(crawled.rounds[-1].classified - crawled.rounds[1].classified)


def _rules_gained(crawled: Crawled) -> float:
    """Rules after the last round less those before the first."""
    return float(crawled.rounds[-1].rules - crawled.rounds[0].rules)


OF_CRAWLS: Mapping[str, Callable[[Crawled], float]] = {
    "errors saved": errors_saved,
    "joins late": _joins_late,
    "labels inferred": _labels_gained,
    "rules": _rules_gained,
}
"""Measures of a crawl that are no curve over its pages."""
