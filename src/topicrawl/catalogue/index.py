"""The inverted index over the words of all items: tantivy, beside the log.

Words are indexed as terms (see knowledge/terms.py), so that a search finds all forms and synonyms of a word, in English
and in Chinese. The highest visit number in the index shows how far it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import tantivy

from topicrawl.knowledge.terms import running_terms
from topicrawl.store.run import Run
from topicrawl.store.standing import standing

FOLDER = "index"
FORMAT = "1"
COMMIT = 2000
"""Items between two commits: at most so many are indexed again after a kill."""
_WRITER_BYTES = 50_000_000


class Index:
    """Items by their visit number."""

    def __init__(self, folder: Path, run: str) -> None:
        place, mark = folder / FOLDER, folder / FOLDER / "run"
        if not mark.exists() or mark.read_text() != f"{FORMAT}:{run}":
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            mark.write_text(f"{FORMAT}:{run}")
        try:
            self._index = tantivy.Index(_schema(), path=str(place))
        except ValueError:  # an interrupted creation
            shutil.rmtree(place)
            place.mkdir(parents=True)
            mark.write_text(f"{FORMAT}:{run}")
            self._index = tantivy.Index(_schema(), path=str(place))
        self._index.register_tokenizer(
            "terms", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
        )

    @property
    def last_n(self) -> int:
        """The last visit in the index; 0 while it is empty."""
        self._index.reload()
        found = self._index.searcher().search(tantivy.Query.all_query(), 1, order_by_field="n").hits
        return int(found[0][0]) if found else 0

    def catch_up(self, run: Run) -> None:
        """Add the items of all visits that are not in yet; of a watched run each page once, as last seen."""
        last = self.last_n
        if run.last_n <= last:
            return
        old = standing(run).replaced
        writer = self._index.writer(_WRITER_BYTES, 1)
        added = 0
        for n in old:
            if n <= last:
                writer.delete_documents_by_term("n", n)
        for visit, _, outcome in run.told(last):
            if outcome.page is not None and visit.fetched and not visit.peek and visit.n not in old:
                writer.add_document(tantivy.Document(n=visit.n, words=" ".join(running_terms(outcome.page))))
                added += 1
                if added % COMMIT == 0:
                    writer.commit()
        if added or old:
            writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def search(self, terms: Iterable[str], most: int) -> list[tuple[int, float]]:
        """Visits of the items that contain any of the terms, best first by BM25, with their scores."""
        schema = self._index.schema
        any_of = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "words", term)) for term in terms]
        searcher = self._index.searcher()
        hits = searcher.search(tantivy.Query.boolean_query(any_of), most, count=False).hits
        return [(int(searcher.doc(address)["n"][0]), float(score)) for score, address in hits]


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("n", stored=True, indexed=True, fast=True)
    builder.add_text_field("words", tokenizer_name="terms", index_option="freq")
    return builder.build()
