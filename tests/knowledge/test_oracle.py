"""The worked example of the classifier and of its maintenance: eight small documents, numbers done by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import sparse

from knowledge.derived import derive
from topicrawl.knowledge.classify import Classifier, Proof, label_matrix
from topicrawl.knowledge.cooccurrence import Cooccurrence
from topicrawl.knowledge.hierarchy import broader_pairs, subsumes
from topicrawl.knowledge.maintain import Maintenance
from topicrawl.knowledge.sparse_rows import Rows
from topicrawl.knowledge.thresholds import Thresholds

DOCUMENTS = (
    "bank economy loan",
    "bank economy",
    "economy trade",
    "economy export trade",
    "bank economy loan rate",
    "sport trade",
    "bank economy rate",
    "sport",
)
TERMS = sorted({term for document in DOCUMENTS for term in document.split()})
N = {term: number for number, term in enumerate(TERMS)}
LITERAL = Thresholds(term_least=1, label_least=4, label_most=1.0, delta_share=0.5, delta_least=1, small=0)


def numbers(document: str) -> list[int]:
    return [N[term] for term in document.split()]


def names(found: object) -> list[str]:
    return sorted(TERMS[number] for number in found)  # type: ignore[attr-defined]


def counted(*documents: str) -> Cooccurrence:
    rows = Rows()
    for document in documents:
        rows.append(numbers(document))
    found = Cooccurrence(rows)
    found.catch_up()
    return found


@pytest.fixture
def counts() -> Cooccurrence:
    return counted(*DOCUMENTS)


def test_document_frequencies(counts: Cooccurrence) -> None:
    assert dict(zip(TERMS, counts.df.tolist(), strict=True)) == {
        "bank": 4, "economy": 6, "export": 1, "loan": 2, "rate": 2, "sport": 2, "trade": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("x", "y", "share"),
    [
        ("bank", "economy", 2 / 3), ("economy", "bank", 1), ("bank", "loan", 1), ("economy", "trade", 2 / 3),
        ("export", "economy", 1 / 6), ("loan", "bank", 0.5), ("sport", "trade", 1 / 3), ("trade", "export", 1),
        ("trade", "sport", 0.5), ("sport", "bank", 0),
    ],
)  # fmt: skip
def test_conditional_proportions(counts: Cooccurrence, x: str, y: str, share: float) -> None:
    assert counts.proportion(N[x], [N[y]])[0] == pytest.approx(share)


def test_subsumption_before_and_after_transitive_reduction(counts: Cooccurrence) -> None:
    every = list(range(len(TERMS)))
    relation = subsumes(counts, every, 0.8)
    pairs = {(TERMS[x], TERMS[y]) for x, y in np.argwhere(relation).tolist()}
    direct = {
        ("bank", "loan"),
        ("bank", "rate"),
        ("economy", "bank"),
        ("economy", "export"),
        ("trade", "export"),
    }
    assert pairs == direct | {("economy", "loan"), ("economy", "rate")}
    assert {(TERMS[x], TERMS[y]) for x, y in broader_pairs(counts, every, 0.8)} == direct


def test_labels_and_rules(counts: Cooccurrence) -> None:
    model = derive(counts, np.ones(len(TERMS)), LITERAL)
    assert names(model.labels) == ["bank", "economy"]
    economy, bank = model.rules[N["economy"]], model.rules[N["bank"]]
    assert (names(economy.alpha), names(economy.beta)) == (["bank", "export", "loan", "rate"], ["trade"])
    assert (names(bank.alpha), names(bank.beta)) == (["loan", "rate"], ["economy"])
    assert (economy.delta, bank.delta) == (1, 1)
    assert (len(economy), len(bank), model.rule_count) == (5, 3, 8)


def test_ten_of_twenty_terms_would_be_184756_rules() -> None:
    assert math.comb(20, 10) == 184_756


def test_maintenance_follows_a_drifting_proportion() -> None:
    """With one more document {bank, sport} economy stays broader than bank; with a second it is no longer."""
    rows = Rows()
    for document in DOCUMENTS:
        rows.append(numbers(document))
    counts, shares, broader, alphas = Cooccurrence(rows), [], [], []
    kept = Maintenance(counts, LITERAL)
    for extra in ("", "bank sport", "bank sport"):
        if extra:
            rows.append(numbers(extra))
        counts.catch_up()
        kept.commit(np.ones(len(TERMS)))
        shares.append(counts.proportion(N["economy"], [N["bank"]])[0])
        broader.append((N["economy"], N["bank"]) in kept.model.broader)
        alphas.append(N["bank"] in kept.model.rules[N["economy"]].alpha)
    assert shares == pytest.approx([1, 0.8, 2 / 3])
    assert broader == [True, True, False]
    assert alphas == [True, True, False]
    assert N["bank"] in kept.model.rules[N["economy"]].beta


@pytest.mark.parametrize(
    ("item", "labels"),
    [("loan", ["bank", "economy"]), ("trade", ["economy"]), ("sport", []), ("export sport", ["economy"])],
)
def test_classification_by_rules_and_hierarchy(counts: Cooccurrence, item: str, labels: list[str]) -> None:
    model = derive(counts, np.ones(len(TERMS)), LITERAL)
    assert names(Classifier(model).labels(numbers(item))) == labels
    row = np.zeros((1, len(TERMS)), np.float32)
    row[0, numbers(item)] = 1
    found = label_matrix(model, sparse.csr_matrix(row)).toarray()[0]
    assert [TERMS[label] for label, has in zip(model.labels, found, strict=True) if has] == labels


def test_a_proof_names_the_rule_and_its_terms(counts: Cooccurrence) -> None:
    asked = Classifier(derive(counts, np.ones(len(TERMS)), LITERAL))
    assert asked.proof(N["economy"], numbers("loan export")) == Proof(
        N["economy"], "alpha", tuple(numbers("export loan"))
    )
    assert asked.proof(N["economy"], numbers("trade")) == Proof(N["economy"], "beta", (N["trade"],))
    assert asked.proof(N["bank"], numbers("bank")) == Proof(N["bank"], "own", (N["bank"],))
    assert asked.proof(N["bank"], numbers("sport")) is None
