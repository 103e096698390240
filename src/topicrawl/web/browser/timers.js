// Runs in the world of the page, before its first script: tells watch.js of the timers that the page waits for.
// Timers that a timer sets are not among them: what repeats itself never ends.
(() => {
  if (window !== top) return;
  const set = window.setTimeout, clear = window.clearTimeout, Wait = Event;
  const SHORTEST = 500, LONGEST = 3000;  // QUIET_SECONDS and TIMER_SECONDS of tab.py
  const waits = new Set(), tell = document.dispatchEvent.bind(document);
  let inside = 0;

  function ended(id) {
    if (waits.delete(id)) tell(new Wait("topicrawl-waited"));
  }

  window.setTimeout = function setTimeout(callback, delay, ...given) {
    if (inside || typeof callback !== "function" || !(delay >= SHORTEST && delay <= LONGEST)) {
      return set.call(window, callback, delay, ...given);
    }
    const id = set.call(window, function (...received) {
      inside++;
      try { return callback.apply(this, received); } finally { inside--; ended(id); }
    }, delay, ...given);
    waits.add(id);
    tell(new Wait("topicrawl-waits"));
    return id;
  };
  window.clearTimeout = function clearTimeout(id) {
    clear.call(window, id);
    ended(Number(id));
  };
})();
