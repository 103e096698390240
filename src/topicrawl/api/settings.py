"""The settings of a crawl as keyword arguments, for type checkers. `make docs` generates the fields from `Config`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypedDict

from topicrawl.judge import Judge
from topicrawl.judge.outside import Judgement
from topicrawl.model import Topic

Texts = str | Sequence[str]
Seconds = float | str
"""A number of seconds, or text such as `90s`, `15m`, `2h`."""
Size = int | str
"""A number of bytes, or text such as `10MB`."""


class Settings(TypedDict, total=False):
    """What `crawl` and `crawl_sync` take by name; `topicrawl crawl --help` explains each."""

    # generated
    topic: str | Topic
    seeds: Texts
    search_url: Texts
    search: Texts
    queries: int
    distinct_hosts: int
    web: str
    at: str
    strategy: str
    judge: str | Judge | Judgement
    weights: str
    query: Texts
    examples: Texts
    train: str
    per_round: int
    documents: Texts
    render: str
    continuous: bool
    rng_seed: int
    pages: int
    concurrency: int
    patience: Seconds
    ordered: bool
    threshold: float
    sitemaps: bool
    recrawl: str
    avoid_traps: bool
    out: str | PathLike[str] | None
    allow_domain: Texts
    same_site: bool
    include: Texts
    exclude: Texts
    max_depth: int
    max_per_host: int
    follow_nofollow: bool
    max_time: Seconds
    max_requests: int
    max_bytes: Size
    relevant: int
    rounds: int
    delay: Seconds
    per_host: int
    per_address: int
    user_agent: str
    contact: str
    allow_net: Texts
    resolve: Texts
    proxy: str
    ca_file: str
    header: Texts
    cookies: bool
    cookie_file: str
    retries: int
    connect: Seconds
    first_byte: Seconds
    deadline: Seconds
    body_bytes: Size
    robots_age: Seconds
    llm_url: str
    llm_model: str
    llm_share: float
    llm_calls: int
    llm_tokens: int
    llm_batch: int
    llm_timeout: Seconds
    llm_key: str
    warc: bool
    min_free: Size
    segment_size: Size
    sink: Texts
    sink_tables: Texts
    sink_rows: int
    parameters: Mapping[str, Any]
