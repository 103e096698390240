"""The lists and tables of the report as HTML text, and how the report writes numbers."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from topicrawl.model import Timing, Topic, Visit
from topicrawl.report.digest import Digest, Share
from topicrawl.safe_text import UNSAFE, one_line
from topicrawl.toml_text import spell
from topicrawl.topic.letters import OR

SECRET = frozenset({"proxy", "header", "cookie_file"})
"""Settings whose values may hold passwords: reports are shared more freely than runs."""
MOST_VALUES = 20
MOST_LETTERS = 300


def safe(text: object, most: int = MOST_LETTERS) -> str:
    """`text` escaped for any place in HTML, in one line of bounded length."""
    return html.escape(one_line(str(text), most))


def amount(count: float, noun: str = "") -> str:
    """1234 as 1,234; with a noun, `1 page` or `1,234 pages`."""
    return f"{count:,.0f}" + (f" {noun}{'' if count == 1 else 's'}" if noun else "")


def bytes_of(size: float) -> str:
    """A size in decimal units: 1,500,000 as 1.5 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 99.95 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"


def duration(seconds: float) -> str:
    """90 as 1 min 30 s: two units at most."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.{1 if seconds < 0.01 else 0}f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min"


def terms(topic: Topic) -> str:
    """The terms of the topic, heaviest first, with their weights; of several spellings the first."""
    weighed = sorted(zip(topic.terms, topic.weights, strict=True), key=lambda pair: -pair[1])
    chips = [
        f"<li><bdi>{safe(term.partition(OR)[0])}</bdi> <small>{weight:.3g}</small></li>"
        for term, weight in weighed[:MOST_VALUES]
    ]
    if len(weighed) > MOST_VALUES:
        chips.append(f"<li>and {amount(len(weighed) - MOST_VALUES, 'more term')}</li>")
    return f'<ul class="terms" aria-label="Terms of the topic and their weights">{"".join(chips)}</ul>'


def best_pages(gathered: Digest) -> str:
    """The most relevant pages, linked."""
    return _pages(gathered.best, gathered.threshold) if gathered.best else _none("No page was fetched.")


def doubtful_pages(gathered: Digest) -> str:
    """The pages nearest to the threshold, linked."""
    return _pages(gathered.doubtful, gathered.threshold)


def _pages(visits: Iterable[Visit], threshold: float) -> str:
    return f'<ol class="pages">{"".join(_page(visit, threshold) for visit in visits)}</ol>'


def _page(visit: Visit, threshold: float) -> str:
    below = "" if visit.relevance > threshold else " below"
    address = f'<span class="address"><bdi>{safe(visit.url)}</bdi></span>'
    return (
        f'<li><span class="score{below}">{visit.relevance:.3f}</span>'
        f'<div><span class="title">{link(visit.url, visit.title or visit.url)}</span>{address}</div></li>'
    )


def link(url: str, text: str) -> str:
    """A link if the URL is http or https, else the plain text."""
    shown = f"<bdi>{safe(text)}</bdi>"
    if not url.startswith(("http://", "https://")):
        return shown
    return f'<a href="{html.escape(UNSAFE.sub("", url))}" rel="noopener noreferrer nofollow">{shown}</a>'


def hosts(gathered: Digest, most: int) -> str:
    """The hosts that gave most pages; the page's script sorts them."""
    if not gathered.hosts:
        return _none("No host was asked.")
    ranked = sorted(gathered.hosts.items(), key=lambda item: (-item[1].pages, -item[1].failures, item[0]))
    heads = ("Host", "Fetched", "Relevant", "Harvest rate", "Failures", "Size")
    top = "".join(_head(head, first=place == 0, sorted_by=place == 1) for place, head in enumerate(heads))
    rows = "".join(_host(name, share) for name, share in ranked[:most])
    shown = (
        f"{amount(most)} of {amount(len(ranked), 'host')}, by pages fetched." if len(ranked) > most else ""
    )
    about = f'<p class="about">{shown} Press a heading to sort.</p>'
    return about + scrolling(
        "Hosts", f'<table id="hosts"><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table>'
    )


