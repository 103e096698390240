"""Who may ask the dashboard: every rule refuses what it is for, and lets our own pages pass."""

from __future__ import annotations

import socket

import pytest

from dashboard.conftest import Dashboard
from topicrawl.serving import prompt
from topicrawl.serving.names import Names

MARK = b'{"n": 5, "mark": "yes"}'


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(dashboard: Dashboard) -> None:
    dashboard.cookie = ""
    assert dashboard.ask("/").status == 403
    assert dashboard.ask("/?token=wrong").status == 403
    answer = dashboard.ask(f"/run/storms/pages?token={dashboard.keys.token}&sort=best")
    assert (answer.status, answer.headers["location"]) == (303, "/run/storms/pages?sort=best")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert dashboard.keys.token.lower() not in cookie
    dashboard.cookie = answer.headers["set-cookie"].partition(";")[0]
    assert "storms" in dashboard.get("/")


def test_the_redirect_after_the_token_leads_to_no_other_host(dashboard: Dashboard) -> None:
    for path in ("//evil.test/", "/\\evil.test/"):
        answer = dashboard.ask(f"{path}?token={dashboard.keys.token}")
        assert answer.headers.get("location", "/x").startswith("/")
        assert not answer.headers.get("location", "/x").startswith(("//", "/\\"))


@pytest.mark.parametrize(
    "host", ["evil.test:PORT", "evil.test", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.1:PORT.evil.test"]
)
def test_other_host_names_are_refused(dashboard: Dashboard, host: str) -> None:
    answer = dashboard.ask("/", headers={"Host": host.replace("PORT", str(dashboard.port))})
    assert answer.status in (400, 421)
    assert "storms" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LocalHost"])
def test_names_of_this_machine_are_answered(dashboard: Dashboard, host: str) -> None:
    assert dashboard.ask("/", headers={"Host": f"{host}:{dashboard.port}"}).status == 200


def test_two_host_headers_are_refused(dashboard: Dashboard) -> None:
    hosts = [f"Host: 127.0.0.1:{dashboard.port}", "Host: evil.test"]
    lines = "\r\n".join(["GET / HTTP/1.1", *hosts, f"Cookie: {dashboard.cookie}", "", ""])
    with socket.create_connection(("127.0.0.1", dashboard.port)) as connection:
        connection.sendall(lines.encode())
        status = connection.recv(100).split()[1]
    assert status in (b"400", b"421")


@pytest.mark.parametrize(("port", "length"), [("9" * 5000, "2"), ("PORT", "9" * 5000), ("PORT", "chunked")])
def test_sizes_that_are_none_are_refused(dashboard: Dashboard, port: str, length: str) -> None:
    ours = {
        "Host": f"127.0.0.1:{port}".replace("PORT", str(dashboard.port)),
        "Cookie": dashboard.cookie,
        "Origin": f"http://127.0.0.1:{dashboard.port}",
        "X-CSRF-Token": dashboard.keys.csrf,
        **({"Transfer-Encoding": length} if length == "chunked" else {"Content-Length": length}),
    }
    lines = ["POST /run/storms/wish HTTP/1.1", *(f"{name}: {value}" for name, value in ours.items()), "", ""]
    with socket.create_connection(("127.0.0.1", dashboard.port)) as connection:
        connection.sendall("\r\n".join(lines).encode())
        assert connection.recv(100).split()[1] in (b"400", b"413", b"421")


def test_a_browser_leaves_out_the_port_80() -> None:
    assert Names("127.0.0.1", 80).has("localhost")
    assert Names("127.0.0.1", 80).has("[::1]:80")
    assert not Names("127.0.0.1", 80).has("evil.test")
    assert not Names("127.0.0.1", 8080).has("localhost")


def test_beyond_loopback_only_the_bound_address_and_the_name_of_the_machine_count() -> None:
    assert Names("10.1.2.3", 80).has("10.1.2.3:80")
    assert Names("10.1.2.3", 80).has(f"{socket.gethostname()}:80")
    assert not Names("10.1.2.3", 80).has("localhost:80")
    assert not Names("10.1.2.3", 80).has("evil.test:80")
    assert Names("0.0.0.0", 80).has("10.9.9.9:80")
    assert not Names("0.0.0.0", 80).has("evil.test:80")


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_requests_of_pages_of_other_sites_and_ports_are_refused(dashboard: Dashboard, site: str) -> None:
    for mode, dest in (("no-cors", "image"), ("cors", "empty"), ("navigate", "iframe")):
        asked = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
        assert dashboard.ask("/run/storms/pages", headers=dict(asked)).status == 403
    opened = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert dashboard.ask("/run/storms/pages", headers=dict(opened)).status == 200
    assert dashboard.ask("/run/storms/mark", "POST", MARK, dict(opened)).status == 403


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({}, 200),
        ({"Origin": None}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://evil.test"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"X-CSRF-Token": None}, 403),
        ({"X-CSRF-Token": "guessed"}, 403),
        ({"Cookie": None}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_only_our_own_pages_change_something(
    dashboard: Dashboard, changed: dict[str, str | None], status: int
) -> None:
    ours = {"Origin": f"http://127.0.0.1:{dashboard.port}", "X-CSRF-Token": dashboard.keys.csrf}
    assert dashboard.ask("/run/storms/mark", "POST", MARK, {**ours, **changed}).status == status


def test_nothing_is_changed_by_get_and_nothing_unknown_is_taken(dashboard: Dashboard) -> None:
    assert dashboard.ask("/run/storms/mark").status == 405
    assert dashboard.say("/run/storms/mark", {"n": "1", "mark": "yes"})[0] == 400
    assert dashboard.say("/run/storms/mark", {"n": 1, "mark": "perhaps"})[0] == 400
    assert dashboard.say("/run/storms/mark", {"n": 10**9, "mark": "yes"})[0] == 409
    assert dashboard.say("/run/storms/wish", {"kind": "burn"})[0] == 400
    assert dashboard.say("/run/other/wish", {"kind": "pause"})[0] == 404


@pytest.mark.parametrize(
    "path", ["/", "/run/storms/pages", "/nowhere", "/static/app.js", "/run/storms/page/5/archived"]
)
def test_every_answer_has_the_headers_that_protect_a_reader(dashboard: Dashboard, path: str) -> None:
    headers = dashboard.ask(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    if path.endswith("archived"):
        assert policy.startswith("sandbox;")
        assert "script-src" not in policy
        assert "frame-ancestors 'self'" in policy
    else:
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("name", ["../app.py", "..%2f..%2fguard.py", "__init__.py", "nothing.css"])
def test_only_the_files_of_the_dashboard_are_served(dashboard: Dashboard, name: str) -> None:
    assert dashboard.ask(f"/static/{name}").status == 404


@pytest.mark.parametrize("name", ["..", "%2e%2e", "..%2f..%2fetc", "storms%00", "x" * 5000])
def test_a_name_that_is_no_run_opens_no_folder(dashboard: Dashboard, name: str) -> None:
    assert dashboard.ask(f"/run/{name}/pages").status == 404


@pytest.mark.parametrize(
    "begun",
    [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nab"],
    ids=["nothing", "head", "body"],
)
def test_a_request_that_is_never_complete_is_closed(
    dashboard: Dashboard, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt, "SLOWEST", 0.2)
    with socket.create_connection(("127.0.0.1", dashboard.port), timeout=30) as connection:
        connection.sendall(begun)
        try:
            while connection.recv(4096):
                pass
        except ConnectionResetError:
            pass
    assert "storms" in dashboard.get("/")
