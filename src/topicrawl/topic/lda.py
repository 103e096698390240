"""Latent Dirichlet allocation, deterministic: which terms occur together.

Batch variational Bayes over a matrix of documents and terms; a corpus for a topic has some hundred of each, so all
is in memory and takes a second.

Paper: Blei, Ng and Jordan 2003, with the smoothing of §5.4; the steps are those of its variational inference.
Differs: priors are 1/k for both; the start is drawn from a fixed seed, so that a corpus always gives the same themes.
"""

from __future__ import annotations

import random

import numpy as np
from scipy.sparse import csr_array

from topicrawl.floats import Floats, exp, log

SEED = 1
SWEEPS = 60
INNER = 20
"""Iterations of the document step (E-step) in a sweep."""


def themes(counts: Floats, k: int) -> Floats:
    """The probability of each term (column) in each of `k` themes (row), from its counts in documents (rows)."""
    dice = random.Random(SEED)
    start = [[0.5 + dice.random() for _ in range(counts.shape[1])] for _ in range(k)]
    strengths, cells = np.array(start), csr_array(counts)
    for _ in range(SWEEPS):
        strengths = 1 / k + _expected_counts(cells, _expected(strengths))
    shares: Floats = strengths / strengths.sum(axis=1, keepdims=True)
    return shares


def _expected_counts(counts: csr_array, words: Floats) -> Floats:
    """Expected counts of each theme and term (E-step)."""
    k, of_terms, of_cells = len(words), words.T.copy(), words.take(counts.indices, axis=1)
    mixes = np.ones((counts.shape[0], k))
    for _ in range(INNER):
        weights = _expected(mixes)
        mixes = 1 / k + weights * (_unexplained(counts, weights, of_cells) @ of_terms)
    weights = _expected(mixes)
    shared: Floats = words * (_unexplained(counts, weights, of_cells).T @ weights).T
    return shared


def _unexplained(counts: csr_array, weights: Floats, of_cells: Floats) -> csr_array:
    """Counts divided by what the themes expect; `of_cells` are the themes' terms, for each count."""
    themes_of = np.repeat(weights.T, np.diff(counts.indptr), axis=1)
    expected = (themes_of * of_cells).sum(axis=0)
    return csr_array((counts.data / (expected + 1e-100), counts.indices, counts.indptr), shape=counts.shape)


def _expected(strengths: Floats) -> Floats:
    """exp E[log p] of rows drawn from Dirichlet distributions of these strengths."""
    return exp(_digamma(strengths) - _digamma(strengths.sum(axis=1, keepdims=True)))


def _digamma(x: Floats) -> Floats:
    """ψ(x) for x > 0: its asymptotic series at x + 10, and the recurrence ψ(x) = ψ(x + 1) − 1 / x."""
    far = x + 10.0
    square = 1 / (far * far)
    series: Floats = np.zeros_like(x)
    for term in (1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12):
        series = (series + term) * square
    nearer = sum(1 / (x + step) for step in range(10))
    found: Floats = log(far) - 0.5 / far - series - nearer
    return found
