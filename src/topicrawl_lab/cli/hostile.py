"""`topicrawl web serve hostile`: the hostile web on loopback, and how to crawl it."""

from __future__ import annotations

from pathlib import Path

from topicrawl.terminal import say
from topicrawl_lab.hostile import Hostile, resolve_map, run_hostile


def serve(port: int, log: Path | None) -> None:
    """Serve until Ctrl-C; print the address and the flags a crawl needs."""
    run_hostile(port, log, _announce)


def _announce(hostile: Hostile) -> None:
    say(
        f"hostile on http://127.0.0.1:{hostile.ports.http}/: h01.test to h58.test;"
        ' the documentation has them under "Reliability"'
    )
    names = " ".join(f"--resolve '{name}'" for name in resolve_map(hostile.ports))
    say(f"crawl it with: --seeds http://h11.test/ --allow-net 127.0.0.1/32 {names}")
