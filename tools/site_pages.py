"""Adds pages of the root folder to the site, and expands `folder/*` in nav to every page there.

A hook of mkdocs (`hooks` in mkdocs.yml); `make site` runs it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT_PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
"""Pages in the root folder of the repository."""
_TO_DOCS = re.compile(r"\]\(docs/")
_TO_ROOT = re.compile(rf"\]\(\.\./((?:\.\./)*(?:{'|'.join(map(re.escape, ROOT_PAGES))}))")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Expand `folder/*` in nav, so that a new strategy or decision needs no line there."""
    config.nav = _expanded(config.nav, Path(config.docs_dir))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the root folder."""
    for name in ROOT_PAGES:
        text = (Path(config.docs_dir).parent / name).read_text("utf-8")
        files.append(File.generated(config, name, content=_TO_DOCS.sub("](", text)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Rewrite links from docs/ to pages of the root folder."""
    return _TO_ROOT.sub(r"](\1", markdown)


def _expanded(nav: Any, docs: Path) -> Any:
    if isinstance(nav, dict):
        return {title: _expanded(below, docs) for title, below in nav.items()}
    if not isinstance(nav, list):
        return nav
    entries: list[Any] = []
    for entry in nav:
        if isinstance(entry, str) and entry.endswith("/*"):
            entries += [
                path.relative_to(docs).as_posix() for path in sorted((docs / entry[:-2]).glob("*.md"))
            ]
        else:
            entries.append(_expanded(entry, docs))
    return entries
