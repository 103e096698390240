"""Freed memory is returned to the system."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from faults.machine import resident
from topicrawl.store.heap import Heap, _trim

pytestmark = pytest.mark.skipif(_trim is None, reason="the C library has no malloc_trim")

PIECES, SIZE = 2000, 20_000
HEAPS = """
import ctypes, sys, threading
from topicrawl.store.heap import share_heap

if sys.argv[1] == "shared":
    share_heap()
thread = threading.Thread(target=bytearray, args=(20_000,))
thread.start()
thread.join()
library = ctypes.CDLL(None)
library.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(library.fopen(sys.argv[2].encode(), b"w"))
library.malloc_info(0, file)
library.fclose(file)
"""


def test_free_memory_between_blocks_in_use_is_returned() -> None:
    kept = [bytearray(SIZE) for _ in range(PIECES)]
    del kept[::2]
    before = resident(os.getpid())["RssAnon"]
    Heap().release_memory()
    assert before - resident(os.getpid())["RssAnon"] > PIECES * SIZE / 4
    assert len(kept) == PIECES / 2


@pytest.mark.parametrize(("asked", "heaps"), [("shared", 1), ("not", 2)])
def test_threads_share_a_heap_after_share_heap(asked: str, heaps: int, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", HEAPS, asked, str(tmp_path / "heaps.xml")], check=True)
    assert (tmp_path / "heaps.xml").read_text().count("<heap nr=") == heaps
