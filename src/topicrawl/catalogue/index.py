"""The inverted index over the words of all items: tantivy, beside the log.

Words are indexed as terms (see knowledge/terms.py), so that a search finds all forms and synonyms of a word, in English
and in Chinese. The highest visit number in the index shows how far it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import tantivy
from msgspec.structs import replace

from topicrawl.knowledge.terms import running_terms
from topicrawl.store.run import Run
from topicrawl.store.standing import standing

FOLDER = "index"
FORMAT = "2"
COMMIT = 2000
"""Items between two commits: at most so many are indexed again after a kill."""
TITLE = 0.25
"""How much the words of the title count beside those of the page (docs/evidence/search.md)."""
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
                page = outcome.page
                title = " ".join(running_terms(replace(page, text=page.title)))
                words = " ".join(running_terms(page))
                writer.add_document(tantivy.Document(n=visit.n, words=words, title=title))
                added += 1
                if added % COMMIT == 0:
                    writer.commit()
        if added or old:
            writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def search(self, terms: Iterable[str], most: int) -> tuple[list[tuple[int, float]], int]:
        """Visits of the items that contain any of the terms, best first with their scores, and how many there are.

        The score is BM25 of the words of the page, and a share of BM25 of those of its title.
        """
        schema, any_of = self._index.schema, []
        for term in terms:
            in_title = tantivy.Query.boost_query(tantivy.Query.term_query(schema, "title", term), TITLE)
            any_of += [
                (tantivy.Occur.Should, tantivy.Query.term_query(schema, "words", term)),
                (tantivy.Occur.Should, in_title),
            ]
        searcher = self._index.searcher()
        found = searcher.search(tantivy.Query.boolean_query(any_of), most)
        hits = [(int(searcher.doc(address)["n"][0]), float(score)) for score, address in found.hits]
        return hits, int(found.count)  # type: ignore[attr-defined]  # its stub lacks it


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("n", stored=True, indexed=True, fast=True)
    for field in ("words", "title"):
        builder.add_text_field(field, tokenizer_name="terms", index_option="freq")
    return builder.build()
