"""Bibliographic records in the formats that databases export."""

from __future__ import annotations

import pytest

from topicrawl.topic.records import Record, read_bibtex, read_csv, read_jsonl, read_ris

RIS = """TY  - JOUR
TI  - Flash floods in
      small basins
AB  - Rain falls.
Then water rises.
KW  - flood
KW  - basin; slope
ER  -

TY  - JOUR
T1  - Landslides
N2  - Slopes fail.
ER  - """


def test_ris_records_end_at_er_and_lines_without_a_tag_continue() -> None:
    records, remarks = read_ris(RIS.encode())
    assert records == [
        Record(
            1, "Flash floods in small basins", "Rain falls. Then water rises.", ("flood", "basin", "slope")
        ),
        Record(2, "Landslides", "Slopes fail."),
    ]
    assert remarks == []


def test_a_ris_record_without_an_end_is_kept_and_one_without_title_and_abstract_is_not() -> None:
    records, remarks = read_ris(b"TY  - JOUR\nAU  - Somebody\nTY  - JOUR\nTI  - Hail\n")
    assert [record.title for record in records] == ["Hail"]
    assert remarks == ["1 of 2 records have no TI, T1 or AB; skipped"]


def test_bibtex_entries_are_read_without_their_markup() -> None:
    text = r"""@article{a1, title = {The {N}i{\~n}o and M\"uller's \emph{storms}}, year = 2001,
      abstract = "Heavy {"}rain{"} falls", keywords = {flood, debris flow}}
      @comment{not, title={one}}
      @inproceedings{b2, Title={Hail}, }"""
    records, remarks = read_bibtex(text.encode())
    assert records == [
        Record(1, "The Niño and Müller's storms", 'Heavy "rain" falls', ("flood", "debris flow")),
        Record(2, "Hail"),
    ]
    assert remarks == []


def test_an_unterminated_bibtex_entry_does_not_swallow_the_next() -> None:
    records, _ = read_bibtex(b"@article{a, title = {Storm\n\n@article{b, title = {Hail}}\n")
    assert [record.title for record in records] == ["Storm", "Hail"]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_table_may_be_separated_by_commas_semicolons_or_tabs(mark: str) -> None:
    text = f"Authors{mark}Article Title{mark}Abstract{mark}Author Keywords\nX{mark}Hail{mark}Ice{mark}a | b\n"
    assert read_csv(text.encode()) == ([Record(1, "Hail", "Ice", ("a", "b"))], [])


def test_a_table_with_quoted_fields_and_short_rows_is_read() -> None:
    records, remarks = read_csv(b'title,abstract\n"Hail, sleet","Ice ""balls""\nfall"\nSnow\n\n')
    assert records == [Record(1, "Hail, sleet", 'Ice "balls"\nfall'), Record(2, "Snow")]
    assert remarks == ["1 of 3 records have no title or abstract; skipped"]


def test_a_table_whose_columns_are_not_named_is_skipped() -> None:
    records, remarks = read_csv(b"Hail,Ice falls\nSnow,Ice floats\n")
    assert records == []
    assert "names neither title nor abstract" in remarks[0]


def test_a_field_too_long_for_a_table_is_named_with_its_line() -> None:
    records, remarks = read_csv(b"title\nHail\n" + b"x" * 1_000_000)
    assert records == []
    assert remarks[0].startswith("line 3: field larger than")


def test_lines_of_json_are_records_and_other_lines_are_named() -> None:
    lines = (
        '{"title": "Hail", "keywords": ["ice", "storm"]}',
        *("", "nonsense"),
        '{"abstract": ["a", "b"], "keywords": "x, y"}',
        "[1]",
    )
    records, remarks = read_jsonl("\n".join(lines).encode())
    assert records == [Record(1, "Hail", "", ("ice", "storm")), Record(2, "", "a\nb", ("x", "y"))]
    assert remarks[0].startswith("2 lines are no JSON objects (line 3: ")


def test_deeply_nested_json_is_named_and_not_raised() -> None:
    records, remarks = read_jsonl(b'{"title": ' + b"[" * 100_000)
    assert records == []
    assert remarks


@pytest.mark.parametrize("reader", [read_ris, read_bibtex, read_csv, read_jsonl])
def test_a_file_of_another_format_gives_no_record_but_a_remark(reader: object) -> None:
    assert callable(reader)
    records, remarks = reader(b"\x00\x01\xff nothing of the kind \x00")
    assert records == []
    assert len(remarks) == 1
