// Shows what changes: parts of the page come as server-sent events. A hidden page does not listen.

let source = null;

function begin(address) {
  source = new EventSource(address);
  source.addEventListener("parts", (event) => {
    for (const [id, html] of Object.entries(JSON.parse(event.data))) {
      const place = document.getElementById(id);
      if (place && !place.contains(document.activeElement)) place.innerHTML = html;
    }
  });
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
  change();
}
