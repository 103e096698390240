"""A page as HTML: the host's template around text about the page's topics, links in lists and in the text."""

from __future__ import annotations

from functools import cache
from zlib import crc32

from topicrawl.web.invented.atlas import Atlas, Spot, Traits
from topicrawl.web.invented.hosts import Host
from topicrawl.web.invented.lexicon import Tongue
from topicrawl.web.invented.links import Link, Linker, is_hub
from topicrawl.web.invented.prose import VARIANTS
from topicrawl.web.invented.random_stream import RandomStream, stream_name

SIXTEENTHS = {False: (12, 0), True: (9, 4)}
"""How many of 16 paragraphs are about the first and the second topic of a plain and a mixed page; others are filler."""
PARAGRAPH = 4
"""Sentences in a paragraph."""
NEWS = 3
"""Paragraphs, of the last changes, that a page has in a web with time."""
PICTURE_EVERY = 29
"""One link in so many contains a picture."""


class Renderer:
    """Renders pages as HTML."""

    def __init__(self, atlas: Atlas, linker: Linker) -> None:
        self.atlas = atlas
        self.linker = linker
        self._top = cache(self._make_top)
        self._bottom = cache(self._make_bottom)

    def page(self, spot: Spot, traits: Traits) -> str:
        """The whole HTML document."""
        host = self.atlas.hosts[spot.host]
        draft = _Draft(self.atlas, host, traits)
        links = [_anchor(host, link) for link in self.linker.content(spot, traits)]
        body = draft.hub(links) if is_hub(traits.origin) else draft.article(links)
        if traits.origin != spot:
            body.append(f"<p>{draft.sentence(RandomStream(stream_name(self.atlas.seed, 'twin', *spot)))}</p>")
        body = [*self._news(spot, host, draft), *body]
        pager = " ".join(_anchor(host, link) for link in self.linker.pager(spot))
        return "".join(
            (
                draft.head(),
                self._top(spot.host),
                f"<main>\n<h1>{draft.headline}</h1>\n",
                "\n".join(body),
                f'\n<div class="pager">{pager}</div>\n</main>\n',
                self._bottom(spot.host),
            )
        )

    def _news(self, spot: Spot, host: Host, draft: _Draft) -> list[str]:
        """What the page said anew at its last changes, the latest first, each in a paragraph; none without time."""
        if self.atlas.days is None:
            return []
        paragraphs = []
        for hour in reversed(self.atlas.days.changes(spot)[-NEWS:]):
            rng = RandomStream(stream_name(self.atlas.seed, "news", *spot, hour))
            links = "".join(f" {_anchor(host, link)}" for link in self.linker.news(spot, hour))
            paragraphs.append(f"<p>{draft.sentence(rng)} {draft.sentence(rng)}{links}</p>")
        return paragraphs

    def _make_top(self, number: int) -> str:
        host = self.atlas.hosts[number]
        items = "".join(f"<li>{_anchor(host, link)}</li>" for link in self.linker.navigation(host))
        return f'<body>\n<header><div class="brand">{host.title}</div><nav><ul>{items}</ul></nav></header>\n'

    def _make_bottom(self, number: int) -> str:
        host = self.atlas.hosts[number]
        links = " | ".join(_anchor(host, link) for link in self.linker.footer(host))
        return f"<footer><div>{links}</div><small>{host.title}</small></footer>\n</body>\n</html>\n"


