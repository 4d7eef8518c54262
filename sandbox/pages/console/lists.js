/** What all lists have: fields that narrow them, states with their counts, and a page at a time. */
import { h } from "/pages/shared/dom.js";
import { pageSize } from "./asking.js";
import { amount } from "./format.js";
import { choosing } from "./forms.js";
import { refresh } from "./polling.js";
import { change, state } from "./state.js";

/** @import { ListName, Search } from "./state.js" */

/**
 * Looks for something else, from the first page on. An empty text looks for everything.
 * @param {ListName} name
 * @param {Search} more
 */
export function narrow(name, more) {
  const search = { ...state.search[name], ...more };
  const given = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ""));
  change({ search: { ...state.search, [name]: given }, offset: { ...state.offset, [name]: 0 } });
  void refresh();
}

/** @param {ListName} name */
const isNarrowed = (name) => Object.keys(state.search[name]).length > 0;

/** @param {ListName} name */
function widen(name) {
  change({ search: { ...state.search, [name]: {} }, offset: { ...state.offset, [name]: 0 } });
  void refresh();
}

/**
 * A list's head: its name, how many there are, and what it is narrowed by.
 * @param {ListName} name
 * @param {string} title
 * @param {string} searched What the field for texts looks in.
 * @param {ReturnType<typeof h>[]} fields
 */
export function listHead(name, title, searched, fields) {
  const { text = "", delivery_id = "" } = state.search[name];
  const total = state[name]?.total;
  const open = state.showsFilters;
  return h(
    "div",
    { class: "list-head" },
    h(
      "div",
      { class: "title-line" },
      h("h1", { id: `${name}-title` }, title),
      h("span", { class: "quiet count" }, total === undefined ? "" : amount(total)),
      isNarrowed(name) &&
        h(
          "button",
          { type: "button", class: "link", key: "clear", onclick: () => widen(name) },
          "Clear filters",
        ),
      h(
        "button",
        {
          type: "button",
          class: "filters-switch",
          "aria-expanded": String(open),
          onclick: () => change({ showsFilters: !open }),
          key: "switch",
        },
        "Filters",
      ),
    ),
    h(
      "form",
      {
        class: open ? "filters open" : "filters",
        role: "search",
        onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
      },
      h(
        "label",
        { class: "search-field", key: "text" },
        h("span", null, "Search"),
        h("input", {
          type: "search",
          value: text,
          placeholder: searched,
          oninput: choosing((typed) => narrow(name, { text: typed })),
        }),
      ),
      fields,
      timeFields(name),
    ),
    delivery_id !== "" &&
      h(
        "p",
        { class: "narrowed", key: "delivery" },
        "Only delivery ",
        h("a", { href: `#/deliveries/${delivery_id}` }, h("code", null, delivery_id.slice(0, 8))),
        h(
          "button",
          { type: "button", class: "link", onclick: () => narrow(name, { delivery_id: "" }) },
          "Show all",
        ),
      ),
  );
}

/** @type {[seconds: string, words: string][]} */
const spans = [
  ["", "Any time"],
  ["300", "Last 5 minutes"],
  ["3600", "Last hour"],
  ["86400", "Last day"],
  ["between", "Between…"],
];

/** @param {ListName} name */
function timeFields(name) {
  const { time = "", from = "", to = "" } = state.search[name];
  /**
   * @param {"from" | "to"} end
   * @param {string} words
   * @param {string} value
   */
  const field = (end, words, value) =>
    h(
      "label",
      { key: end },
      h("span", null, words),
      h("input", {
        type: "datetime-local",
        step: 1,
        value,
        onchange: choosing((chosen) => narrow(name, { [end]: chosen })),
      }),
    );
  return [
    choice("Time", time, spans, (chosen) => narrow(name, { time: chosen, from: "", to: "" })),
    time === "between" && [field("from", "From", from), field("to", "To", to)],
  ];
}

/**
 * A field to choose one of a few.
 * @param {string} words
 * @param {string} value
 * @param {[value: string, words: string][]} options
 * @param {(chosen: string) => void} use
 */
export function choice(words, value, options, use) {
  return h(
    "label",
    { key: words },
    h("span", null, words),
    h(
      "select",
      { value, onchange: choosing(use) },
      options.map(([known, name]) => h("option", { value: known, key: known }, name)),
    ),
  );
}

/**
 * States to choose from, with how many there are of each.
 * @param {ListName} name
 * @param {string} field
 * @param {string} label
 * @param {[value: string, words: string][]} states
 */
export function states(name, field, label, states) {
  const chosen = state.search[name][field] ?? "";
  const counts = state[name]?.by_state ?? {};
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return h(
    "div",
    { class: "states", role: "group", "aria-label": label },
    [/** @type {[string, string]} */ (["", "All"]), ...states].map(([value, words]) =>
      h(
        "button",
        {
          type: "button",
          key: value,
          "aria-pressed": String(chosen === value),
          onclick: () => narrow(name, { [field]: value }),
        },
        `${words} `,
        h("span", { class: "quiet" }, amount(value === "" ? all : (counts[value] ?? 0))),
      ),
    ),
  );
}

/**
 * The rows, or why there are none.
 * @param {ListName} name
 * @param {string} none Where there is nothing at all.
 * @param {(items: any[]) => ReturnType<typeof h>[]} rows
 */
export function listBody(name, none, rows) {
  const list = state[name];
  if (list === undefined) return h("p", { class: "empty", key: "loading" }, "Loading…");
  if (list.items.length === 0) {
    const words = isNarrowed(name) ? "Nothing fits the filter." : none;
    return h("p", { class: "empty", key: "empty" }, words);
  }
  return [
    h("ul", { class: "rows", key: "rows" }, rows(list.items)),
    pager(name, list.items.length, list.total),
  ];
}

/**
 * @param {ListName} name
 * @param {number} count
 * @param {number} total
 */
function pager(name, count, total) {
  const offset = state.offset[name];
  /** @param {number} by */
  const move = (by) => {
    change({ offset: { ...state.offset, [name]: Math.max(0, offset + by) } });
    scrollTo(0, 0);
    void refresh();
  };
  return h(
    "nav",
    { class: "pager", "aria-label": "Pages", key: "pager" },
    h(
      "p",
      { class: "quiet", role: "status" },
      `${amount(offset + 1)}–${amount(offset + count)} of ${amount(total)}`,
      offset > 0 ? ", standing still" : "",
    ),
    h("button", { type: "button", disabled: offset === 0, onclick: () => move(-pageSize) }, "Newer"),
    h(
      "button",
      { type: "button", disabled: offset + count >= total, onclick: () => move(pageSize) },
      "Older",
    ),
  );
}
