/** The console's and the control interface, as the browser calls them. The token lives as long as the tab. */

const tokenName = "courier-control-token";

export const token = {
  get: () => sessionStorage.getItem(tokenName),
  keep: (text) => sessionStorage.setItem(tokenName, text),
  forget: () => sessionStorage.removeItem(tokenName),
};

/** A refusal, in words for people. */
export class Refusal extends Error {
  constructor(status, code, details) {
    super(wordsOf(status, code, details));
    this.status = status;
  }
}

function wordsOf(status, code, details) {
  const words = {
    KIMLIK_YOK: "The control token is missing.",
    GECERSIZ: "This isn't the control token.",
    DURUM_UYGUN_DEGIL: "Its state doesn't allow that any more.",
    BULUNAMADI: "It isn't there any more.",
    ABONELIK_SINIRI: "There are five active webhook addresses already.",
  }[code];
  if (words) return words;
  if (code === "DOGRULAMA") return `Not taken: ${details?.field ?? "the form"} is invalid.`;
  return `The server refused: ${status} ${code ?? ""}`.trim();
}

/** Sends a request with the control token; gives the parsed body, null for none. Throws a `Refusal`. */
export async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${token.get() ?? ""}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === "" ? null : JSON.parse(text);
  if (!response.ok) throw new Refusal(response.status, answer?.error?.code, answer?.error?.details);
  return answer;
}

const path = (...parts) => parts.map(encodeURIComponent).join("/");
const query = (wish) => {
  const given = Object.entries(wish).filter(([, value]) => value);
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
};

export const api = {
  overview: () => call("GET", "/console/api/overview"),
  codes: () => call("GET", "/console/api/pairing-codes"),
  deliveries: (wish) => call("GET", `/console/api/deliveries${query(wish)}`),
  delivery: (id) => call("GET", `/console/api/${path("deliveries", id)}`),
  subscriptions: (client) => call("GET", `/console/api/${path("integrators", client, "webhooks")}`),
  sent: (client, wish) => call("GET", `/console/api/${path("integrators", client, "sent")}${query(wish)}`),
  attempts: (client, event, webhook) =>
    call("GET", `/console/api/${path("integrators", client, "sent", event, webhook)}`),
  addIntegrator: (wish) => call("POST", "/console/api/integrators", wish),
  changeIntegrator: (client, wish) => call("PATCH", `/console/api/${path("integrators", client)}`, wish),
  addInbox: (client, wish) => call("POST", `/console/api/${path("integrators", client, "inbox")}`, wish),
  redeliver: (client, wish) =>
    call("POST", `/console/api/${path("integrators", client, "redeliveries")}`, wish),
  issueCode: (wish) => call("POST", "/control/pairing-codes", wish),
  advance: (client, seconds) =>
    call("POST", `/control/${path("integrators", client, "clock", "advance")}`, { seconds }),
  move: (delivery, wish) => call("POST", `/control/${path("deliveries", delivery, "courier")}`, wish),
};
