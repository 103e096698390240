"""Formulas and listings in the text and the Markdown of pages."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from topicrawl.page.main.extract import main_text
from topicrawl.page.main.markdown import markdown

URL = "http://a.test/page"
MATHJAX = "<script src='https://cdn.test/MathJax.js'></script>"
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def text_of(html: str) -> str:
    return main_text(URL, html).text


def annotated(tex: str, display: str = "inline") -> str:
    shown = f"<mrow><mi>x</mi></mrow><annotation encoding='application/x-tex'>{escape(tex)}</annotation>"
    return f"<math display={display}><semantics>{shown}</semantics></math>"


def test_a_formula_of_mathml_is_its_tex() -> None:
    html = f"<p>The monoid of {annotated('M')} is the monoid {annotated('U_{M}')}, for which"
    expected = "The monoid of $M$ is the monoid $U_{M}$, for which"
    assert text_of(html) == expected
    assert main_text(URL, html).markdown == expected


def test_a_formula_that_is_displayed_has_its_own_line() -> None:
    html = f"<p>so that {annotated(' E = % energy' + chr(10) + ' mc^2 ', 'block')} holds"
    assert text_of(html) == "so that\n$$E = mc^2$$\nholds"
    assert main_text(URL, html).markdown == "so that\n\n$$E = mc^2$$\n\nholds"


@pytest.mark.parametrize(
    ("mathml", "expected"),
    [
        ("<mi>x</mi><mo>=</mo><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac>", "x=(a+1)/b"),
        ("<msub><mi>a</mi><mrow><mi>i</mi><mo>+</mo><mi>j</mi></mrow></msub>", "a_(i+j)"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><msqrt><mi>x</mi></msqrt>", "∑_i^n√x"),
        ("<mi>sin</mi><mo>&#x2061;</mo><mi>t</mi><mspace/><mtext>for all</mtext>", "sin t for all"),
        ("<mtable><mtr><mtd>1</mtd><mtd>0</mtd></mtr><mtr><mtd>0</mtd><mtd>1</mtd></mtr></mtable>", "1, 0; 0, 1"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot><mfenced><mi>a</mi><mi>b</mi></mfenced>", "3√x(a, b)"),
        ("<semantics><mi>x</mi><annotation encoding='text/plain'>no</annotation></semantics>", "x"),
        ("<mfrac></mfrac><msup><mi>x</mi></msup>", "x"),
    ],
)  # fmt: skip
def test_a_formula_without_tex_is_what_it_shows(mathml: str, expected: str) -> None:
    assert text_of(f"<p>Here <math>{mathml}</math>.") == f"Here {expected}."


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(f"<span class=katex>{annotated('a^2')}<span class=katex-html>a2</span></span>", id="KaTeX"),
        pytest.param("<span class=MathJax_Preview>a2</span><script type='math/tex'>a^2</script>", id="MathJax 2"),
        pytest.param(
            f"<span class=mwe-math-element><span style='display: none'>{annotated('a^2')}</span>"
            "<img class='mwe-math-fallback-image-inline' aria-hidden=true alt='a^2'></span>",
            id="Wikipedia",
        ),
        pytest.param("<img class=latex alt='a^2' src=/latex.php>", id="WordPress"),
        pytest.param(MATHJAX + r"\(a^2\)", id="in the text"),
        pytest.param(MATHJAX + "$a^2$", id="between dollars"),
    ],
)  # fmt: skip
def test_a_formula_is_written_once_in_whatever_way_the_page_has_it(html: str) -> None:
    assert text_of(f"<p>So {html} is") == "So $a^2$ is"


def test_formulas_in_the_text_are_told_from_amounts_and_code() -> None:
    said = r"It is $5 or $a_b \(x <code>$y^2$</code> $$\text{\$}$$ \begin{align}a\\[2pt] b\end{align} $n$ $ \alpha $."
    shown = text_of(f"{MATHJAX}<p>{said}")
    assert shown.split("\n") == [
        r"It is $5 or $a_b \(x $y^2$",
        r"$$\text{\$}$$",
        r"$$\begin{align}a\\[2pt] b\end{align}$$",
        r"$n$ $ \alpha $.",
    ]
    assert text_of(r"<p>grep '\(a\)' finds a") == r"grep '\(a\)' finds a"


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\{a\}_i + x_{j}", r"\{a\}_ i + x_{j}"),
        (r"A^*B * *C \operatorname*{max}", r"A^\ast B * \ast C \operatorname*{max}"),
        ("a<b>c", r"a\lt b>c"),
        ("f[x](y)", "f[x] (y)"),
        ("x &lt; y", "x & lt; y"),
        ("a `b`", r"\$a \`b\`\$".replace(r"\$", "$")),
        ("a\\", "a"),
    ],
)
def test_tex_stays_tex_where_dollars_say_nothing(tex: str, expected: str) -> None:
    written = main_text(URL, f"<p>So {annotated(tex)}").markdown
    assert written in (f"So ${expected}$", f"So {expected}")


def test_a_formula_in_a_table_divides_no_cell() -> None:
    html = f"<table><tr><th>a<th>b<tr><td>{annotated('|x| + ' + chr(92) + '|y' + chr(92) + '|')}<td>1</table>"
    assert main_text(URL, html).markdown.splitlines()[-1] == r"| $\vert x\vert + \Vert y\Vert$ | 1 |"


TEX = st.text(st.sampled_from('\\*_`<>[](){}!&;:^$|~#ab1 \n"'), max_size=14)


@settings(max_examples=80)
@example(before="*", tex=r"\_a_", after="_b")
@example(before="", tex="a*", after="")
@given(before=TEX, tex=TEX, after=TEX)
def test_a_formula_is_never_markup(before: str, tex: str, after: str) -> None:
    inside = f"{escape(before)}{annotated(tex)}{escape(after)} {annotated(tex)}<i>c</i>"
    for html in (
        f"<p>{inside}",
        f"<a href=/x>{inside}</a>",
        f"<table><tr><th>1<th>{inside}<tr><td>a<td>b</table>",
    ):
        page = main_text(URL, html)
        tokens = [
            inner for token in PARSER.parse(page.markdown) for inner in (token, *(token.children or []))
        ]
        kinds = [token.type for token in tokens]
        assert not {"html_inline", "html_block", "image", "s_open", "strong_open", "code_inline"} & {*kinds}
        assert "c" in page.markdown
        assert kinds.count("em_open") <= 1, page.markdown
        assert {token.attrs["href"] for token in tokens if token.type == "link_open"} <= {"http://a.test/x"}


def test_a_listing_of_doxygen_is_one_block_of_code() -> None:
    lines = ["<span class=lineno>    1</span>int a;", "", "  <span class=keyword>return</span> a;"]
    html = "<div class=fragment>" + "\n".join(f"<div class=line>{line}</div>" for line in lines) + "\n</div>"
    assert main_text(URL, f"<p>See{html}").markdown == "See\n\n```\nint a;\n\n  return a;\n```"
    assert text_of(f"<p>See{html}") == "See\nint a;\n\n  return a;"


def test_fields_of_rustdoc_are_below_each_other() -> None:
    fields = "".join(
        f"<span id=structfield.{name} class='structfield section-header'><code>{name}: u8</code></span>"
        for name in "ab"
    )
    assert main_text(URL, f"<h2>Fields</h2>{fields}<p>end").markdown.split("\n\n")[1:3] == [
        "`a: u8`",
        "`b: u8`",
    ]


def test_many_signs_of_formulas_take_linear_time() -> None:
    from topicrawl.page.main.document import read_tree

    for sign in ("$", "\\(", "\\begin{a}", "$$ x ", "$a^2$"):
        assert markdown(read_tree(MATHJAX + sign * 20_000).root, URL)
