"""From a wish to the instruction that carries it out, and what has been asked of a run so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from topicrawl.crawling.marks import marking, page_of
from topicrawl.errors import UsageError
from topicrawl.model import Instruction, Page, Topic
from topicrawl.setup.config import SETTINGS, Config
from topicrawl.setup.resolve import check_resume
from topicrawl.setup.run_config import ADDED_TO, begun_config, changed, instruction_between, logged_config
from topicrawl.store.run import Run
from topicrawl.store.wishes import Change, Example, GoOn, Marks, Pause, Seeds, Stop, Undo, Unknown, Wish
from topicrawl.urls import canonical

SECRET = ("header", "proxy", "cookie_file")
"""Settings that may hold a password."""


class Entry(msgspec.Struct, frozen=True):
    """An instruction of the log, and how to take it back."""

    seq: int
    """The number of its event in the log."""
    visits: int
    """Visits before it."""
    time: float
    """When the person said so, in seconds since 1970; 0 where that is unknown."""
    wish: str
    """The id of the wish that it carried out; empty where it was none: settings given to a resume."""
    what: list[str]
    """What was asked, a short line each."""
    undo: Instruction | None
    """What would take it back now; None where nothing can."""


def instruction_of(run: Run, wish: Wish, pages: Mapping[str, Page]) -> Instruction:
    """The instruction that carries out a wish. `pages` holds examples that are not in the run, by URL.

    `UsageError` if it cannot be carried out.
    """
    return msgspec.structs.replace(_instruction(run, wish, pages), wish=wish.id, time=wish.time)


def _instruction(run: Run, wish: Wish, pages: Mapping[str, Page]) -> Instruction:
    match wish.body:
        case Marks(verdicts):
            if not verdicts:
                raise UsageError("no page is named")
            return marking(run, verdicts.items(), wish.time)
        case Change():
            return _change(logged_config(run), wish.body)
        case Seeds(urls):
            return _seeds(logged_config(run), urls)
        case Example(url, relevant):
            refuse_example(run, wish.body)
            page = page_of(run, canonical(url) or url) or pages[url]
            return Instruction(examples=[page]) if relevant else Instruction(unwanted=[page])
        case Pause():
            return Instruction(pause=True)
        case GoOn():
            return Instruction(pause=False)
        case Stop():
            return Instruction(stop=True)
        case Undo():
            return _undo(run, wish.body)
        case Unknown(text):
            raise UsageError(f"this topicrawl does not know the wish {text[:80]}; a later version may")


def history(run: Run) -> list[Entry]:
    """Every instruction of a run, in the order of its log."""
    before, placed = begun_config(run), list(run.placed_instructions())[::-1]
    now = before
    for _, _, instruction in placed:
        now = changed(now, instruction)
    said: dict[str, bool | None] = {}
    pauses = [seq for seq, _, instruction in placed if instruction.pause is not None]
    standing = {url: mark.relevant for url, mark in run.marks().items()}
    entries = []
    for seq, visits, instruction in placed:
        earlier = {mark.of: said.get(mark.of) for mark in instruction.marks}
        entries.append(
            Entry(
                seq,
                visits,
                instruction.time,
                instruction.wish,
                in_words(instruction, before),
                _reverse(
                    run, instruction, before, now, earlier, standing, is_last_pause=pauses[-1:] == [seq]
                ),
            )
        )
        said |= {mark.of: mark.relevant for mark in instruction.marks}
        before = changed(before, instruction)
    return entries


def in_words(instruction: Instruction, before: Config) -> list[str]:
    """What an instruction says, a short line each."""
    lines = []
    for name, value in instruction.settings.items():
        old = _plain(getattr(before, name, None))
        if isinstance(value, list) and isinstance(old, list):
            lines += [f"{name}: added {each}" for each in value if each not in old]
            lines += [f"{name}: removed {each}" for each in old if each not in value]
        else:
            lines.append(f"{name}: {old} → {value}")
    lines += [f"seed {url}" for url in instruction.seeds]
    lines += [f"example {page.url or page.title}" for page in instruction.examples]
    lines += [f"unwanted {page.url or page.title}" for page in instruction.unwanted]
    words = {True: "relevant", False: "not relevant", None: "mark taken back:"}
    lines += [f"{words[mark.relevant]} {mark.of}" for mark in instruction.marks]
    if instruction.pause is not None:
        lines.append("pause" if instruction.pause else "go on")
    return [*lines, "stop"] if instruction.stop else lines


def wish_in_words(wish: Wish) -> str:
    """What a wish asks for, in a line."""
    body = wish.body
    if isinstance(body, Marks):
        words = {True: "relevant", False: "not relevant", None: "mark taken back:"}
        return ", ".join(f"{words[verdict]} {url}" for url, verdict in body.verdicts.items())
    if isinstance(body, Change):
        new = [f"{name}: {value}" for name, value in body.settings.items()]
        return "; ".join([*new, *(f"{name}: added {each}" for name in body.add for each in body.add[name])])
    if isinstance(body, Seeds):
        return f"{len(body.urls)} further seed{'s' * (len(body.urls) != 1)}: {', '.join(body.urls)}"
    if isinstance(body, Example):
        return f"{'example' if body.relevant else 'unwanted'} {body.url}"
    if isinstance(body, Undo):
        return f"take back event {body.seq:,}" if body.seq else "take back an earlier wish"
    return body.text if isinstance(body, Unknown) else str(msgspec.to_builtins(body)["kind"])


def _change(config: Config, wish: Change) -> Instruction:
    for name in (*wish.settings, *wish.add):
        if name in SECRET:
            raise UsageError(
                f"{name} may hold a secret, which the log must not have; give it to the resume: crawl --out"
            )
        if name not in SETTINGS or name in ADDED_TO:
            raise UsageError(
                f"{name!r} is no setting that can be changed; `topicrawl crawl --help` lists them"
            )
    if single := [name for name in wish.add if not isinstance(getattr(config, name), tuple | list)]:
        raise UsageError(f"{single[0]} is no list: give its new value")
    added = {name: [*getattr(config, name), *values] for name, values in wish.add.items()}
    given = {**wish.settings, **{name: list(dict.fromkeys(values)) for name, values in added.items()}}
    read = {name: SETTINGS[name].read(value, SETTINGS[name].flag) for name, value in given.items()}
    new = replace(config, **read)
    check_resume(config, new)
    found = instruction_between(config, new)
    if found is None:
        raise UsageError("the settings are so already")
    return found


def _seeds(config: Config, urls: list[str]) -> Instruction:
    links = {url: canonical(url) for url in urls}
    if bad := [url for url, link in links.items() if link is None]:
        raise UsageError(f"{bad[0]!r} is no http or https URL")
    fresh = [link for link in dict.fromkeys(links.values()) if link and link not in config.seeds]
    if not fresh:
        raise UsageError("these are seeds already")
    return Instruction(seeds=fresh)


def refuse_example(run: Run, wish: Example) -> None:
    """`UsageError` for an example that is none, or is one already."""
    link, topic = canonical(wish.url), logged_config(run).topic
    if link is None:
        raise UsageError(f"{wish.url!r} is no http or https URL")
    assert isinstance(topic, Topic)
    known = topic.examples if wish.relevant else topic.unwanted
    if any(link in (page.url, canonical(page.url)) for page in known):
        raise UsageError(f"{link} is an example already")


def _undo(run: Run, wish: Undo) -> Instruction:
    undo = taken_back_by(run, wish).undo
    assert undo is not None
    return undo


def taken_back_by(run: Run, wish: Undo) -> Entry:
    """The instruction that a wish takes back; `UsageError` if there is none, or it cannot be."""
    for entry in history(run):
        if entry.seq == wish.seq or (wish.wish and entry.wish == wish.wish):
            if entry.undo is None:
                raise UsageError(
                    f"{entry.what[0] if entry.what else 'this'}: it cannot be taken back, or is already"
                )
            return entry
    raise UsageError("there is no such instruction in the log")


def _reverse(
    run: Run,
    instruction: Instruction,
    before: Config,
    now: Config,
    earlier: Mapping[str, bool | None],
    standing: Mapping[str, bool | None],
    *,
    is_last_pause: bool,
) -> Instruction | None:
    """What takes an instruction back now; None where nothing of it stands, or it cannot be taken back.

    Seeds and examples stay: what came of them is in the crawl. `earlier` are the verdicts before it.
    """
    settings = {}
    for name, value in instruction.settings.items():
        old, new = _plain(getattr(before, name, None)), _plain(getattr(now, name, None))
        if isinstance(new, list) and isinstance(old, list) and isinstance(value, list):
            back = [each for each in new if each in old or each not in value]
            back += [each for each in old if each not in value and each not in back]
        else:
            back = old if new == value else new
        if back != new:
            settings[name] = back
    stands = {
        mark.of for mark in instruction.marks if standing.get(mark.of) == mark.relevant != earlier[mark.of]
    }
    marks = marking(run, [(url, earlier[url]) for url in earlier if url in stands]).marks
    pause = not instruction.pause if is_last_pause else None
    reverse = Instruction(settings=settings, marks=marks, pause=pause)
    return None if reverse == Instruction() else reverse


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
