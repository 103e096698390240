"""Which addresses may be connected to, however they are written."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.errors import ConfigError
from topicrawl.web.http.guard import Guard, RefusedAddressError, literal, unwrap

PRIVATE = [
    *("127.0.0.1", "127.255.255.254", "10.0.0.1", "172.31.0.1", "192.168.1.1", "169.254.169.254"),
    *("100.64.0.1", "100.100.100.200", "0.0.0.0", "0.1.2.3", "224.0.0.1", "255.255.255.255", "192.0.0.192"),
    *("168.63.129.16", "198.18.0.1", "240.0.0.1", "192.0.2.7"),
    *("::", "::1", "fe80::1", "fe80::1%1", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "100::1"),
    *("2001:db8::1", "2001:10::1", "3fff::1", "64:ff9b:1::1"),
]
HIDING = [
    "::ffff:169.254.169.254",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::10.0.0.1",
    "2002:a00:1::",
    "2002:7f00:0001::1",
    str(IPv6Address((0x20010000 << 96) | (0x08080808 << 64) | (int(IPv4Address("10.0.0.1")) ^ 0xFFFFFFFF))),
]
PUBLIC = [
    *("1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"),
    *("64:ff9b::8.8.8.8", "2002:808:808::1"),
]


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_that_is_not_public_is_refused(address: str) -> None:
    with pytest.raises(RefusedAddressError, match="--allow-net"):
        Guard().check(address)


@pytest.mark.parametrize("address", HIDING)
def test_a_private_address_hidden_in_an_ipv6_address_is_refused(address: str) -> None:
    with pytest.raises(RefusedAddressError):
        Guard().check(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_passes(address: str) -> None:
    Guard().check(address)


def test_an_opened_net_passes_also_when_it_is_hidden_in_ipv6_but_no_other_net_does() -> None:
    guard = Guard(("127.0.0.0/8", "fd00::/8"))
    for address in ("127.0.0.1", "::ffff:127.0.0.1", "fd12::1"):
        guard.check(address)
    for address in ("10.0.0.1", "::1", "fc00::1"):
        with pytest.raises(RefusedAddressError):
            guard.check(address)


@given(st.ip_addresses(v=4))
def test_whatever_passes_is_global_for_the_standard_library(address: IPv4Address) -> None:
    try:
        Guard().check(str(address))
    except RefusedAddressError:
        return
    assert address.is_global
    assert not address.is_multicast


@given(st.ip_addresses(v=4))
def test_embedding_an_address_in_ipv6_does_not_change_the_verdict(address: IPv4Address) -> None:
    hidden = IPv6Address((0xFFFF << 32) | int(address))
    assert unwrap(hidden) == address
    assert unwrap(ip_address(f"64:ff9b::{address}")) == address


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("[::ffff:a9fe:a9fe]", "::ffff:a9fe:a9fe"),
        ("a.test", None),
        ("a1", None),
        ("", None),
    ],
)
def test_hosts_that_are_addresses_are_told_from_names(host: str, address: str | None) -> None:
    assert literal(host) == address


@pytest.mark.parametrize("net", ["127.0.0.1/8", "localhost", "", "1.2.3.4/33"])
def test_an_invalid_net_is_an_error_that_shows_the_format(net: str) -> None:
    with pytest.raises(ConfigError, match=r"allow_net .*127\.0\.0\.0/8"):
        Guard((net,))
