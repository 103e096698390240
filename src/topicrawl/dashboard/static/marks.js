// The queue of questions by keyboard: j and k move, y and n answer, u takes the last answer back, o opens the page.
import { load } from "./parts.js";
import { send } from "./send.js";

const given = [];

function entries() {
  return [...document.querySelectorAll("#queue li[data-n]")];
}

function current() {
  return document.querySelector("#queue li.current");
}

function move(to) {
  if (!to) return;
  current()?.classList.remove("current");
  to.classList.add("current");
  to.focus();
  to.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const all = entries();
  const place = all.indexOf(current());
  move(all[Math.min(all.length - 1, Math.max(0, place + by))]);
}

function press(entry, mark) {
  for (const button of entry.querySelectorAll("[data-mark]")) {
    button.setAttribute("aria-pressed", String(button.dataset.mark === mark));
  }
  entry.classList.toggle("said", mark !== "forget");
}

async function answer(mark) {
  const entry = current() ?? entries()[0];
  if (!entry || !(await send("mark", { n: Number(entry.dataset.n), mark }))) return;
  press(entry, mark);
  given.push(entry);
  move(entry);
  step(1);
  changed();
  if (entries().every((each) => each.classList.contains("said"))) load(document.getElementById("queue"));
}

async function undo() {
  const entry = given.pop();
  if (!entry || !(await send("mark", { n: Number(entry.dataset.n), mark: "forget" }))) return;
  press(entry, "forget");
  if (!entry.isConnected) document.querySelector("#queue ol").prepend(entry); // other questions took its place
  move(entry);
  changed();
}

// in a window of its own, so that the queue stays
function open() {
  const link = (current() ?? entries()[0])?.querySelector(".title a");
  if (link) window.open(link.href, "_blank", "noopener");
}

let waiting = 0;

// a run that no crawl writes logs marks some seconds after the last one
function changed() {
  clearTimeout(waiting);
  load(document.getElementById("marked"));
  waiting = setTimeout(() => load(document.getElementById("effects")), 3500);
}

const KEYS = { j: () => step(1), k: () => step(-1), y: () => answer("yes"), n: () => answer("no"), u: undo, o: open };

export function question() {
  const queue = document.getElementById("queue");
  if (!queue) return;
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  queue.addEventListener("marked", (event) => {
    const entry = event.target.closest("li");
    press(entry, event.detail);
    if (event.detail !== "forget") given.push(entry);
    changed();
  });
  queue.addEventListener("loaded", () => entries()[0]?.classList.add("current"));
  document.getElementById("more-questions").addEventListener("click", () => load(queue));
}
