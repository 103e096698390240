"""Mutation testing: change the code in one place, run the tests that concern it, and see whether one fails.

    python tools/mutation.py --sample 60 --seed 1             all packages of tools/mutation.toml
    python tools/mutation.py --package robots --module robots_file --list

A mutant that no test notices has survived. For each package a sample of all mutants (mutants.py) is drawn with the
seed. Tests run in the order of the table until one fails; golden files, which were made by the code, come last, so
that the share killed without them is known too. Each mutant is run in a process forked from one that has imported
pytest and the libraries, but nothing of topicrawl.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.abc
import importlib.machinery
import json
import os
import random
import resource
import signal
import sys
import time
import tomllib
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from types import CodeType

from mutants import Mutant, mutants, mutated
from mutation_page import GOLDENS, SURVIVED, TESTS, write_page

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "topicrawl"
TABLE = ROOT / "tools" / "mutation.toml"
PAGE = ROOT / "docs" / "evidence" / "mutation.md"
RESULTS = ROOT / "build" / "mutation.jsonl"
GOLDEN = "golden/test_golden.py::test_a_strategy_chooses_as_recorded"
SLOWER = 5
"""A mutant may take so many times the processor time of the unchanged module; then it counts as killed."""
LONGEST = 600
"""Seconds after which a mutant that waits without computing counts as killed."""


@dataclass(frozen=True)
class Module:
    """A module with the tests that concern it."""

    package: str
    path: str
    tests: tuple[str, ...]
    golden: tuple[str, ...]

    @property
    def source(self) -> str:
        return (SOURCES / self.path).read_text(encoding="utf-8")

    @property
    def name(self) -> str:
        return "topicrawl." + self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def stages(self) -> Iterator[tuple[str, list[str]]]:
        """Who would have killed, and the tests to run."""
        yield TESTS, [str(ROOT / "tests" / test) for test in self.tests]
        if self.golden:
            yield GOLDENS, [f"{ROOT}/tests/{GOLDEN}[{name}]" for name in self.golden]


def main() -> None:
    """Run the mutants asked for, and write the page from all results."""
    wanted = _arguments()
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    history = table.pop("history", "")
    equivalent = {_key(each): each["reason"] for each in table.pop("equivalent", [])}
    modules = [
        Module(package, path, tuple(each["tests"]), tuple(each["golden"]))
        for package, members in table.items()
        for path, each in members.items()
    ]
    drawn = _drawn(modules, wanted.sample, wanted.seed, everything=bool(wanted.module))
    chosen = {each.path: each for each in modules if each.package in (wanted.package or table)}
    to_run = [
        each
        for each in drawn
        if each.module in chosen
        and (wanted.module or "") in each.module
        and _key(asdict(each)) not in equivalent
        and not (wanted.survivors and _killer(each) != SURVIVED)
    ]
    if wanted.list:
        print(*(f"{each.module}:{each.line} {each.before} → {each.after}" for each in to_run), sep="\n")
        return
    if not wanted.page_only:
        _warm_up()
        RESULTS.parent.mkdir(exist_ok=True)
        _run(chosen, to_run)
    if not wanted.module:
        packages = {each.path: each.package for each in modules}
        rows = [
            (packages[each.module], each, equivalent.get(_key(asdict(each))), _killer(each)) for each in drawn
        ]
        write_page(PAGE, rows, sample=wanted.sample, seed=wanted.seed, history=history)


def _key(facts: Mapping[str, object]) -> tuple[object, ...]:
    return facts["module"], facts["code"], facts["before"], facts["after"]


@cache
def _results() -> dict[tuple[object, ...], str]:
    """What killed each mutant when it was last run."""
    if not RESULTS.exists():
        return {}
    rows = map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines())
    return {(*_key(row), row["place"]): row["killer"] for row in rows}


def _killer(mutant: Mutant) -> str | None:
    return _results().get((*_key(asdict(mutant)), mutant.place))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=60, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--package", action="append", help="only this package; may be repeated")
    parser.add_argument("--module", help="only modules whose path contains this; all their mutants")
    parser.add_argument("--list", action="store_true", help="print the mutants and run none")
    parser.add_argument("--survivors", action="store_true", help="only mutants that survived when last run")
    parser.add_argument(
        "--page-only", action="store_true", help="write the page from the results of earlier runs"
    )
    return parser.parse_args()


def _drawn(modules: Sequence[Module], sample: int, seed: int, *, everything: bool) -> list[Mutant]:
    """A sample of the mutants of each package, or all."""
    found: list[Mutant] = []
    for package in dict.fromkeys(each.package for each in modules):
        members = [each for each in modules if each.package == package]
        every = [mutant for each in members for mutant in mutants(each.path, each.source)]
        rng = random.Random(f"{seed} {package}")
        found += sorted(every if everything else rng.sample(every, min(sample, len(every))))
    return found


def _run(modules: Mapping[str, Module], drawn: Sequence[Mutant]) -> None:
    """Run mutants one after the other, and append what killed each to the results."""
    usual: dict[tuple[str, str], float] = {}
    with RESULTS.open("a", encoding="utf-8") as results:
        for number, mutant in enumerate(drawn, 1):
            module, killer, began = modules[mutant.module], SURVIVED, time.monotonic()
            tree = mutated(module.source, mutant)
            for stage, tests in module.stages():
                limit = usual.get((module.path, stage))
                if limit is None:
                    limit = usual[module.path, stage] = _usual(tests)
                if _fails(
                    tests, limit * SLOWER + 5, lambda tree=tree, module=module: _install(module.name, tree)
                ):
                    killer = stage
                    break
            row = asdict(mutant) | {"killer": killer}
            results.write(json.dumps(row, ensure_ascii=False) + "\n")
            results.flush()
            took = time.monotonic() - began
            change = f"{mutant.before} → {mutant.after}".replace("\n", " ")[:100]
            print(
                f"{number}/{len(drawn)} {killer:8} {took:5.1f} s {mutant.module}:{mutant.line} {change}",
                flush=True,
            )


def _usual(tests: Sequence[str]) -> float:
    """Processor time of the tests with the unchanged module; they must pass."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if _fails(tests, 600, lambda: None):
        sys.exit(f"these tests fail without any change, or there is none: {' '.join(tests)}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _fails(tests: Sequence[str], seconds: float, prepare: Callable[[], None]) -> bool:
    """Whether a test fails, in a process of its own, or takes more processor time than given."""
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
            _silence()
            prepare()
            code = _pytest(tests)
        except BaseException:
            traceback.print_exc()
            code = 1
        os._exit(code)
    ends = time.monotonic() + LONGEST
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status != 0
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def _pytest(tests: Sequence[str]) -> int:
    import pytest

    os.chdir(ROOT)
    return int(
        pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", *tests])
    )


def _silence() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from a changed tree."""

    tree: object = None

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.path, "exec")  # type: ignore[call-overload]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module, to be loaded from a changed tree."""

    def __init__(self, name: str, tree: object) -> None:
        self._name, self._tree = name, tree

    def find_spec(
        self, fullname: str, path: object, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)  # type: ignore[arg-type]
        assert spec is not None
        assert spec.origin is not None
        loader = _Loader(fullname, spec.origin)
        loader.tree = self._tree
        spec.loader = loader
        return spec


def _install(name: str, tree: object) -> None:
    sys.meta_path.insert(0, _Finder(name, tree))


def _warm_up() -> None:
    """Import the libraries that tests import, so that forked processes need not."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        _silence()
        sys.dont_write_bytecode = True
        _pytest(["--collect-only", str(ROOT / "tests/strategies"), str(ROOT / "tests/web/http")])
        names = [
            name
            for name, module in list(sys.modules.items())
            if (getattr(module, "__file__", None) or "").find("python3") > 0
            and not name.startswith("topicrawl")
        ]
        os.write(write, json.dumps(names).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        names = json.loads(pipe.read() or b"[]")
    os.waitpid(child, 0)
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:  # it is imported when it is needed
            continue


if __name__ == "__main__":
    main()
