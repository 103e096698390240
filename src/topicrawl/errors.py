"""Everything that can go wrong, drawn once.

TopicrawlError
├── UsageError            what the user gave us cannot work: names the thing, the value and the remedy (exit code 2)
│   ├── ConfigError         a key or value of crawl.toml or of a flag
│   ├── TopicError          a topic that cannot be read or means nothing
│   ├── SeedError           a seed list without a usable line
│   ├── WebError            a web (WARC, invented:…) that cannot be opened
│   └── RunError            a run directory that is not ours, is locked, or does not fit the request
├── StorageError          the disk failed us: the run stops, nothing that was committed is lost (exit code 3)
├── ReplayError           a log that does not replay to itself: a bug or a damaged run (exit code 4)
├── NothingFetchedError   a crawl that ended without a page: the message says why (exit code 5)
└── FetchError            one URL could not be fetched: becomes a visit, never stops a run
"""

from __future__ import annotations


class TopicrawlError(Exception):
    """Root of all errors raised on purpose."""

    exit_code = 1


class UsageError(TopicrawlError):
    """What the user gave us cannot work; the message names the thing, the value and the remedy."""

    exit_code = 2


class ConfigError(UsageError):
    """A key or a value of the configuration."""


class TopicError(UsageError):
    """A topic that cannot be read or means nothing."""


class SeedError(UsageError):
    """A seed list without a usable line."""


class WebError(UsageError):
    """A web that cannot be opened."""


class RunError(UsageError):
    """A run directory that is not ours, is in use, or does not fit the request."""


class StorageError(TopicrawlError):
    """The disk failed: the run stops, what was committed is safe."""

    exit_code = 3


class ReplayError(TopicrawlError):
    """A log that does not replay to itself."""

    exit_code = 4


class NothingFetchedError(TopicrawlError):
    """A crawl that ended without a page."""

    exit_code = 5


class FetchError(TopicrawlError):
    """One URL could not be fetched.

    `kind` is a short stable word (see docs/errors.md); it becomes `error` in the visit log.
    `retry_after` is set when trying again later may help: seconds to wait, 0 when unknown. `url` is where redirects
    had led by then; None where there were none.
    """

    url: str | None = None

    def __init__(
        self, kind: str, detail: str = "", *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.detail = detail
        self.status = status
        self.retry_after = retry_after
