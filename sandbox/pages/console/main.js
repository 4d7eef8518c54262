/** The console's frame: signing in, finding one's way, and what is shown where. */
import { byId, h, render } from "/pages/shared/dom.js";
import { api, Refusal, token } from "./api.js";
import { deliveriesView } from "./deliveries.js";
import { eventsView } from "./events.js";
import { submitting } from "./forms.js";
import { integratorsView } from "./integrators.js";
import { keepAsking, refresh, signOut } from "./polling.js";
import { requestsView } from "./requests.js";
import { change, onChange, place, state } from "./state.js";
import { webhooksView } from "./webhooks.js";

const page = byId("page");
/** @type {[view: string, words: string][]} */
const views = [
  ["deliveries", "Deliveries"],
  ["requests", "Requests"],
  ["events", "Events"],
  ["webhooks", "Webhooks"],
  ["integrators", "Integrators"],
];

function draw() {
  if (token.get() === null) {
    document.title = "Sign in · Courier sandbox";
    render(page, signIn());
    return;
  }
  const { view, id, second } = place();
  document.title = `${views.find(([name]) => name === view)?.[1] ?? "Deliveries"} · Courier sandbox`;
  render(page, frame(view), problem(), viewOf(view, id, second));
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  const main = byId("main");
  main.tabIndex = -1;
  main.focus();
}

/**
 * @param {string} view
 * @param {string | undefined} id
 * @param {string | undefined} second
 */
function viewOf(view, id, second) {
  if (view === "requests") return requestsView(id);
  if (view === "events") return eventsView(id, second);
  if (view === "webhooks") return webhooksView();
  if (view === "integrators") return integratorsView();
  return deliveriesView(id);
}

/** @param {string} present */
function frame(present) {
  const { simulator } = state.overview ?? {};
  return h(
    "header",
    { class: "frame", key: "frame" },
    h("a", { class: "skip", href: "#main", onclick: skip }, "Skip to content"),
    h("p", { class: "brand" }, h("span", { class: "mark", "aria-hidden": "true" }), "Courier sandbox"),
    h(
      "nav",
      { "aria-label": "Console" },
      views.map(([name, words]) =>
        h("a", { href: `#/${name}`, "aria-current": name === present ? "page" : null, key: name }, words),
      ),
    ),
    h("span", { class: "quiet speed" }, simulator ? `Couriers ×${simulator.speed}` : ""),
    h("button", { type: "button", onclick: () => signOut(undefined) }, "Sign out"),
  );
}

function problem() {
  return state.problem && h("p", { class: "problem", role: "alert", key: "problem" }, state.problem);
}

function signIn() {
  const enter = submitting(async (entered) => {
    const given = String(entered.get("token")).trim();
    if (given === "") return;
    token.keep(given);
    try {
      const overview = await api.overview();
      change({ overview, refusal: undefined, problem: undefined });
      void refresh();
    } catch (error) {
      signOut(error instanceof Refusal ? error.message : "No answer from the server. Is it still running?");
    }
  });
  return h(
    "main",
    { class: "sign-in", key: "sign-in" },
    h("span", { class: "mark large", "aria-hidden": "true" }),
    h("h1", null, "Courier sandbox"),
    h(
      "p",
      { class: "quiet" },
      "The terminal that started the sandbox shows a link that signs in by itself, and the control token.",
    ),
    h(
      "form",
      { onsubmit: enter },
      h(
        "label",
        null,
        h("span", null, "Control token"),
        h("input", { name: "token", type: "password", autocomplete: "off", required: true, autofocus: true }),
      ),
      h("p", { class: "refusal", role: "alert" }, state.refusal ?? ""),
      h("button", { type: "submit", class: "primary" }, "Sign in"),
    ),
  );
}

/** Signs in by the key of the link that the terminal shows; the address keeps nothing of it. */
async function followLink() {
  const key = /^#key=(.+)$/.exec(location.hash)?.[1];
  if (key === undefined) return;
  history.replaceState(null, "", location.pathname);
  try {
    token.keep((await api.signIn(key)).control_token);
  } catch (error) {
    const isUsed = error instanceof Refusal && error.status === 401;
    const words = "This link was used already: the terminal shows the next one.";
    change({ refusal: isUsed ? words : "No answer from the server. Is it still running?" });
  }
}

onChange(draw);
addEventListener("hashchange", () => {
  const { id } = place();
  if (state.delivery?.delivery.id !== id) change({ delivery: undefined, event: undefined });
  else draw();
  if (id === undefined || matchMedia("(max-width: 52rem)").matches) scrollTo(0, 0);
  void refresh();
});
await followLink();
draw();
void keepAsking();
