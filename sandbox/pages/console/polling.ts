/** Refreshes the current view every second while the page is visible. */
import { Refusal, token } from "./api.ts";
import { ask } from "./asking.ts";
import { change, forget, state } from "./state.ts";

const pollMs = 1000;
let round = 0;

/** Requests the data now. Responses to older queries are dropped. */
export async function refresh(): Promise<void> {
  if (token.get() === null) return;
  round += 1;
  const present = round;
  try {
    const news = await ask();
    if (present === round) change({ ...news, problem: undefined });
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) signOut(error.message);
    else if (error instanceof Refusal) change({ problem: error.message });
    else change({ problem: "No response from the server. Trying again…" });
  }
}

/** Performs an action, shows the message that `work` returns, or else `words`, and refreshes. */
export async function act(words: string, work: () => Promise<unknown>): Promise<void> {
  // Drops responses that are older than the action.
  round += 1;
  try {
    const own = await work();
    change({ said: typeof own === "string" ? own : words });
  } catch (error) {
    // `fetch` throws a TypeError without a response.
    const isSilence = error instanceof TypeError;
    change({ said: error instanceof Error && !isSilence ? error.message : "No response from the server." });
  }
  await refresh();
}

export function signOut(refusal?: string): void {
  token.forget();
  forget(refusal);
}

export async function keepAsking(): Promise<void> {
  if (!document.hidden) await refresh();
  setTimeout(() => void keepAsking(), pollMs);
}

/** Performs an action for the selected integrator. */
export function actForClient(words: string, work: (client: string) => Promise<unknown>): void {
  const { client } = state;
  if (client !== undefined) void act(words, () => work(client));
}
