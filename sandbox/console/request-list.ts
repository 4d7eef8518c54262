import { integratorOf } from "../../reference-server/control/integrators.ts";
import type { Dependencies } from "../../reference-server/dependencies.ts";
import { formatInstant } from "../../reference-server/domain/instants.ts";
import { DomainError } from "../../reference-server/errors.ts";
import { type KeptBody, type LoggedRequest, MAX_REQUESTS } from "../records/request-log.ts";
import { sandboxRecords } from "../records/sandbox.ts";
import type { Sandbox } from "../state.ts";
import { sectionOf, spanOf } from "./list-filters.ts";
import type { RequestBody, RequestDetail, RequestFilter, RequestPage, RequestSummary } from "./types.ts";

/** A page of requests, latest first, with counts by the first digit of the status. */
export async function readRequests(
  deps: Dependencies,
  { requests: log }: Sandbox,
  filter: RequestFilter,
): Promise<RequestPage> {
  const { client_id, status, method, delivery_id } = filter;
  const integrator = client_id ? await integratorOf(deps, client_id) : undefined;
  const { limit, offset } = sectionOf(filter);
  const found = log.search({
    ...(integrator && { integratorId: integrator.id }),
    ...(method && { method }),
    ...(delivery_id && { deliveryId: delivery_id }),
    ...spanOf(filter),
  });
  const wanted = found.filter((request) => String(request.status).startsWith(status ?? ""));
  const items = await Promise.all(
    wanted.slice(offset, offset + limit).map((request) => summaryOf(deps, request)),
  );
  const by_state: Record<string, number> = {};
  for (const request of found) {
    const digit = String(request.status).slice(0, 1);
    by_state[digit] = (by_state[digit] ?? 0) + 1;
  }
  return { items, total: wanted.length, by_state, seen: log.seen, kept: log.kept, most: MAX_REQUESTS };
}

/** A logged request. Throws BULUNAMADI for a request that is no longer logged. */
export async function readRequest(
  deps: Dependencies,
  { requests }: Sandbox,
  id: string,
): Promise<RequestDetail> {
  const request = requests.find(Number(id));
  if (request === undefined) throw new DomainError("BULUNAMADI");
  return {
    ...(await summaryOf(deps, request)),
    request_headers: { ...request.requestHeaders },
    request_body: bodyOf(request.requestBody),
    response_headers: { ...request.responseHeaders },
    response_body: bodyOf(request.responseBody),
  };
}

async function summaryOf(deps: Dependencies, request: LoggedRequest): Promise<RequestSummary> {
  const { id, at, integratorId, method, path, status, code, tookMs, deliveryId } = request;
  const { integrators } = deps.records;
  const integrator = integratorId && (await integrators.findById(deps.database, integratorId));
  const named = integratorId && (await sandboxRecords.find(deps.database, integratorId));
  return {
    id,
    at: formatInstant(at),
    client_id: integrator ? integrator.client_id : null,
    integrator: named ? named.name : null,
    method,
    path,
    status,
    code,
    took_ms: tookMs,
    delivery_id: deliveryId,
  };
}

const bodyOf = (body: KeptBody | null): RequestBody | null =>
  body && { text: body.text, bytes: body.bytes, is_whole: body.isWhole };
