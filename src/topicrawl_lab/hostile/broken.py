"""H37 to H46: broken HTTP, broken text, broken certificates."""

from __future__ import annotations

from topicrawl_lab.hostile.exchange import Exchange, behaviour, head, html

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
TLS_KINDS = ("expired", "wrong", "self", "old", "client", "good")


def link(name: str) -> bytes:
    """A page with a link that is requested only if the page was parsed."""
    return f'<title>rain</title><a href="/after-{name}">rain</a>'.encode()


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


@behaviour("h37", "Content-Length too large, too small, negative, twice, beside chunks")
async def h37(x: Exchange) -> None:
    body = link(x.path.strip("/"))
    size = len(body)
    answers = {
        "/large": OK + b"Content-Length: %d\r\n\r\n" % (size + 500) + body,
        "/small": OK + b"Content-Length: %d\r\n\r\n" % size + body + b"surplus" * 20,
        "/negative": OK + b"Content-Length: -5\r\n\r\n" + body,
        "/twice": OK + b"Content-Length: %d\r\nContent-Length: 3\r\n\r\n" % size + body,
        "/both": OK + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(body) + b"0\r\n\r\n",
    }
    await _one_of(x, answers)


@behaviour("h38", "chunks cut short, of no size, with huge extensions, of one byte by the million")
async def h38(x: Exchange) -> None:
    if x.path == "/tiny":
        await x.send(CHUNKED + chunk(link("tiny")))
        for _ in range(100):
            await x.send(b"1\r\nx\r\n" * 10_000)
        await x.send(b"0\r\n\r\n")
        return
    answers = {
        "/cut": CHUNKED + chunk(link("cut")) + b"ffff\r\nrain",
        "/size": CHUNKED + chunk(link("size")) + b"zz\r\nrain\r\n0\r\n\r\n",
        "/extension": CHUNKED + chunk(link("extension")) + b"1;" + b"e" * 2_000_000 + b"\r\nx\r\n0\r\n\r\n",
    }
    await _one_of(x, answers, "/tiny")


@behaviour("h39", "NUL, bare CR, folded lines, spaces before colons, HTTP/0.9, floods of 1xx, status 999")
async def h39(x: Exchange) -> None:
    name = x.path.strip("/")
    body = link(name)
    end = b"Content-Length: %d\r\n\r\n" % len(body) + body
    if name == "flood":
        await x.for_ever(b"HTTP/1.1 103 Early Hints\r\nX-More: x\r\n\r\n", 0.01)
    answers = {
        "/nul": OK + b"X-Nul: a\0b\r\n" + end,
        "/cr": OK + b"X-Bare: a\rX-Other: b\r\n" + end,
        "/fold": OK + b"X-Fold: a\r\n  b\r\n" + end,
        "/space": OK + b"X-Space : a\r\n" + end,
        "/old": body,
        "/odd": b"HTTP/1.1 999 Odd\r\n" + end,
        "/smuggle": OK
        + end
        + b"HTTP/1.1 200 OK\r\nContent-Length: 34\r\n\r\n<a href=/smuggled>smuggled</a>  ",
    }
    await _one_of(x, answers, "/flood")


@behaviour("h40", "charsets that lie: header against meta against mark against bytes")
async def h40(x: Exchange) -> None:
    text = "暴雨 Überschwemmung"
    kinds = {
        "/header": ("text/html; charset=utf-8", b"<meta charset=gbk>" + text.encode()),
        "/mark": ("text/html; charset=gbk", b"\xef\xbb\xbf" + text.encode()),
        "/utf7": ("text/html; charset=utf-7", text.encode()),
        "/unknown": ("text/html; charset=no-such", text.encode()),
        "/utf16": ("text/html", "﻿".encode("utf-16le") + text.encode("utf-16le")),
        "/bytes": ("text/html; charset=utf-8", text.encode("gb18030") + b"\xff\xfe\x80"),
    }
    if x.path in kinds:
        kind, body = kinds[x.path]
        encoding = "utf-16le" if x.path == "/utf16" else "ascii"
        proof = f'<a href="/after-{x.path[1:]}">rain</a>'.encode(encoding)
        await x.answer(body + proof, Content_Type=kind)
    else:
        await x.page(*kinds, "/next")


@behaviour("h41", "binary called HTML, HTML called nothing, a type that breaks off")
async def h41(x: Exchange) -> None:
    page = html([f"/after-{x.path[1:]}"], "rain")
    if x.path == "/binary":
        await x.answer(bytes(range(256)) * 40 + page.encode(), Content_Type="text/html")
    elif x.path == "/none":
        await x.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(page) + page.encode())
    elif x.path == "/broken":
        await x.answer(page, Content_Type='text/html; charset="')
    else:
        await x.page("/binary", "/none", "/broken", "/next")


@behaviour("h42", "one page spelled in many ways, and ports that do not exist")
async def h42(x: Exchange) -> None:
    if x.path == "/":
        same = (
            "/same",
            "http://H42.TEST/same",
            "http://h42.test:80/same",
            "/x/../same",
            "\\same",
            "/sa\tme",
            "/same#top",
        )
        more = (
            "http://h42.test:0/zero",
            "http://h42.test:65536/high",
            "http://bücher.h42.test/",
            "/%7euser",
            "/%7Euser",
        )
        await x.page(*same, *more, "/next")
    else:
        await x.page()


@behaviour("h43", "a 304 that nobody asked for, and an ETag that never changes")
async def h43(x: Exchange) -> None:
    if x.path == "/unasked" or x.asked.headers.get("if-none-match") == '"same"':
        await x.send(b'HTTP/1.1 304 Not Modified\r\nETag: "same"\r\n\r\n')
    else:
        await x.answer(html(["/unasked", "/next"], "rain"), ETag='"same"', Vary="*, Accept, Nonsense")


@behaviour("h44", "file names that climb out: ../, absolute, NUL, CON, 300 characters")
async def h44(x: Exchange) -> None:
    names = ("/..%2f..%2f..%2fescaped", "/%2fetc%2fescaped", "/a%00b", "/CON", "/" + "n" * 300)
    await x.answer(
        html([*names, "/next"], "rain rain storm"), Content_Disposition='attachment; filename="../../escaped"'
    )


@behaviour("h45", "header values meant to be executed")
async def h45(x: Exchange) -> None:
    await x.answer(
        html(["/next"], "rain"),
        Referrer_Policy="os.system",
        Set_Cookie="jar=gASVKAAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjA1lY2hvIGVzY2FwZWSUhZRSlC4=",
        X_Class="subprocess.Popen",
    )


@behaviour("h46", "certificates: expired, for another name, self-signed; old TLS; a demand for ours")
async def h46(x: Exchange) -> None:
    if x.host == "h46.test":
        await x.page(*(f"https://{kind}.h46.test/" for kind in TLS_KINDS), "/next")
    else:
        await x.page("/reached")


async def _one_of(x: Exchange, answers: dict[str, bytes], *more: str) -> None:
    """Send the response of this path, and close the connection after an incomplete one; `/` links to all of them."""
    if x.path in answers:
        await x.send(answers[x.path])
        x.close = not answers[x.path].endswith(
            b"0\r\n\r\n"
        )  # a complete response leaves the connection usable
    elif x.path == "/":
        await x.page(*answers, *more, "/next")
    else:
        await x.send(head(200, {"Content_Type": "text/html", "Content_Length": "4"}) + b"rain")
