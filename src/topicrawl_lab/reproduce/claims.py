"""Tests a paper's claims on our crawls: reproduced, not reproduced, undecided, or not yet (a crawler is missing)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from topicrawl_lab import statistics
from topicrawl_lab.reproduce.design import Claim
from topicrawl_lab.reproduce.experiment import Crawled, Scaled
from topicrawl_lab.statistics import Pairing

ALPHA = 0.05
REPRODUCED, NOT_REPRODUCED, UNDECIDED, NOT_YET = "reproduced", "not reproduced", "undecided", "not yet"
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
    independent: Judgement | None = None
    """The same claim by the independent judge, where there is one; a claim on parameters by the truth of the web."""


def judge_both(claim: Claim, crawls: Sequence[Crawled], scaled: Scaled) -> Judgement:
    """A claim judged as in the paper, and independently."""
    as_published = [each for each in crawls if not each.independent]
    if claim.search:
        apart = [replace(each, own=each.true) for each in as_published]
    else:
        apart = [each for each in crawls if each.independent]
    judged = judge(claim, as_published, scaled)
    return replace(judged, independent=judge(claim, apart, scaled)) if apart else judged


def judge(claim: Claim, crawls: Sequence[Crawled], scaled: Scaled) -> Judgement:
    """Reproduced when the claimed winner is better than every other, not when it is worse than one, else undecided."""
    present = {crawled.crawler for crawled in crawls}
    missing = tuple(name for name in (claim.crawler, *claim.others) if name not in present)
    if missing:
        return Judgement(claim, NOT_YET, missing=missing)
    pages = max(1, round(claim.after * scaled.budget))
    mine = _values(claim, claim.crawler, crawls, pages)
    pairings = []
    for name in claim.others:
        theirs = _values(claim, name, crawls, pages)
        keys = sorted(mine.keys() & theirs.keys())
        scores = ([mine[key] for key in keys], [theirs[key] for key in keys])
        pairings.append(statistics.pairing(claim.subject or "all", claim.crawler, name, scores))
    tested = tuple(statistics.corrected(pairings))
    return Judgement(claim, _verdict(claim.crawler, [pair.verdict(ALPHA) for pair in tested]), tested)


def _verdict(crawler: str, winners: Sequence[str]) -> str:
    if any(winner not in {crawler, "undecided"} for winner in winners):
        return NOT_REPRODUCED
    return REPRODUCED if all(winner == crawler for winner in winners) else UNDECIDED


def _values(claim: Claim, crawler: str, crawls: Sequence[Crawled], pages: int) -> dict[Key, float]:
    """The crawler's measure in each crawl, negated where less is claimed."""
    sign = -1.0 if claim.less else 1.0
    return {
        (crawled.subject, crawled.repeat): sign * crawled.at(claim.measure, pages)
        for crawled in crawls
        if crawled.crawler == crawler and claim.subject in {"", crawled.subject}
    }
