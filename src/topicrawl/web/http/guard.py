"""The address guard: which addresses a crawler may connect to.

A link on a public page must not make the crawler read internal resources of this machine or network (SSRF). An
address is public if it is in none of the networks below, after an IPv4 address inside an IPv6 one (mapped,
compatible, NAT64, 6to4, Teredo) has been unwrapped. We do not use the standard library's tables: its notion of a
global address changes between patch releases.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

from topicrawl.errors import ConfigError

Address = IPv4Address | IPv6Address

REFUSED_V4 = {
    IPv4Network(net): why
    for net, why in {
        "0.0.0.0/8": "unspecified",
        "10.0.0.0/8": "private",
        "100.64.0.0/10": "shared by a carrier",
        "127.0.0.0/8": "loopback",
        "168.63.129.16/32": "cloud metadata",
        "169.254.0.0/16": "link-local",
        "172.16.0.0/12": "private",
        "192.0.0.0/24": "reserved",
        "192.0.2.0/24": "documentation",
        "192.88.99.0/24": "reserved",
        "192.168.0.0/16": "private",
        "198.18.0.0/15": "benchmarks",
        "198.51.100.0/24": "documentation",
        "203.0.113.0/24": "documentation",
        "224.0.0.0/4": "multicast",
        "240.0.0.0/4": "reserved",
    }.items()
}
GLOBAL_V6 = IPv6Network("2000::/3")
REFUSED_V6 = {
    IPv6Network(net): why
    for net, why in {
        "2001::/23": "reserved",
        "2001:db8::/32": "documentation",
        "3fff::/20": "documentation",
    }.items()
}
COMPATIBLE = IPv6Network("::/96")
NAT64 = IPv6Network("64:ff9b::/96")
LOOPBACK_V6 = IPv6Address("::1")
ADDRESSES = 4096
"""Cached verdicts: every request needs one."""


class RefusedAddressError(OSError):
    """A connection that the guard refuses. An OSError, because it is raised where sockets are created."""


class Guard:
    """Allows public addresses and those in networks that the user allowed."""

    def __init__(self, allow_nets: tuple[str, ...] = ()) -> None:
        self._open = [_network(net) for net in allow_nets]
        self._opens = lru_cache(maxsize=ADDRESSES)(self._in_allowed_net)

    def check(self, address: str) -> None:
        """Raise `RefusedAddressError` unless we may connect to `address`."""
        why = _refusal(address)
        if why and not self.opens(address):
            raise RefusedAddressError(f"{address} is {why}; if you mean it: --allow-net {address}")

    def opens(self, address: str) -> bool:
        """Whether the user allowed a network that contains `address`."""
        return bool(self._open) and self._opens(address)

    def _in_allowed_net(self, address: str) -> bool:
        literal_address = ip_address(address)
        unwrapped = unwrap(literal_address)
        return any(
            each in net
            for net in self._open
            for each in (literal_address, unwrapped)
            if each.version == net.version
        )


def literal(host: str) -> str | None:
    """The literal address in `host` (of a canonical URL, brackets allowed); None if it is a name."""
    text = host.strip("[]")
    if ":" not in text and not text[-1:].isdigit():
        return None
    try:
        return str(ip_address(text))
    except ValueError:
        return None


def unwrap(address: Address) -> Address:
    """The IPv4 address embedded in `address`, if any; else `address` itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in NAT64 or (address in COMPATIBLE and int(address) > 1):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if hidden := address.ipv4_mapped or address.sixtofour:
        return hidden
    return address.teredo[1] if address.teredo else address


@lru_cache(maxsize=ADDRESSES)
def _refusal(address: str) -> str:
    """Why `address` is not public; empty when it is."""
    there = unwrap(ip_address(address))
    if isinstance(there, IPv4Address):
        return next((why for net, why in REFUSED_V4.items() if there in net), "")
    if there not in GLOBAL_V6:
        return "loopback" if there == LOOPBACK_V6 else "multicast" if there.is_multicast else "private"
    return next((why for net, why in REFUSED_V6.items() if there in net), "")


def _network(net: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(net)
    except ValueError as why:
        raise ConfigError(f"allow_net {net!r}: {why}; write it as 127.0.0.0/8") from None
