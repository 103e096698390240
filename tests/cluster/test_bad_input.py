"""What cannot work is refused in one line, before anything is started or changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from cluster.postgres import PASSWORD, Server
from topicrawl.cli import run
from topicrawl.cluster.crawls import ENDED, Unheld, add_crawl, crawl_ids, get_crawl, set_state, shard_rows
from topicrawl.cluster.database import connect, migrate
from topicrawl.cluster.leases import release, take
from topicrawl.cluster.node import our_version
from topicrawl.cluster.remarks import Remarks
from topicrawl.cluster.settings import Settings, write_settings
from topicrawl.cluster.store import Folder
from topicrawl.cluster.token import make_token
from topicrawl.errors import ConfigError
from topicrawl.frontier.route import Route

pytestmark = pytest.mark.xdist_group("postgres")
HEAD = "127.0.0.1:6390"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What this machine knows of its cluster."""
    monkeypatch.setenv("TOPICRAWL_CLUSTER", str(tmp_path / "cluster"))
    return tmp_path / "cluster"


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    def check(*words: object) -> str:
        code = run(["cluster", *map(str, words)])
        printed = capsys.readouterr()
        assert (code, printed.err.count("\n"), printed.out) == (2, 1, ""), printed.err
        return printed.err

    return check


@pytest.fixture
def node(dsn: str, tmp_path: Path, folder: Path) -> Settings:
    """A machine that belongs to a cluster, in whose database is a crawl `c` of two shards."""
    make_token(folder)
    store = Folder(tmp_path / "store")
    settings = Settings(HEAD, "127.0.0.1", store.where, dsn, our_version(), mark=store.mark())
    write_settings(settings)
    with connect(dsn) as connection:
        migrate(connection)
        add_crawl(connection, "c", "", Route(2), our_version())
    return settings


