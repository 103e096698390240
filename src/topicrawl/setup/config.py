"""crawl.toml: every setting of a crawl is declared here once, with its section, kind, default and help.

The flags of `topicrawl crawl`, the commented file of `topicrawl new` and docs/configuration.md are made from
the fields of `Config`. A run keeps its configuration *resolved*: the topic as terms and weights, the seeds as
URLs, a recorded web by its full path, so that it depends on no file that may change.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topicrawl.credentials import sent_header, used_file, used_proxy, used_secret
from topicrawl.errors import ConfigError
from topicrawl.frontier.scope import Scope
from topicrawl.model import Topic
from topicrawl.setup.settings import (
    COOKIE_FILE,
    COUNT,
    DATE,
    DURATION,
    FILES,
    FLAG,
    FOLDER,
    HEADERS,
    LIMIT,
    MAPPINGS,
    PATTERNS,
    PROXY,
    RENDER,
    ROOM,
    SECRET,
    SHARE,
    SINKS,
    SIZE,
    TABLES,
    TEXT,
    TEXTS,
    WHOLE,
    Setting,
    read_parameters,
    setting,
)
from topicrawl.toml_text import key, spell
from topicrawl.topic.examples import example_entry, read_example
from topicrawl.topic.pages import read_page, spell_page

if TYPE_CHECKING:
    from topicrawl.judges.llm.settings import LlmSettings
    from topicrawl.web.http.cookie_file import Cookie
    from topicrawl.web.http.settings import HttpSettings

SECTIONS = {
    "crawl": "what to look for, where, how and how much",
    "scope": "which links may be followed",
    "stop": "when to stop besides the number of pages",
    "http": "politeness and limits on the network",
    "llm": "the language model of --judge llm",
    "keep": "what a run keeps",
}
SOCKETS = 4
"""Open requests per fetch in flight: requests that take long no longer count as in flight but stay open."""
STRATEGY = "strategy"
"""The section of free keys that belong to the strategy (`--set name=value`)."""
TOPIC = "topic"
"""The section that holds a topic written out: `name`, and a table `terms` of weights."""


@dataclass(frozen=True)
class Config:
    """All settings of a crawl."""

    topic: str | Topic = setting(  # noqa: RUF009
        "crawl",
        TEXT,
        "",
        "what to look for: a topic's folder or file, a built-in, or 'name: term 0.8, term'",
        fixed="its terms are counted in every page of the log",
    )
    seeds: tuple[str, ...] = setting(
        "crawl", TEXTS, (), "where to start: a file of URLs, a URL, or - for standard input"
    )
    search_url: tuple[str, ...] = setting(
        "crawl",
        TEXTS,
        (),
        "find seeds by a search engine: a SearXNG-compatible address, or one with {query} in it whose results are "
        "HTML, a feed or JSON; a secret in it is named: key=env:NAME",
    )
    search: tuple[str, ...] = setting(
        "crawl", TEXTS, (), "words to search for with --search-url (not set: queries made from the topic)"
    )
    queries: int = setting("crawl", COUNT, 12, "most queries that are made from the topic or the examples")
    distinct_hosts: int | None = setting(
        "crawl",
        COUNT,
        None,
        "of the seeds found take one per host, N at most (not set: 50, of all hosts in turn)",
    )
    web: str = setting(
        "crawl",
        TEXT,
        "http",
        "the web to crawl: http, a WARC file or folder, invented:SEED, or cdx:URL, the replay server of an archive",
        fixed="pages and links are those of one web",
    )
    at: str | None = setting("crawl", DATE, None, "with --web cdx:URL: crawl the archive as of this date")
    strategy: str = setting(
        "crawl",
        TEXT,
        "scout",
        "how the next link is chosen: a name from `topicrawl strategies`",
        fixed="what it knows comes of its own choices",
    )
    judge: str = setting(
        "crawl",
        TEXT,
        "",
        "what says how likely a page is relevant: examples (default of scout), terms (of all others), or NAME or "
        "NAME:ARGUMENT of another package",
        fixed="earlier pages were judged by it",
    )
    weights: str | None = setting(
        "crawl",
        TEXT,
        None,
        "weights of link texts for the strategy: a file written by `topicrawl weights learn`",
    )
    query: tuple[str, ...] = setting(
        "crawl",
        TEXTS,
        (),
        "an example page to find similar ones, a file or a URL: semxdm, best_n_first and context_graph need one, "
        "scout takes several",
        fixed="a crawl by example starts from it",
    )
    examples: tuple[str, ...] = setting(
        "crawl",
        FILES,
        (),
        "a list of example pages: one URL or path per line (paths relative to the list's folder), "
        "or CSV with columns url,relevant; or a run: the pages marked in it",
    )
    train: str | None = setting(
        "crawl", TEXT, None, "a trained classifier to start with: a folder written by `topicrawl kb train`"
    )
    per_round: int | None = setting(
        "crawl", COUNT, None, "crawl in rounds of this many links, and rank all links again after each"
    )
    documents: tuple[str, ...] = setting(
        "crawl",
        TEXTS,
        (),
        "documents to read besides HTML and text: feed, pdf, or none (by default crawls by example read feeds)",
    )
    render: str = setting(
        "crawl",
        RENDER,
        "never",
        "when a browser runs the scripts of a page: never, auto (pages that say next to nothing without them) or "
        "always; needs Chromium and topicrawl[browser]",
    )
    continuous: bool = setting("crawl", FLAG, False, "no rounds: learn and rank links after every page")
    rng_seed: int = setting(
        "crawl", WHOLE, 0, "seed of the random number generator", fixed="earlier choices were drawn with it"
    )
    pages: int = setting("crawl", COUNT, 1000, "pages to fetch")
    concurrency: int = setting(
        "crawl",
        COUNT,
        16,
        "fetches in flight; a fetch that takes more than 2 s no longer counts, up to three times as many",
    )
    patience: float = setting(
        "crawl", DURATION, 300.0, "longest time to wait for a host that asks for a pause or no longer answers"
    )
    ordered: bool = setting(
        "crawl",
        FLAG,
        False,
        "process results in the order requested, so that runs are repeatable at any concurrency",
        fixed="a run is repeatable as a whole or not at all",
    )
    threshold: float = setting(
        "crawl",
        SHARE,
        None,
        "relevance above which a page counts as relevant (not set: 0.62 with the judge terms, else 0.5)",
    )
    """None until the configuration is resolved."""
    sitemaps: bool = setting(
        "crawl",
        FLAG,
        False,
        "add the pages that the sitemaps of the seeds' hosts list to the seeds",
        fixed="they are read once, at the start; give more pages with --seeds",
    )
    recrawl: str | None = setting(
        "crawl",
        TEXT,
        None,
        "a finished run to repeat: fetch only pages that changed, and list the changes",
        fixed="what is compared would change midway",
    )
    avoid_traps: bool = setting(
        "crawl",
        FLAG,
        True,
        "leave parts of sites that are endless and have no new content, such as calendars (--web http and cdx: only)",
        fixed="links left out so far are not in the log",
    )
    out: str | None = setting("crawl", FOLDER, None, "the run directory: a new one, or one to resume")

    allow_domain: tuple[str, ...] = setting("scope", TEXTS, (), "stay on these domains and their subdomains")
    same_site: bool = setting("scope", FLAG, False, "stay on the seeds' registrable domains")
    include: tuple[str, ...] = setting("scope", PATTERNS, (), "follow only URLs that match one of these")
    exclude: tuple[str, ...] = setting("scope", PATTERNS, (), "follow no URL that matches one of these")
    max_depth: int | None = setting("scope", WHOLE, None, "most links between a seed and a page")
    max_per_host: int | None = setting("scope", COUNT, None, "most pages of one host")
    follow_nofollow: bool = setting("scope", FLAG, False, "also follow links marked nofollow")

    max_time: float | None = setting("stop", LIMIT, None, "stop after this time")
    max_requests: int | None = setting(
        "stop",
        COUNT,
        None,
        "stop after this many requests: one per link asked for, failures and peeks included, redirects, retries and "
        "robots.txt not",
    )
    max_bytes: int | None = setting("stop", SIZE, None, "stop after this many bytes of pages")
    relevant: int | None = setting("stop", COUNT, None, "stop after this many relevant pages")
    rounds: int | None = setting("stop", COUNT, None, "stop after this many rounds of --per-round links")

    delay: float = setting("http", DURATION, 1.0, "pause between two requests to one host")
    per_host: int = setting(
        "http",
        COUNT,
        1,
        "requests in flight to one host",
        fixed="it decides how many links of a host are asked ahead",
    )
    per_address: int | None = setting(
        "http",
        COUNT,
        None,
        "requests in flight to one IP address (not set: 4, and no limit inside --allow-net)",
    )
    user_agent: str = setting("http", TEXT, "", "User-Agent header (empty: topicrawl and its version)")
    contact: str = setting(
        "http", TEXT, "", "mail address or page where site owners can reach you; sent with every request"
    )
    allow_net: tuple[str, ...] = setting("http", TEXTS, (), "a private network to allow, such as 127.0.0.0/8")
    resolve: tuple[str, ...] = setting(
        "http", MAPPINGS, (), "the address of a host name, as '*.invented.test=127.0.0.1:8000'"
    )
    proxy: str | None = setting(
        "http",
        PROXY,
        None,
        "proxy, as http://host:port, socks5://host:port or, if it is to resolve names, socks5h://host:port; if it has "
        "a password, name where the URL is kept: env:NAME or file:PATH",
    )
    ca_file: str | None = setting("http", TEXT, None, "PEM file of further certificate authorities")
    header: tuple[str, ...] = setting(
        "http",
        HEADERS,
        (),
        "extra request header, as 'Name: value', or for one site 'Name@https://host: value'; for a secret, name "
        "where it is kept: 'Authorization@https://host: Bearer env:NAME', or file:PATH",
    )
    cookies: bool = setting("http", FLAG, False, "keep cookies and send them back")
    cookie_file: str | None = setting(
        "http",
        COOKIE_FILE,
        None,
        "send the cookies of this file, each to its own site: Netscape's cookies.txt, as a path or as env:NAME",
    )
    retries: int = setting("http", WHOLE, 2, "retries after errors that may be temporary")
    connect: float = setting("http", LIMIT, 10.0, "longest time to connect")
    first_byte: float = setting("http", LIMIT, 20.0, "longest time without data from a server")
    deadline: float = setting("http", LIMIT, 60.0, "longest time for one request")
    body_bytes: int = setting("http", SIZE, 10 * 2**20, "size at which a page is truncated")
    robots_age: float = setting("http", LIMIT, 86400.0, "how long a robots.txt is cached, a day at most")

    llm_url: str = setting(
        "llm",
        TEXT,
        "",
        "the server of --judge llm: an OpenAI-compatible one, such as http://127.0.0.1:8080/v1",
    )
    llm_model: str = setting("llm", TEXT, "", "the name of its model")
    llm_share: float = setting(
        "llm", SHARE, 0.1, "share of the pages it is asked about: those that the cheap judge is least sure of"
    )
    llm_calls: int = setting("llm", WHOLE, 1000, "most calls of a run; then the cheap judge goes on alone")
    llm_tokens: int = setting("llm", WHOLE, 1_000_000, "most tokens of a run, asked and answered")
    llm_batch: int = setting("llm", COUNT, 4, "pages in one call")
    llm_timeout: float = setting("llm", LIMIT, 60.0, "longest time for one call")
    llm_key: str | None = setting("llm", SECRET, None, "the key of the server: env:NAME or file:PATH")

    warc: bool = setting(
        "keep",
        FLAG,
        True,
        "archive responses unchanged, in WARC files",
        fixed="an archive of a part of the visits would look complete",
    )
    min_free: int = setting(
        "keep", ROOM, 64 * 2**20, "pause while the disk has less free space than this; 0: never"
    )
    segment_size: int = setting(
        "keep",
        SIZE,
        10**9,
        "size at which a new WARC file is begun",
        fixed="the archive is numbered by segments",
    )
    sink: tuple[str, ...] = setting(
        "keep",
        SINKS,
        (),
        "where to write tables while the crawl runs: parquet:PLACE or jsonl:PLACE, a folder or an fsspec URL such as "
        "s3://bucket/name",
    )
    sink_tables: tuple[str, ...] = setting(
        "keep",
        TABLES,
        ("visits", "pages"),
        "what is written there: visits, pages, links, index (of the archive)",
    )
    sink_rows: int = setting(
        "keep", COUNT, 1000, "visits of a part there; a sink keeps the number that it was begun with"
    )

    parameters: dict[str, Any] = setting(  # noqa: RUF009
        STRATEGY,
        TEXTS,
        {},
        "a parameter of the strategy, as name=value",
        fixed="what the strategy knows was computed with them",
    )

    @classmethod
    def load(cls, path: str | Path) -> Config:
        """The configuration in the file `path`."""
        return cls(**read_file(path))

    @classmethod
    def from_toml(cls, text: str, source: str = "crawl.toml") -> Config:
        """The configuration in the TOML `text`; `source` names it in errors."""
        return cls(**read_toml(text, source))

    def override(self, flags: Mapping[str, object]) -> Config:
        """This configuration, changed by flags; a flag that is None was not given."""
        return replace(self, **read_flags(flags))

    @property
    def scope(self) -> Scope:
        """The settings of [scope] in the form that `Crawl` uses."""
        return Scope(**self._section("scope"))

    @property
    def http(self) -> HttpSettings:
        """The settings of [http] in the form that `HttpWeb` uses, with secrets read from where they are kept."""
        from topicrawl.web.http.settings import HttpSettings

        given = self._section("http")
        names = (mapping.split("=", 1) for mapping in given.pop("resolve"))
        headers = [sent_header(text) for text in given.pop("header")]
        secrets: dict[str, tuple[tuple[str, str], ...]] = {}
        for name, value, site in headers:
            if site:
                secrets[site] = (*secrets.get(site, ()), (name, value))
        return HttpSettings(
            allow_nets=given.pop("allow_net"),
            resolve={name.strip(): target.strip() for name, target in names},
            headers=tuple((name, value) for name, value, site in headers if not site),
            secrets=secrets,
            proxy=used_proxy(given.pop("proxy")),
            cookie_file=self._cookies(given.pop("cookie_file")),
            concurrency=SOCKETS * self.concurrency,
            rng_seed=self.rng_seed,
            **given,
        )

    @staticmethod
    def _cookies(named: str | None) -> tuple[Cookie, ...]:
        if named is None:
            return ()
        from topicrawl.web.http.cookie_file import read_cookies

        return read_cookies(used_file(named, "--cookie-file"), f"--cookie-file {named}")

    @property
    def llm(self) -> LlmSettings:
        """The settings of [llm] in the form that the judge uses, with the key read from where it is kept."""
        from topicrawl.judges.llm.settings import LlmSettings

        given = {name.removeprefix("llm_"): value for name, value in self._section("llm").items()}
        return LlmSettings(**{**given, "key": used_secret(given["key"], "--llm-key")})

    def _section(self, section: str) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in settings_of(section)}

    def to_toml(self) -> str:
        """The configuration as TOML: every setting that has a value, without comments."""
        lines: list[str] = []
        for section in SECTIONS:
            lines += [f"[{section}]", *self._lines(section), ""]
        if self.parameters:
            lines += [f"[{STRATEGY}]", *(f"{key(k)} = {spell(v)}" for k, v in self.parameters.items()), ""]
        if isinstance(self.topic, Topic):
            weights = zip(self.topic.terms, self.topic.weights, strict=True)
            lines += [
                f"[{TOPIC}]",
                f"name = {spell(self.topic.name)}",
                f"source = {spell(self.topic.source)}",
                *([f"pages = {spell([*map(spell_page, self.topic.pages)])}"] if self.topic.pages else []),
                "",
            ]
            lines += [
                f"[{TOPIC}.terms]",
                *(f"{key(term)} = {spell(float(weight))}" for term, weight in weights),
                "",
            ]
            for kept, pages in (("examples", self.topic.examples), ("unwanted", self.topic.unwanted)):
                for page in pages:
                    lines += [
                        f"[[{TOPIC}.{kept}]]",
                        *(f"{name} = {spell(text)}" for name, text in example_entry(page).items()),
                        "",
                    ]
        return "\n".join(lines)

    def _lines(self, section: str) -> Iterable[str]:
        for name, value in self._section(section).items():
            if value is not None and not isinstance(value, Topic):
                yield f"{name} = {spell(value)}"


SETTINGS = {
    each.name: Setting(
        name=each.name,
        default={} if each.default is MISSING else each.default,
        **each.metadata,
    )
    for each in fields(Config)
}


def settings_of(section: str) -> list[Setting]:
    """The settings of one section, in the order they are documented."""
    return [each for each in SETTINGS.values() if each.section == section]


def read_file(path: str | Path) -> dict[str, Any]:
    """The settings in the file `path`, by name, parsed and validated."""
    try:
        text = Path(path).read_text("utf-8-sig")
    except OSError as why:
        raise ConfigError(
            f"configuration {str(path)!r} cannot be read ({why.strerror}); "
            "make one with: topicrawl new crawl.toml"
        ) from None
    except UnicodeDecodeError:
        raise ConfigError(f"configuration {str(path)!r} is not UTF-8 text; save it as UTF-8") from None
    return read_toml(text, str(path))


def read_toml(text: str, source: str) -> dict[str, Any]:
    """The settings in the TOML `text`, by name, parsed and validated."""
    try:
        data = tomllib.loads(text)
    except ValueError as why:  # TOMLDecodeError, and numbers of more digits than Python reads
        raise ConfigError(f"{source} is not valid TOML: {why}") from None
    given: dict[str, Any] = {}
    for section, content in data.items():
        if not isinstance(content, dict):
            raise ConfigError(f"{source}: {section!r} is outside a section; {_suggest(section)}")
        if section == STRATEGY:
            given["parameters"] = content
        elif section == TOPIC:
            given["topic"] = _read_topic(content, source)
        elif section in SECTIONS:
            given |= _read_section(section, content, source)
        else:
            raise ConfigError(f"{source}: unknown section [{section}]; {_suggest_section(section)}")
    if isinstance(data.get("crawl"), dict) and "topic" in data["crawl"] and TOPIC in data:
        raise ConfigError(f"{source}: the topic is both in [crawl] and in [{TOPIC}]; keep one of them")
    return given


def _read_section(section: str, content: dict[str, Any], source: str) -> dict[str, Any]:
    known = {each.name: each for each in settings_of(section)}
    for name in content:
        if name not in known:
            raise ConfigError(f"{source}: unknown key {name!r} in [{section}]; {_suggest(name, section)}")
    return {
        name: known[name].read(value, f"{source}: {name} in [{section}]") for name, value in content.items()
    }


def _suggest(name: str, section: str = "") -> str:
    """The setting whose name is nearest to `name`, with its section; settings of `section` are preferred."""
    names = [*(each.name for each in settings_of(section)), *SETTINGS]
    near = difflib.get_close_matches(name.replace("-", "_"), names, n=1, cutoff=0.5)
    if not near:
        return "topicrawl new crawl.toml writes a file with all keys"
    found = SETTINGS[near[0]]
    return f"did you mean {found.name!r} in [{found.section}]?"


def _suggest_section(section: str) -> str:
    sections = [*SECTIONS, STRATEGY, TOPIC]
    near = difflib.get_close_matches(section, sections, n=1)
    return f"did you mean [{near[0]}]?" if near else f"sections are: {', '.join(sections)}"


def _read_topic(content: dict[str, Any], source: str) -> Topic:
    """The topic in the section [topic], validated like a topic file."""
    from topicrawl.topic.read import read_topic_bytes

    terms = content.get("terms")
    if not isinstance(terms, dict):
        raise ConfigError(
            f"{source}: [{TOPIC}] has no terms; write [{TOPIC}.terms] and below it lines term = weight"
        )
    own = ("terms", "source", "pages", "examples", "unwanted")
    plain = [f"{key(name)} = {spell(value)}" for name, value in content.items() if name not in own]
    weights = [f"{key(term)} = {spell(weight)}" for term, weight in terms.items()]
    file = "\n".join([*plain, "[terms]", *weights]).encode()
    topic = read_topic_bytes(file, source=str(content.get("source", source)), toml=True)
    return replace(
        topic,
        pages=tuple(read_page(str(line), source) for line in content.get("pages", ())),
        examples=tuple(read_example(entry, source) for entry in content.get("examples", ())),
        unwanted=tuple(read_example(entry, source) for entry in content.get("unwanted", ())),
    )


def read_flags(flags: Mapping[str, object]) -> dict[str, Any]:
    """The settings in flags or arguments, by name, parsed and validated; None means not given."""
    given: dict[str, Any] = {}
    for name, value in flags.items():
        if name not in SETTINGS:
            raise ConfigError(f"unknown setting {name!r}; {_suggest(name)}")
        if value is None or value == []:
            continue
        if isinstance(value, Topic if name == "topic" else dict if name == "parameters" else ()):
            given[name] = value
        elif name == "parameters":
            given[name] = read_parameters(value)
        else:
            given[name] = SETTINGS[name].read(value, SETTINGS[name].flag)
    return given
