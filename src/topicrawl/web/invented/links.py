"""The links of a page: targets, anchors, redirects and dead links."""

from __future__ import annotations

from typing import NamedTuple

from topicrawl.web.invented.atlas import Atlas, Spot, Traits
from topicrawl.web.invented.hosts import Host
from topicrawl.web.invented.random_stream import RandomStream, stream_name
from topicrawl.web.invented.tunnels import tunnels

HUB_EVERY = 30
"""Every n-th page of a section is a hub: a list of links with little text."""
PARTNERS = 2
"""Links to other hosts in the footer of each page of a host."""

LATEST = 10
"""Pages added last that the list of a section names, in a web with time."""
ABROAD = 80
"""Per mille of the links to any topic that may lead to another language."""


class Link(NamedTuple):
    """A link of a page. `target` is the page after redirects, None for a dead link."""

    url: str
    anchor: str
    target: Spot | None


class Linker:
    """Decides the links of every page of one web."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self._tunnels = tunnels(atlas)

    def navigation(self, host: Host) -> list[Link]:
        """Home page and sections: the header of each page of the host."""
        tongue = self.atlas.words.tongue(host.language)
        links = [self._named(Spot(host.number, 0, 0), tongue.home)]
        for number in range(1, len(host.sections)):
            subject = self.atlas.words.topic[host.sections[number].topic]
            links.append(self._named(Spot(host.number, number, 0), subject.label))
        return links

    def footer(self, host: Host) -> list[Link]:
        """The page about the site and a few partners: the footer of each page of the host."""
        rng = RandomStream(stream_name(self.atlas.seed, "footer", host.number))
        links = [self._named(Spot(host.number, 0, 1), self.atlas.words.tongue(host.language).about)]
        for _ in range(PARTNERS if len(self.atlas.hosts) > 1 else 0):
            partner = self.atlas.hosts[self.atlas.anywhere(rng, host.language).host]
            links.append(self._named(Spot(partner.number, 0, 0), partner.title))
        return links

    def pager(self, spot: Spot) -> list[Link]:
        """Links to the neighbours in the section, so that a section is connected."""
        tongue = self.atlas.words.tongue(self.atlas.hosts[spot.host].language)
        links = []
        if spot.page > 0 and spot.section > 0:
            links.append(self._named(spot._replace(page=spot.page - 1), tongue.previous))
        if spot.page + 1 < self.atlas.size(spot.host, spot.section) and spot.section > 0:
            links.append(self._named(spot._replace(page=spot.page + 1), tongue.next))
        return links

    def content(self, spot: Spot, traits: Traits) -> list[Link]:
        """The links in the text: a twin's are those of its origin."""
        rng = RandomStream(stream_name(self.atlas.seed, "links", *traits.origin))
        hub = is_hub(traits.origin)
        low, high = self.atlas.shape.links
        count = high + 4 if hub else rng.between((low, high))
        links = [self._link(rng, spot, traits, self._target(rng, traits, hub=hub)) for _ in range(count)]
        tongue = self.atlas.words.tongue(self.atlas.hosts[spot.host].language)
        links += [self._named(target, rng.pick(tongue.generic)) for target in self._tunnels.get(spot, ())]
        return [*links, *(self._named(target, self._headline(target)) for target in self.latest(spot))]

    def latest(self, spot: Spot) -> list[Spot]:
        """The pages that were added last, on the list of their section and on the home page; none without time."""
        days = self.atlas.days
        if days is None or spot.page:
            return []
        if spot.section:
            return [spot._replace(page=page) for page in days.latest(spot.host, spot.section, LATEST)]
        sections = range(1, len(self.atlas.hosts[spot.host].sections))
        return [Spot(spot.host, each, page) for each in sections for page in days.latest(spot.host, each, 1)]

    def news(self, spot: Spot, hour: int) -> list[Link]:
        """The link in what a page said anew at an hour: the page that its section had got last."""
        days = self.atlas.days
        pages = days.latest(spot.host, spot.section, 1, hour) if days else []
        targets = [spot._replace(page=page) for page in pages if page != spot.page]
        return [self._named(target, self._headline(target)) for target in targets]

    def _headline(self, spot: Spot) -> str:
        return self.atlas.headline(self.atlas.traits(spot))

    def links(self, spot: Spot) -> list[Link]:
        """Every link of a page."""
        host = self.atlas.hosts[spot.host]
        content = self.content(spot, self.atlas.traits(spot))
        return [*self.navigation(host), *content, *self.pager(spot), *self.footer(host)]

    def _target(self, rng: RandomStream, traits: Traits, *, hub: bool) -> Spot:
        atlas, shape, origin = self.atlas, self.atlas.shape, traits.origin
        roll = rng.below(1000)
        locality = min(2 * shape.locality, 800) if hub else shape.locality
        if roll < locality:
            topic = traits.second if traits.second >= 0 and rng.per_mille(200) else traits.topic
            return atlas.about(rng, topic)
        if roll < locality + shape.homely:
            return atlas.on_host(rng, origin.host)
        if rng.per_mille(ABROAD):
            return atlas.anywhere(rng, rng.pick(atlas.languages))
        return atlas.anywhere(rng, atlas.hosts[origin.host].language)

    def _link(self, rng: RandomStream, spot: Spot, traits: Traits, target: Spot) -> Link:
        atlas, shape = self.atlas, self.atlas.shape
        aims = atlas.traits(target)
        anchor = self._anchor(rng, spot, traits, aims)
        roll = rng.below(1000)
        name = atlas.hosts[target.host].name
        if roll < shape.dead:
            return Link(f"http://{name}/gone/{rng.below(10**6)}.html", anchor, None)
        if roll < shape.dead + shape.aliased:
            return Link(self._alias(spot, target), anchor, target)
        return Link(f"http://{name}{atlas.path(target, aims)}", anchor, target)

    def _anchor(self, rng: RandomStream, spot: Spot, traits: Traits, aims: Traits) -> str:
        """The target's headline, or a meaningless text, or a misleading one about the page's own topic."""
        atlas, shape = self.atlas, self.atlas.shape
        roll = rng.below(1000)
        if roll < shape.generic:
            return rng.pick(atlas.words.tongue(atlas.hosts[spot.host].language).generic)
        if roll < shape.generic + shape.misleading:
            return rng.pick(atlas.prose(traits.topic).headlines)
        return atlas.headline(aims)

    def _alias(self, spot: Spot, target: Spot) -> str:
        """A URL that redirects to `target`: its old address on its host, or a counter on the linking host."""
        if spot.host == target.host:
            return f"http://{self.atlas.hosts[target.host].name}/moved/{target.section}-{target.page}"
        return f"http://{self.atlas.hosts[spot.host].name}/out/{target.host}-{target.section}-{target.page}"

    def _named(self, target: Spot, anchor: str) -> Link:
        return Link(self.atlas.url(target), anchor, target)


def is_hub(spot: Spot) -> bool:
    """Whether the page is a list of links with little text."""
    return spot.page % HUB_EVERY == 0
