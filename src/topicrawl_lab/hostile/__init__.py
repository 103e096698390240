"""A hostile web for testing crawlers: one behaviour for each host, `h01.test` to `h58.test`, served on loopback only.

    connection ─► server (reads the request, logs it) ─► behaviour of the row the host names ─► bytes

The numbers are those of docs/reliability.md. The server logs each request with its time and headers, and
the number of bytes sent. It uses loopback addresses only.
"""

from topicrawl_lab.hostile.exchange import Asked, Exchange, Ports
from topicrawl_lab.hostile.server import ROWS, Hostile, resolve_map, run_hostile

__all__ = ["ROWS", "Asked", "Exchange", "Hostile", "Ports", "resolve_map", "run_hostile"]
