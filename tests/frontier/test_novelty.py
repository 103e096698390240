"""Which share of a page's text is new on its site."""

from __future__ import annotations

import pytest

from topicrawl.frontier.novelty import Novelty
from topicrawl.model import Links, Page, pack_ints

OLD = "the river rose over its banks in the night"
NEW = "a hurricane took the roofs of forty houses"
assert len(OLD) == len(NEW) == 42


def page(text: str, *spans: tuple[int, int]) -> Page:
    """A page with links at these places of its text."""
    starts, ends = (pack_ints(list(each)) for each in (zip(*spans, strict=True) if spans else ((), ())))
    blank = [""] * len(spans)
    return Page(
        "http://h.test/", text=text, links=Links(blank, blank, blank, starts, ends, bytes(len(spans)))
    )


def share(novelty: Novelty, text: str, *spans: tuple[int, int], site: str = "h.test") -> float:
    return novelty.of(site, page(text, *spans))[0]


def test_the_share_of_letters_in_pieces_that_the_site_did_not_have() -> None:
    novelty = Novelty()
    assert share(novelty, OLD) == 1.0
    assert share(novelty, OLD) == 0.0
    assert share(novelty, f"{OLD}. {NEW}"[:-1] + "s") == pytest.approx(43 / 85), "with the space before it"
    assert share(novelty, OLD, site="other.test") == 1.0, "each site has its own texts"


@pytest.mark.parametrize("mark", [". ", "\n", "! ", "? ", " 2026 ", "。"])
def test_a_piece_ends_at_punctuation_line_ends_and_numbers(mark: str) -> None:
    novelty = Novelty()
    share(novelty, OLD.replace("banks", f"banks{mark}", 1))
    assert (
        0.0
        < share(novelty, OLD.replace("in the night", "in the light").replace("banks", f"banks{mark}", 1))
        < 1.0
    )


def test_pieces_of_less_than_eight_letters_do_not_count_and_little_text_counts_as_none() -> None:
    assert share(Novelty(), "seven l." * 20) == 0.0
    assert share(Novelty(), "a" * 8 + "." + "b" * 32) == 1.0, "forty letters"
    assert share(Novelty(), "a" * 7 + "." + "b" * 33) == 0.0, "thirty-three"


def test_only_the_middle_1200_letters_count() -> None:
    novelty = Novelty()
    middle = (OLD + ".") * 30
    share(novelty, middle[:1200])
    around = NEW + "." + middle[:1200] + "." + NEW
    assert share(novelty, around) == 0.0
    assert share(novelty, around[:43] + middle[:1100] + around[-43:]) > 0.0


def test_links_do_not_count_unless_little_else_is_left() -> None:
    novelty = Novelty()
    assert share(novelty, OLD) == 1.0
    text = f"{OLD}.{NEW}"
    assert share(novelty, text, (42, len(text))) == 0.0, "what is new is a link"
    assert share(novelty, text, (0, len(text))) == pytest.approx(0.5), "all is a link"


def test_new_words_are_counted_among_long_words_of_the_first_half_of_the_sample() -> None:
    novelty = Novelty()
    ten = " ".join(f"longer{letter}" for letter in "abcdefghij")
    nine = ten[: ten.rindex(" ")]
    assert novelty.of("h.test", page(nine))[1] == 1.0
    assert novelty.of("h.test", page(nine))[1] == 1.0, "fewer than ten words prove nothing"
    assert novelty.of("h.test", page(ten))[1] == pytest.approx(0.1), "nine of ten were known"
    assert novelty.of("h.test", page(ten.replace("longer", "short")))[1] == 1.0, "six letters are long"
    half = ten + " " * (600 - len(ten))
    assert novelty.of("h.test", page(half + " ".join(f"newest{letter}" for letter in "abcdefghij")))[1] == 0.0
