"""Predicted relevance of pages not fetched yet."""

from __future__ import annotations

import math

import numpy as np
import pytest

from topicrawl.frontier.observation import Observation
from topicrawl.model import Outcome, Topic
from topicrawl.page.html import read_html
from topicrawl.topic.matcher import Matcher
from topicrawl.value.prediction import Prediction
from value.seen import frontier_of, observed

TOPIC = Topic("storms", ("rain", "flood"), (1.0, 0.5))
LENGTH = math.sqrt(1.25)


def predicted(html: str, *, links: int, relevance: float = 0.0, guesses: bool = True) -> list[float]:
    """The predictions for the links of a page, which are http://h.test/1, /2 and so on."""
    frontier, prediction = frontier_of(links + 1), Prediction(TOPIC, guesses=guesses)
    prediction.start(frontier)
    seen = observed(frontier, 0, range(1, links + 1), relevance=relevance)
    page = read_html("http://h.test/0", html)
    assert page.links.urls == [frontier.urls[link] for link in range(1, links + 1)]
    outcome = Outcome(page.url, page=page, counts=Matcher(TOPIC.terms).count(page))
    seen = Observation(0, seen.visit, outcome, seen.links, rows=seen.rows)
    prediction.observe(seen, frontier)
    return prediction(frontier, np.arange(1, links + 1)).tolist()


def test_the_prediction_is_the_cosine_of_the_words_around_a_link() -> None:
    far = "word " * 40
    html = f"<p>rain <a href=/1>here</a></p><p>{far}</p><p><a href=/2>flood</a></p>"
    assert predicted(html, links=2) == pytest.approx([1 / LENGTH, 0.5 / LENGTH])


def test_the_description_of_an_image_counts_once_as_its_anchor_does() -> None:
    html = "<p>flood <a href=/1><img alt=rain></a></p>"
    assert predicted(html, links=1) == pytest.approx([1.5 / math.sqrt(2) / LENGTH])


def test_without_terms_around_a_link_half_the_relevance_of_its_page_is_predicted() -> None:
    assert predicted("<p>nothing <a href=/1>here</a></p>", links=1, relevance=0.8) == [0.4]


def test_without_guesses_half_the_relevance_of_the_page_is_used() -> None:
    assert predicted("<p>rain <a href=/1>rain</a></p>", links=1, relevance=0.8, guesses=False) == [0.4]


def test_words_of_the_url_count() -> None:
    frontier, prediction = frontier_of(1), Prediction(TOPIC)
    frontier.add(["http://h.test/heavy-rain_2021"], depth=0, parent=0)
    prediction.start(frontier)
    page = read_html("http://h.test/0", "<a href=/heavy-rain_2021>x</a>")
    seen = observed(frontier, 0, [1])
    prediction.observe(
        Observation(0, seen.visit, Outcome(page.url, page=page), seen.links, rows=[1]), frontier
    )
    assert prediction(frontier, np.array([1])) == pytest.approx([1 / LENGTH])


def test_a_fetched_page_has_its_own_relevance_even_if_it_is_0() -> None:
    frontier, prediction = frontier_of(2), Prediction(TOPIC)
    prediction.start(frontier)
    prediction.observe(observed(frontier, 0, [1], relevance=0.8), frontier)
    assert prediction(frontier, np.array([1])).tolist() == [0.4]
    prediction.observe(observed(frontier, 1, relevance=0.0), frontier)
    prediction.observe(observed(frontier, 0, [1], relevance=0.8, text="rain"), frontier)
    assert prediction(frontier, np.array([0, 1])) == pytest.approx([0.8, 0.0])
