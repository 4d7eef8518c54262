/** Keeps what is shown up to date: asks for what the present view needs, every second while somebody may be looking. */
import { Refusal, token } from "./api.js";
import { ask } from "./asking.js";
import { change, say } from "./state.js";

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
    else if (error instanceof Refusal) change({ problem: error.message });
    else change({ problem: "No answer from the server. Trying again…" });
  }
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
    // What `fetch` throws where nobody answers.
    const isSilence = error instanceof TypeError;
    say(error instanceof Error && !isSilence ? error.message : "No answer from the server.");
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
    requests: undefined,
    request: undefined,
    events: undefined,
    event: undefined,
    subscriptions: undefined,
    codes: undefined,
    newIntegrator: undefined,
    newCode: undefined,
    newSecret: undefined,
    deleting: undefined,
    client: undefined,
    refusal,
  });
}

export async function keepAsking() {
  if (!document.hidden) await refresh();
  setTimeout(() => void keepAsking(), pollMs);
}
