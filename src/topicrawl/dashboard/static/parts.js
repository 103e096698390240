// Loads parts of pages from the server: rows while one types, further rows, an explanation.

async function part(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
  const holder = document.createElement("template");
  holder.innerHTML = answer?.ok ? await answer.text() : "<p class='warning'>This could not be read.</p>";
  holder.content.isMissing = answer?.status !== 200;
  return holder.content;
}

function withPart(address) {
  const url = new URL(address, location.href);
  url.searchParams.set("part", "1");
  return url;
}

function followFilters(form) {
  const rows = document.getElementById("rows");
  let asked = 0;
  let waiting = 0;
  const show = async () => {
    const own = ++asked;
    const chosen = [...new FormData(form)].filter(([, value]) => value !== "");
    const address = `${form.action}?${new URLSearchParams(chosen)}`;
    const content = await part(withPart(address));
    if (own !== asked) return;
    rows.replaceChildren(content);
    history.replaceState(null, "", address);
    again();
  };
  const soon = (delay) => {
    clearTimeout(waiting);
    waiting = setTimeout(show, delay);
  };
  // while the index is being made, rows are asked for again; not while one reads them: they would move under the hand
  const again = () => {
    const state = rows.querySelector("ol")?.dataset.state?.split(",").map(Number) ?? [0, 0, 0];
    const reads = form.elements.words.value || form.elements.language.value;
    if (state[0] >= state[1] && !(reads && state[2] < state[0])) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => (rows.matches(":hover, :focus-within") ? again() : show()), 1500);
  };
  form.addEventListener("input", () => soon(120));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    soon(0);
  });
  rows.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-more]");
    if (!link) return;
    event.preventDefault();
    const content = await part(withPart(link.href));
    link.closest("p").remove();
    const list = rows.querySelector("ol");
    const first = content.querySelector("li");
    list.append(...content.querySelectorAll("ol > li"));
    const more = content.querySelector(".more");
    if (more) rows.append(more);
    first?.querySelector("a")?.focus();
  });
  again();
}

export async function load(place) {
  place.setAttribute("aria-busy", "true");
  const content = await part(place.dataset.load);
  if (!content.isMissing || !("keep" in place.dataset)) place.replaceChildren(content);
  place.removeAttribute("aria-busy");
  place.dispatchEvent(new CustomEvent("loaded"));
}

// loads a part again after every so many seconds, unless it is hidden or in use
function repeat(place) {
  const isInUse = () => document.hidden || place.matches(":hover, :focus-within");
  setInterval(() => isInUse() || load(place), 1000 * place.dataset.every);
}

export function follow() {
  const form = document.getElementById("filters");
  if (form) followFilters(form);
  for (const place of document.querySelectorAll("[data-load]")) {
    if ("atOnce" in place.dataset) load(place);
    if ("every" in place.dataset) repeat(place);
    place.querySelector("[data-load-now]")?.addEventListener("click", (event) => {
      event.target.disabled = true;
      load(place);
    });
  }
}
