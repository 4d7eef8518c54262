/** Deliveries as they change. */
import { h } from "/pages/shared/dom.js";
import { deliveryDetail } from "./delivery.js";
import { amount, moment, nameOf, pill } from "./format.js";
import { choice, listBody, listHead, narrow } from "./lists.js";
import { integratorBy, state } from "./state.js";

/** @import { DeliverySummary } from "../../console/types.ts" */

/** @param {string | undefined} id */
export function deliveriesView(id) {
  return h(
    "main",
    { class: id ? "split with-detail" : "split", id: "main", key: "deliveries" },
    h(
      "section",
      { class: "list-pane", "aria-labelledby": "deliveries-title" },
      listHead("deliveries", "Deliveries", "Order number or id", [integrators(), statuses()]),
      listBody("deliveries", "No delivery yet. Send the first one by POST /v1/deliveries.", (items) =>
        items.map((item) => row(item, id)),
      ),
    ),
    id ? deliveryDetail(id) : h("section", { class: "detail-pane idle", key: "none" }, intro()),
  );
}

function integrators() {
  /** @type {[string, string][]} */
  const known = (state.overview?.integrators ?? []).map((one) => [one.client_id, nameOf(one)]);
  return choice("Integrator", state.search.deliveries.client_id ?? "", [["", "All"], ...known], (client_id) =>
    narrow("deliveries", { client_id }),
  );
}

function statuses() {
  const counts = state.deliveries?.by_state ?? {};
  /** @type {[string, string][]} */
  const known = (state.overview?.statuses ?? []).map((status) => [
    status,
    counts[status] ? `${status} (${amount(counts[status])})` : status,
  ]);
  return choice("Status", state.search.deliveries.status ?? "", [["", "All"], ...known], (status) =>
    narrow("deliveries", { status }),
  );
}

/**
 * @param {DeliverySummary} delivery
 * @param {string | undefined} openId
 */
function row(delivery, openId) {
  const { id, external_ref, status, store, courier, customer, version, updated_at, client_id, test } =
    delivery;
  return h(
    "li",
    { key: id },
    h(
      "a",
      { class: "row", href: `#/deliveries/${id}`, "aria-current": id === openId ? "true" : null },
      h(
        "span",
        { class: "row-top" },
        h("strong", { class: "grow ellipsis" }, external_ref),
        test && h("span", { class: "pill plain" }, "test"),
        pill(status),
      ),
      h(
        "span",
        { class: "row-sub quiet" },
        h("span", null, [store, courier ?? customer].filter(Boolean).join(" · ")),
        h("span", null, `v${version} · ${moment(updated_at, integratorBy(client_id))}`),
      ),
    ),
  );
}

function intro() {
  const scripts = state.overview?.simulator?.scripts ?? [];
  return h(
    "div",
    { class: "intro" },
    h("h2", null, "Choose a delivery to follow it"),
    h(
      "p",
      { class: "quiet" },
      "You see its courier's way, what happened when, and can move the courier by hand.",
    ),
    scripts.length > 0 && [
      h("h3", null, "Scripts for simulated couriers"),
      h("p", { class: "quiet" }, "Write one into a delivery's notes, in English or Turkish:"),
      h(
        "ul",
        { class: "scripts" },
        scripts.map(({ english, turkish }) =>
          h(
            "li",
            { key: english },
            h("code", null, `sim: ${english}`),
            h("span", { class: "quiet" }, turkish),
          ),
        ),
      ),
    ],
  );
}
