import type { Exchange } from "../../core/exchange.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { parseJson, textMember } from "../../core/json.ts";
import { codeOf, isSuccess } from "../../core/responses.ts";
import type { TraceStep } from "./trace.ts";

const DELIVERY_PATH = /\/v1\/deliveries\/([^/?]+)/;

/** A status that is safe to show in a line of text. */
const STATUS = /^\w{1,40}$/;

/**
 * Why a status or error code is unexpected, from the earlier steps of the check: the state of the delivery, or who uses
 * the external_ref. Undefined if the steps don't show it.
 */
export function refusalHint(finding: Error, steps: readonly TraceStep[]): string | undefined {
  if (!(finding instanceof CheckFailure) || finding.exchange === undefined) return undefined;
  const { exchange, mismatch } = finding;
  if (mismatch.relation !== "to answer" && mismatch.relation !== "to refuse with") return undefined;
  // The check's own note is more specific.
  if (mismatch.note !== undefined) return undefined;
  const earlier = steps.filter((step) => step.at < exchange.startedAt);
  const [, id] = DELIVERY_PATH.exec(exchange.url) ?? [];
  if (id !== undefined) return isAboutConflict(finding, exchange) ? stateHint(id, earlier) : undefined;
  const isTaken = exchange.response && codeOf(exchange.response) === "EXTERNAL_REF_TEKRAR";
  return isTaken ? referenceHint(exchange, earlier) : undefined;
}

/** True if a 409 was received or expected. */
const isAboutConflict = ({ mismatch }: CheckFailure, { response }: Exchange): boolean =>
  [response?.status, mismatch.expected].flat().includes(409);

/** The last status in a response, and the courier actions after it. */
function stateHint(id: string, earlier: readonly TraceStep[]): string | undefined {
  const shown = earlier.findLastIndex((step) => shownStatus(step, id) !== undefined);
  const status = earlier.slice(shown).map((step) => shownStatus(step, id))[0];
  if (status === undefined) return undefined;
  const actions = earlier.slice(shown + 1).flatMap((step) => courierAction(step, id) ?? []);
  const before = `before the courier action${actions.length > 1 ? "s" : ""} ${actions.join(", ")}`;
  return `the delivery was ${status}${actions.length === 0 ? "" : ` ${before}`}`;
}

function shownStatus(step: TraceStep, id: string): string | undefined {
  const json = "exchange" in step ? step.exchange.response?.json : undefined;
  const status = textMember(json, "status");
  return textMember(json, "id") === id && status !== undefined && STATUS.test(status) ? status : undefined;
}

function courierAction(step: TraceStep, id: string): string | undefined {
  const isOfDelivery =
    "control" in step && !step.isRefused && step.control.path === `/deliveries/${id}/courier`;
  return isOfDelivery ? textMember(step.control.body, "action") : undefined;
}

/** The orders of a check that have the external_ref of a refused one, if the store has none of them. */
function referenceHint(refused: Exchange, earlier: readonly TraceStep[]): string | undefined {
  const order = orderOf(refused);
  const sameReference = earlier.flatMap((step) => {
    if (!("exchange" in step) || step.exchange.operation !== "createDelivery") return [];
    const { external_ref, store } = orderOf(step.exchange);
    const { response } = step.exchange;
    return external_ref === order.external_ref && response ? [{ store, response }] : [];
  });
  const opened = sameReference.filter(({ response }) => isSuccess(response));
  if (opened.some(({ store }) => store === order.store)) return undefined;
  if (opened.length > 0) return "only an order of another store has this external_ref";
  const last = sameReference.at(-1)?.response;
  return last && `only an order that was refused with ${last.status} had this external_ref`;
}

function orderOf({ requestBody }: Exchange) {
  const body = parseJson(requestBody ?? "");
  return {
    external_ref: textMember(body, "external_ref"),
    store: textMember(body, "store", "external_store_id"),
  };
}
