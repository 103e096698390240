"""Five groups of tags, by how much their text says about the page.

A text node counts once: in the group of its nearest ancestor that belongs to groups 0–3, else in group 4.
Paper: FCWSEO Table 2; IELP Table 1 is the same without `description`, which would be in group 4 (docs/papers.md, T4).
Differs: neither names `b`, `h6` and `th`; they count as `strong`, `h5` and `td`.
"""

from __future__ import annotations

HEADLINE, PARAGRAPH, REST = 0, 3, 4
"""The groups of title, keywords and description; of running text; of all other text."""

GROUP_OF = {
    "h1": HEADLINE,
    **dict.fromkeys(("h2", "h3"), 1),
    **dict.fromkeys(("h4", "h5", "h6", "strong", "b"), 2),
    **dict.fromkeys(("p", "td", "th", "li"), PARAGRAPH),
}
"""Tag -> group. Title and the two metas are not listed: they always have group 0."""
