import type { Exchange } from "../../core/exchange.ts";
import { CheckFailure } from "../../core/grading/failures/failure.ts";
import type { Mismatch } from "../../core/grading/failures/mismatch.ts";
import { isObject, parseJson, textMember } from "../../core/json.ts";
import { differenceOf } from "../../core/text/differences.ts";
import { membersWhere, pathInWords } from "../../core/text/member-paths.ts";
import type { TraceStep } from "./trace.ts";

/** A resource in a response. */
interface Shown {
  readonly exchange: Exchange;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A wrong value, the expected one, and the field's own name. */
interface WrongValue {
  readonly name: string;
  readonly expected: string | number;
  readonly actual: string | number;
}

/** Shorter texts, such as states and codes, and smaller counts are the same by chance. */
const SHORTEST_TEXT = 6;
const SMALLEST_COUNT = 100;

const isTelling = (value: unknown): value is string | number =>
  typeof value === "number"
    ? !Number.isInteger(value) || Math.abs(value) >= SMALLEST_COUNT
    : typeof value === "string" && value.length >= SHORTEST_TEXT;

function wrongValueOf(mismatch: Mismatch): WrongValue | undefined {
  const { relation, field, note } = mismatch;
  // The check's own note is more specific.
  if ((relation !== "to be" && relation !== "to have") || note !== undefined) return undefined;
  const { path, expected, actual } = differenceOf(mismatch.expected, mismatch.actual, String);
  const name = path.at(-1) ?? field?.split(".").at(-1);
  return name !== undefined && isTelling(expected) && isTelling(actual)
    ? { name, expected, actual }
    : undefined;
}

/** The resources in a response: itself, or the items of its list. */
function shownIn(exchange: Exchange): readonly Shown[] {
  const json = exchange.response?.json;
  const items = isObject(json) && Array.isArray(json.items) ? json.items : [json];
  return items.flatMap((resource) =>
    isObject(resource) && resource.id !== undefined ? { exchange, resource } : [],
  );
}

const hasMember = (json: unknown, name: string, value: unknown): boolean =>
  membersWhere(json, (one, itsName) => itsName === name && one === value).length > 0;

/** The resources by a member that only they have. */
const KINDS = [
  ["external_ref", "delivery"],
  ["event_types", "subscription"],
  ["courier_company", "store"],
  ["mime", "photo"],
] as const;

/** Whose the other resource is, compared with the right one: `another store's delivery`. */
function ownerText(own: Shown, other: Shown): string {
  const kind = KINDS.find(([member]) => member in other.resource)?.[1] ?? "resource";
  if (own.exchange.sender !== other.exchange.sender) return `another integrator's ${kind}`;
  if (own.resource.store_id !== other.resource.store_id) return `another store's ${kind}`;
  return `another ${kind}`;
}

/** The id of the resource that a request creates or changes. */
const subjectOf = ({ response, url }: Exchange): unknown =>
  textMember(response?.json, "id") ?? /\/v1\/\w+\/([^/?]+)/.exec(url)?.[1];

/** Where the wrong value is from, if the right one was sent in this exchange. */
function sourceOf({ name, actual }: WrongValue, sent: Exchange, shown: readonly Shown[]): string | undefined {
  const own = shown.find(({ resource }) => resource.id === subjectOf(sent));
  const withValue = shown.filter(({ resource }) => hasMember(resource, name, actual));
  const isOwn = ({ resource }: Shown) => resource.id === own?.resource.id;
  if (own === undefined) return undefined;
  if (withValue.some((one) => isOwn(one) && one.exchange.startedAt < sent.startedAt))
    return "it is the value from before the change";
  const body = parseJson(sent.requestBody ?? "");
  const path = membersWhere(body, (value) => value === actual).find((one) => one.at(-1) !== name);
  if (path) return `it was sent as ${pathInWords(path)}`;
  const other = withValue.find((one) => !isOwn(one));
  return other && `it is that of ${ownerText(own, other)}`;
}

/**
 * Where a wrong value is from, if earlier responses or requests of the check show it: another resource, the same one before
 * its change, or another field. Undefined if they don't.
 */
export function originHint(finding: Error, steps: readonly TraceStep[]): string | undefined {
  const wrong = finding instanceof CheckFailure ? wrongValueOf(finding.mismatch) : undefined;
  if (wrong === undefined) return undefined;
  const { name, expected, actual } = wrong;
  const exchanges = steps.flatMap((step) => ("exchange" in step ? [step.exchange] : []));
  const shown = exchanges.flatMap(shownIn);
  const [right, other] = [expected, actual].map((id) => shown.find(({ resource }) => resource.id === id));
  if (right && other) return `it is the id of ${ownerText(right, other)}`;
  const sent = exchanges.findLast(({ requestBody }) =>
    hasMember(parseJson(requestBody ?? ""), name, expected),
  );
  return sent && sourceOf(wrong, sent, shown);
}
