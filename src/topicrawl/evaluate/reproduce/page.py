"""The report of a reproduction: claims judged, tables and figures redrawn, ours beside theirs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from string import Template

from topicrawl.evaluate.comparison.markup import DASH, key, mean, number, panel, signed, strategy, table
from topicrawl.evaluate.comparison.words import short_p
from topicrawl.evaluate.report import HALF, asset, both, policy, stylesheet
from topicrawl.evaluate.reproduce.experiment import Crawled, Scaled, specs
from topicrawl.evaluate.reproduce.figures import NAMES, figure, printed_for
from topicrawl.evaluate.reproduce.judgement import NOT_YET, REPRODUCED, UNDECIDED, Judgement
from topicrawl.evaluate.tables import amount, duration, safe

KINDS = {REPRODUCED: "reproduced", UNDECIDED: "undecided", NOT_YET: "yet"}


def render(scaled: Scaled, crawls: Sequence[Crawled], judged: Sequence[Judgement]) -> str:
    """The report as HTML text."""
    style, script = stylesheet("report.css", "comparison.css"), asset("report.js")
    names = [crawler.name for crawler in scaled.setup.crawlers]
    subjects = [_subject(scaled, crawls, subject.name) for subject in scaled.setup.subjects]
    return Template(asset("comparison.html")).substitute(
        policy=policy(style, script),
        style=style,
        script=script,
        kicker="a paper's experiment, run again",
        headline=safe(scaled.setup.title),
        scope=safe(headline(judged)),
        support="".join(f"<li>{safe(note)}</li>" for note in scaled.setup.notes),
        key=key(names),
        sections="\n".join([_claims(judged), _setup(scaled), *subjects]),
    )


def headline(judged: Sequence[Judgement]) -> str:
    """How many claims came to what."""
    counts = {
        verdict: sum(each.verdict == verdict for each in judged)
        for verdict in (REPRODUCED, UNDECIDED, NOT_YET)
    }
    failed = len(judged) - sum(counts.values())
    said = f"{counts[REPRODUCED]} of {len(judged)} claims reproduced, {failed} not reproduced, "
    return said + f"{counts[UNDECIDED]} undecided, {counts[NOT_YET]} not yet to be judged."


def _claims(judged: Sequence[Judgement]) -> str:
    rows = [[_verdict(each.verdict), safe(each.claim.text), _why(each)] for each in judged]
    about = (
        "A claim is reproduced when the crawler it praises is better than every other it names, by a paired "
        "permutation test over repeats, Holm-corrected, α = 0.05; measured as the paper measures."
    )
    return panel("Claims", about, table("Claims", ["Judgement", "Claim", "By what"], rows, words=3))


def _verdict(verdict: str) -> str:
    return f'<span class="verdict {KINDS.get(verdict, "not")}">{verdict}</span>'


def _why(each: Judgement) -> str:
    if each.missing:
        return safe(f"no {', '.join(each.missing)} here yet")
    return "<br>".join(
        safe(
            f"{signed(pair.difference)} against {pair.second}, {pair.pairs} pairs, p (Holm) {short_p(pair.corrected)}"
        )
        for pair in each.pairings
    )


def _setup(scaled: Scaled) -> str:
    setup = scaled.setup
    rows = [
        ["pages", amount(setup.budget), amount(scaled.budget)],
        ["seeds", amount(setup.seeds), amount(scaled.seeds)],
        ["repeats", DASH, amount(scaled.times)],
        ["web", "the live web of its day", "invented:scale, a web of its own for each repeat"],
    ]
    for subject in setup.subjects:
        here = safe(subject.invented) + (", the paper's words and weights" if subject.spec else "")
        rows.append([f"topic, {safe(subject.name)}", f"relevant above {subject.threshold:g}", here])
    for name, spec in specs(setup).items():
        rows.append(
            [f"crawler {safe(name)}", safe(name), safe(spec) if spec else '<span class="none">not yet</span>']
        )
    return panel("Set-up", "The paper's, and ours.", table("Set-up", ["", "paper", "here"], rows, words=3))


def _subject(scaled: Scaled, crawls: Sequence[Crawled], subject: str) -> str:
    mine = [each for each in crawls if each.subject == subject]
    charts = []
    for measure in scaled.setup.measures:
        chart = both(partial(figure, scaled, mine, subject, measure), HALF, 300, 250)
        charts.append(
            f"<figure><figcaption>{measure} <span>{NAMES[measure]}</span></figcaption>{chart}</figure>"
        )
    remarks = [remark for printed in printed_for(scaled, subject) for remark in printed.remarks]
    listed = "".join(f"<li>{safe(remark)}</li>" for remark in remarks)
    return panel(
        safe(subject),
        "Lines are ours (median and quartiles of repeats), rings what the paper prints, scaled to our budget.",
        f'<div class="charts">{"".join(charts)}</div>',
        f"<h3>Ours beside theirs</h3>{beside(scaled, mine, subject)}",
        f'<p class="about">What cannot be right in print:</p><ul class="findings">{listed}</ul>'
        if listed
        else "",
    )


def beside(scaled: Scaled, crawls: Sequence[Crawled], subject: str) -> str:
    """The paper's table redrawn: for each number of pages and crawler, ours and below it what is printed."""
    measures, names = scaled.setup.measures, [crawler.name for crawler in scaled.setup.crawlers]
    heads = ["pages", "", *(f"{measure}" for measure in measures), "time", "HR by truth"]
    rows: list[list[str]] = []
    for pages, here in zip(scaled.setup.rows, scaled.rows, strict=True):
        for name in names:
            ours = [each for each in crawls if each.crawler == name]
            printed = _printed(scaled, subject, pages, name)
            if ours or printed:
                rows.append(
                    [
                        amount(here),
                        strategy(names, name),
                        *_row(ours, measures, here, last=here == scaled.rows[-1]),
                    ]
                )
            if printed:
                values = (number(printed.get(measure), measure) for measure in measures)
                rows.append(
                    [amount(pages), f'<span class="none">{safe(name)}, printed</span>', *values, DASH, DASH]
                )
    return table(f"Ours beside theirs, {subject}", heads, rows, words=2)


def _row(ours: Sequence[Crawled], measures: Sequence[str], pages: int, *, last: bool) -> list[str]:
    if not ours:
        return ['<span class="none">not yet</span>', *[DASH] * (len(measures) + 1)]
    values = [number(mean(each.at(measure, pages) for each in ours), measure) for measure in measures]
    spent = duration(mean(each.seconds for each in ours)) if last else DASH
    truth = number(mean(each.true.harvest_rate for each in ours)) if last else DASH
    return [*values, spent, truth]


def _printed(scaled: Scaled, subject: str, pages: int, name: str) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for printed in printed_for(scaled, subject):
        found |= printed.rows.get(pages, {}).get(name, {})
    return found
