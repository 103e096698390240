"""The units of examples/systemd are valid and closed, as systemd itself says, and the documentation shows them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from topicrawl.cli import docs as generated

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "examples" / "systemd"
SERVICES = ["topicrawl-crawl@.service", "topicrawl-watch@.service", "topicrawl-turn@.service"]
TARGETS = ("network-online", "network", "multi-user", "timers", "sysinit", "basic", "shutdown")
MOST_EXPOSED = 1.5
"""Of 10; without any of the settings of topicrawl.conf a service has 9.6."""

pytestmark = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a system with the units, and a program at the place that they name."""
    root = tmp_path_factory.mktemp("system")
    units = root / "etc" / "systemd" / "system"
    shutil.copytree(UNITS, units)
    for target in TARGETS:
        (units / f"{target}.target").write_text(f"[Unit]\nDescription={target}\n")
    program = root / "opt" / "topicrawl" / "bin" / "topicrawl"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return root


def analyze(system: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", command[0], f"--root={system}", *command[1:]],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("unit", [*SERVICES, "topicrawl-turn@.timer"])
def test_systemd_finds_nothing_wrong_with_a_unit(unit: str, system: Path) -> None:
    done = analyze(system, "verify", "--man=no", unit.replace("@", "@storms"))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_systemd_would_complain_of_a_setting_that_it_does_not_know(system: Path) -> None:
    broken = system / "etc" / "systemd" / "system" / "topicrawl-broken.service"
    broken.write_text("[Service]\nExecStart=/opt/topicrawl/bin/topicrawl\nProtectSytem=strict\n")
    done = analyze(system, "verify", "--man=no", broken.name)
    broken.unlink()
    assert "ProtectSytem" in done.stderr


@pytest.mark.parametrize("unit", SERVICES)
def test_a_service_may_do_little(unit: str, system: Path) -> None:
    done = analyze(system, "security", "--offline=yes", "--no-pager", unit.replace("@", "@storms"))
    exposed = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert exposed, done
    assert float(exposed[1]) <= MOST_EXPOSED


@pytest.mark.parametrize("unit", SERVICES)
def test_a_service_starts_a_command_with_flags_that_exist(unit: str) -> None:
    (started,) = re.findall(
        r"^ExecStart=/opt/topicrawl/bin/topicrawl (.+)$", (UNITS / unit).read_text(), re.M
    )
    command, *words = started.split()
    flags = {flag for each in dict(generated.commands())[command].params for flag in each.opts}
    assert {word for word in words if word.startswith("--")} <= flags


def test_the_documentation_quotes_the_units_as_they_are() -> None:
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    quoted = dict(re.findall(r'^```ini title="([^"]+)"\n(.*?)^```$', page, re.M | re.S))
    assert quoted
    for file, text in quoted.items():
        assert (ROOT / file).read_text() == text, file
