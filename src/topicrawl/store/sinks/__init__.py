"""Sinks: the tables of a run, written to a folder or an object store while the crawl goes on.

    PLACE/_topicrawl.json                                 whose sink it is, and how far
    PLACE/pages/date=2026-01-31/part-00001001.parquet     the pages among visits 1,001 to 2,000 of that day

A part is the visits of one range of numbers, and its name follows from the range: it is written again while the range
grows, always whole. Parts are made from the log alone, after the commit, and `_topicrawl.json` is written after them. A
process that dies between the two writes the same parts again: nothing is lost, and nothing is twice.

Shards of one crawl share a place: `pages/shard=003/date=…`, and `_topicrawl-003.json`.
"""
