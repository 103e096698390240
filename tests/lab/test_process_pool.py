from __future__ import annotations

from pathlib import Path

from lab.handlers import Divide
from topicrawl_lab.process_pool import Failed, ProcessPool, keep_trace, trace_file


def test_the_traceback_of_a_failed_job_is_kept_beside_the_file_of_its_answer(tmp_path: Path) -> None:
    answers = dict(ProcessPool(Divide(), 1).work([3, 0, 4]))
    failed = answers[0]
    assert (answers[3], answers[4]) == (4, 3), "the other jobs are done"
    assert isinstance(failed, Failed)
    assert failed.why == "ZeroDivisionError: division by zero"
    file = tmp_path / "a.task" / "0.5.jsonl"
    assert keep_trace(failed, file) == trace_file(file) == tmp_path / "a.task" / "0.5.traceback.txt"
    assert "in __call__" in trace_file(file).read_text("utf-8")
    assert keep_trace(Failed("an error that explains itself"), file) is None
    assert not trace_file(file).exists(), "only the traceback of the last try is kept"
    keep_trace(failed, file)
    keep_trace(answers[4], file)
    assert not trace_file(file).exists()
