"""The archived records of chosen visits, copied byte for byte into one WARC file."""

from __future__ import annotations

from collections.abc import Iterator
from time import time
from typing import BinaryIO, NamedTuple
from uuid import uuid4

from topicrawl.errors import UsageError
from topicrawl.model import Visit
from topicrawl.store.archive import segment_name
from topicrawl.store.exports.selection import Selection
from topicrawl.store.log import Place
from topicrawl.store.warc import warc_date, warcinfo

WARC_NAME = segment_name(0)
"""The name of an exported file in its warcinfo and in an index."""


class Copied(NamedTuple):
    """A visit whose records were copied, and the places of its answers in the new file."""

    visit: Visit
    places: list[Place]


def write_warc(selection: Selection, file: BinaryIO) -> int:
    """The records of the chosen visits; returns how many visits had any."""
    return sum(1 for _ in copy_records(selection, file))


def copy_records(selection: Selection, file: BinaryIO) -> Iterator[Copied]:
    """Write a warcinfo and the chosen visits' records to `file`; yields each visit once it is written."""
    run = selection.run
    if not run.has_archive:
        raise UsageError(
            f"{run.path} keeps no archive (keep.warc was false), so there is no WARC or WACZ to export"
        )
    written = file.write(warcinfo(uuid4().hex, WARC_NAME, warc_date(time())))
    lost, damaged = {visit.n for visit in run.missing()}, 0
    left_out = 0
    for visit in selection.visits():
        records, extent = run.archived(visit.n), run.extent(visit.n)
        if not records or extent is None:
            left_out += visit.n in lost
            damaged += extent is not None
            continue
        places = run.captures(visit.n)
        shift = written - extent[1]
        written += file.write(records)
        yield Copied(visit, [each._replace(offset=each.offset + shift, segment=0) for each in places])
    if damaged:
        selection.say(
            f"the archived records of {damaged:,} visits cannot be read and are left out; "
            f"`topicrawl doctor {run.path} --repair` takes note of them"
        )
    if left_out:
        selection.say(
            f"the archive has lost the records of {left_out:,} visits, which are left out; "
            f"`topicrawl crawl --out {run.path} --refetch-missing` gets them back"
        )
