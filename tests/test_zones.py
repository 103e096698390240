"""ARCHITECTURE.md is true: packages import only those below them, and the pure zone touches nothing outside."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
PRODUCT = SOURCE / "topicrawl"
PURE = (
    *("model.py", "errors.py", "urls.py", "floats.py", "safe_text.py", "toml_text.py"),
    *("topic", "page", "knowledge", "text", "judge", "value", "frontier", "strategies", "scout"),
    *("crawling/core.py", "crawling/host_slots.py", "crawling/instructions.py", "crawling/replay.py"),
    *("crawling/revisits.py", "crawling/known_pages.py"),
    *("crawling/letters.py", "crawling/entering.py"),
    *(f"shards/{name}.py" for name in ("shard", "coordinator", "teacher", "lockstep", "hub", "messages")),
    *("crawling/explain.py", "crawling/live_state.py", "crawling/state", "crawling/verdicts.py"),
    *("report/metrics.py", "report/svg.py", "report/charts.py"),
    *(f"../topicrawl_lab/{name}.py" for name in ("oracle", "judges", "statistics")),
    *(f"../topicrawl_lab/plots/{name}.py" for name in ("labels", "curves", "ranks", "heat")),
)
NOT_PURE = ("page/pdf.py",)
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
    ),
    *(
        "subprocess",
        "time",
        "datetime",
        "secrets",
        "uuid",
        "sqlite3",
        "aiohttp",
        "requests",
        "urllib.request",
    ),
    *("logging", "topicrawl.web", "topicrawl.store", "topicrawl.setup", "topicrawl.cli"),
}
GLOBAL_RANDOMNESS = ("random.random", "random.choice", "random.randrange", "random.shuffle", "np.random")
SEEDED = {"np.random.Generator", "np.random.PCG64"}


def pure_modules() -> list[Path]:
    found: list[Path] = []
    for name in PURE:
        place = PRODUCT / name
        found += [place] if place.is_file() else sorted(place.rglob("*.py"))
    return [path for path in found if path not in {PRODUCT / name for name in NOT_PURE}]


def imports(tree: ast.AST) -> set[str]:
    """The modules that a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


@pytest.mark.parametrize(
    "path",
    pure_modules(),
    ids=lambda path: (
        str(path.relative_to(PRODUCT, walk_up=True)) if sys.version_info >= (3, 12) else path.name
    ),
)
def test_a_pure_module_has_no_effects(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    crossed = {
        name for name in imports(tree) if any(name == bad or name.startswith(bad + ".") for bad in EFFECTS)
    }
    assert not crossed, f"{path.name} imports {', '.join(sorted(crossed))}"
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert not {call for call in calls - SEEDED if call == "open" or call.startswith(GLOBAL_RANDOMNESS)}


def drawn_layers() -> list[list[str]]:
    """The layers of ARCHITECTURE.md, lowest first: packages and modules that stand on one line of the drawing."""
    drawing = re.search(r"```layers\n(.*?)```", (ROOT / "ARCHITECTURE.md").read_text("utf-8"), re.DOTALL)
    assert drawing, "ARCHITECTURE.md has no drawing of the layers"
    return [line.split("  ")[0].split() for line in reversed(drawing[1].strip().splitlines())]


def packages() -> Iterator[tuple[str, Path]]:
    """Every module of both packages with the name that the drawing gives to where it is."""
    for path in SOURCE.rglob("*.py"):
        first, *rest = path.relative_to(SOURCE).parts
        yield (
            (first if first != "topicrawl" or rest == ["__init__.py"] else rest[0].removesuffix(".py")),
            path,
        )


def test_packages_import_only_what_the_drawing_has_below_them() -> None:
    layers = drawn_layers()
    height = {name: level for level, names in enumerate(layers) for name in names}
    wrong = []
    for name, path in packages():
        for module in imports(ast.parse(path.read_text(encoding="utf-8"))):
            first, *rest = module.split(".")
            target = rest[0] if first == "topicrawl" and rest else first
            if target not in ("topicrawl", name) and height.get(target, -1) > height[name]:
                wrong.append(f"{path.relative_to(SOURCE)} imports {module}")
    assert not wrong


def test_the_drawing_has_every_package() -> None:
    drawn = {name for names in drawn_layers() for name in names}
    assert drawn == {name for name, _ in packages()} | {"_native"}


def test_a_crawl_loads_no_module_of_the_laboratory(tmp_path: Path) -> None:
    script = """if True:
        import sys
        from topicrawl.cli import run
        words = "crawl --web invented:7 --topic rainstorm --seeds http://no-such-host.invented.test/ --pages 1 --quiet"
        run([*words.split(), "--out", sys.argv[1]])
        print(*(name for name in sys.modules if name.startswith("topicrawl_lab")))
    """
    ran = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "run")], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == ""
    assert (tmp_path / "run" / "visits.jsonl").exists()
