/** Keeps what is shown up to date: asks for what the present view needs, every second while somebody may be looking. */
import { api, Refusal, token } from "./api.js";
import { change, place, say, state } from "./state.js";

/**
 * @import { IntegratorSummary, Overview } from "../../console/types.ts"
 * @import { State } from "./state.js"
 */

const pollMs = 1000;
let round = 0;

/** Asks now. An answer to a question that is no longer asked is dropped. */
export async function refresh() {
  if (token.get() === null) return;
  round += 1;
  const present = round;
  try {
    const news = await ask();
    if (present === round) change({ ...news, problem: undefined });
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) signOut(error.message);
    else change({ problem: "No answer from the server. Trying again…" });
  }
}

/** @returns {Promise<Partial<State>>} */
async function ask() {
  const { view, id } = place();
  const overview = await api.overview();
  if (view === "integrators") return { overview, codes: (await api.codes()).items };
  if (view === "webhooks") return { overview, ...(await webhooks(overview, id)) };
  const [{ items: deliveries }, delivery] = await Promise.all([
    api.deliveries(state.filter),
    id === undefined ? undefined : api.delivery(id).catch(nullIfMissing),
  ]);
  return { overview, deliveries, delivery };
}

/**
 * @param {Overview} overview
 * @param {string | undefined} eventId
 * @returns {Promise<Partial<State>>}
 */
async function webhooks(overview, eventId) {
  const isKnown = overview.integrators.some(({ client_id }) => client_id === state.client);
  const client = isKnown ? state.client : busiest(overview.integrators);
  if (client === undefined) return { client, subscriptions: [], sent: [] };
  const [event, webhook] = state.open?.split(" ") ?? [];
  const [{ items: subscriptions }, { items: sent }, attempts] = await Promise.all([
    api.subscriptions(client),
    api.sent(client, { event_id: eventId ?? "", webhook_id: state.webhook }),
    event === undefined || webhook === undefined
      ? undefined
      : api.attempts(client, event, webhook).catch(nullIfMissing),
  ]);
  return { client, subscriptions, sent, attempts: attempts ?? undefined };
}

/**
 * Whoever has most deliveries is most likely the one that is looked for.
 * @param {IntegratorSummary[]} integrators
 */
function busiest(integrators) {
  return integrators.toSorted((a, b) => b.deliveries - a.deliveries)[0]?.client_id;
}

/** @param {unknown} error */
function nullIfMissing(error) {
  if (error instanceof Refusal && error.status === 404) return null;
  throw error;
}

/**
 * Does something, says how it went (in words of its own where it has some), and looks at what came of it.
 * @param {string} words
 * @param {() => Promise<unknown>} work
 */
export async function act(words, work) {
  try {
    const own = await work();
    say(typeof own === "string" ? own : words);
  } catch (error) {
    say(error instanceof Error ? error.message : "That didn't work.");
  }
  await refresh();
}

/** @param {string | undefined} refusal */
export function signOut(refusal) {
  token.forget();
  change({
    overview: undefined,
    delivery: undefined,
    deliveries: undefined,
    sent: undefined,
    subscriptions: undefined,
    attempts: undefined,
    codes: undefined,
    newIntegrator: undefined,
    newCode: undefined,
    client: undefined,
    open: undefined,
    refusal,
  });
}

export async function keepAsking() {
  if (!document.hidden) await refresh();
  setTimeout(() => void keepAsking(), pollMs);
}
