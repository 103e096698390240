"""Judges by name: those of topicrawl, and those of other packages under the entry point `topicrawl.judges`."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points

from topicrawl.errors import ConfigError, TopicrawlError
from topicrawl.frontier.columns import Allocator, in_memory
from topicrawl.judge import Judge, OwnJudge
from topicrawl.judge.outside import Absent, check_given
from topicrawl.judge.terms import ByTerms
from topicrawl.model import Topic

TERMS, EXAMPLES = "terms", "examples"
OURS = (TERMS, EXAMPLES)
LLM = "llm"
"""The judge that has settings of its own."""
PYTHON = "python"
"""The name of a function or object that a Python program passed; only such a program can resume the run."""
THRESHOLDS = {TERMS: 0.62}
"""Relevance above which a page counts as relevant: α and r1 of the papers; `LIKELY` for every other judge."""
LIKELY = 0.5


def judge_names() -> list[str]:
    """All names that `--judge` takes, sorted."""
    return sorted({*OURS, *_others()})


def check_judge(spec: str) -> str:
    """The judge as a run keeps it; `ConfigError` if there is none of this name, or its argument cannot be used.

    A judge from outside may have `check(argument)`, which returns the argument to keep, such as a full path.
    """
    name, _, argument = spec.partition(":")
    if name in OURS and argument:
        raise ConfigError(f"--judge {spec!r}: {name!r} takes no argument; write --judge {name}")
    if name not in (*OURS, PYTHON) and name not in _others():
        near = get_close_matches(name, judge_names(), 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ConfigError(f"unknown judge {name!r}; {hint}there are {', '.join(judge_names())}")
    if name in (*OURS, PYTHON) or (check := getattr(_loaded(spec), "check", None)) is None:
        return spec
    kept = check(argument)
    return f"{name}:{kept}" if kept else name


def make_judge(spec: str, topic: Topic, allocator: Allocator = in_memory) -> Judge:
    """A new judge for a crawl of `topic`; `spec` is NAME or NAME:ARGUMENT.

    One from outside is made from topic and argument. One that is not installed is `Absent`: a log can be read without
    it.
    """
    name, _, argument = spec.partition(":")
    if name in OURS:
        return own_judge(name, topic, allocator)
    if name not in _others():
        return Absent(name)
    make = _loaded(spec)
    try:
        judge = make(topic, argument)
    except TopicrawlError:
        raise
    except Exception as error:
        raise ConfigError(f"--judge {spec}: cannot be made ({error!r}); mend it or its argument") from error
    check_given(judge, f"--judge {spec}")
    return judge


def _loaded(spec: str) -> Callable[[Topic, str], Judge]:
    """What makes the judge `spec` of another package."""
    try:
        make: Callable[[Topic, str], Judge] = _others()[spec.partition(":")[0]].load()
    except TopicrawlError:
        raise
    except Exception as error:
        raise ConfigError(f"--judge {spec}: cannot be loaded ({error!r}); mend its package") from error
    return make


def own_judge(name: str, topic: Topic, allocator: Allocator = in_memory) -> OwnJudge:
    """One of the judges of topicrawl."""
    if name == TERMS:
        return ByTerms()
    from topicrawl.judge.examples import ByExamples  # other crawls do without it

    return ByExamples(topic, allocator)


def default_threshold(spec: str) -> float:
    """The threshold where none is given."""
    return THRESHOLDS.get(spec, LIKELY)


def _others() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="topicrawl.judges")}
