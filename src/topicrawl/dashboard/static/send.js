// Sends what a person says to the server.

let hiding = 0;

export function say(text, bad = false) {
  const place = document.getElementById("says");
  place.textContent = text;
  place.className = bad ? "shown bad" : "shown";
  clearTimeout(hiding);
  hiding = setTimeout(() => place.classList.remove("shown"), bad ? 8000 : 3000);
}

export async function send(what, body) {
  const answer = await fetch(`${document.body.dataset.run}/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": document.querySelector("meta[name=csrf]").content },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (!answer) {
    say("The dashboard does not answer: is it still running?", true);
    return null;
  }
  const said = answer.headers.get("content-type")?.startsWith("application/json") ? await answer.json() : {};
  say(said.says ?? "That was refused.", !answer.ok);
  return answer.ok ? said : null;
}

async function press(button) {
  const group = button.closest(".verdict");
  const mark = button.getAttribute("aria-pressed") === "true" ? "forget" : button.dataset.mark; // pressed twice: taken back
  const said = await send("mark", { n: Number(group.dataset.n), mark });
  if (!said) return;
  for (const each of group.querySelectorAll("[aria-pressed]")) each.setAttribute("aria-pressed", String(each.dataset.mark === mark));
  show(group, mark);
  button.dispatchEvent(new CustomEvent("marked", { bubbles: true, detail: mark }));
}

// the relevance beside the buttons is what was said; what the judge says again comes from the server
function show(group, mark) {
  const score = group.parentElement.querySelector(".big .score") ?? group.closest("li")?.querySelector(".score");
  if (!score) return;
  if (mark === "forget") {
    score.textContent = "–";
    score.classList.add("below");
  } else {
    score.textContent = mark === "yes" ? "1.000" : "0.000";
    score.classList.toggle("below", mark === "no");
  }
}

export function listen() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-mark]");
    if (button) press(button);
  });
}
