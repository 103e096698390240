"""Example pages in a run's configuration: their text readable, their structure packed."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

import msgspec
import zstandard

from topicrawl.errors import ConfigError
from topicrawl.model import Page


class Entry(msgspec.Struct):
    """The keys of an example.

    `structure` holds the positions of headings and links and the targets of links. Runs begun by an earlier version
    have none: such a page has no links.
    """

    url: str = ""
    title: str = ""
    language: str = ""
    text: str = ""
    structure: str = ""


def example_entry(page: Page) -> dict[str, str]:
    """The keys and values of an example."""
    rest = msgspec.structs.replace(page, url="", title="", language="", text="")
    packed = b64encode(zstandard.compress(msgspec.msgpack.encode(rest))).decode()
    return msgspec.structs.asdict(Entry(page.url, page.title, page.language, page.text, packed))


def read_example(entry: Any, source: str) -> Page:
    """The page that `example_entry` has written; `ConfigError` naming `source` for anything else."""
    try:
        kept = msgspec.convert(entry, Entry)
        rest = _unpacked(kept.structure) if kept.structure else Page("")
    except (ValueError, zstandard.ZstdError):
        raise ConfigError(
            f"{source}: an example of the topic is not as the run wrote it; put the original back"
        ) from None
    return msgspec.structs.replace(
        rest, url=kept.url, title=kept.title, language=kept.language, text=kept.text
    )


def _unpacked(structure: str) -> Page:
    return msgspec.msgpack.decode(zstandard.decompress(b64decode(structure, validate=True)), type=Page)
