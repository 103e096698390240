"""Five groups of tags: where a word stands tells how much it says about the page.

A text node counts once: in the group of its nearest ancestor that belongs to groups 0–3, else in group 4.
Paper: IELP table 1 with `description` added as in FCWSEO table 2.
Differs: neither names `b`, `h6` and `th`; they are read as the `strong`, `h5` and `td` they look like.
"""

from __future__ import annotations

HEADLINE, PARAGRAPH, REST = 0, 3, 4
"""The groups of title, keywords and description; of running text; and of whatever no tag vouches for."""

GROUP_OF = {
    "h1": HEADLINE,
    **dict.fromkeys(("h2", "h3"), 1),
    **dict.fromkeys(("h4", "h5", "h6", "strong", "b"), 2),
    **dict.fromkeys(("p", "td", "th", "li"), PARAGRAPH),
}
"""Tag -> group. Title and the two metas are no ancestors of visible text and are put in group 0 by hand."""
