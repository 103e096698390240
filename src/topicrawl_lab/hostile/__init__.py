"""A web that means harm: one behaviour a host, `h01.test` to `h58.test`, served on loopback only.

    connection ─► server (reads the request, logs it) ─► behaviour of the row the host names ─► bytes

The numbers are those of docs/reliability.md. The server's own log is the witness of what a crawler did: which
requests came, when, with which headers, and how many bytes it took. Nothing here ever leaves the machine.
"""

from topicrawl_lab.hostile.exchange import Asked, Exchange, Ports
from topicrawl_lab.hostile.server import ROWS, Hostile, resolve_map, run_hostile

__all__ = ["ROWS", "Asked", "Exchange", "Hostile", "Ports", "resolve_map", "run_hostile"]
