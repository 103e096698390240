"""Which addresses this machine has, and which of them Ray would listen on.

Ray listens on loopback alone where its address is 127.0.0.1, and on every interface otherwise. So any other address is
refused on a machine that has more of them, unless the user accepts that.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from pathlib import Path

from topicrawl.errors import ConfigError

LOOPBACK = "127.0.0.1"
CONNECT_SECONDS = 10.0
ROUTES, SIXTH = Path("/proc/net/fib_trie"), Path("/proc/net/if_inet6")
LOCAL = re.compile(r"\|-- (\S+)\n\s+/32 host LOCAL")


def machine_addresses() -> set[str]:
    """The addresses of this machine, without loopback and those of the link; empty where the system cannot tell."""
    found = set(LOCAL.findall(_text(ROUTES)))
    found |= {str(ipaddress.IPv6Address(int(line.split()[0], 16))) for line in _text(SIXTH).splitlines()}
    return {
        address
        for address in found
        if not (ipaddress.ip_address(address).is_loopback or ipaddress.ip_address(address).is_link_local)
    }


def check_listen(address: str, *, any_interface: bool) -> None:
    """`ConfigError` if `address` is none of this machine, or Ray would listen on others besides."""
    try:
        ipaddress.ip_address(address)
        with socket.create_server((address, 0), family=_family(address)):
            pass
    except (ValueError, OSError) as error:
        raise ConfigError(
            f"--listen {address} is no address of this machine ({error}); give one that the other nodes reach"
        ) from error
    others = machine_addresses() - {address}
    if address != LOOPBACK and others and not any_interface:
        raise ConfigError(
            f"--listen {address}: Ray would also listen on {', '.join(sorted(others))}, since it knows only loopback "
            "or every interface; close its ports there by a firewall, then add --any-interface"
        )


def check_head(head: str) -> None:
    """`ConfigError` if nothing listens at HOST:PORT: Ray would try for a minute, and print all its tries."""
    host, _, port = head.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS):
            pass
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"Ray at {head} does not answer ({error}); on the head: topicrawl cluster start --head"
        ) from error


def own_address(toward: str) -> str:
    """The address of this machine from which `toward` (HOST:PORT) is reached; nothing is sent."""
    host, _, port = toward.rpartition(":")
    try:
        with socket.socket(_family(host.strip("[]")), socket.SOCK_DGRAM) as probe:
            probe.connect((host.strip("[]"), int(port)))
            return str(probe.getsockname()[0])
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{toward} is no address of a head ({error}); give HOST:PORT as the head says it"
        ) from error


def _family(address: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
