"""Runs the tests of native code with another build of it: `python -m bench.native_tests FILE`; see `make sanitize`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench.readers import load

TESTS = (
    "frontier/test_piece_filter.py",
    "frontier/test_priorities.py",
    "frontier/test_texts.py",
    "page/test_native.py",
    "topic/test_terms_found.py",
    "topic/wordnet/test_names.py",
    "value/test_common_ancestors.py",
    "scout/test_edge_sums.py",
    "scout/test_link_documents.py",
    "text/test_link_texts.py",
    "scout/test_native_documents.py",
    "scout/test_native_features.py",
    "text/test_new_words.py",
    "scout/test_page_links.py",
    "judge/test_rocchio.py",
    "text/test_sparse_rows.py",
    "text/test_tokens.py",
    "scout/test_url_shapes.py",
    "text/test_word_numbers.py",
)
FOLDER = Path(__file__).resolve().parents[1] / "tests"


def main(file: str) -> int:
    """Load the build and run the tests; their status."""
    load(Path(file))
    return int(pytest.main(["-n", "0", "-p", "no:cacheprovider", *(str(FOLDER / name) for name in TESTS)]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
