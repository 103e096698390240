"""Pages that stand in for examples."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.value.stand_ins import COMPLETED, in_other_scripts, stand_ins

CHINESE, LATIN = 1, 2


def every(page: int) -> bool:
    return True


def test_seeds_with_terms_come_first_then_pages_with_most_terms() -> None:
    terms, chosen = [0.1, 0.0, 0.9, 0.5, 0.2], [True, True, False, False, False]
    assert stand_ins(terms, chosen, 2, every, has_marks=False) == [0, 2, 3]
    assert stand_ins(terms, chosen, 2, lambda page: page != 2, has_marks=False) == [0, 3, 4]
    assert stand_ins(terms, chosen, 5, every, has_marks=False) == [0]
    assert stand_ins(terms, chosen, 5, every, has_marks=True) == []


def others(
    scripts: list[int], terms: list[float], known: int = LATIN, shown: tuple[int, ...] = (LATIN,)
) -> dict[int, list[int]]:
    return in_other_scripts(known, np.array(shown), np.array(scripts, np.int64), terms, every)


def test_in_other_scripts_pages_with_as_many_terms_as_relevant_pages_in_known_ones_stand_in() -> None:
    scripts = [LATIN, LATIN, LATIN, CHINESE, CHINESE, CHINESE, LATIN | CHINESE, 0, CHINESE]
    terms = [0.6, 0.2, 0.7, 0.9, 0.45, 0.66, 0.65, 1.0, 0.0]
    assert others(scripts, terms) == {CHINESE: [5, 3]}, (
        "about the median of .6, .65 and .7, from their mean on"
    )
    assert others(scripts, terms, known=LATIN | CHINESE) == {}


def test_pages_stuffed_with_terms_come_last() -> None:
    number = COMPLETED + 3
    scripts = [LATIN] * 4 + [CHINESE] * 2 * number
    terms = [0.7, 0.7, 0.7, 0.2] + [0.95] * number + [0.68] * number
    assert others(scripts, terms) == {CHINESE: [*range(4 + number, 4 + number + COMPLETED)]}


@pytest.mark.parametrize(("shown", "completed"), [(0, COMPLETED), (4, COMPLETED - 4), (COMPLETED + 2, 0)])
def test_pages_complete_examples_in_their_script(shown: int, completed: int) -> None:
    found = others([CHINESE] * 20, [0.5] * 20, shown=(LATIN,) * 20 + (CHINESE,) * shown)
    assert found == {CHINESE: [*range(completed)]}


def test_without_known_pages_those_with_most_terms_stand_in_and_none_without() -> None:
    assert others([CHINESE, CHINESE, CHINESE, 0], [0.2, 0.0, 0.4, 0.9]) == {CHINESE: [2, 0]}
    assert others([CHINESE], [0.0]) == {}
    assert others([], []) == {}


def test_every_other_script_has_pages_of_its_own() -> None:
    cyrillic = 4
    found = others([CHINESE, cyrillic, CHINESE | cyrillic, CHINESE | LATIN], [0.5, 0.6, 0.7, 0.3])
    assert found == {CHINESE: [0], cyrillic: [1], CHINESE | cyrillic: [2]}


def test_marked_pages_stand_in_for_none() -> None:
    scripts, terms = np.array([CHINESE] * 3), [0.5, 0.6, 0.7]
    assert in_other_scripts(LATIN, np.array([LATIN]), scripts, terms, lambda page: page != 2) == {
        CHINESE: [1, 0]
    }
