"""Queries are answered from the run alone: a server that counts its connections is never asked."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad, Store

from topicrawl.catalogue.sparql import ask
from topicrawl.cli import run
from topicrawl.errors import ConfigError

TITLE = NamedNode("http://purl.org/dc/terms/title")
HEADERS = b"Content-Type: text/tab-separated-values\r\nContent-Length: 3\r\nConnection: close\r\n"
ANSWER = b"HTTP/1.1 200 OK\r\n" + HEADERS + b"\r\n?a\n"


class Server:
    """Counts connections, and answers each as a SPARQL endpoint would."""

    def __init__(self) -> None:
        self.connections = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}/"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            peer, _ = self._listening.accept()
            with peer:
                if peer.recv(65536) == b"close":
                    return
                self.connections += 1
                peer.sendall(ANSWER)

    def close(self) -> None:
        with socket.create_connection(self._listening.getsockname()) as last:
            last.sendall(b"close")
        self._thread.join()
        self._listening.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.fixture
def store(server: Server) -> Store:
    held = Store()
    held.add(Quad(NamedNode("http://a.test/service"), TITLE, Literal("Customer service")))
    held.add(Quad(NamedNode("http://a.test/"), NamedNode("http://a.test/at"), NamedNode(server.address)))
    return held


SENDING = {
    "plain": "SELECT * { SERVICE <U> { ?a ?b ?c } }",
    "small letters": "select * { service <U> { ?a ?b ?c } }",
    "silent": "SELECT * { SERVICE SILENT <U> { ?a ?b ?c } }",
    "without a space": "ASK{SERVICE<U>{}}",
    "nested": "SELECT * { { SELECT * { { } UNION { OPTIONAL { SERVICE <U> { ?a ?b ?c } } } } } }",
    "in a filter": "SELECT * { ?x ?y ?z FILTER EXISTS { SERVICE <U> { ?a ?b ?c } } }",
    "lateral": "SELECT * { ?x ?y ?z LATERAL { SERVICE <U> { ?a ?b ?c } } }",
    "a variable": "SELECT * { ?x <http://a.test/at> ?u LATERAL { SERVICE ?u { ?a ?b ?c } } }",
    "a variable at once": "SELECT * { BIND(<U> AS ?u) SERVICE SILENT ?u { ?a ?b ?c } }",
    "a prefix": "PREFIX x: <U> SELECT * { SERVICE x:y { ?a ?b ?c } }",
    "a prefix without a space": "PREFIX x: <U> SELECT * { SERVICEx:y { ?a ?b ?c } }",
    "behind a name that is none": "PREFIX x: <http://a:8> SELECT * { {} UNION { ?p ?q x:SERVICE<U> { ?a ?b ?c } } }",
    "behind a number": "SELECT * { { ?x ?y 1SERVICE<U> { ?a ?b ?c } } }",
    "after a comment": "SELECT * { SERVICE#>\n<U> { ?a ?b ?c } }",
    "like an address": "SELECT * { ?x <http://a.test/at> ?u FILTER(1<2||?u<?u)SERVICE?u#>\n{ ?a ?b ?c } }",
    "in what looks like a string": "SELECT * { #'''\n SERVICE <U> { ?a ?b ?c } #'''\n }",
    "construct": "CONSTRUCT { ?a ?b ?c } { SERVICE <U> { ?a ?b ?c } }",
    "describe": "DESCRIBE ?a { SERVICE <U> { ?a ?b ?c } }",
    "load": "LOAD <U>",
    "load into": "LOAD SILENT <U> INTO GRAPH <http://g.test/>",
    "an update": "INSERT { ?a ?b ?c } WHERE { SERVICE <U> { ?a ?b ?c } }",
    "escaped": "SELECT * { \\u0053ERVICE <U> { ?a ?b ?c } }",
}


@pytest.mark.parametrize("query", SENDING.values(), ids=SENDING)
def test_a_query_that_would_be_sent_is_refused(query: str, server: Server, store: Store) -> None:
    with pytest.raises(ConfigError, match=r"SERVICE|cannot be read"):
        ask(store, query.replace("U>", f"{server.address}>"))
    assert server.connections == 0


def test_without_the_guard_the_server_would_have_been_asked(server: Server, store: Store) -> None:
    apart = Server()
    bool(store.query(f"ASK {{ SERVICE SILENT <{apart.address}> {{ ?a ?b ?c }} }}"))
    apart.close()
    assert apart.connections == 1, "or the test above proves nothing"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM <U> { ?a ?b ?c }",
        "SELECT * FROM NAMED <U> { GRAPH ?g { ?a ?b ?c } }",
        "SELECT * { GRAPH <U> { ?a ?b ?c } }",
        "DESCRIBE <U>",
        "BASE <U> SELECT * { ?a <b> ?c }",
    ],
)
def test_addresses_of_graphs_are_names_only(query: str, server: Server, store: Store) -> None:
    ask(store, query.replace("U>", f"{server.address}>"))
    assert server.connections == 0


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?x { ?x ?p ?t FILTER(CONTAINS(?t, "service")) }',
        "SELECT ?x { ?x ?p ?t FILTER(CONTAINS(STR(?t), '''service''')) } # SERVICE",
        "SELECT ?x { ?x ?p ?service FILTER(isLiteral(?service)) }",
        "SELECT ?x { VALUES ?x { <http://a.test/service> } ?x ?p ?t }",
        "SELECT ?x { ?x dcterms:title ?t OPTIONAL { ?x kb:isClassified term:customer%20service } }",
        "PREFIX x: <http://a.test/> SELECT ?x { ?x dcterms:title ?t FILTER(?x = <http://a.test/service>) }",
    ],
)
def test_the_word_may_stand_in_strings_addresses_names_and_variables(query: str, store: Store) -> None:
    assert ask(store, query).splitlines() == ["?x", "<http://a.test/service>"]


def test_the_command_refuses_in_one_line(
    crawled: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    query = f"SELECT * {{ SERVICE SILENT <{server.address}> {{ ?a ?b ?c }} }}"
    assert run(["kb", "sparql", str(crawled), query]) == 2
    told = capsys.readouterr().err
    assert told.startswith("error: the query cannot be answered: SERVICE would send it to another server")
    assert told.count("\n") == 1
    assert run(["kb", "sparql", str(crawled), "SELECT (<http://no.test/function>(1) AS ?x) {}"]) == 2
    assert "is not supported" in capsys.readouterr().err
    assert server.connections == 0


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELEC ?x { ?x ?p ?t }", "it begins with 'SELEC', and a query with SELECT, ASK,"),
        ("SELECT ?x\nWHERE { ?x a ?y } LIMIT many", "cannot be read from line 2, column 25 on: 'many';"),
        ("SELECT ?x { ?x a ", "something is missing near its end"),
        ("", "it is empty"),
        ("SELECT ?x { ?x a foo:bar }", "use one of kb, term,"),
        ("SELECT ?x (COUNT(?t) AS ?n) { ?x ?p ?t }", "neither in GROUP BY nor in a function"),
        ("INSERT DATA { <http://a.test/> <http://b.test/> 1 }", "would change the knowledge base"),
    ],
)
def test_what_is_wrong_is_said_in_words(query: str, said: str, store: Store) -> None:
    with pytest.raises(ConfigError) as caught:
        ask(store, query)
    assert said in str(caught.value)
    assert "expected" not in str(caught.value)
    assert "\n" not in str(caught.value)
