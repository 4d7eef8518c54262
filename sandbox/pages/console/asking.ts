/** What each view asks the server for. */
import type { IntegratorSummary, Overview } from "../../console/types.ts";
import { api, Refusal } from "./api.ts";
import { integratorBy, type ListName, place, type State, state } from "./state.ts";

/** As many rows as a page of a list has. */
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
    // What was answered doesn't change any more.
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
  // By default the first address that the event goes to.
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

/** The record with the id, if there is one: null if the server has none. */
async function one<T>(find: (id: string) => Promise<T>, id: string | undefined) {
  return id === undefined
    ? undefined
    : find(id).catch((error) => {
        if (error instanceof Refusal && error.status === 404) return null;
        throw error;
      });
}

/**
 * A page of a list, with its question. Nothing if the page stays as it is: a page after the first doesn't move while
 * somebody reads it.
 * @param clock The integrator on whose clock the list's times are; the real clock by default.
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

/** The value of a field for local times as an instant; empty if nothing is entered. */
const instant = (local: string) => (local === "" ? "" : new Date(local).toISOString());

/** The integrator that was chosen, or the one with most deliveries: most likely the one that is looked for. */
function chosen({ integrators }: Overview) {
  if (integrators.some(({ client_id }) => client_id === state.client)) return state.client;
  return integrators.toSorted((a, b) => b.deliveries - a.deliveries)[0]?.client_id;
}
