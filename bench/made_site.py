"""Made sites with furniture: `python -m bench.made_site [PAGES]` crawls one of each kind and judges it.

Every third page is about floods, the others about pasta. Furniture is what every page repeats: menu, footer, sidebar,
links to related pages, a tag cloud; each with words of the topic or without. Tests crawl such sites too, also in other
languages.
"""

from __future__ import annotations

import gzip
import random
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import topicrawl

HOST = "http://made.test"
TOPIC = "flood: flood, river"
FLOODS = (
    "After two days of rain the flood reached the lower town, and boats took people from the roofs.",
    "The river left its bed near the old mill and carried the bridge away.",
    "A flood wave passed the gauge at noon, a metre higher than ten years ago.",
    "Sandbags were filled all night, but the flood came over the dike at dawn.",
    "When the river fell, the streets were full of mud, and the cellars had to be pumped out.",
    "The dam upstream held back half of the water, so that the flood was lower than feared.",
    "Meadows along the river take up the water of a flood, if no houses are built on them.",
    "An engineer measures the river every morning and compares it with the flood of the last century.",
)
PASTA = (
    "Boil the pasta in salted water until it is nearly done, and keep a cup of the water.",
    "Fry the garlic slowly in olive oil, and take it out before it turns brown.",
    "Grate the cheese finely, so that it melts into the sauce without lumps.",
    "Fresh tomatoes are peeled and cooked with basil until the sauce is thick.",
    "Knead flour and eggs to a smooth dough, and let it rest for half an hour under a cloth.",
    "Roll the dough thin, cut it into ribbons and dry them over a chair.",
    "A little cream makes the sauce milder, lemon makes it fresh.",
    "Serve at once on warm plates, with pepper from the mill and parsley.",
)
PLAIN = ("Home", "News", "About us", "Contact", "Archive", "Newsletter")
NAMED = (
    "Flood warnings",
    "River levels",
    "Flood maps",
    "River news",
    "Flood insurance",
    "Flood and river guide",
)
KINDS = {
    "menu": "<nav><ul>{}</ul></nav>",
    "footer": "<footer><ul>{}</ul></footer>",
    "sidebar": "<aside><h3>*</h3><ul>{}</ul></aside>",
    "related": "<section class=related><ul>{}</ul></section>",
    "tags": "<div class=tagcloud><ul>{}</ul></div>",
}
"""Kinds of furniture, and how each is written; the footer and what follows it stand below the text, the menu above."""


@dataclass(frozen=True)
class MadeSite:
    """`pages` pages, every `every`-th about the topic; `furniture`: which kinds there are, and which name the topic."""

    pages: int = 300
    every: int = 3
    furniture: Mapping[str, bool] = field(default_factory=dict)
    about: tuple[str, ...] = FLOODS
    other: tuple[str, ...] = PASTA
    named: tuple[str, ...] = NAMED
    language: str = "en"
    sentences: int = 5

    def url(self, number: int) -> str:
        return f"{HOST}/{number}"

    def is_relevant(self, url: str) -> bool:
        """The truth about a page."""
        return int(url.rpartition("/")[2]) % self.every == 0

    def title(self, number: int) -> str:
        begin = self._text(number)[0][:40]
        return f"{begin.rpartition(' ')[0] or begin[:12]} ({number})"

    def html(self, number: int) -> str:
        """A page. Links lead to pages of both kinds and are named by their titles, those of furniture by its words."""
        first, *rest = self._text(number)
        near = [(number * 7 + step * 13 + 1) % self.pages for step in range(4)] + [
            (number + self.every) % self.pages
        ]
        links = "".join(f"<li><a href=/{each}>{self.title(each)}</a>" for each in near)
        made = {
            kind: KINDS[kind].format(self._furniture(kind, named)) for kind, named in self.furniture.items()
        }
        menu = made.pop("menu", "")
        return (
            f"<!doctype html><html lang={self.language}><meta charset=utf-8><title>{self.title(number)}</title>"
            f"<body>{menu}"
            f"<main><h1>{self.title(number)}</h1><p>{first}</p><p>{' '.join(rest)}</p><ul>{links}</ul></main>"
            f"{''.join(made.values())}</body></html>"
        )

    def write(self, path: Path) -> str:
        """Write the site as a WARC file, a web for `--web`; returns its name."""
        with gzip.open(path, "wb", 1) as file:
            for number in range(self.pages):
                body = self.html(number).encode()
                http = (
                    f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                    + body
                )
                head = (
                    f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {self.url(number)}\r\n"
                    f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
                    f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
                )
                file.write(head.encode() + http + b"\r\n\r\n")
        return str(path)

    def _text(self, number: int) -> list[str]:
        sentences = self.about if number % self.every == 0 else self.other
        rng = random.Random(number)
        return rng.sample(sentences, min(self.sentences, len(sentences)))

    def _furniture(self, kind: str, named: bool) -> str:
        names = self.named if named else PLAIN
        at = list(KINDS).index(kind)
        return "".join(
            f"<li><a href=/{(at * 11 + n * 17) % self.pages}>{name}</a>" for n, name in enumerate(names)
        )


def main() -> None:
    """Crawl a site with each kind of furniture, without and with words of the topic."""
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    ways = [{}, *({kind: named} for named in (False, True) for kind in KINDS), dict.fromkeys(KINDS, True)]
    print("furniture | pages | relevant | called so | right of these | expected precision")
    for way in ways:
        site = MadeSite(pages, furniture=way)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "run")
            web = site.write(Path(folder, "made.warc.gz"))
            visits = topicrawl.crawl_sync(
                topic=TOPIC, seeds=[site.url(0)], web=web, pages=pages * 5 // 6, concurrency=1, out=out
            )
            fetched = [visit for visit in visits if visit.fetched]
            with topicrawl.Run(out) as run:
                now, summary = run.relevance_now(), run.summary or {}
        called = [visit for visit in fetched if now[visit.n] > 0.5]
        truth = sum(site.is_relevant(visit.url) for visit in fetched)
        right = sum(site.is_relevant(visit.url) for visit in called)
        said = summary["expected_precision"]
        name = (
            ", ".join(f"{kind}{' with topic words' if named else ''}" for kind, named in way.items())
            or "none"
        )
        print(
            f"{name} | {len(fetched)} | {truth} | {len(called)} | {right} | {'-' if said is None else f'{said:.2f}'}"
        )


if __name__ == "__main__":
    main()
