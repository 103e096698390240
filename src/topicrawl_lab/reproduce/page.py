"""The report of a reproduction: tests of the claims, and tables and figures with ours beside theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from string import Template

from topicrawl.report.page import HALF, both, policy, stylesheet
from topicrawl.report.tables import amount, duration, safe
from topicrawl.report.templates import template
from topicrawl_lab import templates
from topicrawl_lab.comparison.html import (
    DASH,
    FOOTER,
    key,
    link,
    mean,
    number,
    panel,
    strategy,
    table,
)
from topicrawl_lab.reproduce.claims import NOT_YET, REPRODUCED, UNDECIDED, Judgement
from topicrawl_lab.reproduce.design import Setup
from topicrawl_lab.reproduce.experiment import Crawled, Scaled, log_folder, specs
from topicrawl_lab.reproduce.figures import ALL, MANY, NAMES, figure, printed_for, printed_row, together
from topicrawl_lab.reproduce.grid import grid_panels
from topicrawl_lab.reproduce.ranks import ranked
from topicrawl_lab.reproduce.recorded import Recorded
from topicrawl_lab.reproduce.rounds import round_panels
from topicrawl_lab.reproduce.tables import (
    TextTable,
    by_both_judges,
    by_people,
    judged_twice,
    times,
    ways,
    why,
)
from topicrawl_lab.reproduce.weights import learned_panels

NOT_HERE = '<span class="none">not yet</span>'
CIRCULAR = (
    "As the paper measures, one topic steers a crawler and judges it, and the invented web writes its pages from that "
    "topic: this is circular. For the independent judge, crawlers are steered by a topic found in twenty documents of "
    "another invented web, through formal concept analysis; the judge is found in twenty others and has no word in "
    "common with that topic. Both come from one text generator. Claims on parameters are judged by the web's labels "
    "instead."
)
BY_LABELS = (
    "As the paper measures, a page is relevant when it is similar to the pages that steer the crawl. The independent "
    "judge is the labels of the invented web: a page is relevant when the generator wrote it about the topic, and the "
    "share of its text that is about the topic replaces similarity. Claims that are not on pages (weights, labels, "
    "rules, layers) have one verdict."
)
BY_PEOPLE = "Recorded webs, by people's labels"
PEOPLE = (
    "The same crawlers on recorded webs, each task once. A page is relevant when people gave it the label of the task. "
    "Claims on pages found are tested over all tasks by the share of what the oracle finds."
)
TIMES = (
    "Printed times contain the waiting for a live web and hold for the published number of pages. Ours are processor "
    "time. Claims on time are judged by the time for valuing and choosing links: making, parsing and matching pages "
    "costs all crawlers the same."
)
KINDS = {REPRODUCED: "reproduced", UNDECIDED: "undecided", NOT_YET: "yet"}


def render(
    scaled: Scaled, crawls: Sequence[Crawled], judged: Sequence[Judgement], recorded: Recorded | None = None
) -> str:
    """The report as HTML text."""
    style = stylesheet(template("report.css"), template("comparison.css", templates.__name__))
    names = [crawler.name for crawler in scaled.setup.crawlers]
    published = [each for each in crawls if not each.independent]
    subjects = [_subject(scaled, published, subject.name) for subject in scaled.setup.subjects]
    if len(subjects) >= MANY:
        subjects.insert(0, _subject(scaled, together(published), ALL))
    sections = [_claims(judged, scaled.setup), _setup(scaled), *subjects, *_both_judges(scaled, crawls)]
    if recorded:
        sections.append(panel(BY_PEOPLE, PEOPLE, _text_table(BY_PEOPLE, by_people(scaled, recorded))))
    sections += [*_times(scaled, published), grid_panels(scaled, published)]
    sections += [learned_panels(published), round_panels(published)]
    return Template(template("comparison.html", templates.__name__)).substitute(
        policy=policy(style),
        style=style,
        kicker="a paper's experiment, run again",
        headline=safe(scaled.setup.title),
        scope=safe(headline(judged)),
        support="".join(f"<li>{safe(note)}</li>" for note in (*scaled.setup.notes, *ended_early(crawls))),
        key=key(names),
        footer=FOOTER,
        sections="\n".join(sections),
    )


def ended_early(crawls: Sequence[Crawled]) -> list[str]:
    """A note that names the crawlers whose budget ended before their first generation did; none if there are none."""
    early = []
    for name in dict.fromkeys(each.crawler for each in crawls):
        mine = [each.generations for each in crawls if each.crawler == name]
        if count := mine.count(0):
            early.append(f"{name} ({count} of {len(mine)} crawls)")
    if not early:
        return []
    return [
        f"The budget ended before the first generation did: {', '.join(early)}. Nothing had evolved in these crawls; "
        "they differ from others only by which links exceed τ. Claims that need them are not judged yet."
    ]


def headline(judged: Sequence[Judgement]) -> str:
    """The number of the paper's claims by verdict, and by the verdicts of other judges where there are any."""
    claims = [each for each in judged if not each.claim.ours]
    said = {
        "the independent judge": [each.independent for each in claims if each.independent],
        "people's labels": [each.by_people for each in claims if each.by_people],
    }
    others = (f" By {judge}: {_counted(verdicts)}" for judge, verdicts in said.items() if verdicts)
    return f"{_counted(claims)}{''.join(others)}"


