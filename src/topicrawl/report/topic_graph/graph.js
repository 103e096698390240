"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const [sheet, all, query, card] = ["sheet", "all", "query", "card"].map(at);
const SVG = "http://www.w3.org/2000/svg";
const CLOSEST = 4, GAP = 7, ROOM = 24;

const made = (parent, name, attributes = {}, text = "") => {
  const element = parent.namespaceURI === SVG ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  return parent.appendChild(element);
};

// Concepts and edges: placed by topicrawl, drawn here.
let language = (data.languages[0] ?? [""])[0];
const main = new Map(data.edges.filter((edge) => edge.main).map((edge) => [edge.child, edge]));
const branches = new Set(data.edges.filter((edge) => edge.main).map((edge) => edge.parent));
for (const edge of data.edges) edge.path = made(at("lines"), "path", { class: edge.relation + (edge.main ? "" : " more") });
data.nodes.forEach((node, number) => {
  const kind = number === 0 ? "root" : `${node.side < 0 ? "left " : ""}${main.get(number)?.relation ?? ""}${branches.has(number) ? " branch" : ""}`;
  node.dot = made(at("dots"), "g", {
    class: `dot ${kind}`, transform: `translate(${node.x} ${node.y})`, tabindex: 0, role: "button", "aria-label": node.name,
  });
  made(node.dot, "circle", { r: node.r });
  node.text = made(node.dot, "text", node.side ? { x: node.side * (node.r + GAP) } : { y: -node.r - 13 });
  node.reach = made(node.dot, "circle", { class: "reach", r: Math.max(14, node.r) });
  node.dot.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && !chosen && tell(node));
  node.dot.addEventListener("pointerleave", () => !chosen && tell(null));
  node.dot.addEventListener("click", () => moved || choose(node === chosen ? null : node));
  node.dot.addEventListener("keydown", (event) => event.key === "Enter" && choose(node));
});

function write() {
  for (const node of data.nodes) {
    node.text.textContent = node.shown[language] ?? node.name;
    node.end = node.side ? node.r + GAP + node.text.getComputedTextLength() + 6 : node.r;
  }
  for (const edge of data.edges) {
    const [child, parent] = [data.nodes[edge.child], data.nodes[edge.parent]];
    if (edge.main) {
      const [from, to] = [parent.x + child.side * parent.end, child.x - child.side * (child.r + 2)];
      const middle = (from + to) / 2;
      edge.path.setAttribute("d", `M${from} ${parent.y}C${middle} ${parent.y} ${middle} ${child.y} ${to} ${child.y}`);
    } else {
      const [dx, dy] = [child.x - parent.x, child.y - parent.y];
      const [x, y] = [parent.x + dx / 2 + dy * 0.15, parent.y + dy / 2 - dx * 0.15];
      edge.path.setAttribute("d", `M${parent.x} ${parent.y}Q${x} ${y} ${child.x} ${child.y}`);
    }
  }
}

// Zooming and moving: one affine view.
const view = { x: 0, y: 0, scale: 1 };
const size = () => ({ width: sheet.clientWidth, height: sheet.clientHeight, narrow: sheet.clientWidth <= 760 });
const whole = () => Math.min((size().width - 2 * ROOM) / data.width, (size().height - 150) / data.height);

function show(glide = false) {
  all.classList.toggle("gliding", glide);
  all.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  sheet.dataset.scale = view.scale.toFixed(4);
}
function zoom(factor, x = size().width / 2, y = size().height / 2, glide = false) {
  const scale = Math.min(CLOSEST, Math.max(Math.min(0.2, whole()), view.scale * factor));
  view.x = x - ((x - view.x) * scale) / view.scale;
  view.y = y - ((y - view.y) * scale) / view.scale;
  view.scale = scale;
  show(glide);
}
function fit(glide = false) {
  const { width, height } = size();
  view.scale = Math.min(1.25, whole());
  view.x = (width - data.width * view.scale) / 2;
  view.y = 72 + (height - 140 - data.height * view.scale) / 2;
  show(glide);
}
function begin() {
  const { width, height, narrow } = size();
  const legible = narrow ? 0.85 : 0.6;
  fit();
  if (view.scale >= legible) return;
  const root = data.nodes[0];
  Object.assign(view, { scale: legible, x: width * (narrow ? 0.2 : 0.5) - root.x * legible, y: height / 2 - root.y * legible });
  show();
}
function centre(node) {
  const { width, height, narrow } = size();
  view.scale = Math.max(view.scale, 1);
  view.x = width * (narrow ? 0.3 : 0.45) - node.x * view.scale;
  view.y = height * (narrow ? 0.38 : 0.5) - node.y * view.scale;
  show(true);
}

