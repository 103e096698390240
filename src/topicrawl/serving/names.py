"""Under which names a server answers: a name of another site that resolves to this machine is refused."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass

DEFAULT = 80
"""The port that browsers leave out."""
SLOWEST = 10.0
"""Seconds in which a request must be here."""


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach `address`."""
    return address == "localhost" or (_is_ip(address) and ipaddress.ip_address(address).is_loopback)


def _is_ip(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Names:
    """The Host headers that are answered."""

    address: str
    port: int

    def has(self, header: str) -> bool:
        """Whether a Host header names this server."""
        if self.port == DEFAULT and not header.endswith(f":{DEFAULT}"):
            header += f":{DEFAULT}"
        name, colon, port = header.rpartition(":")
        if not colon or port != str(self.port):
            return False
        name = name.lower().removeprefix("[").removesuffix("]")
        if is_loopback(self.address):
            return name == "localhost" or is_loopback(name)
        if _is_ip(self.address) and ipaddress.ip_address(self.address).is_unspecified:
            return _is_ip(name) or name in ("localhost", socket.gethostname().lower())
        return name in (self.address.lower(), socket.gethostname().lower())
