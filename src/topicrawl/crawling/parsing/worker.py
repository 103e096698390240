"""The parse worker, a process of its own: `python -m topicrawl.crawling.parsing.worker`. Reads jobs, writes answers.

A page can be made to hurt whoever reads it, so this process may be killed at any moment. It ends by itself when
its input ends, and when a page takes far longer than the crawler would wait: then there is no crawler any more.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

import msgspec

from topicrawl.crawling.parsing.protocol import LENGTH, Answer, Job, Setup, frame
from topicrawl.model import Page


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the crawler's affair
    with contextlib.suppress(BrokenPipeError), os.fdopen(_claimed_output(), "wb") as answers:
        messages = _messages(sys.stdin.buffer)
        setup = msgspec.msgpack.decode(next(messages), type=Setup)
        answer = _answerer(setup.terms, setup.documents)
        _limit(setup.memory)
        gc.freeze()
        _send(answers, Answer())
        decode = msgspec.msgpack.Decoder(Job).decode
        for message in messages:
            with _alarm(setup.alarm):
                answered = answer(decode(message))
            _send(answers, answered)


def _answerer(terms: list[str], documents: list[str]) -> Callable[[Job], Answer]:
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
    """How bytes are read: as web pages only, unless other documents are wanted."""
    if not documents:
        from topicrawl.page.read import read

        return read
    from topicrawl.page.documents import read_document

    return partial(read_document, frozenset(documents))


def _claimed_output() -> int:
    """The pipe to the crawler, out of reach of anything that prints."""
    claimed = os.dup(1)
    os.dup2(2, 1)
    return claimed


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
    """Bound the address space, where the system can; leave no core dumps."""
    with contextlib.suppress(ImportError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        bound = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """End the process when the block takes longer, where the system can."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    main()
