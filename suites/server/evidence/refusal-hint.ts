import type { Exchange } from "../../core/exchange.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import { parseJson, textMember } from "../../core/json.ts";
import { codeOf, isSuccess } from "../../core/responses.ts";
import { sentFieldHint } from "./sent-field-hint.ts";
import type { TraceStep } from "./trace.ts";

const DELIVERY_PATH = /\/v1\/deliveries\/([^/?]+)/;

/** A status that is safe to show in a line of text. */
const STATUS = /^\w{1,40}$/;

/**
 * Why a status or error code is unexpected, from the request and the earlier steps of the check: the state of the delivery,
 * who uses the external_ref, or the sent value that the error code is about. Undefined if they don't show it.
 */
export function refusalHint(finding: Error, steps: readonly TraceStep[]): string | undefined {
  if (!(finding instanceof CheckFailure) || finding.exchange === undefined) return undefined;
  const { exchange, mismatch } = finding;
  if (mismatch.relation !== "to answer" && mismatch.relation !== "to refuse with") return undefined;
  // The check's own note is more specific.
  if (mismatch.note !== undefined) return undefined;
  const earlier = steps.filter((step) => step.at < exchange.startedAt);
  const [, id] = DELIVERY_PATH.exec(exchange.url) ?? [];
  if (id !== undefined && isAboutConflict(finding, exchange)) return stateHint(id, earlier);
  const use = USES.find(({ code }) => exchange.response && codeOf(exchange.response) === code);
  return use ? useHint(exchange, use, steps) : sentFieldHint(exchange, mismatch, earlier);
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

/** A value that may be used once, and the error code for a second use. */
interface Use {
  readonly code: string;
  readonly name: string;
  readonly usedValue: (order: Exchange) => string | undefined;
  /** Where the value may be used once, apart from the integrator: the store. */
  readonly usedPlace: (order: Exchange) => string | undefined;
}

const USES: readonly Use[] = [
  {
    code: "EXTERNAL_REF_TEKRAR",
    name: "external_ref",
    usedValue: ({ requestBody }) => textMember(parseJson(requestBody ?? ""), "external_ref"),
    usedPlace: ({ requestBody }) => textMember(parseJson(requestBody ?? ""), "store", "external_store_id"),
  },
  {
    code: "IDEMPOTENCY_CAKISMA",
    name: "Idempotency-Key",
    usedValue: ({ requestHeaders }) => requestHeaders["idempotency-key"],
    usedPlace: () => undefined,
  },
];

/** Which orders of the check used the value, if none of this store and integrator was accepted with it. */
function useHint(
  refused: Exchange,
  { name, usedValue, usedPlace }: Use,
  steps: readonly TraceStep[],
): string | undefined {
  const value = usedValue(refused);
  // Includes orders sent after it, which the target may have accepted before.
  const users = steps
    .flatMap((step) => ("exchange" in step && step.exchange !== refused ? [step.exchange] : []))
    .filter(
      (order) => order.operation === "createDelivery" && value !== undefined && usedValue(order) === value,
    );
  const accepted = users.filter(({ response }) => response && isSuccess(response));
  const own = accepted.filter(({ sender }) => sender === refused.sender);
  if (own.some((order) => usedPlace(order) === usedPlace(refused))) return undefined;
  if (own.length > 0) return `only an order of another store has this ${name}`;
  if (accepted.length > 0) return `only an order of another integrator has this ${name}`;
  const last = users.at(-1)?.response;
  return last && `only an order that was refused with ${last.status} had this ${name}`;
}
