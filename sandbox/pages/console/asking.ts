/** The requests of each view. */
import type { IntegratorSummary, Overview } from "../../console/types.ts";
import { api, Refusal } from "./api.ts";
import { integratorBy, type ListName, place, type State, state } from "./state.ts";

/** The rows per page of a list. */
export const pageSize = 50;

export async function ask(): Promise<Partial<State>> {
  const { view, id, second } = place();
  const overview = await api.overview();
  if (view === "integrators") return { overview, codes: (await api.codes()).items };
  if (view === "webhooks" || view === "events") {
    const client = chosen(overview);
    const { items: subscriptions } = client === undefined ? { items: [] } : await api.subscriptions(client);
    const known = { overview, client, subscriptions };
    return view === "events" ? { ...known, ...(await events(overview, client, id, second)) } : known;
  }
  if (view === "requests") {
    // A logged request doesn't change, so it is loaded once.
    const isKnown = id === undefined || String(state.request?.id) === id;
    const find = async () => (isKnown ? state.request : one(api.request, id));
    const [list, request] = await Promise.all([page("requests", undefined, api.requests), find()]);
    return { overview, ...list, request };
  }
  const clock = integratorBy(state.search.deliveries.client_id);
  const [list, delivery] = await Promise.all([
    page("deliveries", clock, api.deliveries),
    one(api.delivery, id),
  ]);
  return { overview, ...list, delivery };
}

async function events(overview: Overview, client?: string, id?: string, webhookId?: string) {
  if (client === undefined) return { events: { items: [], total: 0, by_state: {} }, event: undefined };
  const clock = overview.integrators.find(({ client_id }) => client_id === client);
  // Defaults to the first endpoint of the event.
  const find = async (eventId: string) => {
    const webhook = webhookId ?? (await api.sent(client, { event_id: eventId })).items[0]?.webhook_id;
    return webhook === undefined ? null : api.attempts(client, eventId, webhook);
  };
  const [list, event] = await Promise.all([
    page("events", clock, (filter) => api.sent(client, filter)),
    one(find, id),
  ]);
  return { ...list, event };
}

/** The record with this id; null if the server has none. */
async function one<T>(find: (id: string) => Promise<T>, id: string | undefined) {
  return id === undefined
    ? undefined
    : find(id).catch((error) => {
        if (error instanceof Refusal && error.status === 404) return null;
        throw error;
      });
}

/**
 * A page of a list with its query. Undefined if the page stays unchanged: a page after the first doesn't move
 * while the user reads it.
 * @param clock the integrator whose clock the list's times are on. Defaults to the real clock
 */
async function page<Name extends ListName>(
  name: Name,
  clock: IntegratorSummary | undefined,
  find: (filter: Record<string, string>) => Promise<NonNullable<State[Name]>>,
): Promise<Partial<State>> {
  const { time = "", from = "", to = "", ...rest } = state.search[name];
  const offset = state.offset[name];
  const question = JSON.stringify([name, state.client, state.search[name], offset]);
  if (offset > 0 && state.question === question && state[name] !== undefined) return {};
  const now = clock === undefined ? Date.now() : Date.parse(clock.now);
  const span =
    time === "between"
      ? { from: instant(from), to: instant(to) }
      : { from: time && new Date(now - Number(time) * 1000).toISOString() };
  const found = await find({ ...rest, ...span, limit: String(pageSize), offset: String(offset) });
  return { [name]: found, question };
}

/** The time in a date-time field; empty for an empty field. */
const instant = (local: string) => (local === "" ? "" : new Date(local).toISOString());

/** The selected integrator, or by default the one with the most deliveries. */
function chosen({ integrators }: Overview) {
  if (integrators.some(({ client_id }) => client_id === state.client)) return state.client;
  return integrators.toSorted((a, b) => b.deliveries - a.deliveries)[0]?.client_id;
}
