"""What scout knows of its links: a row of features each, the weights of the features, and how both are learnt."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
from scipy.sparse import vstack

from topicrawl.frontier import PEEKED, Floats, Frontier, Ids
from topicrawl.frontier.columns import Columns
from topicrawl.frontier.observation import Observation
from topicrawl.model import Page, Topic
from topicrawl.relevance.judge import Judge, document
from topicrawl.relevance.link_documents import ANCHOR, AROUND, HEADING, LinkDocuments
from topicrawl.relevance.link_texts import link_texts
from topicrawl.relevance.outcomes import averages, surpluses
from topicrawl.relevance.ridge import corrected, ridge
from topicrawl.relevance.tokens import Tokens, Words
from topicrawl.topic.letters import OR

PRIOR = {
    "parents": 0.5,
    "text": 0.5,
    "token": 1.0,
    "group": 0.5,
    "word in anchor": 0.15,
    "word in URL": 0.15,
    "word in heading": 0.1,
    "word in title": 0.1,
    "hub": 0.5,
    "depth": 0.3,
    "home": 0.4,
    "example": -0.3,
    "siblings": 0.0,
    "host": 0.0,
    "directory": 0.0,
    "links": 0.0,
    "tried": 0.0,
}
"""Features, and what they weigh before anything is learnt."""
FEATURES = tuple(PRIOR)
(PARENTS, TEXT, TOKEN, GROUP, IN_ANCHOR, IN_URL, IN_HEADING, IN_TITLE, HUB, DEPTH, HOME, EXAMPLE, SIBLINGS, HOST,
 DIRECTORY, LINKS, TRIED) = range(len(FEATURES))  # fmt: skip
WEIGHTS = np.array(list(PRIOR.values()))
EXPLORES = (DEPTH, HOME, EXAMPLE)
STRENGTH = {PARENTS: 5, GROUP: 2, SIBLINGS: 3, HOST: 5, DIRECTORY: 2}
TOKEN_PENALTY, HUB_PENALTY, PENALTY = 1.0, 2.0, 100.0
RECENT = 50
ENOUGH = 15
"""Choices from which on their errors are learnt from."""


class Scouting:
    """Features of a frontier's links, by number, and the weights that make scores of them."""

    def __init__(self, topic: Topic, frontier: Frontier, boldness: float | None) -> None:
        self._boldness = boldness
        self._tokens = Tokens()
        spelled = " ".join(term.replace(OR, " ") for term in topic.terms)
        self._topic = np.unique(self._tokens.text(spelled))
        examples = [
            document(self._tokens, page, self._tokens.words(page.text).tokens) for page in topic.examples
        ]
        self._titles = [np.unique(self._tokens.text(page.title)) for page in topic.examples]
        self._examples = frozenset(page.url for page in topic.examples)
        self._judge = Judge(self._tokens, examples, self._topic)
        self._documents = LinkDocuments()
        self._edges = Columns(group=(np.int32, 0))
        self._groups = 0
        self._directories: dict[str, int] = {}
        self._pages: list[int] = []
        self._measured = 0
        self._features = np.zeros((1024, len(FEATURES)))
        self._chosen: list[int] = []
        self._before: list[Floats] = []
        self._weights, self._offset = WEIGHTS, 0.0
        self._token_weights = self._hub_weights = np.zeros(1)
        self._hub_mean = 0.0
        self._fitted = 0
        self._surplus: dict[int, Floats] = {}
        for name, kind in {"judged": np.float64, "judged_sum": np.float64, "directory": np.int32}.items():
            frontier.columns.add(name, kind, 0)
        frontier.columns.add("told", np.bool_, False)

    @property
    def told(self) -> int:
        return len(self._pages)

    def chosen(self, link: int) -> None:
        if link < self._measured and self._features[link, DEPTH]:
            self._chosen.append(link)
            self._before.append(self._features[link].copy())

    def take_in(self, seen: Observation, page: Page, frontier: Frontier) -> None:
        said = self._tokens.words(page.text)
        judged = self._judge.add(document(self._tokens, page, said.tokens), seen.visit.relevance)
        columns = frontier.columns
        self._pages.append(seen.link)
        columns["told"][seen.link] = True
        if judged is None:
            latest = self._judge.relevances
            columns["judged"][self._pages[-len(latest) :]] = latest
        else:
            columns["judged"][seen.link] = judged
        self._enter(frontier)
        self._note_links(seen, page, said, frontier)

    def _enter(self, frontier: Frontier) -> None:
        """New links: what their URL says."""
        first, end = self._measured, len(frontier)
        if end > len(self._features):
            more = max(end - len(self._features), len(self._features) // 2)
            self._features = np.concatenate((self._features, np.zeros((more, len(FEATURES)))))
        if end == first:
            return
        self._measured = end
        urls = frontier.urls[first:end]
        found = self._tokens.urls(urls)
        links = np.repeat(np.arange(first, end), [len(tokens) for tokens in found])
        tokens = np.concatenate(found)
        self._documents.add(links, tokens, np.full(len(links), ANCHOR))
        rows = self._features[first:end]
        self._features[np.unique(links[self._about(tokens)]), IN_URL] = 1.0
        rows[:, DEPTH] = 1 / (1 + frontier.columns["depth"][first:end])
        rows[:, HOME] = [1 / (1 + sum(map(bool, url.split("/")[3:]))) for url in urls]
        rows[:, EXAMPLE] = [url in self._examples for url in urls]
        frontier.columns["directory"][first:end] = [
            self._directories.setdefault(url.rpartition("/")[0], len(self._directories)) for url in urls
        ]

    def _about(self, tokens: Ids) -> npt.NDArray[np.bool_]:
        """Which tokens are words of the topic."""
        return np.isin(tokens, self._topic)

    def _note_links(self, seen: Observation, page: Page, said: Words, frontier: Frontier) -> None:
        columns = frontier.columns
        links = np.asarray(seen.rows, np.int64)
        rows = np.flatnonzero((links >= 0) & (links != seen.link))
        links = links[rows]
        columns["judged_sum"][seen.links] += columns["judged"][seen.link]
        texts = link_texts(page, rows, said, self._tokens)
        waits = columns["state"][links] <= PEEKED
        every = ((texts.anchor, ANCHOR), (texts.heading, HEADING), (texts.around, AROUND))
        places = np.concatenate([text.places for text, _ in every])
        tokens = np.concatenate([text.tokens for text, _ in every])
        levels = np.repeat([place for _, place in every], [len(text.places) for text, _ in every])
        kept = waits[places]
        self._documents.add(links[places[kept]], tokens[kept], levels[kept])
        self._features[links[texts.anchor.places[self._about(texts.anchor.tokens)]], IN_ANCHOR] = 1.0
        self._features[links[texts.heading.places[self._about(texts.heading.tokens)]], IN_HEADING] = 1.0
        if self._about(self._tokens.text(page.title)).any():
            self._features[seen.links, IN_TITLE] = 1.0
        first = self._edges.grow(len(seen.links))
        below = dict(zip(links[::-1].tolist(), texts.below[::-1].tolist(), strict=True))
        self._edges["group"][first:] = [self._groups + below[link] for link in seen.links.tolist()]
        self._groups += int(texts.below.max(initial=0)) + 1

    def glance(self, frontier: Frontier, links: Ids) -> None:
        """Measure links of a page just told."""
        columns = frontier.columns
        count = columns["parents_count"][links]
        mean = self._mean(frontier)
        rows = np.zeros((len(links), len(FEATURES)))
        rows[:] = self._features[links]
        rows[:, PARENTS] = (columns["judged_sum"][links] + STRENGTH[PARENTS] * mean) / (
            count + STRENGTH[PARENTS]
        )
        text, token, hub = self._documents.weigh(
            links, self._judge.body, self._token_weights, self._hub_weights
        )
        rows[:, TEXT], rows[:, TOKEN], rows[:, HUB] = np.maximum(text, 0), token, hub + self._hub_mean
        rows[:, LINKS] = np.log1p(count)
        self._features[links] = rows

    def look(self, frontier: Frontier, rng: random.Random) -> None:
        """Measure all waiting links anew."""
        columns, size = frontier.columns, len(frontier)
        sources, targets = frontier.graph.edges()
        judged, told = columns["judged"], columns["told"]
        columns["judged_sum"][:] = np.bincount(targets, judged[sources], size)
        mean = self._mean(frontier)
        if self.told - self._fitted >= max(ENOUGH, self.told // 20) or not self._fitted:
            self._fit(frontier, mean)
        waiting = np.flatnonzero(columns["state"] <= PEEKED)
        self.glance(frontier, waiting)
        done = told[targets]
        group = self._edges["group"]
        outcome = surpluses(group[done], judged[targets[done]], self._groups, mean, STRENGTH[GROUP])
        self._features[waiting, GROUP] = averages(targets, outcome[group], size)[waiting]
        outcome = surpluses(sources[done], judged[targets[done]], size, mean, STRENGTH[SIBLINGS])
        self._features[waiting, SIBLINGS] = averages(targets, outcome[sources], size)[waiting]
        pages = np.array(self._pages)
        for feature, column in ((HOST, "host"), (DIRECTORY, "directory")):
            keys = columns[column]
            outcome = surpluses(keys[pages], judged[pages], int(keys.max()) + 1, mean, STRENGTH[feature])
            self._features[waiting, feature] = outcome[keys[waiting]]
        parents = columns["parent"]
        tried = np.bincount(parents[pages][parents[pages] >= 0], minlength=size)
        self._features[waiting, TRIED] = 1 / np.sqrt(1 + tried[np.maximum(parents[waiting], 0)])
        self._correct(frontier, rng)

    def _mean(self, frontier: Frontier) -> float:
        return float(frontier.columns["judged"][self._pages].mean()) if self._pages else 0.0

    def _fit(self, frontier: Frontier, mean: float) -> None:
        columns = frontier.columns
        pages, tokens = np.array(self._pages), len(self._tokens)
        rows = self._documents.rows(pages, tokens)
        shown = np.concatenate([np.zeros(0, np.int64), *self._titles])
        ends = np.append(0, np.cumsum([len(title) for title in self._titles])).astype(np.int64)
        lengths = np.repeat(np.sqrt(np.maximum(np.diff(ends), 1)), np.diff(ends))
        titles = type(rows)((1 / lengths, shown, ends), shape=(len(self._titles), tokens))
        targets = np.concatenate((columns["judged"][pages] - mean, np.ones(len(self._titles))))
        self._token_weights = ridge(
            vstack([rows, titles], format="csr"), targets, TOKEN_PENALTY, self._token_weights
        )
        self._fitted = self.told
        if self.told > 10:
            worth = np.clip(mean + self._features[: len(frontier), TOKEN], 0, 1)
            worth[pages] = columns["judged"][pages]
            parents = columns["parent"]
            shown_by = parents >= 0
            usual = float(columns["judged"][pages[-RECENT:]].mean())
            gain = np.bincount(parents[shown_by], np.maximum(worth[shown_by] - usual, 0), len(frontier))[
                pages
            ]
            yields = np.minimum(1.0, gain / 2)
            self._hub_mean = float(yields.mean())
            self._hub_weights = ridge(rows, yields - self._hub_mean, HUB_PENALTY, self._hub_weights)

    def _correct(self, frontier: Frontier, rng: random.Random) -> None:
        if self._boldness is None:
            return
        told = frontier.columns["told"][self._chosen]
        if told.sum() < ENOUGH:
            return
        features = np.array(self._before)[told]
        base = WEIGHTS.copy()
        base[list(EXPLORES)] = 0
        errors = frontier.columns["judged"][np.array(self._chosen)[told]] - features @ base
        belief = corrected(features, errors, PENALTY)
        normal = np.random.default_rng(rng.getrandbits(64)).standard_normal(len(belief.mean))
        drawn = belief.drawn(normal, self._boldness)
        self._offset, self._weights = float(drawn[0]), WEIGHTS + drawn[1:]

    def scores(self, links: Ids) -> Floats:
        scores: Floats = self._features[links] @ self._weights + self._offset
        return scores

    def explain(self, link: int) -> dict[str, float]:
        if link >= self._measured:
            return {"seed": 1.0}
        row = self._features[link]
        return dict(zip(FEATURES, (row * self._weights).tolist(), strict=True)) | {"offset": self._offset}