class _Draft:
    """One page being rendered: its text is seeded by its origin, so that a twin has the same."""

    def __init__(self, atlas: Atlas, host: Host, traits: Traits) -> None:
        self.atlas = atlas
        self.host = host
        self.traits = traits
        self.rng = RandomStream(stream_name(atlas.seed, "text", *traits.origin))
        self.headline = atlas.headline(traits)
        self._own = atlas.prose(traits.topic)
        self._chat = atlas.fillers[host.language]
        self.tongue: Tongue = atlas.words.tongue(atlas.words.topic[traits.topic].language)

    def head(self) -> str:
        subject = self.atlas.words.topic[self.traits.topic]
        keywords = ", ".join(dict.fromkeys(subject.nouns[:2] + subject.facet(self.traits.facet)[:2]))
        return (
            f'<!doctype html>\n<html lang="{self.host.language}">\n<head>\n'
            f'<meta charset="{self.host.charset}">\n'
            f"<title>{self.headline} - {self.host.title}</title>\n"
            f'<meta name="keywords" content="{keywords}">\n'
            "<style>nav li { display: inline }</style>\n<script>var ready = true;</script>\n</head>\n"
        )

    def article(self, anchors: list[str]) -> list[str]:
        """Paragraphs under headings, half of the links among them, the others in a list at the end."""
        rng = self.rng
        paragraphs = -(-rng.between(self.atlas.shape.sentences) // PARAGRAPH)
        inline, listed = anchors[: len(anchors) // 2], anchors[len(anchors) // 2 :]
        blocks = []
        for number in range(paragraphs):
            if number % 3 == 1:
                blocks.append(self._heading(2 + (number > 3)))
            placed = inline[number * len(inline) // paragraphs : (number + 1) * len(inline) // paragraphs]
            blocks.append(f"<p>{self._sentences(number)}{self._leads(placed)}</p>")
        if rng.per_mille(250):
            blocks.append(self._table())
        return [*blocks, f"<h3>{self.tongue.related}</h3>", _list(listed)]

    def hub(self, anchors: list[str]) -> list[str]:
        """A list of links, half of them with a sentence, under a short introduction."""
        half = len(anchors) // 2
        described = [f"{anchor} {self.sentence(self.rng)}" for anchor in anchors[:half]]
        return [
            f"<p>{self.sentence(self.rng)} {self.sentence(self.rng)}</p>",
            self._heading(2),
            _list(described),
            _list(anchors[half:]),
        ]

    def sentence(self, rng: RandomStream) -> str:
        """A sentence about the page's topic."""
        return self._own.sentences[self._row(rng)]

    def _row(self, rng: RandomStream) -> int:
        return self.traits.facet * VARIANTS + rng.below(self.traits.breadth * VARIANTS)

    def _sentences(self, paragraph: int) -> str:
        """A paragraph about the topic, about the second topic, or of filler.

        Steps of 5/16 spread the kinds evenly, so that short pages keep their shares too.
        """
        rng, traits = self.rng, self.traits
        own, passing = SIXTEENTHS[traits.second >= 0]
        turn = (traits.row + 5 * paragraph) % 16
        if turn < own:
            return " ".join([self.sentence(rng) for _ in range(PARAGRAPH)])
        sentences = self.atlas.prose(traits.second if turn < own + passing else self._chat).sentences
        first = traits.facet * VARIANTS
        return " ".join([sentences[first + rng.below(VARIANTS)] for _ in range(PARAGRAPH)])

    def _heading(self, level: int) -> str:
        return f"<h{level}>{self._own.headings[self._row(self.rng)]}</h{level}>"

    def _leads(self, anchors: list[str]) -> str:
        return "".join([f" {self.rng.pick(self.tongue.lead)} {anchor}." for anchor in anchors])

    def _table(self) -> str:
        rng, tongue = self.rng, self.tongue
        nouns = self.atlas.words.topic[self.traits.topic].facet(self.traits.facet)
        head = "".join(f"<th>{cell}</th>" for cell in tongue.table)
        rows = "".join(
            f"<tr><td>{noun}</td><td>{rng.pick(tongue.months)}</td><td>{rng.below(900)}</td></tr>"
            for noun in nouns
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


def _list(items: list[str]) -> str:
    return "<ul>\n" + "\n".join([f"<li>{item}</li>" for item in items]) + "\n</ul>"


def _anchor(host: Host, link: Link) -> str:
    """The link as an element: relative on its own host, sometimes around a picture."""
    root = f"http://{host.name}/"
    href = link.url[len(root) - 1 :] if link.url.startswith(root) else link.url
    if crc32(link.url.encode()) % PICTURE_EVERY == 0:
        return f'<a href="{href}"><img src="/picture.png" alt="{link.anchor}"></a>'
    return f'<a href="{href}">{link.anchor}</a>'
