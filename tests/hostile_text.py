"""Strings that a page or a server may choose to say, for tests of everything that is written down or shown."""

from __future__ import annotations

HOSTILE = {
    "clears the screen": "flood\x1b[2J\x1b[Hflood",
    "sets the title of the window": "flood\x1b]0;evil\x07flood",
    "a link of the terminal": "flood\x1b]8;;http://evil.test\x1b\\flood\x1b]8;;\x1b\\",
    "C0": "flood" + "".join(map(chr, [*range(1, 9), *range(14, 32), 127])) + "flood",
    "C1": "flood\x9b2J\x9d0;evil\x9c\x85\x90flood",
    "overrides": "flood\u202egpj.exe\u202c \u202a\u202b\u202d flood",
    "isolates": "flood\u2066 \u2067 \u2068 \u2069 \u061c \u200e \u200f flood",
    "zero width": "flo\u200bod\u2060 \ufeff \u180e flood",
    "tags and no characters": "flood\U000e0041\U000e007f \ufffe \uffff flood",
    "other line ends": "flood\u2028one\u2029two\x0bthree\x0cfour\r\nfive flood",
    "markup": "flood <b>&amp;</b> [bold]red[/] ]]> \"quoted\" 'single' flood",
    "a formula": '=HYPERLINK("http://evil.test","flood")',
    "very long": "flood " * 5000,
}
