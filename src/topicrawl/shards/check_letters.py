"""Whether the letters in the logs of receivers are those that the logs of senders give: none lost, none twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b

import msgspec

from topicrawl.crawling.make import crawl_of
from topicrawl.errors import TopicrawlError
from topicrawl.store.merged_run import MergedRun
from topicrawl.store.run import Run

Finding = tuple[bool, str]
"""Whether all is well, and a sentence about it."""
Sums = dict[tuple[str, str], list[bytes]]
"""Check sums of letters, in order, by sender and receiver."""


def check_letters(merged: MergedRun) -> Iterator[Finding]:
    """Compare the letters of both sides. Replays the log of every shard.

    Shards may be running: what is taken is read first, since a letter is in the log of its sender before it is taken.
    """
    sent, taken = Sums(), Sums()
    name = ""
    try:
        for name, run in merged.shards.items():
            taken |= _taken(name, run)
        for name, run in merged.shards.items():
            sent |= _sent(name, run, list(merged.route.names))
    except TopicrawlError as error:
        yield False, f"shard {name}: its letters cannot be read: {error}"
        return
    wrong = [pair for pair in taken if sent.get(pair, [])[: len(taken[pair])] != taken[pair]]
    for sender, receiver in wrong:
        yield False, f"shard {receiver} has letters that shard {sender} did not send"
    if not wrong:
        all_sent, all_taken = sum(map(len, sent.values())), sum(map(len, taken.values()))
        yield True, f"{all_taken:,} of {all_sent:,} letters are taken, each once and as it was sent"


def _sent(name: str, run: Run, others: list[str]) -> Sums:
    crawl = crawl_of(run)
    with closing(run.replay()) as events:
        for event in events:
            crawl.replay(event)
    assert crawl.post is not None
    return {(name, other): [_sum(packed) for packed in crawl.post.letters(other, 0)] for other in others}


def _taken(name: str, run: Run) -> Sums:
    sums = Sums()
    for received in run.received():
        letters = sums.setdefault((received.shard, name), [])
        if received.first != len(letters) + 1:
            letters.append(b"a gap")
        letters += [_sum(msgspec.msgpack.encode(letter)) for letter in received.letters]
    return sums


def _sum(packed: bytes) -> bytes:
    return blake2b(packed, digest_size=8).digest()
