"""What the links that wait promise, by what the crawl has seen: the features that scout adds up.

| feature | what it is |
|---|---|
| parents | mean relevance of the pages that contain the link, as if five of mean relevance contained it too |
| text | similarity of the link's document with relevant pages |
| token | relevance beyond the mean that its words predict |
| group | how much more relevant links below the same heading of the same page were |
| in_anchor, in_url | 1 where a word of the topic stands in its anchor, in its URL |
| in_heading, in_title | the same for the heading above it, and for the title of a page that contains it |
| company | how much more relevant than the mean pages and examples were on which words of its anchor and URL stand |
| hub | yield that its words predict |
| near | 1 / (1 + clicks from a seed) |
| home | 1 / (1 + parts of the URL's path) |
| share | 1 − pages from its start / an equal share of all pages, at least 0; a start is the host of a seed or example |
| front | 1 where it was first seen on a seed or example that is the front page of a host, 0.5 on another front page |

Relevance here is the judge's. It changes as the judge learns, so all links are measured anew now and then (`look`);
in between only those on a page just told are (`glance`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import PEEKED, Floats, Frontier, Ids
from topicrawl.frontier.columns import Columns, pieces
from topicrawl.frontier.observation import Observation
from topicrawl.model import Page, Topic
from topicrawl.topic.letters import OR
from topicrawl.topic.wordnet import WordNet
from topicrawl.value.judge import Judge, document
from topicrawl.value.kinds import Kinds
from topicrawl.value.link_documents import ANCHOR, AROUND, HEADING, KIND, LinkDocuments
from topicrawl.value.link_texts import LinkTexts, link_texts, of_each
from topicrawl.value.link_words import MEMORY, LinkWords
from topicrawl.value.siblings import Siblings
from topicrawl.value.tokens import Tokens, Words

FEATURES = (
    *("parents", "text", "token", "group", "company", "hub", "near", "home", "front", "share"),
    *("in_anchor", "in_url", "in_heading", "in_title"),
)
MEAN_PARENTS = 5
"""How many pages of mean relevance are added to the parents of a link."""
WIDE_ROWS = 1 << 13
"""Links measured at a time: with its document and features one takes some 400 bytes."""
RECENT = 50
"""Pages whose relevance says what is usual of late."""

Flags = npt.NDArray[np.bool_]


class Features:
    """The features of a frontier's links, in columns of their names."""

    def __init__(self, topic: Topic, frontier: Frontier, wordnet: WordNet | None) -> None:
        self._tokens = tokens = Tokens(frontier.allocator)
        self._topic = np.unique(tokens.text(" ".join(term.replace(OR, " ") for term in topic.terms)))
        examples = [document(tokens, page, tokens.words(page.text).tokens) for page in topic.examples]
        self._judge = Judge(tokens, examples, self._topic, frontier.allocator)
        self._kinds = Kinds(tokens, wordnet)
        called = [page.title for page in topic.examples]
        self._lessons = LinkWords([np.union1d(tokens.text(name), self._kinds.of(name)) for name in called])
        self._documents = LinkDocuments(frontier.allocator)
        self._pages = Columns(frontier.allocator, link=(np.int32, -1))
        self._yields = Columns(frontier.allocator, sum=(np.float64, 0.0))
        self._siblings = Siblings(frontier.allocator)
        self._entered = 0
        self._starts: dict[int, int] = {}
        """Numbers of the hosts of seeds and examples, from one of which every link was reached."""
        for name in FEATURES:
            frontier.columns.add(name, np.float32, 0.0)
        frontier.columns.add("start", np.int32, 0)
        frontier.columns.add("judged", np.float64, 0.0)
        frontier.columns.add("judged_sum", np.float64, 0.0)
        frontier.columns.add("told", np.bool_, 0)

    @property
    def pages(self) -> int:
        """Pages told so far."""
        return self._pages.size

    def take_in(self, seen: Observation, page: Page, frontier: Frontier) -> None:
        """A page was told: judge it, and note what it says about its links."""
        said = self._tokens.words(page.text)
        judged = self._judge.add(document(self._tokens, page, said.tokens), seen.visit.relevance)
        columns = frontier.columns
        row = self._pages.grow(1)
        self._pages["link"][row] = seen.link
        if judged is None:
            latest = self._judge.relevances
            columns["judged"][self._pages["link"][-len(latest) :]] = latest
        else:
            columns["judged"][seen.link] = judged
        self._note(seen, page, said, frontier)

    def show(self, seen: Observation, page: Page, frontier: Frontier) -> None:
        """An example is in hand: relevant beyond doubt, known to the judge, and not among the pages told."""
        frontier.columns["judged"][seen.link] = 1.0
        self._note(seen, page, self._tokens.words(page.text), frontier)

    def _note(self, seen: Observation, page: Page, said: Words, frontier: Frontier) -> None:
        """Note what a page that has been judged says about its links."""
        columns = frontier.columns
        columns["told"][seen.link] = True
        columns["judged_sum"][seen.links] += columns["judged"][seen.link]
        self._enter(frontier)
        self._read_links(seen, page, said, frontier)

    def glance(self, frontier: Frontier, links: Ids) -> None:
        """Measure these links by what was learnt last."""
        mean, shares = self._mean(frontier), self._shares(frontier.columns)
        self._measure(frontier.columns, links, mean, shares)

    def _measure(self, columns: Columns, links: Ids, mean: float, shares: Floats) -> None:
        parents = columns["parents_count"][links] + MEAN_PARENTS
        columns["parents"][links] = (columns["judged_sum"][links] + MEAN_PARENTS * mean) / parents
        text, token, hub = self._lessons.predict(self._documents, links, self._judge.body)
        columns["text"][links], columns["token"][links], columns["hub"][links] = (
            np.maximum(text, 0),
            token,
            hub,
        )
        columns["share"][links] = shares[columns["start"][links]]
        columns["company"][links] = self._documents.weigh_names(links, self._judge.company)

    def look(self, frontier: Frontier) -> Iterator[Ids]:
        """Learn if it is time to, and measure all links that wait anew: some at a time, which are then yielded."""
        columns = frontier.columns
        judged, sums = columns["judged"], columns["judged_sum"]
        sums[:] = 0.0
        for _, sources, targets in frontier.graph.pieces():
            np.add.at(sums, targets, judged[sources])
        if self._lessons.due(self.pages):
            self._learn(frontier)
        mean, shares = self._mean(frontier), self._shares(columns)
        self._siblings.measure(frontier, mean)
        for some in pieces(frontier.allocator, len(frontier), WIDE_ROWS):
            links = some.start + np.flatnonzero(columns["state"][some] <= PEEKED)
            self._measure(columns, links, mean, shares)
            yield links

    def _mean(self, frontier: Frontier) -> float:
        """Mean relevance of all pages told."""
        return float(frontier.columns["judged"][self._pages["link"]].mean()) if self.pages else 0.0

    def _learn(self, frontier: Frontier) -> None:
        columns, pages = frontier.columns, self._pages["link"][-MEMORY:]
        mean, usual = self._mean(frontier), columns["judged"][pages[-RECENT:]].mean()
        self._yields.grow(len(frontier) - self._yields.size)
        yields = self._yields["sum"]
        yields[:] = 0.0
        for links in pieces(frontier.allocator, len(frontier)):
            judged, parents = columns["judged"][links].astype(np.float32), columns["parent"][links]
            worth = np.where(
                columns["told"][links], judged, np.clip(mean + columns["token"][links], 0.0, 1.0)
            )
            shown = parents >= 0
            np.add.at(yields, parents[shown], np.maximum(worth - usual, 0.0)[shown])
        rows = self._documents.rows(pages, len(self._tokens), self._lessons.names)
        self._lessons.learn(self.pages, rows, columns["judged"][pages], yields[pages])

    def _enter(self, frontier: Frontier) -> None:
        """Links seen for the first time: what their URLs say."""
        first, end = self._entered, len(frontier)
        self._entered = end
        urls = frontier.urls[first:end]
        places, tokens = self._tokens.urls(urls)
        links = first + places
        self._documents.add(links, tokens, np.full(len(links), ANCHOR))
        columns = frontier.columns
        columns["in_url"][links[self._about(tokens)]] = 1.0
        columns["near"][first:end] = 1 / (1.0 + columns["depth"][first:end])
        columns["home"][first:end] = [1 / (1 + sum(map(bool, url.split("/")[3:]))) for url in urls]
        columns["front"][first:end] = _on_front_pages(columns, columns["parent"][first:end])
        self._trace_back(columns, first, end)

    def _trace_back(self, columns: Columns, first: int, end: int) -> None:
        """Note where new links start from: a seed or example from its host, any other from where its parent does."""
        parents = columns["parent"][first:end]
        for seed in first + np.flatnonzero(parents < 0):
            host = int(columns["host"][seed])
            columns["start"][seed] = self._starts.setdefault(host, len(self._starts))
        for found in (
            (parents >= 0) & (parents < first),
            parents >= first,
        ):  # what a redirect led to, then its links
            columns["start"][first:end][found] = columns["start"][parents[found]]

    def _shares(self, columns: Columns) -> Floats:
        """Which part of an equal share each start has not had; a single one has had it."""
        if len(self._starts) == 1:
            return np.zeros(1)
        had = np.bincount(columns["start"][self._pages["link"]], minlength=len(self._starts))
        lack: Floats = 1 - had * len(had) / max(self.pages, 1)
        return np.maximum(lack, 0.0)

    def _about(self, tokens: Ids) -> Flags:
        """Which tokens are words of the topic."""
        return np.isin(tokens, self._topic)

    def _read_links(self, seen: Observation, page: Page, said: Words, frontier: Frontier) -> None:
        links = np.asarray(seen.rows, dtype=np.int64)
        rows = np.flatnonzero((links >= 0) & (links != seen.link))
        links, texts, columns = links[rows], link_texts(page, rows, said, self._tokens), frontier.columns
        self._describe(links, texts, page, rows, columns["state"][links] <= PEEKED)
        columns["in_anchor"][links[texts.anchor.places[self._about(texts.anchor.tokens)]]] = 1.0
        columns["in_heading"][links[texts.heading.places[self._about(texts.heading.tokens)]]] = 1.0
        if self._about(self._tokens.text(page.title)).any():
            columns["in_title"][seen.links] = 1.0
        below = dict(
            zip(links[::-1].tolist(), texts.below[::-1].tolist(), strict=True)
        )  # where it stands first
        self._siblings.add(np.array([below[link] for link in seen.links.tolist()], dtype=np.int64))

    def _describe(self, links: Ids, texts: LinkTexts, page: Page, rows: Ids, waits: Flags) -> None:
        """Add what a page says about links to the documents of those that wait."""
        kinds = of_each([self._kinds.of(page.links.anchors[row]) for row in rows.tolist()])
        every = ((texts.anchor, ANCHOR), (texts.heading, HEADING), (texts.around, AROUND), (kinds, KIND))
        places = np.concatenate([text.places for text, _ in every])
        tokens = np.concatenate([text.tokens for text, _ in every])
        stands = np.repeat([place for _, place in every], [len(text.places) for text, _ in every])
        kept = waits[places]
        self._documents.add(links[places[kept]], tokens[kept], stands[kept])


def _on_front_pages(columns: Columns, parents: Ids) -> Floats:
    """For links first seen on `parents` (none: −1): 1 on the front page of a host that is a seed, 0.5 on another."""
    front = (parents >= 0) & (columns["home"][parents] == 1.0)
    return np.where(front, np.where(columns["parent"][parents] < 0, 1.0, 0.5), 0.0)
