/** The events of each endpoint, and their delivery attempts. */
import { integratorOf } from "../../reference-server/control/integrators.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { formatInstant } from "../../reference-server/domain/instants.ts";
import { DomainError } from "../../reference-server/errors.ts";
import { attemptRecords } from "../records/attempts.ts";
import { eventSearch, type SentEvent } from "../records/search/event-search.ts";
import { outcomeOf } from "./faults.ts";
import { sectionOf, spanOf } from "./list-filters.ts";
import type { Page, SentEventDetail, SentEventFilter, SentEventSummary } from "./types.ts";

/** A page of events, with an entry for each endpoint of an event, latest first. */
export async function readSentEvents(
  deps: Dependencies,
  clientId: string,
  filter: SentEventFilter,
): Promise<Page<SentEventSummary>> {
  const { id } = await integratorOf(deps, clientId);
  const search = {
    ...(filter.webhook_id && { webhookId: filter.webhook_id }),
    ...(filter.event_id && { eventId: filter.event_id }),
    ...(filter.delivery_id && { deliveryId: filter.delivery_id }),
    ...(filter.type && { type: filter.type }),
    ...(filter.state && { state: filter.state }),
    ...spanOf(filter),
  };
  const found = await eventSearch.find(deps.database, id, search, sectionOf(filter));
  return { items: found.items.map(summaryOf), total: found.total, by_state: found.byState };
}

function summaryOf({ due_at, occurred_at, outcome, ...row }: SentEvent): SentEventSummary {
  return {
    ...row,
    occurred_at: formatInstant(occurred_at),
    outcome: outcomeOf(outcome),
    next_at: row.state === "PENDING" ? formatInstant(due_at) : null,
  };
}

/** An event at an endpoint, with its delivery attempts. Throws BULUNAMADI if the endpoint has no such event. */
export async function readAttempts(
  deps: Dependencies,
  clientId: string,
  eventId: string,
  webhookId: string,
): Promise<SentEventDetail> {
  const { id } = await integratorOf(deps, clientId);
  const one = { limit: 1, offset: 0 };
  const { items } = await eventSearch.find(deps.database, id, { eventId, webhookId }, one);
  const body = await attemptRecords.eventBody(deps.database, id, eventId);
  const [event] = items;
  if (event === undefined || body === undefined) throw new DomainError("BULUNAMADI");
  const made = await attemptRecords.list(deps.database, eventId, webhookId);
  return {
    ...summaryOf(event),
    body,
    attempts: made.toReversed().map((attempt) => ({
      ordinal: attempt.ordinal,
      started_at: formatInstant(attempt.started_at),
      took_ms: attempt.ended_at - attempt.started_at,
      url: attempt.url,
      request_headers: headersIn(attempt.request_headers) ?? {},
      status: attempt.status,
      fault: outcomeOf(attempt.fault),
      response_headers: headersIn(attempt.response_headers),
      response_body: attempt.response_body,
    })),
  };
}

function headersIn(json: string | null): Record<string, string> | null {
  return json === null ? null : JSON.parse(json);
}
