import { createHmac } from "node:crypto";
import { type Answer, Refusal } from "./answers.ts";
import { day, instantOf, isRecord, now, second } from "./formats.ts";
import type { Call, Delivery, ServerState } from "./state.ts";
import { deliveryView } from "./views.ts";

const parameters = "since limit status from created_from created_to external_ref external_store_id".split(
  " ",
);
const knownStatuses = new Set(
  "RECEIVED QUEUED ASSIGNED RESTORANDA ALINDI YOLDA KAPIDA TESLIM BASARISIZ IPTAL DONUYOR DONDU".split(" "),
);

/**
 * Reads alternate between two replicas, each with its own lag. A cursor skips no change, because a replica
 * shows changes in order.
 */
const lags = [0.2 * second, 0.9 * second];
let readings = 0;

function nextLag(): number {
  readings += 1;
  return lags[readings % lags.length] ?? 0;
}

const invalidQuery = (name: string) => new Refusal(400, "SORGU_GECERSIZ", { parametre: name });

function instantIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const instant = instantOf(text);
  if (instant === undefined) throw invalidQuery(name);
  return instant;
}

function pageSize(query: URLSearchParams): number {
  const wanted = Number.parseInt(query.get("limit") ?? "", 10);
  return Number.isNaN(wanted) ? 100 : Math.min(200, Math.max(1, wanted));
}

/** The filter of a query, without cursor and limit. */
function filter({ query, caller }: Call): (delivery: Delivery) => boolean {
  const statuses = query.get("status")?.split(",");
  if (statuses?.some((word) => !knownStatuses.has(word))) throw invalidQuery("status");
  const storeId = query.get("external_store_id");
  const store = storeId === null ? undefined : caller.stores.get(storeId);
  if (storeId !== null && store === undefined) throw new Refusal(404, "MAGAZA_YOK");
  const ref = query.get("external_ref")?.toLowerCase();
  const changedAfter = instantIn(query, "from");
  const createdAfter = instantIn(query, "created_from");
  const createdBefore = instantIn(query, "created_to");
  const timed = query.has("since") || changedAfter !== undefined || createdAfter !== undefined;
  const oldest = timed ? undefined : now() - 30 * day;
  const inTime = ({ createdAt, updatedAt }: Delivery) =>
    updatedAt > (oldest ?? 0) &&
    (query.has("since") || updatedAt > (changedAfter ?? 0)) &&
    createdAt > (createdAfter ?? 0) &&
    createdAt < (createdBefore ?? Number.POSITIVE_INFINITY);
  return (delivery) =>
    (statuses === undefined || statuses.includes(delivery.status)) &&
    (store === undefined || delivery.store === store) &&
    (ref === undefined ? inTime(delivery) : delivery.externalRef.toLowerCase() === ref);
}

/** The scope of a cursor: its integrator and filters. */
const scopeOf = ({ caller, query }: Call) =>
  [caller.clientId, ...parameters.slice(2).map((name) => query.get(name) ?? "")].join("\n");

const seal = (state: ServerState, text: string) =>
  createHmac("sha512", state.cursorKey).update(text).digest("base64");

/** About 500 characters of standard base64, which may contain `+`, `/` and `=`. */
function writeCursor(call: Call, after: number): string {
  const mark = seal(call.state, `${after}\n${scopeOf(call)}`);
  const filler = ["~", "~~", "~~~"].map((salt) => seal(call.state, mark + salt)).join("");
  return Buffer.from(JSON.stringify({ filler, mark, after, v: "imleç/2?" })).toString("base64");
}

function readCursor(call: Call): number {
  const text = call.query.get("since");
  if (text === null) return 0;
  const broken = new Refusal(400, "IMLEC_GECERSIZ");
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text, "base64").toString("utf8"));
  } catch {
    throw broken;
  }
  if (!isRecord(parsed) || typeof parsed.after !== "number") throw broken;
  const after = parsed.after;
  if (parsed.mark !== seal(call.state, `${after}\n${scopeOf(call)}`)) throw broken;
  return after;
}

/** A full page has has_more, even if the next page is empty. Every page has a cursor. */
export function listDeliveries(call: Call): Answer {
  const unknown = [...call.query.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) throw invalidQuery(unknown);
  const after = readCursor(call);
  const wanted = filter(call);
  const until = now() - nextLag();
  const size = pageSize(call.query);
  const page = [...call.caller.deliveries.values()]
    .filter(({ updatedAt }) => updatedAt > after && updatedAt <= until)
    .filter(wanted)
    .sort((a, b) => a.updatedAt - b.updatedAt)
    .slice(0, size);
  const body = {
    has_more: page.length === size,
    next_cursor: writeCursor(call, page.at(-1)?.updatedAt ?? after),
    page_size: size,
    items: page.map((delivery) => deliveryView(delivery, call.state.base)),
  };
  return { status: 200, body };
}
