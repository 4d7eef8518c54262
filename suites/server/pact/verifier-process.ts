/**
 * Runs the library's verifier in its own process, because it writes the target's text directly to the
 * terminal. The parent process sets up states and causes messages.
 */
import { Verifier } from "@pact-foundation/pact";
import { isObject } from "../../core/json.ts";
import type { Verification } from "./verifier-messages.ts";

const isVerification = (message: unknown): message is Verification =>
  isObject(message) && typeof message.provider === "string" && Array.isArray(message.states);

const pendingAnswers = new Map<number, (response: Record<string, unknown>) => void>();

const send = (message: object): void => void process.send?.(message);

/** Asks the parent process for a state or a message. */
function ask(kind: "state" | "event", name: string): Promise<unknown> {
  const id = pendingAnswers.size + 1;
  return new Promise((resolve, reject) => {
    pendingAnswers.set(id, ({ value, error }) =>
      typeof error === "string" ? reject(new Error(error)) : resolve(value),
    );
    send({ ask: kind, name, id });
  });
}

/** Values for the requests of a contract. */
const asValues = (value: unknown) => (isObject(value) ? value : {});

async function verify({ provider, url, file, token, states, events }: Verification): Promise<void> {
  await new Verifier({
    provider,
    providerBaseUrl: url,
    pactUrls: [file],
    logLevel: "error",
    stateHandlers: Object.fromEntries(
      states.map((name) => [
        name,
        async () => JSON.parse(JSON.stringify(asValues(await ask("state", name)))),
      ]),
    ),
    messageProviders: Object.fromEntries(events.map((name) => [name, () => ask("event", name)])),
    // The token in a contract is an example, so it is replaced by a valid one.
    requestFilter: (request, _response, next) => {
      if (request.headers.authorization?.startsWith("Bearer ")) {
        request.headers.authorization = `Bearer ${token}`;
      }
      next();
    },
  }).verifyProvider();
}

process.on("message", (message: unknown) => {
  if (!isObject(message)) return;
  if (typeof message.id === "number") pendingAnswers.get(message.id)?.(message);
  if (!isVerification(message)) return;
  verify(message).then(
    () => send({ ended: "held" }),
    (error: unknown) =>
      send({ ended: "failed", message: error instanceof Error ? error.message : String(error) }),
  );
});
// Exits with the parent process.
process.on("disconnect", () => process.exit());
