// Shows what changes: parts of the page come as server-sent events. A hidden page does not listen.

let source = null;
const held = new Map(); // parts that wait, by id: what one points at or has the focus in does not move

function isInUse(place) {
  const points = "holds" in place.dataset && matchMedia("(hover: hover)").matches && place.matches(":hover");
  return points || (place !== document.activeElement && place.contains(document.activeElement));
}

function show(id, html) {
  const place = document.getElementById(id);
  if (!place) return;
  if (isInUse(place)) {
    held.set(id, html);
  } else {
    held.delete(id);
    place.innerHTML = html;
  }
}

function begin(address) {
  source = new EventSource(address);
  source.addEventListener("parts", (event) => {
    for (const [id, html] of Object.entries(JSON.parse(event.data))) show(id, html);
  });
}

function showHeld() {
  for (const [id, html] of [...held]) show(id, html);
}

export function watch() {
  const place = document.getElementById("live");
  if (!place) return;
  const change = () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else if (!source) {
      begin(place.dataset.events);
    }
  };
  document.addEventListener("visibilitychange", change);
  for (const leaves of ["pointerout", "focusout"]) place.addEventListener(leaves, () => setTimeout(showHeld, 100));
  change();
}
