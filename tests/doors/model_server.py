"""A server on loopback that speaks the protocol of OpenAI; what it answers is up to a function of the test."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Say = Callable[[dict[str, Any]], "str | int | bytes"]
"""The text of an answer to a call, the status of a failure, or what is sent instead of an answer."""


@dataclass
class Model:
    """A model that was asked."""

    url: str
    calls: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


def asked_pages(call: dict[str, Any]) -> list[dict[str, Any]]:
    """The pages in a call, read as the model is told to: the user message is one JSON document."""
    pages: list[dict[str, Any]] = json.loads(call["messages"][1]["content"])["pages"]
    return pages


def by_text(word: str) -> Say:
    """A model that calls pages relevant whose text has a word."""

    def say(call: dict[str, Any]) -> str:
        return json.dumps(
            {
                "answers": [
                    {"page": page["page"], "relevant": word in page["text"], "certainty": 0.9}
                    for page in asked_pages(call)
                ]
            }
        )

    return say


@contextmanager
def model_server(say: Say, *, tokens: int | None = 100) -> Iterator[Model]:
    """Serve a model; `tokens` are what it says that each call costs."""
    model = Model("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            call = json.loads(self.rfile.read(int(self.headers["content-length"])))
            model.calls.append(call)
            model.keys.append(self.headers.get("authorization", ""))
            said = say(call) if self.path == "/v1/chat/completions" else 404
            if isinstance(said, bytes):
                self.wfile.write(said)
                return
            status = said if isinstance(said, int) else 200
            body: dict[str, Any] = {"choices": [{"message": {"role": "assistant", "content": said}}]}
            if tokens is not None:
                body["usage"] = {"total_tokens": tokens}
            data = json.dumps(body if status == 200 else {"error": f"refused: {model.keys[-1]}"}).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
