"""Latent Dirichlet allocation, deterministic: which terms occur together.

Batch variational Bayes over a matrix of documents and terms; a corpus for a topic has some hundred of each, so all
is in memory and takes a second.

Paper: Blei, Ng and Jordan 2003, with the smoothing of §5.4; the steps are those of its variational inference.
Differs: priors are 1/k for both; the start is drawn from a fixed seed, so that a corpus always gives the same themes.
"""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
SEED = 1
SWEEPS = 60
INNER = 20
"""Iterations of the document step (E-step) in a sweep."""


def themes(counts: Floats, k: int) -> Floats:
    """The probability of each term (column) in each of `k` themes (row), from its counts in documents (rows)."""
    dice = random.Random(SEED)
    start = [[0.5 + dice.random() for _ in range(counts.shape[1])] for _ in range(k)]
    strengths = np.array(start)
    for _ in range(SWEEPS):
        strengths = 1 / k + _expected_counts(counts, _expected(strengths))
    shares: Floats = strengths / strengths.sum(axis=1, keepdims=True)
    return shares


def _expected_counts(counts: Floats, words: Floats) -> Floats:
    """Expected counts of each theme and term (E-step)."""
    k = len(words)
    mixes = np.ones((len(counts), k))
    for _ in range(INNER):
        weights = _expected(mixes)
        mixes = 1 / k + weights * ((counts / (weights @ words + 1e-100)) @ words.T)
    weights = _expected(mixes)
    shared: Floats = words * (weights.T @ (counts / (weights @ words + 1e-100)))
    return shared


def _expected(strengths: Floats) -> Floats:
    """exp E[log p] of rows drawn from Dirichlet distributions of these strengths."""
    from scipy.special import psi

    expected: Floats = np.exp(psi(strengths) - psi(strengths.sum(axis=1, keepdims=True)))
    return expected
