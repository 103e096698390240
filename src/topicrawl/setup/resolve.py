"""Resolves a configuration: reads topic, seeds and strategy, so that a resume needs none of their files."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from topicrawl.credentials import kept_file, kept_header, kept_proxy, kept_secret
from topicrawl.errors import ConfigError, RunError, SeedError
from topicrawl.frontier.scope import Scope, hosts_of
from topicrawl.judge.registry import LLM, check_judge, default_threshold
from topicrawl.model import Page, Topic
from topicrawl.page.documents import FEED, KINDS, can_read
from topicrawl.setup.config import SETTINGS, Config
from topicrawl.setup.inputs import open_topic, read_seeds
from topicrawl.setup.settings import Setting
from topicrawl.setup.strategy_inputs import give_inputs, wordnet_note
from topicrawl.store.sinks.spec import full_spec
from topicrawl.strategies import Strategy
from topicrawl.strategies.parameters import parameters as parameters_of
from topicrawl.strategies.parameters import scaled
from topicrawl.strategies.registry import make_strategy, strategy_class
from topicrawl.strategies.weights.file import REMEDY, read_weights
from topicrawl.urls import host, origin
from topicrawl.web.archive_name import SCHEME, archive_name, read_name

log = logging.getLogger(__name__)


def resolve(
    config: Config, remark: Callable[[str], None] = log.warning, *, any_seeds: bool = False
) -> Config:
    """`config` with topic, seeds, web and strategy in full; raises if one of them is invalid.

    `remark` is called with warnings, such as a seed without a scheme. Seeds must lie in the scope, unless `any_seeds`.
    The result has been written and read, as a run will be, so that what cannot be read again is never begun.
    """
    read = read_seeds(config.seeds, remark) if config.seeds else []
    seeds = tuple(read) if any_seeds or not read else _in_scope(read, config.scope, remark)
    config = replace(_without_secrets(config, seeds), web=full_name(config.web, config.at), at=None)
    config = with_examples(config, remark)
    if not config.topic and strategy_class(config.strategy).by_example:
        raise ConfigError(
            f"no query; --strategy {config.strategy} searches for pages similar to one you give: --query article.html, "
            "or a URL"
        )
    if not config.topic:
        raise ConfigError(
            "no topic; say what to look for: --topic 'rainstorm 0.8, rainfall 0.3', or pages: --query"
        )
    if not seeds:
        raise ConfigError("no seeds; say where to begin: --seeds seeds.txt, or --seeds https://example.org/")
    kind = strategy_class(config.strategy)
    weights = _weights(config, kind, remark) if config.weights else {}
    config = _in_rounds(config, kind)
    judge = check_judge(config.judge or kind.judged_by)
    if judge.partition(":")[0] == LLM:
        config.llm.check()
    strategy = make_strategy(config.strategy, scaled(kind, config.pages) | weights | config.parameters)
    give_inputs(strategy, config)
    if note := wordnet_note([config.strategy]):
        remark(note)
    resolved = replace(
        config,
        topic=config.topic if isinstance(config.topic, Topic) else open_topic(config.topic),
        seeds=seeds,
        parameters={each.name: getattr(strategy, each.name) for each in parameters_of(type(strategy))},
        judge=judge,
        threshold=default_threshold(judge) if config.threshold is None else config.threshold,
        weights=None,
        documents=_documents(config, strategy),
        per_round=None,
        continuous=False,
        train=str(Path(config.train).resolve()) if config.train else None,
        recrawl=str(Path(config.recrawl).resolve()) if config.recrawl else None,
        sink=tuple(map(full_spec, config.sink)),
        out=None,
    )
    return Config.from_toml(resolved.to_toml(), "the configuration of the run")


def with_examples(config: Config, remark: Callable[[str], None]) -> Config:
    """`config` with the pages of --query and --examples as the examples of its topic; itself where it has none."""
    if not config.query and not config.examples:
        return config
    from topicrawl.setup.examples import Listed, example_pages, query_pages, with_query

    listed = example_pages(config.examples, config, remark) if config.examples else Listed((), ())
    pages = (*query_pages(config.query, config), *listed.wanted)
    known = open_topic(config.topic) if config.topic and isinstance(config.topic, str) else config.topic
    return replace(config, topic=with_query(known or None, pages, listed.unwanted), query=(), examples=())


def _without_secrets(config: Config, seeds: Iterable[str]) -> Config:
    """`config` with secrets replaced by their names; those without a site apply to the sites of the seeds."""
    sites = [origin(seed) for seed in seeds]
    headers = tuple(kept_header(text, sites) for text in config.header)
    key = kept_secret(config.llm_key, "--llm-key")
    return replace(
        config,
        header=headers,
        proxy=kept_proxy(config.proxy),
        cookie_file=kept_file(config.cookie_file),
        llm_key=key,
    )


def _documents(config: Config, strategy: Strategy) -> tuple[str, ...]:
    """The kinds of document that are parsed besides web pages."""
    if not config.documents:
        return (FEED,) if strategy.by_example else ()
    named = (kind.strip() for text in config.documents for kind in text.split(","))
    wanted = tuple(dict.fromkeys(kind for kind in named if kind != "none"))
    for kind in wanted:
        if kind not in KINDS:
            raise ConfigError(f"--documents {kind!r} is unknown; choose of {', '.join(KINDS)}, none")
        if not can_read(kind):
            raise ConfigError(f"--documents {kind}: pypdf is not installed; pip install 'topicrawl[{kind}]'")
    return wanted or ("none",)


def _in_rounds(config: Config, kind: type) -> Config:
    """`config` with its settings of rounds as parameters of the strategy, and `pages` sufficient for them."""
    settings = {"per_round": config.per_round, "continuous": config.continuous or None}
    given = {name: value for name, value in settings.items() if value is not None}
    if given and not given.keys() <= {each.name for each in parameters_of(kind)}:
        flag = "--" + next(iter(given)).replace("_", "-")
        raise ConfigError(f"{flag}: strategy {config.strategy!r} has no rounds; crawl with --strategy semxdm")
    parameters = {**config.parameters, **given}
    config = replace(config, parameters=parameters)
    enough = _pages_in_rounds(config)
    return replace(config, pages=enough) if enough and config.pages == SETTINGS["pages"].default else config


def _pages_in_rounds(config: Config) -> int | None:
    """Pages of all rounds at most; None without rounds."""
    each = config.parameters.get("per_round")
    return config.rounds * int(each) if config.rounds and each else None


def _weights(config: Config, kind: type, remark: Callable[[str], None]) -> dict[str, Any]:
    """The parameters in the file of weights that `config` names."""
    file = str(config.weights)
    try:
        learned_for, weights, others = read_weights(Path(file).read_bytes(), file)
    except OSError as error:
        raise ConfigError(f"weights {file!r}: cannot be read ({error.strerror}); {REMEDY}") from None
    if not weights.keys() <= {each.name for each in parameters_of(kind)}:
        raise ConfigError(
            f"--weights {file!r}: strategy {config.strategy!r} takes none; crawl with mcoa or svsm_mcoa"
        )
    if learned_for != config.strategy:
        remark(
            f"weights {file!r} were learned for {learned_for or 'another strategy'}, not for {config.strategy}"
        )
        return weights
    return weights | others


def _in_scope(seeds: list[str], scope: Scope, remark: Callable[[str], None]) -> tuple[str, ...]:
    """The seeds within the scope; `remark` is called for the others."""
    hosts = hosts_of(seeds)
    refusals = {seed: scope.refusal(seed, 0, hosts) for seed in seeds}
    for seed, refusal in refusals.items():
        if refusal:
            remark(f"seed {seed} is left out: {refusal}")
    inside = tuple(seed for seed, refusal in refusals.items() if not refusal)
    if not inside:
        raise SeedError(
            f"the scope lets no seed in ({seeds[0]}: {refusals[seeds[0]]}); widen it, or give other seeds"
        )
    return inside


def resume_config(old: Config, given: Mapping[str, Any]) -> Config:
    """The configuration of a resumed run with the settings given now; `RunError` if one is fixed.

    Seeds and examples are added to those of the run.
    """
    same_strategy = given.get("strategy", old.strategy) == old.strategy
    parameters = _all_parameters(old) if same_strategy else {}
    pages = SETTINGS["pages"].default if old.pages == _pages_in_rounds(old) else old.pages
    settings = {"parameters": parameters, "pages": pages, **given}
    new = resolve(replace(old, **settings), any_seeds="seeds" not in given)
    new = replace(new, seeds=tuple(dict.fromkeys([*old.seeds, *new.seeds])), topic=_with_further(old, new))
    check_resume(old, new)
    return new


def _with_further(old: Config, new: Config) -> str | Topic:
    """The topic of a run with the examples that were given now, each once."""
    if not isinstance(old.topic, Topic) or not isinstance(new.topic, Topic):
        return new.topic
    if in_words(old.topic) == in_words(new.topic):
        return old.topic  # pages given again may have other links by now
    if strategy_class(new.strategy).by_example:
        return new.topic
    as_before = replace(
        new.topic, examples=old.topic.examples, pages=old.topic.pages, unwanted=old.topic.unwanted
    )
    if in_words(as_before) != in_words(old.topic):
        return new.topic
    return with_further(
        old.topic,
        further_pages(old.topic.examples, new.topic.examples),
        further_pages(old.topic.unwanted, new.topic.unwanted),
    )


def with_further(topic: Topic, examples: Iterable[Page], unwanted: Iterable[Page]) -> Topic:
    """`topic` with further examples, and further pages that are not relevant."""
    return replace(topic, examples=(*topic.examples, *examples), unwanted=(*topic.unwanted, *unwanted))


def further_pages(old: Iterable[Page], new: Iterable[Page]) -> list[Page]:
    """The pages of `new` that `old` does not have, by URL and text."""
    known = {(page.url, page.text) for page in old}
    return [page for page in new if (page.url, page.text) not in known]


def in_words(topic: str | Topic) -> str | Topic:
    """A topic whose examples have only their text, without a name derived from them."""
    if isinstance(topic, str):
        return topic
    name = "" if topic.source == "query" else topic.name  # earlier versions derived other names
    return replace(topic, name=name, examples=_texts(topic.examples), unwanted=_texts(topic.unwanted))


def _texts(pages: Iterable[Page]) -> tuple[Page, ...]:
    return tuple(Page(page.url, page.title, page.language, page.text) for page in pages)


def check_web(config: Config) -> list[str]:
    """Raise if the web of a resolved configuration is invalid; returns warnings."""
    from topicrawl.web.http import HttpWeb
    from topicrawl.web.open import open_offline

    HttpWeb(config.http)
    if config.web == "http":
        return []
    if config.web.startswith(SCHEME):
        read_name(config.web)
        return []
    return [f"{config.web}: {warning}" for warning in open_offline(config.web).warnings]


async def with_sitemaps(config: Config) -> Config:
    """A resolved configuration with the pages in the sitemaps of the seeds' hosts as further seeds."""
    from asyncio import gather  # slow to import, and most commands do without it

    from topicrawl.web.http import HttpWeb
    from topicrawl.web.http.sitemaps import sitemap_urls

    if config.web != "http":
        raise ConfigError(f"--sitemaps needs --web http; --web {config.web} has no sitemaps to ask for")
    web = HttpWeb(config.http)
    try:
        hosts = {host(seed): seed for seed in reversed(config.seeds)}
        found = await gather(*(sitemap_urls(web, seed) for seed in hosts.values()))
    finally:
        await web.close()
    allowed, listed = hosts_of(config.seeds), (url for urls in found for url in urls)
    inside = [url for url in listed if not config.scope.refusal(url, 0, allowed)]
    return replace(config, seeds=tuple(dict.fromkeys([*config.seeds, *inside])))


