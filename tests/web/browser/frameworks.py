"""Single-page applications of real frameworks, whose files come from the registry of npm."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

PACKAGES = {
    "vue": ("vue@3.5.13", "vue-router@4.5.0"),
    "react": ("react@18.3.1", "react-dom@18.3.1"),
    "svelte": ("svelte@3.59.2",),
}
FILES = {
    "vue": {
        "vue.js": "vue-3.5.13/dist/vue.global.prod.js",
        "router.js": "vue-router-4.5.0/dist/vue-router.global.prod.js",
    },
    "react": {
        "react.js": "react-18.3.1/umd/react.production.min.js",
        "dom.js": "react-dom-18.3.1/umd/react-dom.production.min.js",
    },
    "svelte": {"svelte/internal": "svelte-3.59.2/internal/index.mjs"},
}
COMPONENT = """<script>
  import { onMount } from "svelte"
  let items = []
  onMount(async () => { items = await (await fetch("/api/items")).json() })
</script>
<h1>Tide tables</h1>
<ul>{#each items as item}<li><a href="/svelte/{item.id}">{item.name}</a></li>{/each}</ul>"""
COMPILE = """
const {compile} = require(process.argv[1]), component = require("fs").readFileSync(0, "utf8")
process.stdout.write(compile(component, {sveltePath: "/svelte"}).js.code)
"""
SERVER = """
const React = require("react"), server = require(process.argv[1]), items = JSON.parse(process.argv[2])
const e = React.createElement
process.stdout.write(server.renderToString(e(React.Fragment, null, e("h1", null, "Tide tables"),
  e("ul", null, items.map((i) => e("li", {key: i.id}, e("a", {href: "/react/" + i.id}, i.name)))))))
"""
REACT_SERVED = """<!doctype html><title>Harbour</title><div id=root>{}</div>
<script src=/react.js></script><script src=/dom.js></script><script>ReactDOM.hydrateRoot(root, window.app)</script>"""
SHELL = "<!doctype html><html lang=en><head><meta charset=utf-8><title>Harbour</title></head><body>{}</body></html>"
VUE = SHELL.replace(
    "{}",
    """<div id=app></div><script src=/vue.js></script><script src=/router.js></script><script>
const list = {
  template: `<h1>Tide tables</h1>
    <ul><li v-for="i in items"><router-link :to="'/vue/' + i.id">{{ i.name }}</router-link></li></ul>`,
  data: () => ({items: []}), async mounted() { this.items = await (await fetch("/api/items")).json() }}
const routes = [{path: "/:rest(.*)*", component: list}], past = VueRouter.createWebHistory()
const router = VueRouter.createRouter({history: past, routes})
Vue.createApp({template: "<router-view></router-view>"}).use(router).mount("#app")</script>""",
)
REACT = SHELL.replace(
    "{}",
    """<noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div>
<script src=/react.js></script><script src=/dom.js></script><script>
const e = React.createElement
function List() {
  const [items, set] = React.useState([])
  React.useEffect(() => { fetch("/api/items").then((r) => r.json()).then(set) }, [])
  return e(React.Fragment, null, e("h1", null, "Tide tables"),
    e("ul", null, items.map((i) => e("li", {key: i.id}, e("a", {href: "/react/" + i.id}, i.name)))))
}
ReactDOM.createRoot(document.getElementById("root")).render(e(List))</script>""",
)
SVELTE = SHELL.replace(
    "{}",
    """<div id=app></div>
<script type=module>import App from "/App.js"; new App({target: document.getElementById("app")})</script>""",
)
SHELLS = {"vue": VUE, "react": REACT, "svelte": SVELTE}
ITEMS = '[{"id": 1, "name": "Spring tides"}, {"id": 2, "name": "Neap tides"}]'


def framework_files(name: str, folder: Path) -> dict[str, str]:
    """The scripts of a framework, by path; the test is skipped without npm."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("no npm and node on the PATH, which fetch the frameworks")
    command = [
        npm,
        "pack",
        *PACKAGES[name],
        "--silent",
        "--prefer-offline",
        "--pack-destination",
        str(folder),
    ]
    packed = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    if packed.returncode:
        pytest.skip(f"npm could not fetch {PACKAGES[name]}: {packed.stderr.strip()[-300:]}")
    for package in PACKAGES[name]:
        with tarfile.open(folder / f"{package.replace('@', '-')}.tgz") as archive:
            archive.extractall(folder, filter="data")
        (folder / "package").rename(folder / package.replace("@", "-"))
    found = {path: (folder / file).read_text("utf-8") for path, file in FILES[name].items()}
    if name == "svelte":
        compiled = _node(folder, COMPILE, str(folder / "svelte-3.59.2" / "compiler.js"), given=COMPONENT)
        found |= {"App.js": compiled.replace('"/svelte"', '"/svelte/internal"')}
    return found


def served_by_react(folder: Path) -> str:
    """A page as a server with React sends it; `folder` has the packages."""
    modules = folder / "node_modules"
    modules.mkdir()
    (modules / "react").symlink_to(folder / "react-18.3.1")
    (modules / "react-dom").symlink_to(folder / "react-dom-18.3.1")
    return REACT_SERVED.replace(
        "{}", _node(folder, SERVER, str(modules / "react-dom" / "server.node.js"), ITEMS)
    )


def _node(folder: Path, code: str, *arguments: str, given: str = "") -> str:
    """What a script of Node.js writes; it finds the packages in `folder`."""
    command = ["node", "--preserve-symlinks", "-e", code, *arguments]
    done = subprocess.run(
        command, cwd=folder, input=given, capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout
