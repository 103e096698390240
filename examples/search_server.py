"""A search engine over what a run found: `python examples/search_server.py run/ 8888`.

It answers `/search?q=WORDS` as SearXNG does with `format=json`, so that another crawl can begin with what this one
found: `topicrawl crawl --topic … --search-url http://127.0.0.1:8888/search --allow-net 127.0.0.0/8`.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import topicrawl

MOST = 20


def handler(run: topicrawl.Run) -> type[BaseHTTPRequestHandler]:
    """Answers requests from the index of `run`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            words = parse_qs(parts.query).get("q", [""])[0]
            if parts.path != "/search" or not words.strip():
                self.send_error(404)
                return
            found = [
                {"url": hit.found.url, "title": hit.found.title, "content": hit.snippet, "score": hit.score}
                for hit in run.search(words, limit=MOST)
            ]
            body = json.dumps({"query": words, "results": found}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


def main(folder: str, port: int) -> None:
    with topicrawl.Run(folder) as run, HTTPServer(("127.0.0.1", port), handler(run)) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}/search", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8888)
