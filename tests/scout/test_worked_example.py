"""The example by hand in docs/scout.md: three links of a page, and the priority of each."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from topicrawl.frontier.columns import Columns
from topicrawl.scout.link_features import measure_links
from topicrawl.scout.link_priorities import prioritise_links
from topicrawl.scout.strategy import QUESTIONS, WEIGHTS

PAGE = Path(__file__).parents[2] / "docs" / "scout.md"
RIVER, CONTACT, TIDES = links = np.arange(3)
SHARES = np.array([max(1 - 6 * 2 / 10, 0.0), 1 - 4 * 2 / 10])
"""What the starts a.test and b.test lack to an equal share of ten pages."""


def priorities() -> list[float]:
    given = Columns(**dict.fromkeys(WEIGHTS, (np.float32, 0.0)))
    given.grow(3)
    given["text"][:], given["company"][:] = [0.4, 0.0, 0.3], [0.2, -0.1, 0.1]
    given["page"][:], given["path"][:] = (0.5 + 0.2) / (2 + 2), [0.1, -0.1, 0.1]
    predicted, on_pages = np.array([0.35, -0.2, 0.25], np.float32), np.ones(3, np.int32)
    start = np.array([0, 0, 1], np.int32)
    constants, judged = np.array([0.3, 5.0]), np.full(3, 0.9)
    found = given["parents"], given["token"], given["share"]
    measure_links(links, predicted, SHARES, constants, judged, on_pages, start, *found)
    priority, key = np.zeros(3), np.zeros(3)
    queue = (
        np.zeros(3, np.uint8),
        np.zeros(3, np.int32),
        np.zeros(1, np.uint8),
        priority,
        key,
        np.zeros(1, np.bool_),
    )
    chances, group, depth = np.array([0.0, 0.95]), np.array([0, 0, 1], np.int32), np.ones(3, np.int16)
    weights = np.array(list(WEIGHTS.values()))
    prioritise_links(
        links, weights, np.array([64]), group, chances, depth, *queue, *(given[name] for name in WEIGHTS)
    )
    return priority.tolist()


def test_the_priorities_are_those_of_the_page() -> None:
    row = re.search(r"^\| \*\*priority\*\* \|(.*)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert row
    told = [float(cell.strip().strip("*").replace("−", "-")) for cell in row[1].split("|")]
    assert priorities() == pytest.approx(told, abs=5e-4)


def test_every_feature_answers_one_of_the_three_questions() -> None:
    assert [name for names in QUESTIONS.values() for name in names] == list(WEIGHTS)
    assert list(QUESTIONS) == ["words", "pages", "hosts"]
