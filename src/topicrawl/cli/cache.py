"""`topicrawl cache`: show what is in the user's cache folder, or clear it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from topicrawl.errors import UsageError
from topicrawl.terminal import say

EXAMPLES = """\
[bold]topicrawl cache[/]  shows where it is, what it is for and how large it is

[bold]topicrawl cache clear[/]  empties it; what is needed again is made again

$TOPICRAWL_CACHE names another folder. No run depends on the cache, and it may be cleared while crawls are running.
"""


def cache(
    action: Annotated[
        str,
        typer.Argument(metavar="clear", help="Empty the cache; without this, show it.", show_default=False),
    ] = "",
) -> None:
    """Show or clear the cache that makes recorded and invented webs faster to read."""
    from topicrawl.web.cache_folder import cache_folder, clear, kept

    if action not in ("", "clear"):
        raise UsageError(f"cache {action!r}: is unknown; write topicrawl cache, or topicrawl cache clear")
    folder = cache_folder()
    if action:
        freed, left = clear(folder)
        say(f"{megabytes(freed)} freed in {folder}")
        for path in left:
            say(f"note: {path.name} is in use; clear again later")
        return
    sizes: Counter[tuple[str, str]] = Counter()
    for file in kept(folder):
        sizes[file.web, file.purpose] += file.size
    say(f"{folder} holds {megabytes(sizes.total())}; clear it with: topicrawl cache clear")
    for (web, purpose), size in sorted(sizes.items()):
        say(f"{megabytes(size):>12}  {web}: {purpose}")


def megabytes(size: int) -> str:
    """A size in bytes as text."""
    return f"{size / 1e6:,.1f} MB"
