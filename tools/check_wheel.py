"""Checks the topicrawl that is installed: cibuildwheel runs this for each wheel. `python tools/check_wheel.py`

Native code must be in it, `doctor` must find nothing wrong, and a crawl of an invented web must fetch its pages. The
last line is the digest of its visits, which is the same on all x86-64 processors and all versions of Python.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from pathlib import Path

PAGES = 60


def main() -> int:
    """Check; the exit code is that of the first command that fails."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOPICRAWL_CACHE"] = str(Path(folder, "cache"))
        import topicrawl._native as native
        from topicrawl.cli import run
        from topicrawl.web.invented import invented_web

        seed = invented_web("invented:7").seeds("tourism", 1)[0]
        out = Path(folder, "run")
        crawl = ["crawl", "--web", "invented:7", "--topic", "tourism", "--seeds", seed, "--concurrency", "1"]
        for command in (["doctor"], [*crawl, "--pages", str(PAGES), "--quiet", "--out", str(out)]):
            if code := run(command):
                return code
        visits = (out / "visits.jsonl").read_bytes()
        assert visits.count(b"\n") >= PAGES, visits
        print(native.__file__, platform.machine(), hashlib.sha256(visits).hexdigest())
    return 0


if __name__ == "__main__":
    sys.exit(main())
