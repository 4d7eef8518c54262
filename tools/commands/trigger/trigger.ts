import { commandLine } from "../../../suites/core/command-line.ts";
import { serviceApi } from "../../../suites/core/contract/document.ts";
import { ALL_KINDS } from "../../../suites/core/contract/event-kinds.ts";
import { isObject, member, textOf } from "../../../suites/core/json.ts";
import type { Output } from "../../terminal/output.ts";
import { UsageError } from "../../usage-error.ts";
import { connectionProblem } from "../connection-problem.ts";
import type { RedeliveryRequest, TriggerRequest, TriggerSettings } from "./settings.ts";

const ANSWER_MS = 60_000;

/** Prints every event type with its description from the document. */
export function listKinds(output: Output): void {
  const kinds = ALL_KINDS.map((kind) => ({ kind, sent: textOf(member(postOf(kind), "summary")) }));
  output.data(kinds);
  const width = Math.max(...kinds.map(({ kind }) => kind.length));
  output.result(kinds.map(({ kind, sent }) => `${kind.padEnd(width)}  ${sent}`).join("\n"));
}

const postOf = (kind: string): unknown => member(member(serviceApi.content.webhooks, kind), "post");

/**
 * Requests events from the sandbox, and prints what is sent to which endpoint.
 * @throws UsageError in one line if there is no sandbox, it refuses, or no endpoint is subscribed
 */
export async function trigger(
  { controlUrl, token, request }: TriggerSettings,
  output: Output,
): Promise<void> {
  const events: SentEvent[] = [];
  for (const { path, body } of requestsFor(request)) {
    const response = await ask(new URL(path, controlUrl).href, token, body);
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.status !== 202) throw new UsageError(refusal(response.status, answer, controlUrl, request));
    events.push(...eventsIn(answer));
  }
  if (events.length === 0) throw new UsageError(noEndpointMessage(request));
  output.data({ events });
  const copies = "copies" in request && request.copies > 1 ? `, ${request.copies} times each` : "";
  output.result(
    [
      ...events.map(({ type, external_ref, url, id }) =>
        [type, external_ref && `of ${external_ref}`, `to ${url}`, `(webhook-id ${id})`]
          .filter(Boolean)
          .join("  "),
      ),
      `${events.length} ${events.length === 1 ? "event" : "events"}${copies}. The sandbox's terminal and console show the responses.`,
    ].join("\n"),
  );
}

interface SandboxRequest {
  readonly path: string;
  readonly body: object;
}

/** The number of deliveries per request. */
const BATCH = 100;

function requestsFor(wish: TriggerRequest | RedeliveryRequest): readonly SandboxRequest[] {
  if ("event_id" in wish) return [{ path: "./sandbox/redeliveries", body: wish }];
  const requests: SandboxRequest[] = [];
  for (let left = wish.deliveries; left > 0; left -= BATCH) {
    requests.push({ path: "./sandbox/triggers", body: { ...wish, deliveries: Math.min(left, BATCH) } });
  }
  return requests;
}

const noEndpointMessage = (wish: TriggerRequest | RedeliveryRequest): string =>
  "event_id" in wish
    ? "no active endpoint: the endpoints that got this event are closed"
    : `no endpoint of the integrator is subscribed to ${wish.type} ` +
      "(serve --forward-to adds your receiver; --events all includes the courier's position)";

async function ask(url: string, token: string, body: object): Promise<Response> {
  try {
    return await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    throw new UsageError(
      `no sandbox at ${new URL(url).origin}: ${connectionProblem(cause, ANSWER_MS)}; start a sandbox with ${commandLine("serve")}, or give its --control-url`,
    );
  }
}

function refusal(
  status: number,
  answer: unknown,
  controlUrl: string,
  wish: TriggerRequest | RedeliveryRequest,
): string {
  const { origin } = new URL(controlUrl);
  const error = member(answer, "error");
  const code = textOf(member(error, "code") ?? status);
  if (status === 401)
    return `the sandbox at ${origin} refused this CONTROL_TOKEN: use the token that serve prints`;
  if (member(error, "code") === undefined || (status === 404 && code !== "BULUNAMADI"))
    return `${origin} isn't a sandbox of ${commandLine("serve")}: give a sandbox's --control-url`;
  if (status === 404 && "event_id" in wish)
    return `the sandbox at ${origin} has sent no event with the webhook-id ${wish.event_id}`;
  if (status === 404)
    return `${origin} isn't a sandbox of ${commandLine("serve")}, or has no integrator with this client_id`;
  if (code === "DURUM_UYGUN_DEGIL" && "order" in wish)
    return `order ${wish.order} can't reach ${wish.type} from its status (${status} ${code})`;
  const details = member(error, "details");
  const why = isObject(details) ? ` (${Object.values(details).map(textOf).join(": ")})` : "";
  return `the sandbox refused the request: ${status} ${code}${why}`;
}

interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly external_ref: string | null;
  readonly url: string;
}

function eventsIn(answer: unknown): readonly SentEvent[] {
  const events = member(answer, "events");
  if (!Array.isArray(events))
    throw new UsageError(`the response isn't that of a sandbox of ${commandLine("serve")}`);
  return events.map((event: unknown) => {
    const reference = member(event, "external_ref");
    return {
      id: textOf(member(event, "id")),
      type: textOf(member(event, "type")),
      external_ref: reference === null || reference === undefined ? null : textOf(reference),
      url: textOf(member(event, "url")),
    };
  });
}
