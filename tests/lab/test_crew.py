from __future__ import annotations

from pathlib import Path

from evaluate.crafts import Divide

from topicrawl_lab.process_pool import Failed, ProcessPool, keep_trace, trace_file


def test_a_job_that_raises_keeps_its_traceback_beside_where_its_answer_would_lie(tmp_path: Path) -> None:
    answers = dict(ProcessPool(Divide(), 1).work([3, 0, 4]))
    failed = answers[0]
    assert (answers[3], answers[4]) == (4, 3), "the others are done"
    assert isinstance(failed, Failed)
    assert failed.why == "ZeroDivisionError: division by zero"
    file = tmp_path / "a.task" / "0.5.jsonl"
    assert keep_trace(failed, file) == trace_file(file) == tmp_path / "a.task" / "0.5.traceback.txt"
    assert "in __call__" in trace_file(file).read_text("utf-8")
    assert keep_trace(Failed("an error that explains itself"), file) is None
    assert not trace_file(file).exists(), "that of the last time only"
    keep_trace(failed, file)
    keep_trace(answers[4], file)
    assert not trace_file(file).exists()
