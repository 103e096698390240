"""Samples, learning and weights.toml."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.errors import ConfigError, UsageError
from topicrawl.strategies.weights.file import read_weights, write_weights
from topicrawl.strategies.weights.learn import learn_weights
from topicrawl.strategies.weights.membranes import Membranes
from topicrawl.strategies.weights.samples import QUARTERS, Samples


def samples(links: int, noise: float = 0.0) -> Samples:
    rng = np.random.default_rng(2)
    texts = rng.random((links, 4))
    return Samples(texts, texts @ np.array((0.7, 0.1, 0.0, 0.2)) + rng.normal(0, noise, links))


def test_the_first_half_is_for_training_and_the_second_for_testing() -> None:
    train, test = samples(1001).halves()
    assert (len(train), len(test)) == (501, 500)
    np.testing.assert_array_equal(test.pages, samples(1001).pages[501:])


def test_errors_are_means_of_groups() -> None:
    found = samples(500).grouped_errors(QUARTERS)
    assert found.shape == (50,)
    assert found[3] == pytest.approx(samples(500).errors(QUARTERS)[30:40].mean())
    assert samples(3).grouped_errors(QUARTERS).shape == (3,)


def test_learned_weights_beat_equal_quarters() -> None:
    learned = learn_weights(samples(400, noise=0.02), "mcoa", Membranes(generations=60))
    assert learned.error < learned.equal_error
    assert learned.better_groups > 40
    assert 0.5 < learned.of_optimum <= 1
    exact = learn_weights(samples(400), "exact")
    assert exact.weights == pytest.approx((0.7, 0.1, 0.0, 0.2), abs=1e-6)
    assert exact.error == pytest.approx(0, abs=1e-6)


def test_too_few_links_are_an_error() -> None:
    with pytest.raises(UsageError, match="only 7 links"):
        learn_weights(samples(7))


def test_samples_of_several_tasks_are_joined_in_order() -> None:
    joined = Samples.joined([samples(3), samples(2)])
    assert len(joined) == 5
    np.testing.assert_array_equal(joined.texts[3:], samples(2).texts)
    assert len(Samples.joined([])) == 0


def test_weights_survive_their_file() -> None:
    text = write_weights("svsm_mcoa", 'a "topic"', (0.5, 0.25, 0.0, 1.0), {"method": "mcoa", "error": 0.1})
    strategy, weights, parameters = read_weights(text.encode(), "weights.toml")
    assert strategy == "svsm_mcoa"
    assert weights == {"full_weight": 0.5, "anchor_weight": 0.25, "title_weight": 0.0, "context_weight": 1.0}
    assert parameters == {}


def test_the_parameters_of_the_similarity_are_in_the_file() -> None:
    text = write_weights("svsm_mcoa", "t", (0.5, 0.25, 0.0, 1.0), {"method": "exact"}, {"lengths": "words"})
    assert read_weights(text.encode(), "weights.toml").parameters == {"lengths": "words"}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"full = 0.5", "anchor = None"),
        (b"full = 0.5\nanchor = -1\ntitle = 0\ncontext = 0", "anchor = -1"),
        (b"full = true\nanchor = 1\ntitle = 0\ncontext = 0", "full = True"),
        (b"full = 'x'", "full = 'x'"),
        (b"full = 1\nanchor = 1\ntitle = 0\ncontext = 0\nparameters = 3", "parameters = 3 is no table"),
        (b"full = ", "not valid TOML"),
        (b"\xff", "not valid TOML"),
    ],
)
def test_a_file_without_weights_is_an_error_that_names_it(content: bytes, told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_weights(content, "w.toml")
    assert "'w.toml'" in str(refused.value)
    assert told in str(refused.value)
    assert "topicrawl weights learn" in str(refused.value)
