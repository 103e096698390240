// Buttons and forms that ask something of the crawl.
import { say, send } from "./send.js";

const LISTS = /\s*\n\s*/;
const WISHES = {
  budget: ({ setting, value }) => ({ kind: "change", settings: { [setting]: value } }),
  seeds: ({ urls }) => ({ kind: "seeds", urls: urls.split(LISTS).filter((url) => url) }),
  exclude: ({ pattern }) => ({ kind: "change", add: { exclude: [pattern] } }),
  example: ({ url }) => ({ kind: "example", url }),
};

export function control() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button[data-wish], button[data-favour]");
    if (!button) return;
    if (button.dataset.sure && !confirm(button.dataset.sure)) return;
    button.disabled = true;
    const said = button.dataset.wish
      ? await send("wish", JSON.parse(button.dataset.wish))
      : await send("favour", JSON.parse(button.dataset.favour));
    button.disabled = false;
    if (said && "reload" in button.dataset) setTimeout(() => location.reload(), 800);
  });
  document.addEventListener("submit", async (event) => {
    const wish = WISHES[event.target.dataset.form];
    if (!wish) return;
    event.preventDefault();
    const said = await send("wish", wish(Object.fromEntries(new FormData(event.target))));
    if (said) event.target.reset();
    if (said && "reload" in event.target.dataset) setTimeout(() => location.reload(), 800);
  });
  document.addEventListener("change", (event) => {
    if ("submit" in event.target.dataset) event.target.form.requestSubmit();
  });
  document.addEventListener("securitypolicyviolation", () => say("The browser blocked something on this page.", true));
}
