/** Adding webhook addresses: an integrator's own, or the sandbox's inbox. */
import { h } from "/pages/shared/dom.js";
import { api } from "./api.js";
import { submitting } from "./forms.js";
import { act } from "./polling.js";
import { change, state } from "./state.js";

/**
 * Does something for the integrator that is chosen.
 * @param {string} words
 * @param {(client: string) => Promise<unknown>} work
 */
export function actForClient(words, work) {
  const { client } = state;
  if (client !== undefined) void act(words, () => work(client));
}

/** How many were added: each has a form of its own, which begins anew. */
let added = 0;

export function newAddress() {
  const { event_kinds = [], default_kinds = [] } = state.overview ?? {};
  const add = submitting((entered) => {
    const description = String(entered.get("description")).trim();
    const wish = {
      url: String(entered.get("url")).trim(),
      event_types: entered.getAll("kind").map(String),
      ...(description && { description }),
    };
    actForClient("The address is subscribed", async (client) => {
      change({ newSecret: await api.addAddress(client, wish) });
      added += 1;
    });
  });
  return h(
    "section",
    { class: "card", "aria-labelledby": "new-address" },
    h("h2", { id: "new-address" }, "Add an address"),
    h(
      "form",
      { class: "fields", onsubmit: add, key: added },
      h(
        "label",
        null,
        h("span", null, "URL, https and public"),
        h("input", { name: "url", type: "url", required: true, placeholder: "https://example.com/hooks" }),
      ),
      h(
        "label",
        null,
        h("span", null, "Description (optional)"),
        h("input", { name: "description", maxlength: 200 }),
      ),
      h(
        "details",
        null,
        h("summary", null, "Kinds of events"),
        h(
          "div",
          { class: "kinds" },
          event_kinds
            .filter((kind) => kind !== "webhook.test")
            .map((kind) =>
              h(
                "label",
                { class: "check", key: kind },
                h("input", {
                  type: "checkbox",
                  name: "kind",
                  value: kind,
                  checked: default_kinds.includes(kind),
                }),
                h("span", null, kind),
              ),
            ),
        ),
      ),
      h(
        "p",
        { class: "quiet small" },
        "For a receiver on this machine: ",
        h("code", null, "npm run serve -- --forward-to http://localhost:3000/hooks"),
      ),
      h("button", { type: "submit", class: "primary", disabled: state.client === undefined }, "Add address"),
    ),
  );
}

export function inboxForm() {
  const add = submitting((entered) => {
    const answer = String(entered.get("answer"));
    actForClient("The inbox is subscribed", (client) =>
      api.addInbox(client, answer === "" ? {} : { answer }),
    );
  });
  return h(
    "section",
    { class: "card", "aria-labelledby": "new-inbox" },
    h("h2", { id: "new-inbox" }, "Add an inbox"),
    h(
      "p",
      { class: "quiet" },
      "An address inside the sandbox: events are verified and answered without a receiver of your own.",
    ),
    h(
      "form",
      { class: "inline add", onsubmit: add },
      h(
        "label",
        null,
        h("span", null, "Inbox that"),
        h(
          "select",
          { name: "answer", value: "" },
          h("option", { value: "" }, "verifies and takes events"),
          h("option", { value: "500" }, "fails with 500"),
          h("option", { value: "410" }, "is gone: 410"),
          h("option", { value: "302" }, "redirects: 302"),
          h("option", { value: "silence" }, "never answers"),
        ),
      ),
      h("button", { type: "submit", disabled: state.client === undefined }, "Add inbox"),
    ),
  );
}
