"""The processes of Ray on a machine."""

from __future__ import annotations

import pytest

from topicrawl.cluster.node import health_checks


@pytest.mark.parametrize(("lease", "seconds"), [(15.0, 20.0), (60.0, 80.0), (1.0, 5 * (2.0 + 1 / 15))])
def test_the_head_gives_a_node_up_after_a_lease_and_a_third_of_it(lease: float, seconds: float) -> None:
    found = {
        name.removeprefix("RAY_health_check_"): int(value) for name, value in health_checks(lease).items()
    }
    waited = found["failure_threshold"] * (found["timeout_ms"] + found["period_ms"]) / 1000
    assert waited == pytest.approx(seconds, abs=0.01)
