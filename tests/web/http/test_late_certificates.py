"""aiohttp is imported without certificates; its contexts load them when they are used."""

from __future__ import annotations

import subprocess
import sys

STATISTICS = """
import ssl
import topicrawl.web.http
import aiohttp.connector as connector
from topicrawl.web.http.late_certificates import LateContext

both = connector._SSL_CONTEXT_VERIFIED, connector._SSL_CONTEXT_UNVERIFIED
assert all(type(each) is LateContext for each in both)
assert type(ssl.create_default_context()) is ssl.SSLContext
ready = ssl.create_default_context()
for each in both:
    each.wrap_bio(ssl.MemoryBIO(), ssl.MemoryBIO(), server_hostname="example.org")
    assert type(each) is ssl.SSLContext
    assert each.cert_store_stats() == ready.cert_store_stats()
assert both[0].verify_mode == ready.verify_mode and both[0].check_hostname
assert both[1].verify_mode == ssl.CERT_NONE
print("equal")
"""


def test_contexts_of_aiohttp_load_certificates_at_their_first_handshake() -> None:
    done = subprocess.run([sys.executable, "-c", STATISTICS], capture_output=True, text=True, check=False)
    assert done.stdout == "equal\n", done.stderr


def test_where_aiohttp_was_imported_before_nothing_changes() -> None:
    code = (
        "import ssl, aiohttp.connector as first; import topicrawl.web.http; "
        "print(type(first._SSL_CONTEXT_VERIFIED) is ssl.SSLContext)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
