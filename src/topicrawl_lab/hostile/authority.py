"""A certificate authority for tests, and invalid certificates of several kinds.

Needs trustme, which comes with the development tools; without it the hostile web has no TLS.
"""

from __future__ import annotations

import ssl
import warnings
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import trustme

GOOD, EXPIRED, WRONG, SELF_SIGNED, OLD, CLIENT = "good", "expired", "wrong", "self", "old", "client"
"""First labels of the hosts below h46.test; every other host has a good certificate."""


@dataclass
class Authority:
    """A certificate authority that the crawler trusts (`ca`), and one that it does not (`untrusted`)."""

    ca: trustme.CA
    untrusted: trustme.CA
    _contexts: dict[str, ssl.SSLContext] = field(default_factory=dict)

    @classmethod
    def make(cls) -> Authority | None:
        """A fresh authority; None where trustme is not installed."""
        try:
            import trustme
        except ImportError:
            return None
        return cls(trustme.CA(), trustme.CA())

    @property
    def pem(self) -> bytes:
        """The certificate to trust."""
        return self.ca.cert_pem.bytes()

    def context(self, kind: str = GOOD) -> ssl.SSLContext:
        """A server context that chooses its certificate by the server name of the handshake (SNI)."""
        context = self._made(kind)

        def choose(connection: Any, name: str | None, _: ssl.SSLContext) -> None:
            label = name.partition(".")[0] if name else ""
            if name:
                connection.context = self._named(
                    name, label if label in {EXPIRED, WRONG, SELF_SIGNED} else kind
                )

        context.sni_callback = choose
        return context

    def _named(self, name: str, kind: str) -> ssl.SSLContext:
        if name not in self._contexts:
            self._contexts[name] = self._made(kind, name)
        return self._contexts[name]

    def _made(self, kind: str, name: str = "hostile.test") -> ssl.SSLContext:
        issuer = self.untrusted if kind == SELF_SIGNED else self.ca
        until = datetime.now(UTC) - timedelta(days=1) if kind == EXPIRED else None
        certificate = issuer.issue_cert("else.test" if kind == WRONG else name, not_after=until)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if kind == OLD:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                context.maximum_version = ssl.TLSVersion.TLSv1_1
        certificate.configure_cert(context)
        if kind == CLIENT:
            context.verify_mode = ssl.CERT_REQUIRED
            self.ca.configure_trust(context)
        return context
