"""Binds the address of a server."""

from __future__ import annotations

import os
import socket

from topicrawl.errors import ConfigError


def bind(address: str, port: int) -> socket.socket:
    """A socket that listens at the address; `ConfigError` if it is taken or not of this machine."""
    try:
        family, _, _, _, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        if os.name != "nt":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(place)
        bound.listen(128)  # who opens the address as soon as it is printed waits, and is not refused
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {address} port {port}: {error}; choose another address or port"
        ) from error
    bound.set_inheritable(False)
    return bound
