"""The judges `sklearn:FILE` and `embedding`."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from topicrawl.cli import run
from topicrawl.errors import ConfigError
from topicrawl.judge import Seen
from topicrawl.judges.embedding import ByVectors
from topicrawl.model import Page, Topic

TOPIC = Topic("rain", ("rain", "flood"), (1.0, 0.5))
SEED = "http://rain-desk-80.invented.test/storms/direct-disaster-disaster-relief-1.html"
CRAWL = ["crawl", "--web", "invented:7", "--topic", "rainstorm", "--pages", "20", "--quiet", "--seeds", SEED]


def marks(folder: Path, rows: int = 8) -> Path:
    """A list of pages about rain and about stones, as files beside it."""
    lines = ["url,relevant"]
    for number in range(rows):
        word, said = ("rain flood storm", 1) if number % 2 else ("stones granite sand", 0)
        (folder / f"{number}.html").write_text(f"<title>{word}</title><p>{word} number {number}")
        lines.append(f"{number}.html,{said}")
    (folder / "marks.csv").write_text("\n".join(lines))
    return folder / "marks.csv"


class TestSklearn:
    """A pipeline that was trained on marks."""

    @pytest.fixture(autouse=True)
    def installed(self) -> None:
        pytest.importorskip("skops", reason="skops is not installed; make doors-test installs it")

    def test_a_judge_is_trained_from_marks_shown_and_used_by_a_crawl(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "rain.skops"
        assert run(["judge", "train", str(marks(tmp_path)), "--out", str(file)]) == 0
        assert "4 relevant and 4 other pages" in capsys.readouterr().out
        assert run(["judge", "show", f"sklearn:{file}"]) == 0
        shown = capsys.readouterr().out
        assert "rain +" in shown
        assert "stones -" in shown
        out = tmp_path / "run"
        assert run([*CRAWL, "--judge", f"sklearn:{file}", "--out", str(out)]) == 0
        visits = [json.loads(line) for line in (out / "visits.jsonl").read_text().splitlines()]
        assert len({visit["relevance"] for visit in visits}) > 5
        assert [*(out / "snapshots").iterdir()], "a resume need not replay the whole log"
        assert run(["crawl", "--out", str(out), "--pages", "30", "--quiet"]) == 0
        file.unlink()
        assert run(["status", str(out)]) == 0, "a run can be read without the file of its judge"

    def test_a_file_that_holds_code_or_is_damaged_is_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import FunctionTransformer
        from skops import io

        hostile, broken, other = (
            tmp_path / "hostile.skops",
            tmp_path / "broken.skops",
            tmp_path / "other.skops",
        )
        io.dump(make_pipeline(FunctionTransformer(func=run)), hostile)
        broken.write_bytes(b"PK\x03\x04 no archive")
        io.dump(np.zeros(3), other)
        pickled = tmp_path / "pickled.pkl"
        pickled.write_bytes(b"cos\nsystem\n(S'touch hacked'\ntR.")
        for file, said in ((hostile, "not loaded"), (broken, "cannot be read"), (other, "no probabilities"),
                           (pickled, "cannot be read"), (tmp_path / "none", "no such file")):  # fmt: skip
            assert run([*CRAWL, "--judge", f"sklearn:{file}", "--out", str(tmp_path / "run")]) == 2
            assert said in capsys.readouterr().err, file
        assert not (tmp_path / "run").exists()
        assert not Path("hacked").exists()

    def test_a_pipeline_that_judges_no_texts_is_refused_before_the_crawl(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from skops import io

        (tmp_path / "secret").write_text("rain")
        names, texts = [str(tmp_path / "secret")] * 2, ["rain", "stones", "sand"]
        untrained = make_pipeline(TfidfVectorizer(), LogisticRegression())
        of_files = make_pipeline(TfidfVectorizer(input="filename"), LogisticRegression()).fit(names, [0, 1])
        of_three = make_pipeline(TfidfVectorizer(), LogisticRegression()).fit(texts, [0, 1, 2])
        of_numbers = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
        for number, made in enumerate((untrained, of_files, of_three, of_numbers)):
            file = tmp_path / f"{number}.skops"
            io.dump(made, file)
            assert run([*CRAWL, "--judge", f"sklearn:{file}", "--out", str(tmp_path / "run")]) == 2
            assert "does not tell two classes of texts apart" in capsys.readouterr().err, number
        assert not (tmp_path / "run").exists()

    def test_a_file_of_a_stranger_is_shown_whatever_its_figures_are(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.naive_bayes import MultinomialNB
        from sklearn.pipeline import make_pipeline
        from skops import io

        pipeline = make_pipeline(TfidfVectorizer(), MultinomialNB()).fit(["rain", "stones"], [1, 0])
        good = '{"relevant": 1, "others": 1, "accuracy": 1, "auc": 1}'
        for figures in (good, good.replace("1,", '"x",'), "[]", "1" * 20_000):
            file = tmp_path / "a.skops"
            io.dump(pipeline, file)
            with zipfile.ZipFile(file, "a") as archive:
                archive.writestr("topicrawl.json", figures)
            assert run(["judge", "show", f"sklearn:{file}"]) == 0
            assert "trained" in capsys.readouterr().out

    def test_too_few_pages_and_pages_without_words_are_named(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(["judge", "train", str(marks(tmp_path, 2)), "--out", str(tmp_path / "x")]) == 2
        assert "give 2 of each" in capsys.readouterr().err
        assert run(["judge", "train", str(tmp_path / "absent.csv"), "--out", str(tmp_path / "x")]) == 2
        assert run(["judge", "train", str(marks(tmp_path)), "--out", str(tmp_path)]) == 2
        assert "is a folder" in capsys.readouterr().err

    def test_figures_of_a_file_are_optional(self, tmp_path: Path) -> None:
        from topicrawl.judges.learned import read_figures

        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            archive.writestr("other", "x")
        assert read_figures(str(tmp_path / "a.zip")) is None


def static_folder(folder: Path) -> Path:
    """A folder of static vectors as sentence-transformers writes it: rain and stones are far from each other."""
    safetensors = pytest.importorskip(
        "safetensors.numpy", reason="safetensors is not installed; make doors-test"
    )
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed; make doors-test")
    words = {"[UNK]": 0, "rain": 1, "flood": 2, "storm": 3, "stones": 4, "sand": 5}
    table = np.array(
        [[0, 0, 0.1], [1, 0.1, 0], [0.9, 0, 0], [1, 0, 0.1], [0, 1, 0], [0.1, 1, 0]], dtype=np.float32
    )
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    inside = folder / "0_StaticEmbedding"
    inside.mkdir(parents=True)
    made.save(str(inside / "tokenizer.json"))
    safetensors.save_file({"embedding.weight": table}, inside / "model.safetensors")
    kind = "sentence_transformers.models.StaticEmbedding"
    (folder / "modules.json").write_text(json.dumps([{"idx": 0, "path": "0_StaticEmbedding", "type": kind}]))
    return folder


def seen(number: int, text: str) -> Seen:
    return Seen(Page(f"http://a.test/{number}", text=text))


def test_a_folder_of_static_vectors_tells_pages_about_the_topic_from_others(tmp_path: Path) -> None:
    judge = ByVectors(TOPIC, ByVectors.check(str(static_folder(tmp_path / "vectors"))))
    for number in range(10):
        judge.learn(seen(number, "stones sand" if number % 3 else "storm"), None)
    rain, stones, empty = judge.judge([seen(20, "storm flood"), seen(21, "stones"), seen(22, "")])
    assert rain > 0.8
    assert stones < 0.2
    assert 0 <= empty < 0.5
    judge.learn(seen(21, "stones"), True)
    assert judge.judge([seen(21, "stones")]) == [1.0]
    judge.learn(seen(22, "sand"), None)
    loaded = ByVectors(TOPIC, str(tmp_path / "vectors"))
    loaded.load(judge.save())
    asked = [seen(20, "storm flood"), seen(21, "stones"), seen(23, "sand")]
    assert loaded.judge(asked) == judge.judge(asked)
    judge.learn(seen(21, "stones"), None)
    assert judge.judge([seen(21, "stones")])[0] < 0.3


@pytest.mark.parametrize("damage", ["absent", "empty", "modules", "weights", "model"])
def test_a_folder_that_cannot_be_used_is_named_with_a_remedy(damage: str, tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    if damage == "empty":
        folder.mkdir()
    elif damage != "absent":
        static_folder(folder)
    if damage == "modules":
        (folder / "modules.json").write_text("[")
    if damage == "weights":
        (folder / "0_StaticEmbedding" / "model.safetensors").write_bytes(b"\xff" * 40)
    if damage == "model":
        (folder / "modules.json").write_text('[{"type": "sentence_transformers.models.Transformer"}]')
    with pytest.raises(ConfigError, match=r"--judge embedding:.*; |--judge embedding:.*modules"):
        ByVectors.check(str(folder))


def test_the_vectors_of_the_wheel_tell_pages_about_the_topic_from_others() -> None:
    pytest.importorskip("wordllama", reason="wordllama is not installed; make doors-test installs it")
    judge = ByVectors(TOPIC)
    for number in range(8):
        judge.learn(seen(number, "The history of railway engines and their makers."), None)
    wet, dry = judge.judge(
        [
            seen(20, "Heavy rainfall and river flooding hit the valley; the storm brought torrents."),
            seen(21, "A locomotive is a rail vehicle that pulls a train."),
        ]
    )
    assert wet > dry + 0.2
