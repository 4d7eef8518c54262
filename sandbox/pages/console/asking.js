/** What each view asks the server for. */
import { api, Refusal } from "./api.js";
import { integratorBy, place, state } from "./state.js";

/**
 * @import { IntegratorSummary, Overview } from "../../console/types.ts"
 * @import { ListName, State } from "./state.js"
 */

/** As many rows as a page of a list has. */
export const pageSize = 50;

/** @returns {Promise<Partial<State>>} */
export async function ask() {
  const { view, id, second } = place();
  const overview = await api.overview();
  if (view === "integrators") return { overview, codes: (await api.codes()).items };
  if (view === "requests") return { overview, ...(await requests(id)) };
  if (view === "webhooks") return { overview, ...(await addresses(overview)) };
  if (view === "events") return { overview, ...(await events(overview, id, second)) };
  const [list, delivery] = await Promise.all([
    page("deliveries", integratorBy(state.search.deliveries.client_id), api.deliveries),
    id === undefined ? undefined : api.delivery(id).catch(nullIfMissing),
  ]);
  return { overview, ...(list && { deliveries: list.found, question: list.question }), delivery };
}

/** @param {string | undefined} id */
async function requests(id) {
  const [list, request] = await Promise.all([
    page("requests", undefined, api.requests),
    // What was answered doesn't change any more.
    id === undefined || String(state.request?.id) === id
      ? state.request
      : api.request(id).catch(nullIfMissing),
  ]);
  return {
    ...(list && { requests: list.found, question: list.question }),
    request: id === undefined ? undefined : request,
  };
}

/** @param {Overview} overview */
async function addresses(overview) {
  const client = chosen(overview);
  const subscriptions = client === undefined ? [] : (await api.subscriptions(client)).items;
  return { client, subscriptions };
}

/**
 * @param {Overview} overview
 * @param {string | undefined} eventId
 * @param {string | undefined} webhookId
 */
async function events(overview, eventId, webhookId) {
  const client = chosen(overview);
  if (client === undefined) {
    return { client, subscriptions: [], events: { items: [], total: 0, by_state: {} }, event: undefined };
  }
  const clock = overview.integrators.find(({ client_id }) => client_id === client);
  const [{ items: subscriptions }, list, event] = await Promise.all([
    api.subscriptions(client),
    page("events", clock, (filter) => api.sent(client, filter)),
    eventId === undefined ? undefined : oneEvent(client, eventId, webhookId),
  ]);
  return { client, subscriptions, ...(list && { events: list.found, question: list.question }), event };
}

/**
 * An event at the address that is named, or at the first that it goes to.
 * @param {string} client
 * @param {string} eventId
 * @param {string | undefined} webhookId
 */
async function oneEvent(client, eventId, webhookId) {
  const webhook = webhookId ?? (await api.sent(client, { event_id: eventId })).items[0]?.webhook_id;
  return webhook === undefined ? null : api.attempts(client, eventId, webhook).catch(nullIfMissing);
}

/**
 * A page of a list, with what it was asked by; undefined where it stands still, as a page after the first does while
 * somebody reads it.
 * @template T
 * @param {ListName} name
 * @param {IntegratorSummary | undefined} clock The one that its times are of; the real one otherwise.
 * @param {(filter: Record<string, string>) => Promise<T>} find
 * @returns {Promise<{ found: T, question: string } | undefined>}
 */
async function page(name, clock, find) {
  const { time = "", from = "", to = "", ...rest } = state.search[name];
  const offset = state.offset[name];
  const question = JSON.stringify([name, state.client, state.search[name], offset]);
  if (offset > 0 && state.question === question && state[name] !== undefined) return undefined;
  const now = clock === undefined ? Date.now() : Date.parse(clock.now);
  const span =
    time === "between"
      ? { from: instant(from), to: instant(to) }
      : { from: time && new Date(now - Number(time) * 1000).toISOString() };
  const found = await find({ ...rest, ...span, limit: String(pageSize), offset: String(offset) });
  return { found, question };
}

/**
 * Of a field for local times; empty where nothing is entered.
 * @param {string} local
 */
const instant = (local) => (local === "" ? "" : new Date(local).toISOString());

/**
 * Whoever was chosen, or has most deliveries: that is most likely the one that is looked for.
 * @param {Overview} overview
 */
function chosen({ integrators }) {
  if (integrators.some(({ client_id }) => client_id === state.client)) return state.client;
  return integrators.toSorted((a, b) => b.deliveries - a.deliveries)[0]?.client_id;
}

/** @param {unknown} error */
function nullIfMissing(error) {
  if (error instanceof Refusal && error.status === 404) return null;
  throw error;
}
