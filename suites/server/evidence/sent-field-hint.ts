import { inTwoUnits } from "../../core/durations.ts";
import type { Exchange } from "../../core/exchange.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";
import { member, parseJson, textMember } from "../../core/json.ts";
import { codeOf } from "../../core/responses.ts";
import { membersWhere, pathInWords, valueAt } from "../../core/text/member-paths.ts";
import { inLine, LONGEST_TEXT } from "../../core/text/shown-value.ts";
import type { Point } from "../session/sample-data/settings.ts";
import { distanceText, pointText, straightLineM } from "../support/distance.ts";
import type { TraceStep } from "./trace.ts";

/** A sent field, and the error codes about it. */
interface SentField {
  readonly name: string;
  readonly codes: RegExp;
  /** The sent value in words; undefined if the request has none. */
  readonly shown: (sent: Exchange, earlier: readonly TraceStep[]) => string | undefined;
}

/** The fields of orders, changes and quotes. The codes are the specification's, and similar ones for what it leaves open. */
const SENT_FIELDS: readonly SentField[] = [
  { name: "scheduled_for", codes: /^PLAN_/, shown: (sent) => timeText(sent, "scheduled_for") },
  { name: "ready_at", codes: /^HAZIR_/, shown: (sent) => timeText(sent, "ready_at") },
  { name: "dropoff", codes: /^(HIZMET_DISI|KONUM_)/, shown: dropoffText },
  {
    name: "payment.type",
    codes: /^ODEME_/,
    shown: ({ requestBody }) => {
      const type = textMember(parseJson(requestBody ?? ""), "payment", "type");
      return type && `its payment.type was ${type}`;
    },
  },
];

/** The sent value that the received or expected error code is about, or that the error's details name. */
export function sentFieldHint(
  sent: Exchange,
  { code }: Pick<Mismatch, "code">,
  earlier: readonly TraceStep[],
): string | undefined {
  if (sent.violates !== undefined) return undefined;
  const received = sent.response && codeOf(sent.response);
  const refusal = member(sent.response?.json, "error", "details");
  const details = JSON.stringify(refusal) ?? "";
  const isAbout = ({ name, codes }: SentField) =>
    [received, code].some((one) => one !== undefined && codes.test(one)) ||
    new RegExp(`\\b${name.replace(".", "\\.")}\\b`).test(details);
  return (
    SENT_FIELDS.filter(isAbout).flatMap((field) => field.shown(sent, earlier) ?? [])[0] ??
    namedValueText(parseJson(sent.requestBody ?? ""), refusal)
  );
}

/** A reference to a member without its notation: `/items/0/total`, `$.items[0].total` and `body.items.0.total` are the same. */
const plainReference = (reference: string): string =>
  reference
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((part, at) => part !== "" && !(at === 0 && part === "body"))
    .join(".");

/** `its items[0].total was 12.5`, for the first sent value that the error's details name by its whole path. */
function namedValueText(sent: unknown, details: unknown): string | undefined {
  const texts = membersWhere(details, () => true).flatMap((path) => {
    const value = valueAt(details, path);
    return [String(path.at(-1)), ...(typeof value === "string" ? [value] : [])];
  });
  const named = new Set(texts.map(plainReference));
  const path = membersWhere(sent, (value) => typeof value !== "object").find((one) =>
    named.has(one.join(".")),
  );
  return path && `its ${pathInWords(path)} ${valueText(valueAt(sent, path))}`;
}

/** `was 12.5`, or `had 500 characters` for a text that isn't shown whole. */
const valueText = (value: unknown): string =>
  typeof value === "string" && [...value].length > LONGEST_TEXT
    ? `had ${[...value].length} characters`
    : `was ${inLine(value)}`;

/** `its scheduled_for, 2026-12-08T02:28:19+14:00, was 6 days 22 hours ahead`, on the clock of the sender. */
function timeText({ requestBody, startedAt, clockOffsetMs = 0 }: Exchange, name: string): string | undefined {
  const time = textMember(parseJson(requestBody ?? ""), name);
  const aheadMs = Date.parse(time ?? "") - startedAt - clockOffsetMs;
  if (Number.isNaN(aheadMs)) return undefined;
  return `its ${name}, ${time}, was ${inTwoUnits(Math.abs(aheadMs) / 1000)} ${aheadMs < 0 ? "in the past" : "ahead"}`;
}

function pointOf(value: unknown): Point | undefined {
  const [lat, lng] = [member(value, "lat"), member(value, "lng")];
  return typeof lat === "number" && typeof lng === "number" ? { lat, lng } : undefined;
}

/** The place of the last registration of a store in these steps. */
function placeOfStore(id: string | undefined, steps: readonly TraceStep[]): Point | undefined {
  const registrations = steps.flatMap((step) =>
    "exchange" in step && step.exchange.operation === "registerStore"
      ? [parseJson(step.exchange.requestBody ?? "")]
      : [],
  );
  const last = registrations.findLast((body) => textMember(body, "external_store_id") === id);
  return pointOf(member(last, "address"));
}

/** The order in these steps that created the delivery at a URL. */
function creationOf(url: string, steps: readonly TraceStep[]): unknown {
  const id = url.split("/").at(-1);
  const creation = steps.find(
    (step) => "exchange" in step && textMember(step.exchange.response?.json, "id") === id,
  );
  return creation && "exchange" in creation ? parseJson(creation.exchange.requestBody ?? "") : undefined;
}

function dropoffText(sent: Exchange, earlier: readonly TraceStep[]): string | undefined {
  const body = parseJson(sent.requestBody ?? "");
  const dropoff = pointOf(member(body, "dropoff"));
  if (dropoff === undefined) return undefined;
  const order = sent.operation === "updateDelivery" ? creationOf(sent.url, earlier) : body;
  const store = placeOfStore(textMember(order, "store", "external_store_id"), earlier);
  return store === undefined
    ? `its drop-off was ${pointText(dropoff)}`
    : `its drop-off was ${distanceText(straightLineM(store, dropoff))} from the store`;
}
