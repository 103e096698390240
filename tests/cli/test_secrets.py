"""A secret is named on the command line, sent only to its site, and stored nowhere in the run."""

from __future__ import annotations

import base64
import gzip
import re
import sqlite3
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

import topicrawl
from topicrawl.cli import run
from topicrawl.errors import ConfigError
from topicrawl.setup.config import Config

SECRET = "s3cr3t-swordfish"
HOME = "http://a.test/"
PAGES = {"/": "<a href='/two'>rain</a> <a href='http://b.test/'>flood</a> rain", "/two": "rain and flood"}


class Server(ThreadingHTTPServer):
    """Two pages on every host, and the requests received: (host, path, headers). A proxy receives whole URLs."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Pages)
        self.asked: list[tuple[str, str, dict[str, str]]] = []

    def sent(self, header: str, host: str = "a.test") -> set[str | None]:
        """The values that this header had in all requests for pages of the host."""
        return {
            headers.get(header.lower())
            for at, path, headers in self.asked
            if at == host and not path.endswith("robots.txt")
        }


class Pages(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((headers["host"], self.path, headers))
        path = re.sub(r"^http://[^/]+", "", self.path)
        text = PAGES.get(path)
        body = f"<html><title>Rain</title><p>{text}".encode() if text else b""
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        thread = Thread(target=made.serve_forever, args=(0.02,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def crawl(server: Server, here: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Crawl the server's pages into run/; more arguments are appended."""
    monkeypatch.setenv("TOKEN", SECRET)

    def command(*more: str, resolve: bool = True) -> int:
        words = ["--topic", "rain, flood", "--seeds", HOME, "--strategy", "ops", "--delay", "0"]
        words += ["--allow-net", "127.0.0.0/8", "--out", "run"]
        words += ["--resolve", f"*.test=127.0.0.1:{server.server_port}"] if resolve else []
        return run(["crawl", *words, *more])

    return command