def _head(text: str, *, first: bool, sorted_by: bool) -> str:
    kind = "" if first else ' class="n"'
    order = ' aria-sort="descending"' if sorted_by else ""
    return f'<th scope="col"{kind}{order}><button type="button">{text}</button></th>'


def _host(name: str, share: Share) -> str:
    rate = share.harvest_rate
    shown = f'{meter(rate)}<span class="rate">{rate:.0%}</span>' if share.pages else "–"
    cells = [
        (share.pages, amount(share.pages)),
        (share.relevant, amount(share.relevant)),
        (rate if share.pages else -1, shown),
        (share.failures, amount(share.failures)),
        (share.bytes, bytes_of(share.bytes)),
    ]
    numbers = "".join(f'<td class="n" data-value="{value:g}">{text}</td>' for value, text in cells)
    return f'<tr><td class="host"><bdi>{safe(name)}</bdi></td>{numbers}</tr>'


def meter(share: float) -> str:
    """A small bar, filled by `share`."""
    bar = f'<rect class="bar good" width="{72 * share:.1f}" height="6" rx="3"/>' if share else ""
    track = '<rect class="track" width="72" height="6" rx="3"/>'
    return f'<svg class="meter" viewBox="0 0 72 6" aria-hidden="true">{track}{bar}</svg>'


def failures(kinds: Mapping[str, int]) -> str:
    """Failures by kind."""
    if not kinds:
        return _none("Nothing failed.")
    rows = "".join(
        f'<tr><td class="kind">{safe(kind)}</td><td class="n">{amount(count)}</td></tr>'
        for kind, count in kinds.items()
    )
    return f"<table><tbody>{rows}</tbody></table>"


def times(timings: Iterable[tuple[int, Timing]]) -> str:
    """Seconds of visits for waiting, fetching and parsing: median, 95th percentile, sum."""
    spent = np.array([(t.waited, t.fetched, t.parsed) for _, t in timings], dtype=np.float64).reshape(-1, 3)
    if not spent.any():
        return _none("No times were kept.")
    rows, last = [], len(spent) - 1
    for name, column in zip(("waiting politely", "fetching", "parsing"), spent.T, strict=True):
        # np.quantile would import numpy.ma, which takes longer than a short report
        middle, slow = np.interp((0.5 * last, 0.95 * last), np.arange(len(column)), np.sort(column))
        cells = "".join(f'<td class="n">{duration(value)}</td>' for value in (middle, slow, column.sum()))
        rows.append(f"<tr><td>{name}</td>{cells}</tr>")
    heads = "".join(f'<th scope="col" class="n">{name}</th>' for name in ("median", "95th percentile", "sum"))
    top = f'<thead><tr><th scope="col">A visit</th>{heads}</tr></thead>'
    return scrolling("Times", f"<table>{top}<tbody>{''.join(rows)}</tbody></table>")


def settings(config: Mapping[str, Any]) -> str:
    """The configuration by section, without the topic (shown above) and without possible secrets."""
    sections = []
    for section, content in config.items():
        if section == "topic" or not content:
            continue
        rows = [f'<tr><th colspan="2" scope="rowgroup">{safe(section)}</th></tr>']
        rows += [
            f'<tr><th scope="row">{safe(name)}</th><td>{_value(name, value)}</td></tr>'
            for name, value in content.items()
        ]
        sections.append(f"<tbody>{''.join(rows)}</tbody>")
    return f'<table class="settings">{"".join(sections)}</table>'


def _value(name: str, value: Any) -> str:
    if name in SECRET and value:
        return _none("not shown")
    if not isinstance(value, Sequence) or isinstance(value, str):
        return safe(spell(value))
    lines = [safe(spell(each)) for each in value[:MOST_VALUES]]
    if len(value) > MOST_VALUES:
        lines.append(_none(f"and {amount(len(value) - MOST_VALUES)} more"))
    return "<br>".join(lines) or "[]"


def _none(text: str) -> str:
    return f'<span class="none">{text}</span>'


def scrolling(label: str, table: str) -> str:
    """A table that scrolls sideways on a narrow screen, reachable by keyboard."""
    return f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">{table}</div>'
