"""Converts every exception of aiohttp into a `FetchError` of a documented kind."""

from __future__ import annotations

import os
import ssl

import aiohttp
from aiohttp.http_exceptions import LineTooLong

from topicrawl.errors import FetchError
from topicrawl.web.http.guard import RefusedAddressError
from topicrawl.web.http.socks import ProxyFaultError, ProxyRefusalError, UnreachedError

TRANSIENT = frozenset({"connect", "proxy", "timeout", "slow"})
"""Kinds of failure that may be temporary."""
Faults = (aiohttp.ClientError, OSError, ValueError)
"""All exceptions of a request, time-outs included."""


def fault(error: BaseException) -> FetchError:
    """The `FetchError` for `error`."""
    kind = _kind(error)
    return FetchError(kind, _detail(error), retry_after=0.0 if kind in TRANSIENT else None)


def passes_quickly(failure: FetchError) -> bool:
    """Whether an immediate retry may succeed: the connection broke.

    A time-out has already blocked the host for long, and a refused connection will be refused again a second later.
    crawl/outages.py retries both later, after other links of the host.
    """
    lasting = (aiohttp.ClientConnectorError, ProxyFaultError)
    return failure.kind == "connect" and not isinstance(failure.__cause__, lasting)


def _detail(error: BaseException) -> str:
    """The fault in the words of the system where a connection was not made: aiohttp's name its settings."""
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        why = error.certificate_error
        said = why.verify_message if isinstance(why, ssl.SSLCertVerificationError) else str(why)
        return f"{error.host}:{error.port}: {said}"
    if isinstance(error, aiohttp.ClientConnectorError) and not isinstance(
        error, ssl.SSLError | UnreachedError
    ):
        number = error.os_error.errno or 0
        return f"{error.host}:{error.port}: {os.strerror(number) if number > 0 else error.os_error}"
    return str(error) or type(error).__name__


def _kind(error: BaseException) -> str:
    for kind, types in KINDS.items():
        if isinstance(error, types):
            return kind
    if isinstance(error, aiohttp.ClientConnectorError) and isinstance(error.os_error, RefusedAddressError):
        return "guard"
    if isinstance(error, aiohttp.ClientResponseError):
        return "headers" if _too_long(error) else "protocol"
    return "connect" if isinstance(error, OSError | aiohttp.ClientConnectionError) else "protocol"


def _too_long(error: BaseException | None) -> bool:
    """Whether the parser refused a header that is too long, or too many headers."""
    while error is not None:
        if isinstance(error, LineTooLong) or "Too many" in str(error):
            return True
        error = error.__cause__
    return False


KINDS: dict[str, type[BaseException] | tuple[type[BaseException], ...]] = {
    "timeout": TimeoutError,
    "tls": (
        aiohttp.ClientConnectorCertificateError,
        aiohttp.ClientConnectorSSLError,
        aiohttp.ServerFingerprintMismatch,
    ),
    "dns": aiohttp.ClientConnectorDNSError,
    "url": (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError),
    "guard": RefusedAddressError,
    "proxy": ProxyRefusalError,
}