def _counted(judged: Sequence[Judgement]) -> str:
    counts = {
        verdict: sum(each.verdict == verdict for each in judged)
        for verdict in (REPRODUCED, UNDECIDED, NOT_YET)
    }
    failed = len(judged) - sum(counts.values())
    tested = f"{counts[REPRODUCED]} of {len(judged)} claims reproduced, {failed} not reproduced, "
    return tested + f"{counts[UNDECIDED]} undecided, {counts[NOT_YET]} not yet to be judged."


def _claims(judged: Sequence[Judgement], setup: Setup) -> str:
    about = (
        "A claim is reproduced when its crawler is better than each of the others it names, by a paired "
        "permutation test over repeats, Holm-corrected, α = 0.05. A claim about one crawler is tested in the same way "
        "against the number named. "
    )
    published = [each for each in judged if not each.claim.ours]
    if any(each.independent for each in published):
        about += _second_way(setup)
    ours = [each for each in judged if each.claim.ours]
    added = f"<h3>Claims of ours</h3>{_verdicts('Claims of ours', ours)}" if ours else ""
    return panel("Claims", about, _verdicts("Claims", published), added)


def _verdicts(label: str, judged: Sequence[Judgement]) -> str:
    """A table of claims: the verdict of each way of measuring, the claim, and what each verdict follows from."""
    columns = ways(judged)
    rows = []
    for claim, *line in zip(judged, *columns.values(), strict=True):
        verdicts = (_verdict(each.verdict) if each else DASH for each in line)
        rows.append([*verdicts, safe(claim.claim.text), *(_why(each) if each else DASH for each in line)])
    heads = [*columns, "Claim", *(f"By what, {way}" for way in columns)]
    if len(columns) == 1:
        heads = ["Judgement", "Claim", "By what"]
    return table(label, heads, rows, words=len(heads))


def _verdict(verdict: str) -> str:
    return f'<span class="verdict {KINDS.get(verdict, "not")}">{verdict}</span>'


def _why(each: Judgement) -> str:
    return "<br>".join(map(safe, why(each)))


def _setup(scaled: Scaled) -> str:
    setup = scaled.setup
    rows = [
        ["pages", amount(setup.budget), amount(scaled.budget)],
        ["seeds", amount(setup.seeds), amount(scaled.seeds)],
        ["repeats", DASH, amount(scaled.times)],
        ["web", "the live web", "invented:scale, a web of its own for each repeat"],
    ]
    for subject in setup.subjects:
        here = safe(f"{subject.invented}, judged by {subject.spec}" if subject.spec else subject.invented)
        rule = f"relevant above {subject.threshold:g}"
        theirs, ours = (_pages(setup), f"{here}, {rule}") if setup.topic_pages else (rule, here)
        rows.append([f"topic, {safe(subject.name)}", theirs, ours])
        if subject.words:
            rows.append([f"words, {safe(subject.name)}", DASH, safe(subject.words)])
    known = specs(setup)
    for crawler in setup.crawlers:
        spec, with_words = known[crawler.name], ", with words" if crawler.words else ""
        here = f"{safe(spec)}{with_words}" if spec else NOT_HERE
        rows.append([f"crawler {safe(crawler.name)}", DASH if crawler.ours else safe(crawler.name), here])
    return panel("Set-up", "The paper's, and ours.", table("Set-up", ["", "paper", "here"], rows, words=3))


