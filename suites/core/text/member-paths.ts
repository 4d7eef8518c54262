import { isDeepStrictEqual } from "node:util";
import { isObject } from "../json.ts";

/** A path in parsed JSON: names and indices. */
export type MemberPath = readonly (string | number)[];

/** The maximum number of values that are searched. A page of deliveries has about 20,000. */
const MAX_SEARCHED_VALUES = 50_000;

/** The paths of all nested members that satisfy a condition, in order. */
export function membersWhere(
  json: unknown,
  holds: (value: unknown, name: string) => boolean,
): readonly MemberPath[] {
  const found: MemberPath[] = [];
  let remaining = MAX_SEARCHED_VALUES;
  const visit = (value: unknown, path: MemberPath, name: string): void => {
    const members = Array.isArray(value)
      ? value.map((entry, place) => [place, entry] as const)
      : isObject(value)
        ? Object.entries(value)
        : [];
    for (const [key, inner] of members) {
      if (remaining <= 0) return;
      remaining -= 1;
      const inside = [...path, key];
      const innerName = typeof key === "string" ? key : name;
      if (holds(inner, innerName)) found.push(inside);
      visit(inner, inside, innerName);
    }
  };
  visit(json, [], "");
  return found;
}

/** The value at a path; undefined if there is none. */
export const valueAt = (json: unknown, path: MemberPath): unknown =>
  path.reduce<unknown>(
    (here, key) => (Array.isArray(here) || isObject(here) ? Reflect.get(here, key) : undefined),
    json,
  );

/** A path as in code: `subscriptions[3].secret`. */
export const pathInWords = (path: MemberPath): string =>
  path.map((key, at) => (typeof key === "number" ? `[${key}]` : at === 0 ? key : `.${key}`)).join("");

/** A JSON pointer as a path in code; empty for the whole value. */
export const pointerInWords = (pointer: string): string =>
  pathInWords(
    pointer
      .split("/")
      .slice(1)
      .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment)),
  );

/** An incorrect value and its field. */
interface Finding {
  readonly field?: string | undefined;
  readonly actual?: unknown;
}

const lastName = (field: string): string => (field.split(".").at(-1) ?? field).replace(/(\[\d+\])+$/, "");

/** The end of a field's path with its indices, from the list's name on: `items`, 1, `total` of `delivery.items[1].total`. */
function indexedEnd(field: string): MemberPath {
  const path = field.split(/[.[]/).map((key) => (key.endsWith("]") ? Number(key.slice(0, -1)) : key));
  const first = path.findIndex((key) => typeof key === "number");
  return first === -1 ? [] : path.slice(Math.max(0, first - 1));
}

const endsWith = (path: MemberPath, end: MemberPath): boolean =>
  end.length === 0 || isDeepStrictEqual(path.slice(-end.length), end);

const only = (found: readonly MemberPath[]): MemberPath | undefined =>
  found.length === 1 ? found[0] : undefined;

/** The members with a field's name, and with its indices if it has some. */
function membersOf(json: unknown, field: string, holds: (value: unknown) => boolean): readonly MemberPath[] {
  const end = indexedEnd(field);
  const last = lastName(field);
  return membersWhere(json, (value, name) => name === last && holds(value)).filter((path) =>
    endsWith(path, end),
  );
}

/** The only member of a response with the finding's name and value. Undefined for none or several. */
export function blamedMember(json: unknown, { field, actual }: Finding): MemberPath | undefined {
  if (field === undefined || actual === undefined) return undefined;
  return only(membersOf(json, field, (value) => isDeepStrictEqual(value, actual)));
}

/** Like {@link blamedMember}, with all names of the field's path: `center.lat`, or `items.total` of `delivery.items[1].total`. */
export function blamedPath(json: unknown, finding: Finding): MemberPath | undefined {
  const path = blamedMember(json, finding);
  const names = `.${path?.filter((key) => typeof key === "string").join(".")}`;
  const field = `.${finding.field?.replaceAll(/\[\d+\]/g, "")}`;
  return names.endsWith(field) || field.endsWith(names) ? path : undefined;
}

/**
 * The only member of a response with the finding's name, or the entry of a list that lacks it. Undefined for none or
 * several.
 */
export function namedMember(json: unknown, { field }: Finding): MemberPath | undefined {
  if (field === undefined) return undefined;
  const found = membersOf(json, field, () => true);
  const entry = indexedEnd(field).slice(0, -1);
  const list = entry.findLast((key) => typeof key === "string");
  if (found.length > 0 || typeof entry.at(-1) !== "number") return only(found);
  return only(membersWhere(json, (_, name) => name === list).filter((path) => endsWith(path, entry)));
}

/** Number of members shown before and after a member. */
const NEIGHBOURS = 4;
const LONGEST_LINE = 160;
/** The maximum length of the member itself. Its difference from the expected value may be far from the start. */
const LONGEST_MEMBER = 500;
/** Characters of a member that are searched for secrets before its line is cut. */
const MAX_READ = 64 * 1024;

/**
 * A member with its neighbours, one line each, for responses that are too long to show.
 * @param withoutSecrets removes secrets before anything is cut
 */
export function excerptAround(
  json: unknown,
  path: MemberPath,
  withoutSecrets: (text: string) => string,
): string {
  const parent = valueAt(json, path.slice(0, -1));
  const members = isObject(parent) || Array.isArray(parent) ? Object.entries(parent) : [];
  const place = members.findIndex(([key]) => key === String(path.at(-1)));
  const shown = members.slice(Math.max(0, place - NEIGHBOURS), place + NEIGHBOURS + 1);
  const lines = shown.map(([key, value]) => {
    const isMember = key === String(path.at(-1));
    const name = Array.isArray(parent) ? `[${key}]` : JSON.stringify(key);
    const line = withoutSecrets(`${name}: ${JSON.stringify(value)}`.slice(0, MAX_READ));
    const longest = isMember ? LONGEST_MEMBER : LONGEST_LINE;
    const remark = isMember ? ` (this report shows ${longest} of ${line.length} characters)` : "";
    return line.length > longest ? `${line.slice(0, longest)}…${remark}` : line;
  });
  const rest = (isThere: boolean) => (isThere ? ["…"] : []);
  return [...rest(place > NEIGHBOURS), ...lines, ...rest(place + NEIGHBOURS + 1 < members.length)].join("\n");
}
