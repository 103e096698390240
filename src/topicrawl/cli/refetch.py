"""`topicrawl crawl --refetch-missing`: get back what the archive of a run has lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from topicrawl.cli.output import Output
from topicrawl.cli.progress_bar import Countdown
from topicrawl.errors import RunError
from topicrawl.model import Visit


def refetch_missing(out: str | None, given: Mapping[str, Any], voice: Output) -> None:
    """Fetch again what the run in `out` is missing; `given` are settings that a resume may change, for now only."""
    from topicrawl.crawling.lifecycle import is_run, summary_of
    from topicrawl.crawling.refetch import Refetch
    from topicrawl.crawling.session import report, run_loop
    from topicrawl.setup.resolve import check_web, resume_config
    from topicrawl.setup.run_config import config_of
    from topicrawl.store.run import Run
    from topicrawl.store.verify import unreadable

    if not out or not is_run(Path(out)):
        raise RunError(f"--refetch-missing: {out or 'no --out'} is no run; name one with --out")
    with Run.open(Path(out)) as run:
        config = resume_config(config_of(run), given)
        for sentence in run.repairs:
            voice.remark(sentence)
        if not run.has_archive:
            raise RunError(f"--refetch-missing: {out} keeps no archive (keep.warc was false); leave it out")
        run.forget_archived(unreadable(run.path))
        wanted = run.missing_count
        if not wanted:
            voice.say(
                "refetched", f"nothing is missing from the archive of {out}", wanted=0, got=0, missing=0
            )
            return
        for warning in check_web(config):
            voice.remark(warning)
        with Countdown(voice.console, what="visits") as countdown:
            tally = _Tally(wanted, voice, countdown)
            sitting = Refetch(config, run, tally.told, voice.remark)
            run_loop(sitting.sit())
        missing = run.missing_count
        if (run.path / "report.html").exists():
            report(run, config, summary_of(run, config))
    tally.ended(missing, out, stopped=sitting.stopped)


class _Tally:
    """What became of the visits, and the words about it."""

    def __init__(self, wanted: int, voice: Output, countdown: Countdown) -> None:
        self._wanted, self._left, self._voice = wanted, wanted, voice
        self._countdown: Countdown | None = countdown
        self._problems: Counter[str] = Counter()

    def told(self, visit: Visit, problem: str | None) -> None:
        """One visit more: it has its records again, or there is a problem."""
        self._left -= 1
        if problem:
            self._problems[problem.partition(":")[0]] += 1
        if self._voice.verbose or self._voice.log_json:
            text = f"{visit.n:6}  {problem or 'archived again'}  {visit.asked}"
            self._voice.say("refetch", text, n=visit.n, url=visit.asked, problem=problem)
        elif self._countdown:
            try:
                self._countdown.cell(visit.asked, 1, problem is not None, self._left, self._left)
            except BrokenPipeError:
                self._voice.mute()
                self._countdown = None

    def ended(self, missing: int, out: str, *, stopped: bool) -> None:
        """The line at the end: what came back, what did not and why, and how to go on."""
        got = self._wanted - missing
        kinds = ", ".join(f"{why} {count:,}" for why, count in self._problems.most_common(5))
        rest = f"; {missing:,} are still missing" + (f" ({kinds})" if kinds else "") if missing else ""
        again = f"; go on with: topicrawl crawl --out {out} --refetch-missing" if stopped else ""
        self._voice.say(
            "refetched",
            f"got back the records of {got:,} of {self._wanted:,} visits{rest}{again}",
            **{"wanted": self._wanted, "got": got, "missing": missing, "problems": dict(self._problems)},
        )
