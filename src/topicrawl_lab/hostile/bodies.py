"""H11 to H19, H24, H26: responses that never end, are too slow, or are decompression bombs."""

from __future__ import annotations

import gzip
import zlib
from functools import lru_cache

import brotli  # type: ignore[import-untyped]
import zstandard

from topicrawl_lab.hostile.exchange import Exchange, behaviour, head

MIB = 1 << 20
BOMB_BYTES = 256 * MIB
"""Size of a decompressed bomb."""
PLAIN = {"Content_Type": "text/html", "Connection": "close"}
SLOW_HOSTS = 60
"""Number of hosts that never answer."""


@behaviour("h11", "a body that never ends, at full speed")
async def h11(x: Exchange) -> None:
    if x.path == "/next":
        await x.page()
        return
    await x.send(head(200, PLAIN) + b'<a href="/next">rain</a>')
    await x.for_ever(b"<p>rain and storm " * 4096)


@behaviour("h12", "a body of one byte a second")
async def h12(x: Exchange) -> None:
    await x.send(head(200, PLAIN) + b"<p>")
    await x.for_ever(b"r", 1.0)


@behaviour("h13", "a header line a second, for ever")
async def h13(x: Exchange) -> None:
    await x.send(b"HTTP/1.1 200 OK\r\n")
    await x.for_ever(b"X-More: of this\r\n", 1.0)


@behaviour("h14", "a connection, and then nothing; a TLS handshake that never ends")
async def h14(x: Exchange) -> None:
    if x.path == "/":
        await x.page("/silent", "https://mute.h14.test/", "/next")
    elif x.path == "/silent":
        await x.hang()
    else:
        await x.page()


@behaviour("h15", "20,000 headers, one of 10 MB, 10,000 cookies")
async def h15(x: Exchange) -> None:
    if x.path == "/many":
        await x.send(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: x\r\n" % n for n in range(20_000)) + b"\r\n")
    elif x.path == "/long":
        await x.send(b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 10 * MIB + b"\r\n\r\n")
    elif x.path == "/cookies":
        cookies = b"".join(b"Set-Cookie: c%d=x\r\n" % n for n in range(10_000))
        await x.send(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + cookies + b"\r\n")
    else:
        await x.page("/many", "/long", "/cookies", "/next")
        return
    x.close = x.path != "/next"


@behaviour("h16", "bombs: 256 MiB from a few bytes by gzip, deflate, br, zstd")
async def h16(x: Exchange) -> None:
    kind = x.path.strip("/")
    if kind in BOMBS:
        await x.made(BOMBS[kind], Content_Encoding=kind)
    else:
        await x.page(*(f"/{name}" for name in BOMBS), "/next")


@behaviour("h17", "gzip in gzip in gzip")
async def h17(x: Exchange) -> None:
    if x.path == "/three":
        packed = gzip.compress(gzip.compress(gzip.compress(b'<a href="/deep">rain</a>')))
        await x.answer(packed, Content_Encoding="gzip, gzip, gzip")
    elif x.path == "/two":
        await x.answer(
            gzip.compress(zlib.compress(b'<a href="/fine">rain</a>')), Content_Encoding="deflate, gzip"
        )
    else:
        await x.page("/three", "/two", "/next")


@behaviour("h18", "a sitemap file that unpacks to 256 MiB", robots=True)
async def h18(x: Exchange) -> None:
    if x.path == "/robots.txt":
        await x.answer("Sitemap: http://h18.test/map.xml.gz\n", Content_Type="text/plain")
    elif x.path == "/map.xml.gz":
        await x.made(_sitemap_bomb, Content_Type="application/gzip")
    else:
        await x.page("/next")


@behaviour("h19", "gzip in several members, with rubbish behind it, cut short, with a wrong checksum")
async def h19(x: Exchange) -> None:
    name = x.path.strip("/")
    if name in DAMAGED:
        good = gzip.compress(f'<a href="/after-{name}">rain</a>{"rain and storm " * 900}'.encode())
        await x.answer(DAMAGED[name](good), Content_Encoding="gzip")
    else:
        await x.page(*(f"/{each}" for each in DAMAGED), "/next")


@behaviour("h24", "PDF, zip and a 100 MB image, all called text/html")
async def h24(x: Exchange) -> None:
    starts = {"/pdf": b"%PDF-1.7\n", "/zip": b"PK\x03\x04", "/png": b"\x89PNG\r\n\x1a\n"}
    if x.path in starts:
        size = 100 * MIB if x.path == "/png" else MIB
        await x.send(head(200, {"Content_Type": "text/html", "Content_Length": str(size)}) + starts[x.path])
        left = size - len(starts[x.path])
        while left > 0:
            await x.send(b"\x00<a href='/wrong'>" + b"\x01" * min(left, 65536))
            left -= 65536 + 18
        x.close = True
    else:
        await x.page(*starts, "/next")


@behaviour("h26", f"{SLOW_HOSTS} hosts that hang, and one that does not")
async def h26(x: Exchange) -> None:
    if x.host.startswith("slow"):
        await x.hang()
    elif x.host == "quick.h26.test":
        number = int(x.path.strip("/") or 0)
        await x.page(f"/{number + 1}" if number < 20 else "/")
    else:
        await x.page(*(f"http://slow{n}.h26.test/" for n in range(SLOW_HOSTS)), "http://quick.h26.test/")


@lru_cache(maxsize=1)
def _gzip_bomb() -> bytes:
    return _deflated(31)


@lru_cache(maxsize=1)
def _deflate_bomb() -> bytes:
    return _deflated(15)


def _deflated(wbits: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, wbits)
    block = bytes(4 * MIB)
    return b"".join([packer.compress(block) for _ in range(BOMB_BYTES // len(block))]) + packer.flush()


@lru_cache(maxsize=1)
def _brotli_bomb() -> bytes:
    packer = brotli.Compressor(quality=1)
    block = bytes(4 * MIB)
    packed: bytes = (
        b"".join([packer.process(block) for _ in range(BOMB_BYTES // len(block))]) + packer.finish()
    )
    return packed


@lru_cache(maxsize=1)
def _zstd_bomb() -> bytes:
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    block = bytes(4 * MIB)
    return b"".join([packer.compress(block) for _ in range(BOMB_BYTES // len(block))]) + packer.flush()


@lru_cache(maxsize=1)
def _sitemap_bomb() -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    start = b'<?xml version="1.0"?><urlset><url><loc>http://h18.test/listed</loc></url><!--'
    block = bytes(b"x" * 4 * MIB)
    parts = [packer.compress(start), *(packer.compress(block) for _ in range(BOMB_BYTES // len(block)))]
    return b"".join(parts) + packer.compress(b"--></urlset>") + packer.flush()


BOMBS = {"gzip": _gzip_bomb, "deflate": _deflate_bomb, "br": _brotli_bomb, "zstd": _zstd_bomb}
DAMAGED = {
    "members": lambda good: gzip.compress(b"<p>first</p>") + good,
    "rubbish": lambda good: good + b"rubbish" * 100,
    "cut": lambda good: good[: len(good) - 20],
    "checksum": lambda good: good[:-8] + b"\0\0\0\0" + good[-4:],
}
