"""Groups of scripts."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.judge.script_groups import group_of, script_groups

CHINESE, LATIN, GREEK, THAI = 1, 2, 4, 8


@pytest.mark.parametrize(
    ("pages", "groups"),
    [
        ({CHINESE: 20, LATIN: 300, CHINESE | LATIN: 30}, [CHINESE, LATIN]),
        ({CHINESE: 1, LATIN: 300, CHINESE | LATIN: 3}, [CHINESE, LATIN]),
        ({CHINESE: 200, LATIN: 6, CHINESE | LATIN: 300}, [CHINESE | LATIN]),
        ({CHINESE: 3, CHINESE | LATIN: 1}, [CHINESE | LATIN]),
        ({CHINESE: 4, CHINESE | LATIN: 1}, [CHINESE, LATIN]),
        ({0: 5, LATIN: 9}, [LATIN]),
        ({CHINESE | LATIN: 9, LATIN | GREEK: 9, THAI: 2}, [CHINESE | LATIN | GREEK, THAI]),
        ({0: 5}, []),
        ({}, []),
    ],
)
def test_scripts_that_many_pages_mix_are_in_one_group(pages: dict[int, int], groups: list[int]) -> None:
    found = np.repeat(np.array([*pages], np.int64), [*pages.values()])
    assert script_groups(found) == groups
    assert script_groups(found[::-1]) == groups


def test_a_page_in_any_script_of_the_first_group_is_in_that_and_others_in_their_own() -> None:
    scripts = np.array([0, LATIN, CHINESE, CHINESE | LATIN, GREEK, CHINESE | GREEK, THAI, THAI | GREEK])
    assert group_of(scripts, [CHINESE, GREEK | THAI]).tolist() == [0, 0, 1, 0, 2, 1, 2, 2]
    assert group_of(scripts, []).tolist() == [0] * len(scripts)
