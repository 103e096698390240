"""The browser sends nothing by itself: counted packet by packet, in a network namespace where it is alone."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from web.browser.rig import Rig, needs, rig, usable_browser

REACHING = """<title>x</title><p>text</p>
<link rel=dns-prefetch href=//prefetched.example><link rel=preconnect href=http://127.0.0.1:9/>
<link rel=prefetch href=http://127.0.0.1:9/prefetch><link rel=prerender href=http://127.0.0.1:9/prerender>
<script type=speculationrules>{"prefetch": [{"source": "list", "urls": ["http://127.0.0.1:9/s"]}]}</script>
<img src=http://127.0.0.1:9/i.png><a id=ping href=# ping=http://127.0.0.1:9/ping></a>
<script>
const peer = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:9"}, {urls: "stun:stun.example:3478"},
  {urls: "turn:127.0.0.1:9?transport=tcp", username: "u", credential: "c"}]})
peer.createDataChannel("x")
peer.createOffer().then((offer) => peer.setLocalDescription(offer))
const inWorker = `new WebSocket("ws://127.0.0.1:9/"); fetch("http://127.0.0.1:9/w").catch(() => {});
  new WebSocket("ws://socket.example/")`
new Worker(URL.createObjectURL(new Blob([inWorker])))
try { new WebTransport("https://127.0.0.1:9/") } catch {}
new WebSocket("ws://127.0.0.1:9/")
new EventSource("http://127.0.0.1:9/e")
navigator.sendBeacon("http://127.0.0.1:9/b")
fetch("http://127.0.0.1:9/f", {method: "POST", keepalive: true}).catch(() => {})
fetch("http://[::1]:9/six").catch(() => {})
document.getElementById("ping").click()
</script>"""
LOOPBACK_UP = ("sh", "-c", 'ip link set lo up && exec "$@"', "sh")


@contextmanager
def alone() -> Iterator[Rig]:
    """A renderer whose browser has a network namespace of its own, with a loopback interface that is up."""
    needs("ip")
    found = usable_browser()
    if os.geteuid() != 0 or not found.has_namespace:
        pytest.skip("only root makes a network namespace with an interface to count on")
    at = found.prefix.index("--net") + 2
    counted = replace(found, prefix=(*found.prefix[:at], *LOOPBACK_UP, *found.prefix[at:]))
    with rig(found=counted) as made:
        yield made


def packets(pid: int) -> int:
    """Packets that were sent over loopback in the network namespace of a process; it has no other interface."""
    lines = Path(f"/proc/{pid}/net/dev").read_text().splitlines()[2:]
    assert [line.partition(":")[0].strip() for line in lines] == ["lo"]
    return int(lines[0].partition(":")[2].split()[9])


def test_a_page_that_tries_every_way_out_sends_no_packet() -> None:
    with alone() as made:
        _, page = made.show(REACHING)
        assert page.text.startswith("x\ntext")
        pid = made.browser_pid()
        assert packets(pid) == 0
        assert made.asked() == []
        inside = ["nsenter", "--net", f"--target={pid}", "bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9"]
        subprocess.run(inside, capture_output=True, check=False, timeout=20)
        assert packets(pid) > 0, "one attempt to connect is counted"


def test_the_browser_of_a_crawl_has_no_interface(browser: Rig) -> None:
    if not usable_browser().has_namespace:
        pytest.skip("no network namespaces on this system")
    sent = Path(f"/proc/{browser.browser_pid()}/net/dev").read_text().splitlines()[2:]
    assert all(int(line.partition(":")[2].split()[9]) == 0 for line in sent)
    routes = Path(f"/proc/{browser.browser_pid()}/net/route").read_text().splitlines()[1:]
    assert routes == []
