"""The features of waiting links that scout adds up to a priority: words, pages, hosts.

| feature | what it is |
|---|---|
| token | words: relevance above the mean, predicted from the link's tokens; at least minus the mean |
| text | words: similarity of the link's document with relevant pages |
| company | words: relevance above the mean of pages and examples that contain words of its anchor and URL |
| parents | pages: mean relevance of the containing pages, smoothed by five pages of mean relevance |
| page | pages: relevance above the mean of links on the same page, averaged over the containing pages |
| path | pages: relevance above the mean of links with the same tag path, on the same host and on others |
| share | hosts: 1 − pages from its start / an equal share of all, at least 0; a start: host of a seed or example |
| host_worth | hosts: what its host led to and how far its pages fall short of others, from −1 to 1 |

Relevance is how much a page counts by the judge `examples` (`strength` in rocchio.py); with a judge from outside it is
what that said at the visit. The former changes as the judge learns, so all links are rescored from time to time
(`rescore_all`), in between those on a page just visited (`rescore`) and, more often, the best ones (`rescore_best`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.floats import nth_largest
from topicrawl.frontier import FOREIGN, PEEKED, Floats, Frontier, Ids
from topicrawl.frontier.columns import Columns, pieces
from topicrawl.frontier.observation import Marked, Observation
from topicrawl.judge import Judge, OwnJudge, Seen
from topicrawl.judge.direction import Borders
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.rocchio import FIELDS as JUDGED_FIELDS
from topicrawl.judge.rocchio import Rocchio
from topicrawl.model import Page, Topic, Visit
from topicrawl.scout.hosts import Hosts
from topicrawl.scout.joined_pages import joined
from topicrawl.scout.lessons import Lessons, Model, lesson, spread
from topicrawl.scout.link_documents import LinkDocuments
from topicrawl.scout.link_reader import LinkReader
from topicrawl.scout.link_words import MEMORY, LinkWords
from topicrawl.scout.starts import Starts
from topicrawl.scout.token_names import TokenNames
from topicrawl.text.tokens import Words, once
from topicrawl.text.vocabulary import Vocabulary
from topicrawl.topic.wordnet import WordNet
from topicrawl.urls import host as host_of

try:
    from topicrawl._native import add_to_targets, measure_links
except ImportError:  # the same in Python, several times slower
    from topicrawl.scout.edge_sums import add_to_targets
    from topicrawl.scout.link_features import measure_links

WORDS, PAGES, HOSTS = ("token", "text", "company"), ("parents", "page", "path"), ("share", "host_worth")
"""The features that answer each of the three questions: what the words of a link lead to, what the pages lead to that
it is on, what its host is worth."""
MEAN_PARENTS = 5
"""Pages of mean relevance added to the parents of a link (smoothing)."""
WIDE_ROWS = 1 << 13
"""Links rescored at a time; each takes some 400 bytes for its document and features."""
EXTREMES = 200
"""Words of largest and of smallest weight that `link_words` looks at."""
MOST_LESSONS = 200
"""Pages that a teacher is told of at a time."""

Flags = npt.NDArray[np.bool_]


class Features:
    """The features of a frontier's links, in columns of their names."""

    def __init__(
        self,
        topic: Topic,
        frontier: Frontier,
        wordnet: WordNet | None,
        judge: Judge | None = None,
    ) -> None:
        """`judge` is the crawl's. If it is `examples`, its model is used here too; else there is one of its own."""
        self._is_shared = isinstance(judge, ByExamples)
        self._judge = judge if isinstance(judge, ByExamples) else ByExamples(topic, frontier.allocator)
        self._is_told = judge is not None and not isinstance(judge, OwnJudge)
        """Whether relevance is what a judge from outside said."""
        self._model, self._fits, self._summed = self._judge.model, 0, -1
        """The judge's model, and the fits of it by which the relevance of pages is known, and was added up."""
        self._tokens = self._judge.tokens
        self.reader = reader = LinkReader(self._tokens, wordnet, frontier)
        self.names = TokenNames(self.vocabulary)
        self._link_words = LinkWords([reader.name(page.title) for page in topic.examples])
        self._pages = Columns(
            frontier.allocator, link=(np.int32, -1), number=(np.int32, 0), judged=(np.float64, 0.0)
        )
        """Pages visited: the link, its number among the pages that the judge learned (0: earlier), its relevance."""
        self._judged_total = 0.0
        """The sum of their relevance: the mean is needed after each page."""
        self._verdicts: dict[int, float] = {}
        """The relevance of pages that a person gave one, by link."""
        self._hosts = Hosts()
        self._is_host_poorer = False
        """Whether the latest page lowered what links of its host are worth."""
        self._given: Model | None = None
        """The latest model of a teacher of many shards."""
        self._added = 0
        self._starts = Starts(frontier)
        for name in (*WORDS, *PAGES, *HOSTS):
            frontier.columns.add(name, np.float32, 0.0)
        frontier.columns.add("judged", np.float64, 0.0)
        frontier.columns.add("judged_sum", np.float64, 0.0)
        frontier.columns.add("visited", np.bool_, 0)

    @property
    def pages(self) -> int:
        """Pages visited so far."""
        return self._pages.size

    def add_page(self, seen: Observation, page: Page, frontier: Frontier) -> None:
        """Score a visited page, and record what it says about its links."""
        if not self._is_shared:
            self._judge.follow(
                Seen(page, _by_terms(seen.visit), is_seed=seen.visit.depth == 0),
                seen.visit.relevance if self._is_told else math.nan,
            )
        text = self._judge.words(page)
        is_latest = self._judge.last_learned == page.url
        row = self._pages.grow(1)
        self._pages["link"][row] = seen.link
        self._pages["number"][row] = self._model.seen if is_latest else 0
        if self._is_told:
            self._pages["judged"][row] = seen.visit.relevance
        elif not is_latest or self._fits == self._model.fits:
            self._pages["judged"][row] = self._judge.strength(page)
        judged = self._pages["judged"]
        if self._revise(frontier.columns):
            self._judged_total = float(judged.sum())
        else:
            self._judged_total += float(judged[row])
        frontier.columns["judged"][seen.link] = judged[row]
        self._add_links(seen, page, text, frontier)
        self._is_host_poorer = self._hosts.add_page(seen.link, float(judged[row]), frontier)
        self._starts.count(int(frontier.columns["start"][seen.link]))

    def _revise(self, columns: Columns) -> bool:
        """Take over what the judge says of the latest pages, if it was fitted anew; whether it was."""
        if self._fits == self._model.fits:
            return False
        self._fits = self._model.fits
        latest = self._model.strengths
        rows = slice(-len(latest), None)
        places = self._pages["number"][rows] - (self._model.seen - len(latest)) - 1
        known = places >= 0
        self._pages["judged"][rows][known] = latest[places[known]]
        columns["judged"][self._pages["link"][rows]] = self._pages["judged"][rows]
        self._apply_verdicts(columns)
        return True

    def mark(self, marks: Sequence[Marked], frontier: Frontier) -> None:
        """Give pages the relevance that a person said, or again that of the judge; `rescore_all` follows."""
        if not self._is_shared:
            self._judge.mark([(Seen(mark.page), mark.relevant) for mark in marks if mark.page is not None])
        for mark in marks:
            if mark.relevant is None:
                self._verdicts.pop(mark.link, None)
                frontier.columns["judged"][mark.link] = judged = self._judged_alone(mark)
                self._pages["judged"][self._pages["link"] == mark.link] = judged
            else:
                self._verdicts[mark.link] = mark.relevance
        if not self._revise(frontier.columns):
            self._apply_verdicts(frontier.columns)
        self._judged_total = float(self._pages["judged"].sum())
        self._summed = -1
        self._link_words.forget_fit()

    def _judged_alone(self, mark: Marked) -> float:
        """The relevance of a page without the verdict of a person."""
        if self._is_told or mark.page is None or not (self._pages["link"] == mark.link).any():  # an example
            return mark.relevance
        return self._judge.strength(mark.page)

    def _apply_verdicts(self, columns: Columns) -> None:
        """Replace the relevance of pages that a person gave one."""
        for link, relevance in self._verdicts.items():
            self._pages["judged"][self._pages["link"] == link] = relevance
            columns["judged"][link] = relevance

    def add_example(self, seen: Observation, page: Page, frontier: Frontier) -> None:
        """Record the links of an example: it has relevance 1, and does not count as a visited page."""
        frontier.columns["judged"][seen.link] = 1.0
        self._add_links(seen, page, self._judge.words(page), frontier)

    def _add_links(self, seen: Observation, page: Page, text: Words, frontier: Frontier) -> None:
        """Record what a scored page says about its links."""
        columns = frontier.columns
        columns["visited"][seen.link] = True
        columns["judged_sum"][seen.links] += columns["judged"][seen.link]
        self._add_new_links(frontier)
        self.reader.read(seen, page, text, frontier)

    def enter(self, links: Ids, frontier: Frontier, seen: Observation | None) -> None:
        """Record links that became known outside a visit; `seen` is the page they are on, if it was recorded."""
        self._add_new_links(frontier)
        if seen is not None and seen.outcome.page is not None:
            page = seen.outcome.page
            if frontier.columns["state"][seen.link] == FOREIGN:  # another shard says what it is worth
                frontier.columns["judged"][seen.link] = seen.visit.relevance
                frontier.columns["visited"][seen.link] = True
            frontier.columns["judged_sum"][links] += frontier.columns["judged"][seen.link]
            self.reader.read(seen.only(links), page, self._tokens.words(page.text), frontier)

    def enter_pages(self, seen: Sequence[Observation], frontier: Frontier) -> Ids:
        """Record the links of pages that other shards told of, which are read as one; returns the links."""
        self._add_new_links(frontier)
        columns, pages = frontier.columns, [each.outcome.page for each in seen if each.outcome.page]
        links = np.array([row if row != each.link else -1 for each in seen for row in each.rows])
        rows, whole = np.flatnonzero(links >= 0), joined(pages)
        known = links[rows]
        waits = columns["state"][known] <= PEEKED
        self.reader.read_texts(known, whole, rows, waits, self._tokens.words(whole.text), frontier)
        targets = np.concatenate([each.links for each in seen])
        worth, paths = list[float](), list[int]()
        for each, page in zip(seen, pages, strict=True):
            if columns["state"][each.link] == FOREIGN:  # another shard says what it is worth
                columns["judged"][each.link] = each.visit.relevance
                columns["visited"][each.link] = True
            worth += [float(columns["judged"][each.link])] * len(each.links)
            first = [each.rows.index(link) for link in each.links.tolist()]
            paths += self.reader.templates.places(host_of(page.url), page.links, first)
        np.add.at(columns["judged_sum"], targets, worth)
        self.reader.templates.add_places(np.array(paths, dtype=np.uint16), targets, columns)
        return once(targets)

    def rescore(self, frontier: Frontier, links: Ids) -> None:
        """Compute the features of these links by the latest fit."""
        self._hosts.know(frontier)
        self._measure(frontier.columns, links, self._mean, self._starts.shares(self.pages, self._given))

    def _measure(self, columns: Columns, links: Ids, mean: float, shares: Floats) -> None:
        links = links.astype(np.int64, copy=False)
        self.reader.documents.know(columns.size)
        self._link_words.predict(self.reader.documents, links, self._model.body, self._model.company, columns)
        measure_links(
            *(links, self.reader.documents.predicted, shares, np.array([mean, MEAN_PARENTS])),
            *(columns["judged_sum"], columns["parents_count"], columns["start"]),
            *(columns["parents"], columns["token"], columns["share"]),
        )
        self._hosts.measure(columns, links)

    def rescore_all(self, frontier: Frontier) -> Iterator[Ids]:
        """Fit the regressions if that is due, and rescore all waiting links in pieces, each yielded when done."""
        columns = frontier.columns
        mean, shares = self._reconsider(frontier), self._starts.shares(self.pages, self._given)
        for some in pieces(frontier.allocator, len(frontier), WIDE_ROWS):
            links = some.start + np.flatnonzero(columns["state"][some] <= PEEKED)
            self._measure(columns, links, mean, shares)
            yield links

    def rescore_best(self, frontier: Frontier, number: int) -> Ids:
        """Rescore the links of highest priority alone, which are returned."""
        mean, links = self._reconsider(frontier), frontier.best_of_all(number)
        self._measure(frontier.columns, links, mean, self._starts.shares(self.pages, self._given))
        return links

    def rescore_host(self, frontier: Frontier, page: int) -> Ids:
        """The waiting links of the host of the latest page, by what it says of them; none if that is not much."""
        if not self._is_host_poorer:
            return np.empty(0, dtype=np.int64)
        columns = frontier.columns
        near = frontier.hosts.links(int(columns["host"][page]))
        waiting = near[columns["state"][near] <= PEEKED].astype(np.int64)
        self._hosts.measure(columns, waiting)
        return waiting

    def _reconsider(self, frontier: Frontier) -> float:
        """Fit the regressions if that is due, and add up the relevance of pages if the judge was fitted since.

        Returns the mean relevance.
        """
        if self._link_words.due(self.pages):
            self._fit(frontier)
        mean = self._mean
        if self._summed != self._fits:
            self._summed = self._fits
            judged, sums = frontier.columns["judged"], frontier.columns["judged_sum"]
            sums[:] = 0.0
            for _, sources, targets in frontier.graph.pieces():
                add_to_targets(targets, sources, judged, sums)
            self.reader.templates.measure(frontier, mean)
        hosts = frontier.columns["host"][self._pages["link"]]
        self._hosts.know(frontier)
        self._hosts.count(hosts, self._pages["judged"], mean)
        return mean

    @property
    def _mean(self) -> float:
        """Mean relevance of all visited pages."""
        if self._given is not None:
            return self._given.mean
        return self._judged_total / self.pages if self.pages else 0.0

    def _fit(self, frontier: Frontier) -> None:
        pages = self._pages["link"][-MEMORY:]
        rows = self.reader.documents.rows(pages, len(self._tokens), self._link_words.names)
        self._link_words.fit(self.pages, rows, self._pages["judged"][-MEMORY:])

    def lessons(self, after: int, frontier: Frontier) -> Lessons | None:
        """Lessons for a teacher from the next visited pages after number `after`; None if there is nothing."""
        pages = [lesson(self, frontier, row) for row in range(after, min(self.pages, after + MOST_LESSONS))]
        return Lessons(after + 1, pages) if pages else None

    def take_model(self, model: Model, frontier: Frontier) -> None:
        """Use what was fitted to the pages of all shards; `rescore_all` follows."""
        self._given = model
        numbers = self.names.tokens_in(model)
        size = len(self._tokens)
        self.vocabulary.take(numbers, np.frombuffer(model.frequency, np.int32), model.documents)
        direction = np.zeros(size * len(JUDGED_FIELDS))
        rows = np.frombuffer(model.direction, np.float32).reshape(len(numbers), len(JUDGED_FIELDS))
        direction.reshape(size, len(JUDGED_FIELDS))[numbers] = rows
        direction[: len(JUDGED_FIELDS)] = 0.0  # of no word
        highs, lows = np.array([(model.high, model.low), *model.others.values()]).T
        borders, company = Borders(lows, highs), spread(model.company, numbers, size)
        self._model.take(direction, borders, list(model.others), model.unchosen, company)
        self._link_words.take(spread(model.relevance, numbers, size))
        self._hosts.take(model.level, model.concentration, model.shown, frontier)
        self._revise(frontier.columns)
        self._judged_total = float(self._pages["judged"].sum())
        self._summed = -1

    @property
    def model(self) -> Rocchio:
        """The classifier."""
        return self._model

    @property
    def visited(self) -> Columns:
        """The pages visited: columns `link`, `number` and `judged`."""
        return self._pages

    @property
    def link_words_fit(self) -> LinkWords:
        """The regressions."""
        return self._link_words

    @property
    def vocabulary(self) -> Vocabulary:
        """The words."""
        return self._tokens.vocabulary

    @property
    def tokens(self) -> int:
        """Numbers given to tokens so far."""
        return len(self._tokens)

    @property
    def documents(self) -> LinkDocuments:
        """The documents of links."""
        return self.reader.documents

    def start_name(self, frontier: Frontier, link: int) -> str:
        """The host of the seed or example that a link was reached from."""
        return self._starts.names[int(frontier.columns["start"][link])]

    def link_words(self) -> list[tuple[str, float]]:
        """The words of links whose weights in the regression are the largest and the smallest, in order."""
        weights = self._link_words.relevance
        used = np.flatnonzero(weights)
        if len(used) > 2 * EXTREMES:
            largest = nth_largest(weights[used], EXTREMES)
            smallest = -nth_largest(-weights[used], EXTREMES)
            used = used[(weights[used] >= largest) | (weights[used] <= smallest)]
        used = used[np.lexsort((used, -weights[used]))]
        found = zip(self._tokens.vocabulary.words(used), weights[used].tolist(), strict=True)
        return [(word, weight) for word, weight in found if word]

    def _add_new_links(self, frontier: Frontier) -> None:
        """Compute the features of new links that depend on URL and parent only."""
        first, end = self._added, len(frontier)
        if first == end:
            return
        self._added = end
        self.reader.read_urls(frontier.urls[first:end], first, frontier.columns)
        self._starts.trace_back(frontier, first, end)


def _by_terms(visit: Visit) -> float:
    """Relevance by terms; topicrawl 0.1 logged it as the relevance."""
    return visit.relevance if visit.term_relevance is None else visit.term_relevance
