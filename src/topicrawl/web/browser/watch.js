// Runs in a world of its own, which the scripts of the page cannot reach, before the first of them.
(() => {
  // What an earlier page left in the tab itself; all else that it stored is deleted when it is left (tab.py).
  if (window === top) {
    window.name = "";
    try { sessionStorage.clear(); } catch { /* this page may store nothing */ }
  }

  let changed = performance.now();
  new MutationObserver(() => { changed = performance.now(); })
    .observe(document, { subtree: true, childList: true, characterData: true });

  let timers = 0;  // that the page waits for (timers.js)
  document.addEventListener("topicrawl-waits", () => { timers++; });
  document.addEventListener("topicrawl-waited", () => { timers--; });

  const LEADS = /(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\s*\(|\bopen\s*\()\s*(["'])(.*?)\1/;
  const CUSTOM = "descendant-or-self::*[contains(name(), '-')]", HOST = "data-topicrawl-host";
  const OTHERS = "article, aside, blockquote, body, div, footer, h1, h2, h3, h4, h5, h6, header, main, nav, p, section, span";
  const LEFT_OUT = "script, style, noscript, template, link[rel~=stylesheet], link[rel*=pre]";

  // Elements that may have a shadow: custom ones, and some others.
  function* hosts(node) {
    const custom = document.evaluate(CUSTOM, node, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    for (let at = 0; at < custom.snapshotLength; at++) yield custom.snapshotItem(at);
    if (!(node instanceof Element)) return;
    if (node.matches(OTHERS)) yield node;
    yield* node.querySelectorAll(OTHERS);
  }

  // A copy in a document that runs nothing, with what is in the shadow of elements as their children.
  function copied(node, inert) {
    const shadows = [];
    for (const host of hosts(node)) {
      if (!host.shadowRoot) continue;
      host.setAttribute(HOST, shadows.length);
      shadows.push(host.shadowRoot);
    }
    const copy = inert.importNode(node, true);
    for (const host of shadows.length ? [copy, ...copy.querySelectorAll(`[${HOST}]`)] : []) {
      const shadow = shadows[host.getAttribute(HOST) ?? -1];
      host.removeAttribute(HOST);
      for (const child of shadow ? shadow.childNodes : []) host.append(copied(child, inert));
    }
    return copy;
  }

  // What a click would lead to, as the markup says, becomes a link.
  function linkHandlers(copy, inert) {
    for (const element of copy.querySelectorAll("[onclick]")) {
      const target = LEADS.exec(element.getAttribute("onclick"))?.[2];
      if (!target || element.closest("a[href]")) continue;
      if (element.matches("a, area")) { element.setAttribute("href", target); continue; }
      const place = element.matches("tr") && element.cells[0] || element;
      const link = inert.createElement("a");
      link.setAttribute("href", target);
      link.append(...place.childNodes);
      place.append(link);
    }
  }

  globalThis.topicrawl = {
    state: () => ({ ready: document.readyState !== "loading", quiet: performance.now() - changed, timers }),

    // The document as markup, at most `limit` characters; relative links in it are those of `home`.
    markup(home, limit) {
      if (!document.documentElement) return "";
      const inert = document.implementation.createHTMLDocument("");
      const copy = copied(document.documentElement, inert);
      for (const element of copy.querySelectorAll(LEFT_OUT)) element.remove();
      linkHandlers(copy, inert);
      if (document.baseURI !== home) {
        const base = inert.createElement("base");
        base.setAttribute("href", document.baseURI);
        (copy.querySelector("head") ?? copy).prepend(base);
      }
      return ("<!doctype html>" + copy.outerHTML).slice(0, limit);
    },

    // The text of an element that may be clicked; null for links, forms and fields.
    clickable(element) {
      if (!element.isConnected || element.matches("html, body, input, select, textarea, [onclick*=location]")) return null;
      if (element.closest("form, a[href], [contenteditable]")) return null;
      return (element.textContent || "").trim().slice(0, 200);
    },

    place: () => location.href,
  };
})();
