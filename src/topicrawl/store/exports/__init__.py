"""Exports a run in the formats of other programs.

    jsonl · csv · parquet     one row per page                   (rows.py)
    text · markdown           one file per page, in a folder     (documents.py)
    warc · wacz               the archived records themselves    (archives.py, wacz.py)
    commoncrawl               where they are, in columns         (index.py)

An export appears under its name when it is complete, never half-written.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from topicrawl.errors import UsageError
from topicrawl.store.exports import archives, documents, index, rows, wacz
from topicrawl.store.exports.output import new_file, new_folder
from topicrawl.store.exports.selection import MAIN, TEXTS, Now, Selection
from topicrawl.store.run import Run


@dataclass(frozen=True, slots=True)
class Format:
    """An export format: its default file or folder name, a description, and the function that writes it."""

    name: str
    help: str
    to_file: Callable[[Selection, BinaryIO], int] | None = None
    to_folder: Callable[[Selection, Path], int] | None = None


FORMATS = {
    "jsonl": Format("pages.jsonl", "a JSON object a line, with the text", to_file=rows.write_jsonl),
    "csv": Format("pages.csv", "comma-separated, UTF-8, with the text", to_file=rows.write_csv),
    "parquet": Format("pages.parquet", "columns, with the text (needs pyarrow)", to_file=rows.write_parquet),
    "text": Format("text", "a folder of .txt files and index.tsv", to_folder=documents.write_text),
    "markdown": Format("markdown", "a folder of .md files and index.tsv", to_folder=documents.write_markdown),
    "marks": Format("marks.csv", "what people said of pages, for --examples", to_file=rows.write_marks),
    "warc": Format("pages.warc.gz", "the archived records in one WARC file", to_file=archives.write_warc),
    "wacz": Format("pages.wacz", "a web archive with its index, for replay", to_file=wacz.write_wacz),
    "commoncrawl": Format(
        "index.parquet", "the index of the archive in columns (needs pyarrow)", to_file=index.write_index
    ),
}


def export(
    run: Run,
    format: str,  # noqa: A002 - what users call it
    out: Path | BinaryIO,
    *,
    threshold: float,
    relevant_only: bool = False,
    now: Now | None = None,
    query: Set[str] = frozenset(),
    text: str = MAIN,
    force: bool = False,
    say: Callable[[str], None] = lambda sentence: None,
) -> int:
    """Write the pages of `run` to `out` and return how many; with `relevant_only`, those above `threshold`.

    `now` is the relevance of each visit, by number, by all that was learned. Pages at the URLs `query` are left out,
    but archives have them, since they hold what was fetched. `say` is called with a sentence about what
    is left out. `text` is what of a page is its text, one of `TEXTS`: its main text, or all it says.

    `out` is a path, or for the formats that make one file an open binary file. What exists at the path is
    replaced only with `force`, and a folder only if it holds nothing but an earlier export.
    """
    chosen = _format(format)
    if text not in TEXTS:
        raise UsageError(f"--text {text!r} is unknown; give {' or '.join(TEXTS)}")
    selection = Selection(run, threshold, relevant_only, now, say, query, text)
    if not isinstance(out, Path):
        if chosen.to_file is None:
            raise UsageError(
                f"--format {format} makes a folder; give one with --out, such as --out {chosen.name}"
            )
        return chosen.to_file(selection, out)
    if chosen.to_file is not None:
        with new_file(out, force=force) as file:
            return chosen.to_file(selection, file)
    assert chosen.to_folder is not None
    with new_folder(out, force=force, ours=documents.OUR_NAMES) as folder:
        return chosen.to_folder(selection, folder)


def _format(name: str) -> Format:
    if name in FORMATS:
        return FORMATS[name]
    near = difflib.get_close_matches(name.lower(), FORMATS, n=1, cutoff=0.4)
    remedy = f"did you mean {near[0]!r}? " if near else ""
    raise UsageError(f"--format {name!r} is unknown; {remedy}formats are: {', '.join(FORMATS)}")
