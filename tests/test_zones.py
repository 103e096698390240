"""The pure zone stays pure: its modules import nothing that touches files, sockets, clocks, processes or randomness."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "topicrawl"
PURE = (
    "model.py",
    "errors.py",
    "urls.py",
    "safe_text.py",
    "core.py",
    "explain.py",
    "topic",
    "knowledge",
    "page",
    "relevance",
    "frontier",
    "strategies",
)
ALSO_PURE = (
    *(
        "report/metrics.py",
        "topicrawl_lab/oracle.py",
        "topicrawl_lab/judges.py",
        "topicrawl_lab/statistics.py",
    ),
    *(f"evaluate/plots/{name}.py" for name in ("sheet", "names", "curves", "ranks", "heat")),
)
NOT_PURE = ("crawl/parsing/pool.py", "crawl/parsing/worker.py", "crawl/parsing/process.py", "page/pdf.py")
EFFECTS = {
    *(
        "os",
        "io",
        "pathlib",
        "shutil",
        "tempfile",
        "socket",
        "ssl",
        "asyncio",
        "threading",
        "multiprocessing",
        "subprocess",
    ),
    *("time", "datetime", "secrets", "uuid", "sqlite3", "aiohttp", "requests", "urllib.request", "logging"),
    *(
        "topicrawl.web",
        "topicrawl.store",
        "topicrawl.crawl.live",
        "topicrawl.cli",
        "topicrawl.setup.config",
        "topicrawl.crawl.session",
    ),
}
GLOBAL_RANDOMNESS = {
    "random.random",
    "random.choice",
    "random.randrange",
    "random.shuffle",
    "np.random",
    "numpy.random",
}


def modules() -> list[Path]:
    found = [SOURCE / name for name in ALSO_PURE]
    for name in PURE:
        place = SOURCE / name
        found += [place] if place.is_file() else sorted(place.rglob("*.py"))
    return [path for path in found if path.exists() and str(path.relative_to(SOURCE)) not in NOT_PURE]


def imports(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_pure_module_has_no_effects(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    crossed = {
        name for name in imports(tree) if any(name == bad or name.startswith(bad + ".") for bad in EFFECTS)
    }
    assert not crossed, f"{path.name} imports {', '.join(sorted(crossed))}"
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert not {
        call for call in calls if call == "open" or any(call.startswith(bad) for bad in GLOBAL_RANDOMNESS)
    }


def test_the_pure_zone_is_not_empty() -> None:
    assert len(modules()) > 15