const fingers = new Map();
let moved = false;
sheet.addEventListener("pointerdown", (event) => {
  moved = false;
  fingers.set(event.pointerId, event);
});
sheet.addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
  if (!moved && Math.hypot(dx, dy) < 4) return;
  if (!moved) sheet.setPointerCapture(event.pointerId);
  moved = true;
  sheet.classList.add("moving");
  const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
  if (other) {
    const apart = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY) || 1;
    zoom(apart(event) / apart(before), (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
  }
  view.x += other ? dx / 2 : dx;
  view.y += other ? dy / 2 : dy;
  show();
  fingers.set(event.pointerId, event);
});
for (const end of ["pointerup", "pointercancel"]) {
  sheet.addEventListener(end, (event) => {
    fingers.delete(event.pointerId);
    sheet.classList.remove("moving");
  });
}
sheet.addEventListener("click", (event) => !moved && !event.target.closest(".dot") && choose(null));
sheet.addEventListener("wheel", (event) => {
  event.preventDefault();
  const step = event.deltaY * (event.deltaMode ? 30 : 1);
  zoom(Math.exp(-Math.max(-200, Math.min(200, step)) / (event.ctrlKey ? 100 : 400)), event.clientX, event.clientY);
}, { passive: false });
sheet.addEventListener("keydown", (event) => {
  const ways = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  const keys = { "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: () => fit(true), Escape: () => choose(null) };
  if (ways[event.key]) {
    view.x += ways[event.key][0];
    view.y += ways[event.key][1];
    show();
  } else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});
at("in").addEventListener("click", () => zoom(1.4, undefined, undefined, true));
at("out").addEventListener("click", () => zoom(1 / 1.4, undefined, undefined, true));
at("fit").addEventListener("click", () => fit(true));

// A concept's card, and its ways up to the root.
let chosen = null;
function choose(node) {
  chosen?.dot.classList.remove("chosen");
  chosen = node;
  chosen?.dot.classList.add("chosen");
  tell(node);
}
function tell(node) {
  const above = new Set(), waiting = node ? [data.nodes.indexOf(node)] : [];
  for (const edge of data.edges) edge.path.classList.remove("lit");
  while (waiting.length) {
    const here = waiting.pop();
    for (const edge of data.edges) {
      if (edge.child !== here) continue;
      edge.path.classList.add("lit");
      if (!above.has(edge.parent)) waiting.push(edge.parent);
      above.add(edge.parent);
    }
  }
  card.hidden = !node;
  if (node) describe(node);
}
function describe(node) {
  card.replaceChildren();
  const close = made(card, "button", { class: "close", type: "button", "aria-label": "Close" }, "×");
  close.addEventListener("click", () => choose(null));
  made(card, "h2", {}, node.name);
  for (const labels of Object.values(node.labels)) made(card, "p", {}, labels.join(" · "));
  const list = made(card, "dl");
  const row = (name, value, kind = "") => {
    made(list, "dt", { class: kind }, name);
    made(list, "meter", { value, min: 0, max: 1 });
    made(list, "dd", {}, value.toFixed(3));
  };
  row("weight", node.weight, "weight");
  node.factors.forEach((value, place) => row(data.factors[place], value));
  const number = data.nodes.indexOf(node);
  for (const edge of data.edges.filter((each) => each.child === number)) {
    const line = made(card, "p", {}, `${edge.relation} `);
    made(line, "b", {}, data.nodes[edge.parent].name);
    line.append(` (${edge.provenance})`);
  }
  const children = data.edges.filter((edge) => edge.parent === number).length;
  if (children) made(card, "p", {}, `${children} below it`);
}

// Search: what is found is lit, the current one is in the middle.
let hits = [], current = -1;
function search() {
  const words = query.value.trim().toLowerCase();
  const holds = (node) => [node.name, ...Object.values(node.labels).flat()].some((label) => label.toLowerCase().includes(words));
  hits = words ? data.nodes.filter(holds) : [];
  const begins = (node) => Object.values(node.labels).flat().concat(node.name).some((label) => label.toLowerCase().startsWith(words));
  hits.sort((one, other) => begins(other) - begins(one) || other.weight - one.weight);
  document.body.classList.toggle("searching", words !== "");
  for (const node of data.nodes) node.dot.classList.toggle("hit", hits.includes(node));
  go(hits.length ? 0 : -1);
}
function go(place) {
  for (const node of data.nodes) node.dot.classList.remove("current");
  current = place;
  at("found").textContent = query.value.trim() ? (hits.length ? `${place + 1} of ${hits.length}` : "nothing") : "";
  if (place < 0) return;
  hits[place].dot.classList.add("current");
  centre(hits[place]);
}
query.addEventListener("input", search);
query.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { query.value = ""; search(); }
});
at("find").addEventListener("submit", (event) => {
  event.preventDefault();
  if (hits.length) go((current + 1) % hits.length);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || document.activeElement === query) return;
  event.preventDefault();
  query.focus();
});

for (const [tag, name] of data.languages.length > 1 ? data.languages : []) {
  const button = made(at("languages"), "button", { type: "button", "aria-pressed": tag === language }, name);
  button.addEventListener("click", () => {
    language = tag;
    for (const each of at("languages").children) each.setAttribute("aria-pressed", each === button);
    write();
  });
}
write();
begin();