def _pages(setup: Setup) -> str:
    """What a topic of pages is in the paper."""
    return "one page, the query" if setup.topic_pages == 1 else f"{setup.topic_pages} pages"


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
        "Lines are ours (median and quartiles of repeats), circles are published values, scaled to our budget.",
        f'<div class="charts">{"".join(charts)}</div>',
        f"<h3>Ours beside theirs</h3>{beside(scaled, mine, subject)}",
        ranked(scaled, mine, subject) if scaled.setup.ranks else "",
        f'<p class="about">On the printed numbers:</p><ul class="findings">{listed}</ul>' if listed else "",
    )


def beside(scaled: Scaled, crawls: Sequence[Crawled], subject: str) -> str:
    """The paper's table: for each number of pages and crawler our measures beside the published ones."""
    measures, names = scaled.setup.measures, [crawler.name for crawler in scaled.setup.crawlers]
    heads = [
        "pages",
        "",
        *(head for measure in measures for head in (measure, "printed")),
        "HR by truth",
        "time",
    ]
    rows = []
    for pages, part in zip(scaled.setup.rows, scaled.parts, strict=True):
        for name in names:
            ours = [each for each in crawls if each.crawler == name]
            printed = printed_row(scaled, subject, pages, name)
            if ours or printed:
                logs = link(
                    f"{log_folder(subject, name)}/" if ours and subject != ALL else "", strategy(names, name)
                )
                rows.append(
                    [
                        f"{_part(*part)} <small>of {amount(pages)}</small>",
                        logs,
                        *_row(ours, printed, measures, part),
                    ]
                )
    return table(f"Ours beside theirs, {subject}", heads, rows, words=2)


def _both_judges(scaled: Scaled, crawls: Sequence[Crawled]) -> Iterator[str]:
    for subject, mine in judged_twice(scaled, crawls):
        name = f"Both ways of measuring, {safe(subject)}"
        yield panel(name, _second_way(scaled.setup), _text_table(name, by_both_judges(scaled, mine, subject)))


def _second_way(setup: Setup) -> str:
    return BY_LABELS if setup.topic_pages else CIRCULAR


def _times(scaled: Scaled, crawls: Sequence[Crawled]) -> Iterator[str]:
    for subject in scaled.setup.subjects if crawls and scaled.setup.independent else ():
        name = f"Time, {safe(subject.name)}"
        yield panel(name, TIMES, _text_table(name, times(scaled, crawls, subject.name)))


def _text_table(label: str, made: TextTable) -> str:
    return table(label, list(map(safe, made.heads)), [list(map(safe, row)) for row in made.rows], made.words)


def _part(since: int, pages: int) -> str:
    return f"{amount(since)} to {amount(pages)}" if since else amount(pages)


def _row(
    ours: Sequence[Crawled], printed: Mapping[str, float], measures: Sequence[str], part: tuple[int, int]
) -> list[str]:
    since, pages = part
    cells = []
    for measure in measures:
        value = mean(each.at(measure, pages, since) for each in ours) if ours else None
        theirs = printed.get(measure)
        shown = amount(theirs) if measure == "M" and theirs is not None else number(theirs)
        cells += [number(value, measure) if ours else NOT_HERE, f"<small>{shown}</small>"]
    truth = number(mean(each.true_rate(pages, since) for each in ours)) if ours else DASH
    spent = (
        duration(mean(each.seconds for each in ours)) if ours and pages >= len(ours[0].own.values) else DASH
    )
    return [*cells, truth, spent]
