"""An interrupt before a crawl runs."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import warnings
from types import FrameType
from typing import Any

import pytest

from topicrawl.crawling import event_loop
from topicrawl.crawling.event_loop import run_loop

WATCHED = (event_loop.__file__, asyncio.runners.__file__)
CLOSING = ("__exit__", "close", "_cancel_all_tasks")
"""Of Python's runner, which leaves its own coroutines where it is interrupted."""


async def work() -> int:
    return 7


def interrupt_at(step: int) -> bool:
    """Whether a run that is interrupted at this step of `run_loop`, a line or a call, reaches it."""
    steps = 0

    def follow(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal steps
        if frame.f_code.co_filename not in WATCHED or frame.f_code.co_name in CLOSING:
            return None
        if event in ("call", "line"):
            steps += 1
            if steps == step:
                raise KeyboardInterrupt
        return follow

    before, handler = sys.gettrace(), signal.getsignal(signal.SIGINT)
    sys.settrace(follow)
    try:
        assert run_loop(work) == 7
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
        signal.signal(signal.SIGINT, handler)
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="the event loops of Windows leave sockets")
def test_an_interrupt_at_any_step_leaves_no_coroutine_that_was_never_awaited() -> None:
    """Python printed a warning where Ctrl-C came while the event loop was made."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        step = 1
        while interrupt_at(step):
            gc.collect()
            step += 1
    assert step > 20
    assert not [each.message for each in warned if "'work' was never awaited" in str(each.message)]
