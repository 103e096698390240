"""The parse worker, a process of its own: `python -m topicrawl.crawling.parsing.worker`. Reads jobs, writes answers.

A page may be made to attack its parser, so this process may be killed at any moment. It exits by itself when its
input ends, and when a page takes far longer than the deadline: then the crawler no longer exists.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

import msgspec

from topicrawl.crawling.parsing.protocol import LENGTH, Answer, Job, Setup, frame
from topicrawl.model import Page

AT_ONCE = 1 << 18
"""Bytes read from the pipe at a time: the jobs that wait in it."""


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the crawler handles Ctrl-C
    with contextlib.suppress(BrokenPipeError), os.fdopen(_private_stdout(), "wb") as answers:
        messages = _messages(os.fdopen(0, "rb", AT_ONCE, closefd=False))
        setup = msgspec.msgpack.decode(next(messages), type=Setup)
        answer = _job_handler(setup.terms, setup.documents)
        _limit(setup.memory)
        gc.freeze()
        _send(answers, Answer())
        decode = msgspec.msgpack.Decoder(Job).decode
        for message in messages:
            _set_alarm(setup.alarm)
            answered = answer(decode(message))
            _set_alarm(0)
            _send(answers, answered)


def _job_handler(terms: list[str], documents: list[str]) -> Callable[[Job], Answer]:
    from topicrawl.topic.matcher import Matcher

    read = _reader(documents)
    matcher = Matcher(terms)
    encode = msgspec.msgpack.Encoder().encode

    def answer(job: Job) -> Answer:
        try:
            page = read(job.url, job.content, job.content_type, job.x_robots_tag, job.truncated)
            return Answer() if page is None else Answer(encode(page), encode(matcher.count(page)))
        except Exception as error:
            return Answer(error=repr(error))

    return answer


def _reader(documents: list[str]) -> Callable[..., Page | None]:
    """The parser: for web pages only, unless `documents` names other kinds."""
    if not documents:
        from topicrawl.page.read import read

        return read
    from topicrawl.page.documents import read_document

    return partial(read_document, frozenset(documents))


def _private_stdout() -> int:
    """A duplicate of stdout, the pipe to the crawler; prints go to stderr instead."""
    pipe_to_crawler = os.dup(1)
    os.dup2(2, 1)
    return pipe_to_crawler


def _messages(pipe: BinaryIO) -> Iterator[bytes]:
    while len(length := pipe.read(LENGTH)) == LENGTH:
        size = int.from_bytes(length, "little")
        if len(message := pipe.read(size)) < size:
            return
        yield message


def _send(pipe: BinaryIO, answer: Answer) -> None:
    pipe.write(frame(answer))
    pipe.flush()


def _limit(memory: int) -> None:
    """Limit the address space and disable core dumps, where the system supports it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    bound = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
    with contextlib.suppress(ValueError, OSError):  # macOS refuses it
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def _set_alarm(seconds: float) -> None:
    """End the process in so many seconds, where the system supports it; 0: not any more."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
