"""Weights fitted to logged decisions (bench/fit_weights.py)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from topicrawl.scout.features import FEATURES

sys.path.append(str(Path(__file__).resolve().parents[2]))

from bench.decisions import Decision
from bench.fit_weights import FITTED, fitted

GIVEN = dict.fromkeys(FEATURES, 0.5)


def decision(seed: int, deciding: str) -> Decision:
    """Forty links with random features; the five with most of one feature are relevant."""
    features = np.random.default_rng(seed).random((40, len(FEATURES)), dtype=np.float32)
    best = np.argsort(-features[:, FEATURES.index(deciding)])[:5]
    relevant = np.zeros(40)
    relevant[best] = 1.0
    return Decision(features, relevant, np.zeros(40), spent=0.5)


def test_the_feature_that_tells_relevant_links_apart_gains_weight_and_those_that_explore_keep_theirs() -> (
    None
):
    weights = fitted({"one": [decision(seed, "text") for seed in range(30)]}, GIVEN)
    assert max(weights, key=weights.__getitem__) == "text"
    assert weights["parents"] < 1.2 < weights["text"]
    for name in set(FEATURES) - FITTED:
        assert weights[name] == pytest.approx(0.5)


def test_every_web_counts_the_same_however_many_decisions_it_has() -> None:
    small = [decision(seed, "text") for seed in range(3)]
    large = [decision(seed, "token") for seed in range(100, 130)]
    weights = fitted({"small": small * 10, "large": large}, GIVEN)
    assert fitted({"small": small, "large": large}, GIVEN) == pytest.approx(weights, abs=0.05)
