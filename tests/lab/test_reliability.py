"""The reliability diagram: classes of probability, and their distance from what is true."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from topicrawl_lab.plots.reliability import calibration_error, reliability, reliability_classes


def test_a_class_has_the_mean_probability_and_the_share_that_is_relevant() -> None:
    classes = reliability_classes(np.array([0.02, 0.08, 0.55, 1.0]), np.array([0.0, 1.0, 1.0, 1.0]))
    assert [each.pages for each in classes] == [2, 1, 1]
    assert [each.probability for each in classes] == pytest.approx([0.05, 0.55, 1.0])
    assert [each.relevant for each in classes] == [0.5, 1.0, 1.0]


def test_the_error_is_the_distance_of_both_weighted_by_pages() -> None:
    said, true = np.array([0.2, 0.2, 0.2, 0.2, 0.9]), np.array([0.0, 0.0, 0.0, 1.0, 1.0])
    assert calibration_error(said, true) == pytest.approx((4 * 0.05 + 1 * 0.1) / 5)
    assert calibration_error(np.zeros(0), np.zeros(0)) == 0


def test_the_drawing_has_a_point_for_each_class_and_names_each_group() -> None:
    classes = reliability_classes(np.array([0.05, 0.55]), np.array([0.0, 1.0]))
    drawn = reliability({"five examples": classes, "words alone": []}, 520, 420)
    root = ElementTree.fromstring(drawn)
    assert len(root.findall("circle")) == 2
    assert "five examples" in [text.text for text in root.findall("text")]
    assert "0.55 is 1.00" in drawn
