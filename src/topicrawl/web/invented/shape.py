"""How large an invented web is and how its pages behave. Shares are per mille throughout."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Shape:
    """The statistics of an invented web; the defaults are the small web for demo and tests."""

    name: str = ""
    """NAME in `invented:NAME`; empty for the default."""
    hosts: int = 96
    portals: int = 5
    """Number of the largest hosts that have all topics of their language."""
    pages: int = 5600
    """Wanted number of pages; rounding to whole hosts and sections moves it a little."""
    chinese: int = 6
    """Every n-th host is Chinese; 0 for none."""
    islands: bool = True
    """Whether each topic has a host that is reached only through pages about other things."""
    links: tuple[int, int] = (9, 20)
    """Content links of an article, at least and at most; navigation comes on top."""
    sentences: tuple[int, int] = (16, 34)
    """Sentences of an article, at least and at most."""
    skew: int = 3
    """How unequally pages are linked to: 1 for equal, else a power law of exponent 1 + skew/(skew − 1)."""
    locality: int = 330
    """Links to pages about the topic of their page."""
    homely: int = 300
    """Links that stay on their host whatever the topic."""
    stray: int = 60
    """Pages about another topic than their section."""
    mixed: int = 300
    """Pages with a second topic in a minor part of the text."""
    twins: int = 40
    """Pages that nearly repeat another page."""
    generic: int = 230
    """Anchors that say nothing: "click here"."""
    misleading: int = 110
    """Anchors about the page's own topic, whatever the target is about."""
    aliased: int = 30
    """Links that lead through a redirect."""
    dead: int = 12
    """Links to pages that do not exist."""
    failing: int = 8
    """Pages that answer with status 500."""
    cut: int = 8
    """Pages whose body ends early."""
    slow: int = 20
    """Pages that are slow to answer."""
    rules: int = 300
    """Hosts whose robots.txt closes one section."""
    delays: int = 100
    """Hosts whose robots.txt asks for a delay."""
    traps: int = 0
    """Links into traps on every page (see traps.py)."""


SCALE = Shape(
    name="scale",
    hosts=420,
    portals=20,
    pages=800_000_000,
    links=(34, 36),
    sentences=(172, 200),
    skew=2,
    slow=5,
)
"""A practically endless web: pages of about 20 KB with about 40 links, nearly all of them new."""

SITES = replace(SCALE, name="sites", locality=40, homely=880)
"""The same, but most links stay on their host: about four of a page lead to other hosts."""

SITE = Shape(
    name="site",
    hosts=1,
    portals=1,
    pages=3006,
    chinese=0,
    islands=False,
    links=(24, 30),
    sentences=(186, 214),
    aliased=0,
    dead=0,
    failing=0,
    cut=0,
    slow=0,
    rules=0,
    delays=0,
)
"""One faultless host of 3,000 pages of about 20 KB with about 40 links, all reachable."""

TRAPS = Shape(name="traps", traps=16)
"""The default web, page for page, with as many links into traps as there are links to articles."""

SHAPES = {shape.name: shape for shape in (Shape(), SCALE, SITES, SITE, TRAPS)}
