"""The judge `llm`: a cheap judge says what it thinks of every page, a language model of those it is least sure of."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from pathlib import Path

from topicrawl.errors import ConfigError, JudgeError
from topicrawl.judge import Seen
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.registry import EXAMPLES, OURS, own_judge
from topicrawl.judges.llm.client import Client
from topicrawl.judges.llm.ledger import Ledger
from topicrawl.judges.llm.prompt import digest, estimate, read_answers, request
from topicrawl.judges.llm.settings import LlmSettings
from topicrawl.judges.llm.unsure import Unsure
from topicrawl.model import Page, Topic

log = logging.getLogger(__name__)
SUREST = 0.98
"""Probability that no model is believed to exceed."""


class ByLanguageModel:
    """Asks a language model within its budget; without one, or beyond it, the cheap judge's word counts."""

    def __init__(self, topic: Topic, argument: str = "") -> None:
        self._topic = topic
        self._cheap = own_judge(argument or EXAMPLES, topic)
        self._settings = LlmSettings()
        self._ledger: Ledger | None = None
        self._unsure = Unsure(0.0)
        self._said: dict[str, float] = {}
        """Answers about pages that are not learned yet, by URL."""
        self._has_warned: set[str] = set()

    @staticmethod
    def check(argument: str) -> str:
        """The cheap judge; `ConfigError` if it is none of ours."""
        if argument and argument not in OURS:
            raise ConfigError(f"--judge llm:{argument}: the cheap judge is one of {', '.join(OURS)}")
        return argument

    def configure(self, settings: LlmSettings, folder: Path | None) -> None:
        """Use these settings; what is spent and answered is in `folder`, or in memory."""
        settings.check()
        self._settings, self._ledger = settings, Ledger(folder)
        self._unsure.share = settings.share

    def judge(self, seen: Sequence[Seen]) -> list[float]:
        """The probability of each page."""
        if self._ledger is None:
            raise JudgeError("the judge llm was not told its server; crawl with --llm-url and --llm-model")
        words = [float(said) for said in self._cheap.judge(seen)]
        wanted = [place for place, said in enumerate(words) if self._unsure.pick(said)]
        answers = self._answers(self._ledger, [seen[place].page for place in wanted])
        for place, answer in zip(wanted, answers, strict=True):
            if answer is not None:
                words[place] = self._said[seen[place].page.url] = answer
        return words

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        """Let the cheap judge learn the page with what the model, or a person, said of it."""
        if verdict is not None or not isinstance(self._cheap, ByExamples):
            self._cheap.learn(seen, verdict)
            return
        said = self._said.pop(seen.page.url, None)
        if said is None and self._ledger is not None:  # a resume repeats what was learned before
            said = self._ledger.answer(digest(self._settings.model, self._topic, seen.page))
        self._cheap.follow(seen, math.nan if said is None else _bounded(said))

    def _answers(self, ledger: Ledger, pages: Sequence[Page]) -> list[float | None]:
        """What the model says of each page; None where it cannot be asked, or gives no answer."""
        digests = [digest(self._settings.model, self._topic, page) for page in pages]
        found = [ledger.answer(each) for each in digests]
        unknown = [place for place, answer in enumerate(found) if answer is None]
        for start in range(0, len(unknown), self._settings.batch):
            batch = unknown[start : start + self._settings.batch]
            answers = self._ask(ledger, [pages[place] for place in batch])
            if answers is None:
                continue
            for place, answer in zip(batch, answers, strict=True):
                ledger.keep(digests[place], answer)
                found[place] = answer
        return [None if answer is None else _bounded(answer) for answer in found]

    def _ask(self, ledger: Ledger, pages: Sequence[Page]) -> list[float] | None:
        body = request(self._settings.model, self._topic, pages)
        cost, spent = estimate(body), ledger.spent
        if spent.calls + 1 > self._settings.calls or spent.tokens + cost > self._settings.tokens:
            self._warn_once(
                f"the budget of the language model is spent ({spent.calls:,} calls, {spent.tokens:,} tokens): the "
                "cheap judge goes on alone; raise --llm-calls or --llm-tokens and resume to go on asking"
            )
            return None
        ledger.enter(1, cost)
        reply = Client(self._settings).call(body)
        if reply.tokens is not None:
            ledger.enter(0, reply.tokens - cost)
        answers = read_answers(reply.content, len(pages))
        if answers is None:
            self._warn_once(
                f"the language model {self._settings.model!r} did not answer in the form asked for "
                f"({reply.content[:80]!r}): the cheap judge's word counts for such pages"
            )
        return answers

    def _warn_once(self, sentence: str) -> None:
        kind = sentence[:30]
        if kind not in self._has_warned:
            self._has_warned.add(kind)
            log.warning("%s", sentence)


def _bounded(probability: float) -> float:
    return min(max(probability, 1 - SUREST), SUREST)