def everything(folder: Path) -> bytes:
    """All bytes below a folder, WARC files unpacked."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return b"\n".join(
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in files
    )


@pytest.mark.parametrize(
    ("header", "name", "value"),
    [
        ("Authorization@http://a.test: env:TOKEN", "Authorization", SECRET),
        ("Authorization: Bearer env:TOKEN", "Authorization", f"Bearer {SECRET}"),
        ("X-Api-Key: file:key.txt", "X-Api-Key", SECRET),
        ("X-Team@HTTP://A.test/: env:TOKEN", "X-Team", SECRET),
        ("Cookie: file:a folder/my cookie", "Cookie", SECRET),
    ],
)
def test_a_named_secret_is_sent_to_its_site_and_found_nowhere(
    crawl: Callable[..., int],
    server: Server,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    header: str,
    name: str,
    value: str,
) -> None:
    (here / "key.txt").write_text(SECRET + "\n")
    (here / "a folder").mkdir()
    (here / "a folder" / "my cookie").write_text(SECRET + "\n")
    assert crawl("--header", header, "-v") == 0
    assert server.sent(name) == {value}
    assert server.sent(name, "b.test") == {None}, "a secret without a site goes to that of the seeds"
    kept = everything(here / "run")
    assert b"GET /two" in kept, "request records are looked at"
    assert SECRET.encode() not in kept
    assert SECRET not in "".join(capsys.readouterr())
    assert run(["status", "run"]) == 0


def test_a_run_is_resumed_from_another_folder_with_the_secret_it_names(
    crawl: Callable[..., int], server: Server, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "key.txt").write_text(SECRET)
    assert crawl("--header", "X-Api-Key: file:key.txt", "--pages", "1", "-q") == 0
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    assert run(["crawl", "--out", "../run", "--pages", "3", "-q"]) == 0
    assert server.sent("X-Api-Key") == {SECRET}
    assert len(server.sent("Host", "b.test")) == 1


@pytest.mark.parametrize(
    ("flag", "name"),
    [
        (("--header", "Authorization: env:TOKEN"), "env:TOKEN"),
        (("--header", "X-Api-Key: file:TOKEN"), "TOKEN"),
        (("--proxy", "env:TOKEN"), "env:TOKEN"),
    ],
)
def test_a_secret_that_is_absent_on_resume_is_named(
    crawl: Callable[..., int],
    server: Server,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    flag: tuple[str, str],
    name: str,
) -> None:
    monkeypatch.setenv("TOKEN", f"http://127.0.0.1:{server.server_port}")
    (here / "TOKEN").write_text(SECRET)
    assert crawl(*flag, "--pages", "1", "-q", resolve="--proxy" not in flag) == 0
    monkeypatch.delenv("TOKEN")
    (here / "TOKEN").unlink()
    before, asked = everything(here / "run"), len(server.asked)
    capsys.readouterr()
    assert run(["crawl", "--out", "run", "--pages", "3"]) == 2
    printed = capsys.readouterr().err
    assert name in printed
    assert printed.count("\n") == 1
    assert (everything(here / "run"), len(server.asked)) == (before, asked)
    assert run(["crawl", "--out", "run"]) == 0, "a finished run needs no secret to say so"


@pytest.mark.parametrize(
    ("header", "remedy"),
    [
        (f"Authorization: Bearer {SECRET}", "'Authorization@http://a.test: env:NAME'"),
        (f"Authorization@https://a.test: Basic {SECRET}", "'Authorization@https://a.test: env:NAME'"),
        (f"Proxy-Authorization: {SECRET}", "env:NAME"),
        (f"cookie: id={SECRET}", "env:NAME"),
        (f"X-API-Key: {SECRET}", "env:NAME"),
        (f"X-AuthToken: {SECRET}", "env:NAME"),
        (f"X-Password: {SECRET}", "env:NAME"),
        (f"X-Client-Secret: {SECRET}", "file:PATH"),
        (f"X-Team: Bearer {SECRET}", "env:NAME"),
        (f"Authorization Bearer {SECRET}", "'Name: value'"),
        (f"Authorization@https://a.test:{SECRET}", "'Name: value'"),
        (f"Authorization@http://[: {SECRET}", "https://example.org"),
        ("Authorization: env:TOKEN/x", "env:NAME"),
        ("Authorization: env:UNSET", "set the environment variable UNSET"),
        ("Authorization: file:absent", "absent"),
        ("Authorization: file:lines.txt", "one line"),
        ("Authorization: file:.", "cannot be read"),
    ],
)
def test_a_secret_given_as_a_value_or_unreadable_is_refused_and_not_printed(
    crawl: Callable[..., int],
    server: Server,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    header: str,
    remedy: str,
) -> None:
    (here / "lines.txt").write_text(f"{SECRET}\n{SECRET}\n")
    assert crawl("--header", header) == 2
    printed = capsys.readouterr().err
    assert remedy in printed
    assert re.search("--header.*(Authorization|X-|cookie)", printed), "the header is named"
    assert printed.count("\n") == 1
    assert SECRET not in printed
    assert not (here / "run").exists()
    assert server.asked == []


def test_a_secret_for_seeds_of_several_sites_needs_a_site(
    crawl: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--header", "Authorization: env:TOKEN", "--seeds", "http://b.test/") == 2
    assert "'Authorization@https://example.org: env:TOKEN'" in capsys.readouterr().err


def test_ordinary_headers_are_given_as_values(crawl: Callable[..., int], server: Server, here: Path) -> None:
    flags = [
        "Accept-Language: de",
        "X-Author: me@a.test",
        "X-Keywords:rain: storm",
        "X-Team@http://a.test: rain",
    ]
    assert crawl(*(word for each in flags for word in ("--header", each)), "-q") == 0
    assert server.sent("X-Author", "b.test") == {"me@a.test"}
    assert server.sent("X-Keywords") == {"rain: storm"}
    assert server.sent("X-Team") == {"rain"}
    assert Config.load(here / "run" / "crawl.toml").header == tuple(flags)


def test_a_proxy_is_named_with_its_password(
    crawl: Callable[..., int],
    server: Server,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOKEN", f"http://me:{SECRET}@127.0.0.1:{server.server_port}")
    assert crawl("--proxy", "env:TOKEN", "-v", resolve=False) == 0
    assert server.sent("Proxy-Authorization").pop().startswith("Basic ")  # type: ignore[union-attr]
    assert Config.load(here / "run" / "crawl.toml").proxy == "env:TOKEN"
    kept = everything(here / "run") + "".join(capsys.readouterr()).encode()
    assert SECRET.encode() not in kept
    assert server.sent("Proxy-Authorization").pop().split()[1].encode() not in kept  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "proxy", [f"http://me:{SECRET}@127.0.0.1:1", f"http://{SECRET}@127.0.0.1:1", f"{SECRET}@p:1"]
)
def test_a_proxy_with_a_password_is_refused_and_not_printed(
    crawl: Callable[..., int], capsys: pytest.CaptureFixture[str], here: Path, proxy: str
) -> None:
    assert crawl("--proxy", proxy, resolve=False) == 2
    printed = capsys.readouterr().err
    assert "--proxy env:PROXY_URL" in printed
    assert SECRET not in printed
    assert not (here / "run").exists()


@pytest.mark.parametrize("port", [1, None])
def test_an_error_about_a_proxy_does_not_print_its_password(
    crawl: Callable[..., int],
    capsys: pytest.CaptureFixture[str],
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    port: int | None,
) -> None:
    monkeypatch.setenv("TOKEN", f"http://me:{SECRET}@127.0.0.1:{port}" if port else SECRET)
    crawl(
        "--proxy", "env:TOKEN", "-v", "--retries", "0", "--max-time", "1s", "--patience", "0s", resolve=False
    )
    printed = "".join(capsys.readouterr())
    assert port or "env:TOKEN: holds no proxy" in printed
    assert SECRET.encode() not in everything(here) + printed.encode()


def test_a_run_of_an_earlier_version_that_holds_a_secret_is_resumed_when_the_secret_is_named(
    crawl: Callable[..., int], server: Server, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--header", "X-Team: rain", "--pages", "1", "-q") == 0
    spelled = (
        (here / "run" / "crawl.toml")
        .read_text()
        .replace("X-Team: rain", f"Authorization: {SECRET}" + "x" * 9000)
    )
    (here / "run" / "crawl.toml").write_text(spelled)
    with sqlite3.connect(here / "run" / "crawl.db") as log:
        log.execute("UPDATE run SET config = ?", (spelled,))
    log.close()
    assert SECRET.encode() in everything(here / "run")
    assert run(["status", "run"]) == 0, "it can still be looked at"
    capsys.readouterr()
    assert run(["crawl", "--out", "run", "--pages", "3"]) == 2
    assert "'Authorization@http://a.test: env:NAME'" in capsys.readouterr().err
    assert run(["crawl", "--out", "run", "--pages", "3", "-q", "--header", "Authorization: env:TOKEN"]) == 0
    assert SECRET in server.sent("Authorization")
    assert SECRET.encode() not in everything(here / "run"), "it is gone from crawl.toml and crawl.db"


COOKIES = f"# Netscape HTTP Cookie File\n#HttpOnly_.a.test\tTRUE\t/\tFALSE\t0\tsid\t{SECRET}\n"


@pytest.mark.parametrize("named", ["cookies.txt", "file:cookies.txt", "env:COOKIES"])
@pytest.mark.parametrize("more", [(), ("--local", "2")], ids=["alone", "in shards"])
def test_cookies_of_a_file_are_sent_to_their_site_and_found_nowhere(
    crawl: Callable[..., int],
    server: Server,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    named: str,
    more: tuple[str, ...],
) -> None:
    (here / "cookies.txt").write_text(COOKIES)
    monkeypatch.setenv("COOKIES", COOKIES)
    assert crawl("--cookie-file", named, "-v", *more) == 0
    assert server.sent("Cookie") == {f"sid={SECRET}"}
    assert server.sent("Cookie", "b.test") == {None}
    kept = Config.load(here / "run" / "crawl.toml").cookie_file
    assert kept == (named if named.startswith("env:") else f"file:{here / 'cookies.txt'}")
    assert run(["export", "run", "--format", "jsonl", "--out", "run/exported.jsonl"]) == 0
    assert run(["why", "run", HOME]) == 0
    assert SECRET.encode() not in everything(here / "run") + "".join(capsys.readouterr()).encode()


def test_a_run_is_resumed_with_the_cookies_of_its_file_and_says_when_that_is_gone(
    crawl: Callable[..., int],
    server: Server,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (here / "cookies.txt").write_text(COOKIES)
    assert crawl("--cookie-file", "cookies.txt", "--pages", "1", "-q") == 0
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    assert run(["crawl", "--out", "../run", "--pages", "2", "-q"]) == 0
    assert server.sent("Cookie") == {f"sid={SECRET}"}
    (here / "cookies.txt").write_text(f"sid={SECRET}\n")
    assert run(["crawl", "--out", "../run", "--pages", "3"]) == 2
    assert "cookies.txt, line 1 has 1 fields" in capsys.readouterr().err
    (here / "cookies.txt").unlink()
    assert run(["crawl", "--out", "../run", "--pages", "3"]) == 2
    printed = capsys.readouterr().err
    assert "cookies.txt cannot be read" in printed
    assert printed.count("\n") == 1


@pytest.mark.parametrize("place", ["env:GIVEN", "file:given"])
@pytest.mark.parametrize(
    ("flags", "secret"),
    [
        (("--header", "X-Api-Key: {}"), SECRET),
        (("--header", "Cookie@http://a.test: {}"), f"sid={SECRET}"),
        (("--proxy", "{}"), f"http://me:{SECRET}@127.0.0.1:1"),
        (("--proxy", "{}"), f"socks5h://me:{SECRET}@127.0.0.1:1"),
        (("--cookie-file", "{}"), COOKIES),
        (("--search-url", "http://find.test/?q={{query}}&key={}", "--search", "rain"), SECRET),
        (
            ("--judge", "llm", "--llm-model", "m", "--llm-url", "http://127.0.0.1:1/v1", "--llm-key", "{}"),
            SECRET,
        ),
    ],
    ids=["header", "cookie", "proxy", "socks", "cookie-file", "search-url", "llm-key"],
)
def test_every_flag_for_a_secret_takes_both_places_and_no_file_of_the_run_has_the_secret(
    crawl: Callable[..., int],
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    flags: tuple[str, ...],
    secret: str,
    place: str,
) -> None:
    monkeypatch.setenv("GIVEN", secret)
    (here / "given").write_text(secret)
    words = [flag.format(place) for flag in flags]
    brief = ("--max-time", "1s", "--patience", "0s", "--retries", "0", "-v")
    code = crawl(*words, *brief, resolve="--proxy" not in flags)
    printed = "".join(capsys.readouterr())
    assert code in (0, 5), printed
    kept = everything(here / "run")
    assert b"given" in kept.lower() or "--search-url" in flags, (
        "the place is kept; search is over when a run begins"
    )
    for written in (SECRET, base64.b64encode(f"me:{SECRET}".encode()).decode()):
        assert written.encode() not in kept
        assert written not in printed


def test_the_api_takes_names_and_refuses_secrets_alike(
    server: Server, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", SECRET)
    given = {"allow_net": ["127.0.0.0/8"], "resolve": [f"*.test=127.0.0.1:{server.server_port}"], "delay": 0}

    def visits(**more: object) -> int:
        visits = topicrawl.crawl_sync(
            topic="rain", seeds=HOME, strategy="ops", out=here / "run", **given | more
        )
        return len(list(visits))

    with pytest.raises(ConfigError, match="env:NAME"):
        visits(header=[f"X-Api-Key: {SECRET}"])
    with pytest.raises(ConfigError, match="env:PROXY_URL"):
        visits(proxy=f"http://me:{SECRET}@127.0.0.1:1")
    assert not (here / "run").exists()
    assert visits(header="X-Api-Key: env:TOKEN")
    assert server.sent("X-Api-Key") == {SECRET}
    assert SECRET.encode() not in everything(here / "run")