def full_name(web: str, at: str | None = None) -> str:
    """A recorded web by its full path, so that a run can be resumed from any folder, an archive with its date (`at`);
    other webs as they are.
    """
    if web.startswith(SCHEME):
        return archive_name(web, at)
    if at is not None:
        raise ConfigError(f"--at {at}: --web {web} has no dates; name the archive: --web cdx:URL")
    named = web == "http" or web.startswith("invented:")
    return str(Path(web).resolve()) if not named and Path(web).exists() else web


def check_resume(old: Config, new: Config) -> None:
    """`RunError` if a fixed setting differs, or a seed is gone; both configurations are resolved."""
    for each in SETTINGS.values():
        before, after = getattr(old, each.name), getattr(new, each.name)
        if each.name == "parameters":
            before, after = _all_parameters(old), _all_parameters(new)
            before, after = _difference(before, after), _difference(after, before)
        if each.name == "topic" and not strategy_class(old.strategy).by_example:
            before, after = without_examples(before), without_examples(after)
        if each.fixed and before != after:
            raise RunError(
                f"the run was begun with {_format_setting(each, before)}; resuming cannot change that to "
                f"{_format_setting(each, after)} ({each.fixed}): leave it out, or start another run with "
                "another --out"
            )
    if gone := [seed for seed in old.seeds if seed not in set(new.seeds)]:
        raise RunError(f"the run was begun with the seed {gone[0]}: seeds can be added, not taken away")


def _all_parameters(config: Config) -> dict[str, Any]:
    """The parameters of the strategy; one that the version which began the run did not have yet is at its default."""
    kind = strategy_class(config.strategy)
    return {each.name: each.default for each in parameters_of(kind)} | config.parameters


def without_examples(topic: str | Topic) -> str | Topic:
    """A topic without its examples, to which others may be added."""
    return topic if isinstance(topic, str) else replace(topic, examples=(), pages=(), unwanted=())


def _difference(these: Mapping[str, Any], those: Mapping[str, Any]) -> dict[str, Any]:
    """The items of `these` that are not in `those` or differ there."""
    return {name: value for name, value in these.items() if name not in those or those[name] != value}


def _format_setting(each: Setting, value: Any) -> str:
    flag = "--set" if each.name == "parameters" else each.flag
    if isinstance(value, Topic):
        terms = ", ".join(f"{t} {w:g}" for t, w in list(zip(value.terms, value.weights, strict=True))[:3])
        return f"{flag} '{value.name}: {terms}{', …' if len(value.terms) > 3 else ''}'"
    text = json.dumps(value, ensure_ascii=False, default=list)
    return f"{flag} {text if len(text) <= 80 else text[:79] + '…'}"
