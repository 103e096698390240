"""crawl.toml: every setting of a crawl with its default, its help and its place, once.

The fields of `Config` are the table that feeds the flags of `topicrawl crawl`, the commented file of
`topicrawl new` and docs/configuration.md. A run keeps its configuration *resolved*: the topic as terms and
weights, the seeds as URLs, a recorded web by its full path, so that it depends on no file that may change.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from topicrawl.credentials import sent_header, used_proxy
from topicrawl.errors import ConfigError
from topicrawl.frontier.scope import Scope
from topicrawl.model import Topic
from topicrawl.setup.settings import (
    COUNT,
    DURATION,
    FILES,
    FLAG,
    FOLDER,
    HEADERS,
    LIMIT,
    MAPPINGS,
    PATTERNS,
    PROXY,
    SHARE,
    SIZE,
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
    from topicrawl.web.http.settings import HttpSettings

SECTIONS = {
    "crawl": "what to look for, where, how and how much",
    "scope": "which links may be followed",
    "stop": "when to stop besides the number of pages",
    "http": "manners and limits on the network",
    "keep": "what a run keeps",
}
SOCKETS = 4
"""Requests that may be open for each fetch in flight: those that take long make room for others."""
STRATEGY = "strategy"
"""The section of free keys that belong to the strategy (`--set name=value`)."""
TOPIC = "topic"
"""The section that spells a topic out: `name`, and a table `terms` of weights."""


@dataclass(frozen=True)
class Config:
    """Everything a crawl needs to know."""

    topic: str | Topic = setting(  # noqa: RUF009
        "crawl",
        TEXT,
        "",
        "what to look for: a topic's folder or file, a built-in, or 'name: term 0.8, term'",
        fixed=True,
    )
    seeds: tuple[str, ...] = setting(
        "crawl", TEXTS, (), "where to begin: a file of URLs, a URL, or - for standard input", fixed=True
    )
    web: str = setting(
        "crawl", TEXT, "http", "where pages live: http, a WARC file or folder, or invented:SEED", fixed=True
    )
    strategy: str = setting(
        "crawl", TEXT, "scout", "which link next: a name from `topicrawl strategies`", fixed=True
    )
    weights: str | None = setting(
        "crawl",
        TEXT,
        None,
        "what links' texts are worth to the strategy: a file of `topicrawl weights learn`",
    )
    query: tuple[str, ...] = setting(
        "crawl",
        TEXTS,
        (),
        "a page to find others like, a file or a URL: semxdm and its kin need one, scout takes several",
        fixed=True,
    )
    examples: tuple[str, ...] = setting(
        "crawl",
        FILES,
        (),
        "a list of pages to find others like: one URL or path a line (paths from the list's folder), "
        "or CSV with columns url,relevant",
        fixed=True,
    )
    train: str | None = setting(
        "crawl", TEXT, None, "a classifier to begin with: the folder that `topicrawl kb train` wrote"
    )
    per_round: int | None = setting(
        "crawl", COUNT, None, "crawl in rounds of so many links, and rank all links anew after each"
    )
    documents: tuple[str, ...] = setting(
        "crawl",
        TEXTS,
        (),
        "read these besides HTML and text: feed, pdf; none (crawls by example read feeds unless this is said)",
        fixed=True,
    )
    continuous: bool = setting("crawl", FLAG, False, "no rounds: rank links and learn as pages come")
    rng_seed: int = setting("crawl", WHOLE, 0, "seed of all randomness", fixed=True)
    pages: int = setting("crawl", COUNT, 1000, "pages to fetch")
    concurrency: int = setting(
        "crawl",
        COUNT,
        16,
        "fetches in flight; those that take more than 2 s no longer count, up to three times as many",
    )
    patience: float = setting(
        "crawl", DURATION, 300.0, "how long to wait for a host that asks to be left alone before giving it up"
    )
    ordered: bool = setting(
        "crawl",
        FLAG,
        False,
        "take results in the order asked, so that runs repeat at any concurrency",
        fixed=True,
    )
    threshold: float = setting(
        "crawl", SHARE, 0.62, "relevance above which a page counts as relevant", fixed=True
    )
    sitemaps: bool = setting(
        "crawl", FLAG, False, "also begin at the pages the seeds' sitemaps list", fixed=True
    )
    recrawl: str | None = setting(
        "crawl", TEXT, None, "a finished run: ask only for what changed since, and say what did", fixed=True
    )
    avoid_traps: bool = setting(
        "crawl",
        FLAG,
        True,
        "leave parts of sites that go on for ever without saying anything new (http only: other webs end)",
        fixed=True,
    )
    out: str | None = setting("crawl", FOLDER, None, "the run directory: new, or one to resume")

    allow_domain: tuple[str, ...] = setting(
        "scope", TEXTS, (), "stay on these domains and below them", fixed=True
    )
    same_site: bool = setting("scope", FLAG, False, "stay on the seeds' registrable domains", fixed=True)
    include: tuple[str, ...] = setting(
        "scope", PATTERNS, (), "follow only URLs in which one of these is found", fixed=True
    )
    exclude: tuple[str, ...] = setting(
        "scope", PATTERNS, (), "follow no URL in which one of these is found", fixed=True
    )
    max_depth: int | None = setting(
        "scope", WHOLE, None, "links between a seed and a page, at most", fixed=True
    )
    max_per_host: int | None = setting("scope", COUNT, None, "pages of one host, at most", fixed=True)
    follow_nofollow: bool = setting("scope", FLAG, False, "follow links marked nofollow too", fixed=True)

    max_time: float | None = setting("stop", LIMIT, None, "stop after this time")
    max_bytes: int | None = setting("stop", SIZE, None, "stop after this many bytes of pages")
    relevant: int | None = setting("stop", COUNT, None, "stop after this many relevant pages")
    rounds: int | None = setting("stop", COUNT, None, "stop after this many rounds of --per-round links")

    delay: float = setting("http", DURATION, 1.0, "pause between two requests to one host")
    per_host: int = setting("http", COUNT, 1, "requests in flight to one host", fixed=True)
    per_address: int | None = setting(
        "http", COUNT, None, "requests in flight to one address; none: 4, and any number inside --allow-net"
    )
    user_agent: str = setting("http", TEXT, "", "name to give to servers (empty: topicrawl and its version)")
    contact: str = setting(
        "http", TEXT, "", "address or page where servers' owners can reach you; sent along"
    )
    allow_net: tuple[str, ...] = setting("http", TEXTS, (), "private net to allow, such as 127.0.0.0/8")
    resolve: tuple[str, ...] = setting(
        "http", MAPPINGS, (), "where a name leads, as '*.invented.test=127.0.0.1:8000'"
    )
    proxy: str | None = setting(
        "http",
        PROXY,
        None,
        "proxy to go through, as http://host:port; one with a password is named: env:NAME or file:PATH",
    )
    ca_file: str | None = setting("http", TEXT, None, "PEM file of further certificate authorities")
    header: tuple[str, ...] = setting(
        "http",
        HEADERS,
        (),
        "extra request header, as 'Name: value', or for one site 'Name@https://host: value'; a secret is named: "
        "'Authorization@https://host: Bearer env:NAME', or file:PATH",
    )
    cookies: bool = setting("http", FLAG, False, "keep cookies and send them back")
    retries: int = setting("http", WHOLE, 2, "times to try again where that may help")
    connect: float = setting("http", LIMIT, 10.0, "longest time to connect")
    first_byte: float = setting("http", LIMIT, 20.0, "longest silence of a server")
    deadline: float = setting("http", LIMIT, 60.0, "longest time for one request")
    body_bytes: int = setting("http", SIZE, 10 * 2**20, "size at which a page is cut")
    robots_age: float = setting("http", LIMIT, 86400.0, "how long a robots.txt is believed, a day at most")

    warc: bool = setting("keep", FLAG, True, "keep pages as they came, in WARC files", fixed=True)
    min_free: int = setting("keep", SIZE, 64 * 2**20, "pause while the disk has less room than this")
    segment_size: int = setting("keep", SIZE, 10**9, "size at which the next WARC file begins", fixed=True)

    parameters: dict[str, Any] = setting(  # noqa: RUF009
        STRATEGY, TEXTS, {}, "a parameter of the strategy, as name=value", fixed=True
    )

    @classmethod
    def load(cls, path: str | Path) -> Config:
        """The configuration in the file `path`."""
        return cls(**read_file(path))

    @classmethod
    def from_toml(cls, text: str, source: str = "crawl.toml") -> Config:
        """The configuration that `text` spells; `source` names it in errors."""
        return cls(**read_toml(text, source))

    def override(self, flags: Mapping[str, object]) -> Config:
        """This configuration with the given flags instead; a flag that is None was not given."""
        return replace(self, **read_flags(flags))

    @property
    def scope(self) -> Scope:
        """The settings of [scope], as the crawl takes them."""
        return Scope(**self._section("scope"))

    @property
    def http(self) -> HttpSettings:
        """The settings of [http], as the web takes them, with the secrets that they name."""
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
            concurrency=SOCKETS * self.concurrency,
            rng_seed=self.rng_seed,
            **given,
        )

    def _section(self, section: str) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in settings_of(section)}

    def to_toml(self) -> str:
        """As a file: every setting that has a value, without comments."""
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
            for page in self.topic.examples:
                lines += [
                    f"[[{TOPIC}.examples]]",
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
    """The settings that the file `path` gives, by name, read and checked."""
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
    """The settings that `text` gives, by name, read and checked."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        raise ConfigError(f"{source} is not valid TOML: {why}") from None
    given: dict[str, Any] = {}
    for section, content in data.items():
        if not isinstance(content, dict):
            raise ConfigError(f"{source}: {section!r} stands outside a section; {_suggest(section)}")
        if section == STRATEGY:
            given["parameters"] = content
        elif section == TOPIC:
            given["topic"] = _read_topic(content, source)
        elif section in SECTIONS:
            given |= _read_section(section, content, source)
        else:
            raise ConfigError(f"{source}: unknown section [{section}]; {_suggest_section(section)}")
    if isinstance(data.get("crawl"), dict) and "topic" in data["crawl"] and TOPIC in data:
        raise ConfigError(f"{source}: the topic stands both in [crawl] and in [{TOPIC}]; keep one of them")
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
    """The setting most likely meant by `name`, and where it belongs; those of `section` come first."""
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
    """The topic that [topic] spells out: checked like one in a file of its own."""
    from topicrawl.topic.read import read_topic_bytes

    terms = content.get("terms")
    if not isinstance(terms, dict):
        raise ConfigError(
            f"{source}: [{TOPIC}] has no terms; write [{TOPIC}.terms] and below it lines term = weight"
        )
    own = ("terms", "source", "pages", "examples")
    plain = [f"{key(name)} = {spell(value)}" for name, value in content.items() if name not in own]
    weights = [f"{key(term)} = {spell(weight)}" for term, weight in terms.items()]
    file = "\n".join([*plain, "[terms]", *weights]).encode()
    topic = read_topic_bytes(file, source=str(content.get("source", source)), toml=True)
    return replace(
        topic,
        pages=tuple(read_page(str(line), source) for line in content.get("pages", ())),
        examples=tuple(read_example(entry, source) for entry in content.get("examples", ())),
    )


def read_flags(flags: Mapping[str, object]) -> dict[str, Any]:
    """The settings that flags (or arguments) give, by name, read and checked; None means not given."""
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
