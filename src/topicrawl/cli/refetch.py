"""`topicrawl crawl --refetch-missing`: fetch the records again that the archive of a run has lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from topicrawl.cli.output import Output
from topicrawl.cli.progress_bar import Countdown
from topicrawl.errors import RunError
from topicrawl.model import Visit


def refetch_missing(out: str | None, given: Mapping[str, Any], output: Output) -> None:
    """Fetch again what the archive of the run in `out` has lost; `given` are settings for this session only."""
    from topicrawl.crawling.event_loop import run_loop
    from topicrawl.crawling.lifecycle import is_run, summary_of
    from topicrawl.crawling.refetch import Refetch
    from topicrawl.crawling.reporting import report
    from topicrawl.setup.resolve import check_web, resume_config
    from topicrawl.setup.run_config import config_of
    from topicrawl.store.run import Run
    from topicrawl.store.verify import unreadable

    if not out or not is_run(Path(out)):
        raise RunError(f"--refetch-missing: {out or 'no --out'} is no run; name one with --out")
    with Run.open(Path(out)) as run:
        config = resume_config(config_of(run), given)
        for sentence in run.repairs:
            output.remark(sentence)
        if not run.has_archive:
            raise RunError(f"--refetch-missing: {out} keeps no archive (keep.warc was false); leave it out")
        run.forget_archived(unreadable(run.path))
        wanted = run.missing_count
        if not wanted:
            output.say(
                "refetched", f"nothing is missing from the archive of {out}", wanted=0, got=0, missing=0
            )
            return
        for warning in check_web(config):
            output.remark(warning)
        with Countdown(output.console, what="visits") as countdown:
            tally = _Tally(wanted, output, countdown)
            session = Refetch(config, run, tally.count, output.remark)
            run_loop(session.sit)
        missing = run.missing_count
        if (run.path / "report.html").exists():
            report(run, config, summary_of(run, config))
    tally.ended(missing, out, stopped=session.stopped)


class _Tally:
    """Counts the visits fetched again and those that failed, and reports them."""

    def __init__(self, wanted: int, output: Output, countdown: Countdown) -> None:
        self._wanted, self._left, self._output = wanted, wanted, output
        self._countdown: Countdown | None = countdown
        self._problems: Counter[str] = Counter()

    def count(self, visit: Visit, problem: str | None) -> None:
        """Count one visit; `problem` says why its records could not be fetched, None that they were."""
        self._left -= 1
        if problem:
            self._problems[problem.partition(":")[0]] += 1
        if self._output.verbose or self._output.log_json:
            text = f"{visit.n:6}  {problem or 'archived again'}  {visit.asked}"
            self._output.say("refetch", text, n=visit.n, url=visit.asked, problem=problem)
        elif self._countdown:
            try:
                self._countdown.cell(visit.asked, 1, problem is not None, self._left, self._left)
            except BrokenPipeError:
                self._output.mute()
                self._countdown = None

    def ended(self, missing: int, out: str, *, stopped: bool) -> None:
        """Print the last line: what was fetched, what is still missing and why, and how to resume."""
        got = self._wanted - missing
        kinds = ", ".join(f"{why} {count:,}" for why, count in self._problems.most_common(5))
        rest = f"; {missing:,} are still missing" + (f" ({kinds})" if kinds else "") if missing else ""
        again = f"; go on with: topicrawl crawl --out {out} --refetch-missing" if stopped else ""
        self._output.say(
            "refetched",
            f"got back the records of {got:,} of {self._wanted:,} visits{rest}{again}",
            **{"wanted": self._wanted, "got": got, "missing": missing, "problems": dict(self._problems)},
        )