def test_a_connection_string_is_named_and_what_is_wrong_with_it_is_said_without_it(
    refused: Callable[..., str], dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "dsn"
    for named in ("env:DSN", f"file:{place}"):
        monkeypatch.setenv("DSN", dsn)
        place.write_text(dsn)
        connect(named).close()
        monkeypatch.setenv("DSN", "swordfish")
        place.write_text("swordfish")
        said = refused("start", "--head", "--store", tmp_path / "store", "--postgres", named)
        assert "no connection string" in said
        assert "swordfish" not in said
    monkeypatch.delenv("DSN")
    assert "env:DSN is not set" in refused("start", "--head", "--store", tmp_path, "--postgres", "env:DSN")


def test_a_head_that_cannot_start(
    refused: Callable[..., str],
    postgres: Server,
    dsn: str,
    tmp_path: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def named(login: str) -> str:
        monkeypatch.setenv("LOGIN", login)
        return "env:LOGIN"

    store = tmp_path / "store"
    (tmp_path / "file").touch()
    guest = f"{postgres.dsn('postgres', 'guest')} password=not-{PASSWORD.split()[0]}"
    start = ("start", "--head", "--store", store, "--postgres")
    assert "does not answer" in refused(*start, "host=/nonexistent")
    assert "refuses the login" in refused(*start, named(guest))
    assert "no connection string" in refused(*start, "nonsense")
    for password in ("hid@den", "hid/den", "hid%zden"):
        said = refused(*start, named(f"postgresql://guest:{password}@127.0.0.1:1/crawls"))
        assert "@ as %40" in said
        assert "hid" not in said
        assert "den" not in said
    assert "no connection string" in refused(*start, named("postgresql://guest:%de@127.0.0.1:1/crawls"))
    assert "hidden" not in refused(*start, "host=127.0.0.1 password=two hidden")
    for given in (guest, "postgresql://guest:hidden@127.0.0.1:1/crawls", "postgresql:///?password=hidden"):
        said = refused(*start, given)
        assert "~/.pgpass, or put the whole string" in said
        assert "hidden" not in said
    assert "is no address of this machine" in refused(*start, dsn, "--listen", "203.0.113.7")
    assert "is no address of this machine" in refused(*start, dsn, "--listen", "head")
    unwritable = ("start", "--head", "--store", tmp_path / "file" / "x", "--postgres", dsn)
    assert "cannot be used here" in refused(*unwritable)
    assert "say --head" in refused("start", "--store", store, "--postgres", dsn)
    with connect(dsn) as connection:
        migrate(connection)
        connection.execute("INSERT INTO migration VALUES (9999)")
    assert "later topicrawl" in refused(*start, dsn)
    login = f"{postgres.dsn('postgres', 'guest')} password='{PASSWORD}'"
    assert "may not make tables in this database" in refused(*start, named(login))
    assert not folder.exists(), "nothing was started"


def test_a_machine_that_cannot_join(refused: Callable[..., str], node: Settings, folder: Path) -> None:
    token = folder / "token"
    write_settings(msgspec.structs.replace(node, version="0.0.1"))
    assert f"has topicrawl {our_version()}, the head 0.0.1" in refused("join", HEAD)
    write_settings(node)
    with connect(node.postgres) as connection:
        connection.execute("DELETE FROM migration WHERE number = 1")
    assert "older topicrawl" in refused("join", HEAD)
    assert "is no address of a head" in refused("join", "head")
    with connect(node.postgres) as connection:
        connection.execute("INSERT INTO migration VALUES (1)")
    assert "Ray at 127.0.0.1:1 does not answer (" in refused("join", "127.0.0.1:1")
    token.chmod(0o644)
    assert "can be read by others (mode 0644)" in refused("join", HEAD)
    token.chmod(0o600)
    token.write_text("short")
    assert "which is no secret" in refused("join", HEAD)
    token.unlink()
    assert "copy the file of that name from the head" in refused("join", HEAD)
    (folder / "cluster.json").unlink()
    assert "belongs to no cluster" in refused("status")
    assert not (folder / "ray.pid").exists()


def test_a_crawl_that_cannot_be_resumed(refused: Callable[..., str], node: Settings) -> None:
    assert "no crawl 'd' in this cluster; the latest are: c" in refused("resume", "d")
    assert "was submitted with --shards 2; resuming cannot change that to 3" in refused(
        "resume", "c", "--shards", 3
    )
    with connect(node.postgres) as connection:
        take(connection, "c", 1, "vm/77")
    assert "is under way: shard 1 is held by vm/77" in refused("resume", "c")
    with connect(node.postgres) as connection:
        connection.execute("UPDATE crawl SET state = 'ended'")
    assert "has ended already" in refused("stop", "c")


@pytest.fixture
def each_refused(refused: Callable[..., str], tmp_path: Path) -> Callable[[], set[str]]:
    """What the commands say that would change something, each in one line."""
    crawl = tmp_path / "crawl.toml"
    crawl.write_text("[crawl]\ntopic = 'rain'\nseeds = ['http://a.test/']\nstrategy = 'ops'\n")
    commands = (("join", HEAD), ("submit", crawl, "--shards", 2), ("resume", "c"))
    return lambda: {refused(*command) for command in commands}


def test_nothing_is_begun_where_something_does_not_fit(
    each_refused: Callable[[], set[str]], refused: Callable[..., str], node: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    dsn = node.postgres
    elsewhere = msgspec.structs.replace
    for other, words in (
        (elsewhere(node, version="0.0.1"), f"has topicrawl {our_version()}, the head 0.0.1"),
        (elsewhere(node, store=str(tmp_path / "file" / "x")), "cannot be used here"),
        (elsewhere(node, store=str(tmp_path / "not mounted")), "cannot be used here"),
        (elsewhere(node, mark="of another cluster"), "is not the store of this cluster"),
        (elsewhere(node, postgres="host=/nonexistent"), "does not answer"),
    ):
        write_settings(other)
        [said] = each_refused()
        assert words in said
    assert all("does not answer" in refused(*each) for each in (("status",), ("log", "c"), ("stop", "c")))
    assert "does not answer" in refused("fetch", "c", "--out", tmp_path / "out")
    write_settings(node)
    with connect(dsn) as connection:
        connection.execute("DELETE FROM migration WHERE number = 1")
    [said] = each_refused()
    assert "older topicrawl (migration 1 is missing)" in said
    with connect(dsn) as connection:
        connection.execute("INSERT INTO migration VALUES (1)")
        assert crawl_ids(connection) == ["c"]
        assert get_crawl(connection, "c").state == "running"


def test_nothing_is_begun_where_clocks_are_apart(
    each_refused: Callable[[], set[str]], refused: Callable[..., str], node: Settings
) -> None:
    ahead = node.postgres.replace("search_path=", "search_path=ahead,")[:-1] + ",pg_catalog'"
    with connect(node.postgres) as connection:
        connection.execute("CREATE SCHEMA ahead")
        connection.execute(
            "CREATE FUNCTION ahead.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS "
            "$$SELECT pg_catalog.clock_timestamp() + interval '60 s'$$"
        )
    write_settings(msgspec.structs.replace(node, postgres=ahead))
    [said] = each_refused()
    assert "the clock of this machine is 60 s behind PostgreSQL's" in said
    start = ("start", "--head", "--store", node.store, "--postgres", ahead)
    assert refused(*start) == said


def test_a_crawl_is_not_brought_into_a_file(
    refused: Callable[..., str], node: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    assert "is no folder" in refused("fetch", "c", "--out", tmp_path / "file")


def test_stop_ends_when_the_holder_of_a_shard_is_gone(node: Settings) -> None:
    with connect(node.postgres) as connection:
        take(connection, "c", 1, "vm/77", seconds=1)
    assert run(["cluster", "stop", "c"]) == 0
    with connect(node.postgres) as connection:
        found = get_crawl(connection, "c")
    assert (found.state, found.reason) == ("ended", "stopped")


def test_shards_whose_crawl_need_not_wait_for_them(node: Settings) -> None:
    with connect(node.postgres) as connection:
        add_crawl(connection, "d", "", Route(3), our_version())
        take(connection, "d", 1, "vm/77")
        release(connection, take(connection, "d", 2, "vm/78"))
        rows, unheld = shard_rows(connection, "d"), Unheld(seconds=5)
    assert unheld.look(rows, now=0) == {"000"}, "it was never held"
    assert unheld.look(rows, now=4) == {"000"}
    assert unheld.look(rows, now=6) == {"000", "002"}
    assert unheld.look([], now=7) == set()
    assert unheld.look(rows, now=8) == {"000"}, "somebody held it in between"


def test_a_crawl_that_cannot_be_submitted(
    refused: Callable[..., str], node: Settings, tmp_path: Path
) -> None:
    assert "absent.toml" in refused("submit", tmp_path / "absent.toml", "--shards", 2)
    (tmp_path / "crawl.toml").write_text("[crawl]\ntopic = 'rain'\n")
    assert "--shards 0" in refused("submit", tmp_path / "crawl.toml", "--shards", 0)
    (tmp_path / "crawl.toml").write_text(
        "[crawl]\ntopic = 'rain'\nseeds = ['http://a.test/']\nstrategy = 'mcoa'\n"
    )
    split = ("--shards", 2, "--split", "www.a.test")
    assert "--split www.a.test: give a registrable domain" in refused(
        "submit", tmp_path / "crawl.toml", *split
    )
    assert "cannot crawl in shards" in refused("submit", tmp_path / "crawl.toml", "--shards", 2)
    write_settings(msgspec.structs.replace(node, head="127.0.0.1:1"))
    (tmp_path / "good.toml").write_text(
        "[crawl]\ntopic = 'rain'\nseeds = ['http://a.test/']\nstrategy = 'ops'\n"
    )
    assert "Ray at 127.0.0.1:1 does not answer (" in refused("submit", tmp_path / "good.toml", "--shards", 2)
    assert "--metrics" in refused("submit", tmp_path / "crawl.toml", "--shards", 2, "--metrics", "x")


def test_without_the_packages_of_clusters(
    refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("topicrawl.cli.cluster_nodes.NEEDED", ("no_such_package",))
    for command in ("status", "down"):
        assert "needs no_such_package; run: pip install 'topicrawl[cluster]'" in refused(command)


def test_the_status_of_crawls(node: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["cluster", "status"]) == 0
    assert "running" in capsys.readouterr().out
    assert run(["cluster", "status", "c"]) == 0
    assert capsys.readouterr().out.count("none: it waits") == 2
    with connect(node.postgres) as connection:
        set_state(connection, "c", ENDED)
    assert run(["cluster", "status", "c"]) == 0
    assert "waits" not in capsys.readouterr().out
    assert run(["cluster", "status", "c", "--json"]) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert (found["shards"], found["alive"], len(found["each"])) == (2, 0, 2)


def test_what_shards_said_is_in_one_place(node: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    said = Remarks(node.postgres, "c")
    said.add("001", "held by vm/7")
    said.add("000", "the store is away\x1b[31m")
    said.close()
    assert run(["cluster", "log", "c"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("  001  held by vm/7")
    assert "the store is away" in second
    assert "\x1b" not in second
    gone = Remarks("host=/nonexistent", "c")
    gone.add("000", "nobody hears this")
    gone.close()


def test_a_token_is_made_once_and_only_its_owner_reads_it(folder: Path) -> None:
    path = make_token(folder)
    text = path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert make_token(folder).read_text() == text
    path.chmod(0o640)
    with pytest.raises(ConfigError, match="chmod 600"):
        make_token(folder)


def test_settings_are_only_for_their_owner(node: Settings, folder: Path) -> None:
    assert (folder / "cluster.json").stat().st_mode & 0o777 == 0o600
