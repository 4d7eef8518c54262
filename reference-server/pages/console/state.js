/** What the console knows, and the one way in which it changes: `change`, after which the page is drawn anew. */

export const state = {
  /** Undefined until the first answer. */
  overview: undefined,
  codes: undefined,
  deliveries: undefined,
  delivery: undefined,
  subscriptions: undefined,
  sent: undefined,
  /** The event whose attempts are open, as "event webhook", and these. */
  open: undefined,
  attempts: undefined,
  filter: { client_id: "", status: "", text: "" },
  /** Whose webhooks are shown. */
  client: undefined,
  webhook: "",
  /** Secrets that are shown once. */
  newIntegrator: undefined,
  newCode: undefined,
  /** Why nothing new comes in. */
  problem: undefined,
  /** While signed out, why the last attempt failed. */
  refusal: undefined,
};

let draw = () => {};

export function onChange(listener) {
  draw = listener;
}

export function change(more) {
  Object.assign(state, more);
  draw();
}

/** Where one is, by the address's fragment: `#/deliveries/ID`. */
export function place() {
  const [view = "deliveries", id] = location.hash.replace(/^#\//, "").split("/").filter(Boolean);
  return { view, id: id && decodeURIComponent(id) };
}

/** Says something in passing, to eyes and screen readers alike. */
export function say(words) {
  const said = document.getElementById("said");
  said.textContent = words;
  said.classList.add("shown");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => said.classList.remove("shown"), 4000);
}
