"""Traps of an invented web: endless pages whose links use words of the topic and that are irrelevant.

Every page of a trapped web has as many links into traps as it has links to articles. Five kinds of trap are on the
page's own host (a calendar, session numbers, a shop's filters, growing paths, one page for every address), two on
hosts of their own (any name below farm-N.test, and mazes of nonsense at maze-N.test). No trap page is relevant.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from topicrawl.web.invented.lexicon import Lexicon, Subject
from topicrawl.web.invented.random_stream import RandomStream, stream_name

FARMS = 4
"""Domains of each kind of farm."""
FILTERS = 10
Bait = tuple[str, str]
"""A link into a trap: where it leads and what it says."""


class TrapPages:
    """The traps of one web; each page is a function of its URL."""

    def __init__(self, seed: int, words: Lexicon) -> None:
        self._seed = seed
        self._subjects = {subject.slug: subject for subject in words.topic}
        self._kinds: dict[str, Callable[[str, Subject, RandomStream], str]] = {
            "calendar": self._calendar,
            "visit": self._visit,
            "shop": self._shop,
            "grow": self._grow,
            "lost": self._lost,
        }

    def baits(self, host: str, subject: Subject, page: str, count: int) -> str:
        """`count` links into traps, as HTML, with anchors about the subject."""
        rng = RandomStream(stream_name(self._seed, "bait", page))
        home = f"http://{host}"
        entries = [
            f"{home}/calendar/{subject.slug}/{2020 + rng.below(8)}/{rng.below(12) + 1}",
            f"{home}/visit/{subject.slug}/{rng.roll():08x}{rng.roll():08x}/1",
            f"{home}/shop/{subject.slug}?f{rng.below(FILTERS)}=1",
            f"{home}/grow/{subject.slug}/more/",
            f"{home}/lost/{subject.slug}/{rng.roll()}",
            f"http://w{rng.below(10**6)}.farm-{rng.below(FARMS)}.test/{subject.slug}/",
            f"http://maze-{rng.below(FARMS)}.test/{subject.slug}/{rng.below(500)}",
        ]
        links = [(entries[number % len(entries)], rng.pick(subject.nouns)) for number in range(count)]
        return _listed(links)

    def page(self, url: str) -> str | None:
        """The trap page at `url`; None if there is none."""
        _, _, host, path = url.split("/", 3)
        first, _, rest = path.partition("/")
        farm = host.rsplit(".", 2)[-2] if host.count(".") else ""
        kind = self._kinds.get(first)
        slug = rest if kind else path
        subject = self._subjects.get(slug.partition("/")[0].partition("?")[0])
        if subject is None or not subject.nouns:
            return None
        rng = RandomStream(stream_name(self._seed, "pit", url))
        if farm.startswith("farm-"):
            return self._farm(farm, subject, rng)
        if farm.startswith("maze-"):
            return self._maze(host, subject, rng)
        return kind(url, subject, rng) if kind else None

    def _calendar(self, url: str, subject: Subject, rng: RandomStream) -> str:
        *folder, year, month = url.split("/")
        if not (year.isdigit() and month.isdigit()):
            year, month = "2026", "1"
        at = int(year) * 12 + int(month)
        near = [f"{'/'.join(folder)}/{step // 12}/{step % 12}" for step in (at + 1, at - 1, at + 12)]
        text = f"{subject.label} {subject.nouns[0]} {year} {month}. No events this month."
        return _page(subject, text, [(link, subject.nouns[1]) for link in near])

    def _visit(self, url: str, subject: Subject, rng: RandomStream) -> str:
        home, number = "/".join(url.split("/")[:5]), int(rng.below(6))
        links = [
            (f"{home}/{rng.roll():08x}{rng.roll():08x}/{rng.below(6)}", rng.pick(subject.nouns))
            for _ in "abc"
        ]
        return _page(
            subject,
            f"{subject.label}: {' '.join(subject.facet(number))}. Your visit is being counted.",
            links,
        )

    def _shop(self, url: str, subject: Subject, rng: RandomStream) -> str:
        home, _, query = url.partition("?")
        chosen = set(query.split("&"))
        queries = ["&".join(sorted(chosen | {f"f{number}=1"})) for number in range(FILTERS)]
        items = ". ".join(f"One {noun} in stock" for noun in subject.nouns[: 12 - len(chosen)])
        return _page(subject, items, [(f"{home}?{query}", rng.pick(subject.nouns)) for query in queries])

    def _grow(self, url: str, subject: Subject, rng: RandomStream) -> str:
        links = [
            (f"{url}{rng.pick(subject.nouns).replace(' ', '-')}/", rng.pick(subject.nouns)) for _ in "abcd"
        ]
        return _page(subject, f"More about {subject.nouns[0]}. More about {subject.nouns[1]}.", links)

    def _lost(self, url: str, subject: Subject, rng: RandomStream) -> str:
        home = "/".join(url.split("/")[:5])
        links = [(f"{home}/{rng.roll()}", rng.pick(subject.nouns)) for _ in "abcdef"]
        return _page(
            subject, f"We could not find this page about {subject.nouns[0]}. Try another one.", links
        )

    def _farm(self, farm: str, subject: Subject, rng: RandomStream) -> str:
        links = [
            (f"http://w{rng.roll()}.{farm}.test/{subject.slug}/", rng.pick(subject.nouns)) for _ in "abcdef"
        ]
        return _page(subject, f"The best of {', '.join(subject.nouns[:10])} in one place.", links)

    def _maze(self, host: str, subject: Subject, rng: RandomStream) -> str:
        links = [(f"http://{host}/{subject.slug}/{rng.roll()}", rng.pick(subject.nouns)) for _ in range(10)]
        words = [
            rng.pick(subject.nouns) if rng.per_mille(550) else rng.pick(subject.agents) for _ in range(240)
        ]
        text = ". ".join(" ".join(words[at : at + 6]) for at in range(0, len(words), 6))
        return _page(subject, text, links)


def _page(subject: Subject, text: str, links: list[Bait]) -> str:
    return (
        f'<!doctype html><html lang="{subject.language}"><head><meta charset="utf-8"><title>{escape(subject.label)}: '
        f"{escape(subject.nouns[0])}</title></head><body><h1>{escape(subject.nouns[0])}</h1><p>{escape(text)}</p>"
        f"{_listed(links)}</body></html>\n"
    )


def _listed(links: list[Bait]) -> str:
    return (
        "<ul>"
        + "".join(f'<li><a href="{escape(url)}">{escape(anchor)}</a></li>' for url, anchor in links)
        + "</ul>"
    )
