"""A cluster with random faults: `make cluster-soak`. The story is in tests/cluster/ray_stories.py."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Run the soak in a network namespace of its own, and print what it does."""
    sys.path.insert(0, str(ROOT / "tests"))
    from cluster.namespace import run_alone

    minutes = float(os.environ.get("SOAK_MINUTES", "10"))
    with tempfile.TemporaryDirectory(prefix="tc-", dir="/tmp") as folder:
        run_alone("soak", folder, seconds=60 * (2 * minutes + 20), shown=True)


if __name__ == "__main__":
    main()
