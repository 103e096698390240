"""The hierarchy of errors, with their exit codes.

TopicrawlError
├── UsageError            unusable input: the message names the thing, the value and the remedy (exit code 2)
│   ├── ConfigError         a key or value of crawl.toml or of a flag
│   ├── TopicError          a topic that cannot be read or has no usable term
│   ├── SeedError           a seed list without a usable line
│   ├── WebError            a web (WARC, invented:…) that cannot be opened
│   └── RunError            a directory that is no run, or does not fit the request
│       └── BusyError         a run that another process is writing
├── StorageError          writing failed: the run stops, nothing committed is lost (exit code 3)
├── JudgeError            a judge from outside failed: the run stops and can be resumed (exit code 3)
├── BrowserError          no browser that can render pages: they are kept as they came, the crawl goes on
├── ReplayError           replaying a log gave another result: a bug or a damaged run (exit code 4)
├── NothingFetchedError   a crawl that ended without a page: the message says why (exit code 5)
└── FetchError            one URL could not be fetched: becomes a visit, never stops a run
"""

from __future__ import annotations


class TopicrawlError(Exception):
    """Root of all errors raised on purpose."""

    exit_code = 1


class UsageError(TopicrawlError):
    """Unusable input; the message names the thing, the value and the remedy."""

    exit_code = 2


class ConfigError(UsageError):
    """A key or a value of the configuration."""


class TopicError(UsageError):
    """A topic that cannot be read or has no usable term."""


class SeedError(UsageError):
    """A seed list without a usable line."""


class WebError(UsageError):
    """A web that cannot be opened."""


class RunError(UsageError):
    """A directory that is no run, or does not fit the request."""


class BusyError(RunError):
    """A run that another process is writing."""


class StorageError(TopicrawlError):
    """Writing failed: the run stops, nothing committed is lost."""

    exit_code = 3


class AwayError(StorageError):
    """A database or a place for files does not answer: trying again later helps."""


class JudgeError(TopicrawlError):
    """A judge from outside failed, or said what is no probability."""

    exit_code = 3


class BrowserError(TopicrawlError):
    """No browser that can render pages; the message says why, and the remedy."""


class ReplayError(TopicrawlError):
    """Replaying a log gave another result than was logged."""

    exit_code = 4


class NothingFetchedError(TopicrawlError):
    """A crawl that ended without a page."""

    exit_code = 5


TRANSIENT_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524})
"""Statuses after which another try may bring the page."""


class FetchError(TopicrawlError):
    """One URL could not be fetched.

    `kind` is a short stable word (see docs/errors.md); it becomes `error` in the visit log.
    `retry_after` is set when trying again later may help: seconds to wait, 0 when unknown. `url` is the last URL
    reached by redirects; None without redirects.
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


def forget_frames(error: BaseException) -> None:
    """Drop the call stacks of an error that was dealt with, and of those that led to it.

    Variables of these calls hold the error, so that both would stay in memory until Python looks for cycles, which a
    crawl has it do rarely.
    """
    seen, waiting = set[int](), [error]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            one.__traceback__ = None
            waiting += [each for each in (one.__cause__, one.__context__) if each is not None]
