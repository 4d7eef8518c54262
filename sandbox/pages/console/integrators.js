/** Who holds credentials: limits, clocks, simulated couriers; and the codes by which restaurants are linked. */
import { h } from "/pages/shared/dom.js";
import { api } from "./api.js";
import { amount, dateTime, duration, nameOf } from "./format.js";
import { submitting, ticking } from "./forms.js";
import { act } from "./polling.js";
import { change, state } from "./state.js";

/** @import { IntegratorSummary } from "../../console/types.ts" */

export function integratorsView() {
  const known = state.overview?.integrators;
  const total = state.overview?.integrators_total ?? 0;
  return h(
    "main",
    { class: "stack", id: "main", key: "integrators" },
    h(
      "div",
      { class: "title-line" },
      h("h1", null, "Integrators"),
      h("span", { class: "quiet count" }, amount(total)),
      known !== undefined &&
        known.length < total &&
        h("span", { class: "quiet small" }, `the newest ${amount(known.length)} are shown`),
    ),
    h("div", { class: "columns" }, newIntegrator(), pairingCodes()),
    known === undefined
      ? h("p", { class: "empty", key: "loading" }, "Loading…")
      : h("ul", { class: "cards", key: "list" }, known.map(integrator)),
  );
}

/** @param {IntegratorSummary} known */
function integrator(known) {
  const { client_id, limit, now, ahead_s, simulated, deliveries, credit, closed_at, kind } = known;
  const toggle = ticking((checked) => {
    const words = checked ? "Simulated couriers take its deliveries" : "Its couriers move only by hand";
    void act(words, () => api.changeIntegrator(client_id, { simulated: checked }));
  });
  const used = limit.limit - limit.remaining;
  const label = `${used} of ${limit.limit} requests used in this minute`;
  return h(
    "li",
    { class: "card", key: client_id },
    h(
      "div",
      { class: "row-top" },
      h("h2", null, nameOf(known)),
      closed_at && h("span", { class: "pill bad" }, "closed"),
      kind === "other" && h("span", { class: "pill plain" }, "other credential"),
    ),
    h("p", null, h("code", { class: "url" }, client_id)),
    h(
      "dl",
      { class: "facts" },
      h("div", null, h("dt", null, "Deliveries"), h("dd", null, String(deliveries))),
      h("div", null, h("dt", null, "Credit used"), h("dd", null, String(credit))),
      h(
        "div",
        null,
        h("dt", null, "Limit"),
        h(
          "dd",
          null,
          h("meter", { min: 0, max: limit.limit, value: used, "aria-label": label }),
          ` ${used} / ${limit.limit}`,
        ),
      ),
      h(
        "div",
        null,
        h("dt", null, "Its clock"),
        h(
          "dd",
          null,
          dateTime(now),
          ahead_s > 0 && h("span", { class: "quiet" }, ` (${duration(ahead_s)} ahead)`),
        ),
      ),
    ),
    h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        checked: simulated,
        disabled: state.overview?.simulator === null,
        onchange: toggle,
      }),
      h("span", null, "Simulated couriers"),
    ),
    clockForm(known),
  );
}

/** @type {[seconds: number, words: string][]} */
const jumps = [
  [60, "1 minute"],
  [300, "5 minutes"],
  [1800, "30 minutes"],
  [7200, "2 hours"],
  [36_000, "10 hours"],
  [86_400, "1 day"],
];

/** @param {IntegratorSummary} known */
function clockForm(known) {
  const { client_id } = known;
  const advance = submitting((entered) => {
    const seconds = Number(entered.get("seconds"));
    void act(`The clock of ${nameOf(known)} went ahead by ${duration(seconds)}`, () =>
      api.advance(client_id, seconds),
    );
  });
  return h(
    "form",
    { class: "inline", onsubmit: advance },
    h(
      "label",
      null,
      h("span", null, "Let time pass"),
      h(
        "select",
        { name: "seconds", value: "300" },
        jumps.map(([seconds, words]) => h("option", { value: String(seconds), key: seconds }, words)),
      ),
    ),
    h("button", { type: "submit" }, "Move the clock"),
  );
}

function newIntegrator() {
  const made = state.newIntegrator;
  const add = submitting((entered, form) => {
    const name = String(entered.get("name")).trim();
    const simulated = entered.get("simulated") === "on";
    void act("The integrator is there", async () => {
      change({ newIntegrator: await api.addIntegrator({ name, simulated }) });
      form.reset();
    });
  });
  return h(
    "section",
    { class: "card", "aria-labelledby": "new-integrator" },
    h("h2", { id: "new-integrator" }, "New integrator"),
    h(
      "form",
      { class: "inline", onsubmit: add },
      h("label", null, h("span", null, "Name"), h("input", { name: "name", required: true, maxlength: 200 })),
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", name: "simulated", checked: true }),
        h("span", null, "Simulated couriers"),
      ),
      h("button", { type: "submit", class: "primary" }, "Add integrator"),
    ),
    made &&
      h(
        "div",
        { class: "once", key: "once" },
        h("p", null, h("strong", null, "Keep the secret: it is shown only now.")),
        secret("client_id", made.client_id),
        secret("client_secret", made.client_secret),
      ),
  );
}

function pairingCodes() {
  const issue = submitting((entered) => {
    const courier_company = String(entered.get("company")).trim();
    const restaurant = String(entered.get("restaurant")).trim();
    void act("The code is there", async () => {
      change({
        newCode: await api.issueCode({
          ...(courier_company && { courier_company }),
          ...(restaurant && { restaurant }),
        }),
      });
    });
  });
  const made = state.newCode;
  return h(
    "section",
    { class: "card", "aria-labelledby": "codes-title" },
    h("h2", { id: "codes-title" }, "Pairing codes"),
    h(
      "form",
      { class: "inline", onsubmit: issue },
      h(
        "label",
        null,
        h("span", null, "Courier company"),
        h("input", { name: "company", value: "Hızlı Kurye", maxlength: 200 }),
      ),
      h(
        "label",
        null,
        h("span", null, "Restaurant (optional)"),
        h("input", { name: "restaurant", maxlength: 200 }),
      ),
      h("button", { type: "submit", class: "primary" }, "Issue a code"),
    ),
    made &&
      h(
        "div",
        { class: "once", key: "once" },
        secret(`Code for ${made.courier_company.name}, shown only now`, made.pairing_code),
      ),
    issued(),
  );
}

function issued() {
  const { codes } = state;
  if (codes === undefined || codes.length === 0) return null;
  const unused = codes.filter(({ used_at }) => used_at === null).length;
  return h(
    "details",
    { key: "issued" },
    h("summary", null, `${codes.length} issued last, ${unused} unused`),
    h(
      "ul",
      { class: "plain-list" },
      codes.map(({ company, restaurant, issued_at, used_at }, index) =>
        h(
          "li",
          { key: `${issued_at} ${index}` },
          `${company}${restaurant ? `, ${restaurant}` : ""} · ${dateTime(issued_at)} · `,
          used_at === null ? "unused" : `used ${dateTime(used_at)}`,
        ),
      ),
    ),
  );
}

/**
 * @param {string} name
 * @param {string} text
 */
function secret(name, text) {
  const copy = () => act("Copied", () => navigator.clipboard.writeText(text));
  return h(
    "p",
    { class: "secret", key: name },
    h("span", { class: "quiet" }, name),
    h("code", null, text),
    h("button", { type: "button", "aria-label": `Copy ${name}`, onclick: () => void copy() }, "Copy"),
  );
}
