/** Lists every place of a value in the document's requests, responses and events. */
import { serviceDocument } from "../../../../reference-server/contract/documents.ts";
import type { JsonObject } from "../../../../reference-server/contract/json.ts";
import { isObject } from "../../../../suites/core/json.ts";
import { type FuzzOperation, operationsOf } from "../document.ts";

export interface Place {
  /** The operation's id, or `event` for an event. */
  readonly operation: string;
  readonly part: "body" | "path" | "query" | "headers" | "answer" | "event";
  /** The member names that lead to the value. `*` is every entry of a list. */
  readonly path: readonly string[];
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

type Found = Pick<Place, "path" | "schema" | "isRequired">;

/**
 * The members of a schema, including nested members, without undocumented and optional response members.
 */
function membersOf(
  given: unknown,
  resolve: FuzzOperation["resolve"],
  path: readonly string[] = [],
  isRequired = true,
): readonly Found[] {
  const schema = resolve(given);
  const branches = [schema.allOf ?? []].flat();
  if (branches.length > 0) return branches.flatMap((branch) => membersOf(branch, resolve, path, isRequired));
  // The first alternative is the one that the reference server sends.
  if (Array.isArray(schema.anyOf)) return membersOf(schema.anyOf[0], resolve, path, isRequired);
  const here = path.length > 0 && schema.type !== undefined ? [{ path, schema, isRequired }] : [];
  const required = [schema.required ?? []].flat();
  const inside = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const entries = schema.items === undefined ? [] : membersOf(schema.items, resolve, [...path, "*"], true);
  return [
    ...here.filter(({ schema: { type } }) => type !== "object"),
    ...inside.flatMap(([name, member]) =>
      membersOf(member, resolve, [...path, name], required.includes(name)),
    ),
    ...entries,
  ];
}

function placesOf(operation: FuzzOperation): readonly Place[] {
  const { id, body, parameters, answer, resolve } = operation;
  const ofBody = body?.types.includes("application/json") ? membersOf(body.schema, resolve) : [];
  const parts = { path: "path", query: "query", header: "headers" } as const;
  return [
    ...ofBody.map((found): Place => ({ operation: id, part: "body", ...found })),
    ...parameters.map(
      ({ name, place, schema, required }): Place => ({
        operation: id,
        part: parts[place],
        path: [name],
        schema,
        isRequired: required,
      }),
    ),
    ...membersOf(answer, resolve).map((found): Place => ({ operation: id, part: "answer", ...found })),
  ];
}

/** The places of the service's document. */
export function placesInDocument(): readonly Place[] {
  const operations = operationsOf(serviceDocument(), "");
  const event = operations[0]?.resolve({ $ref: "#/components/schemas/Event" });
  const resolve = operations[0]?.resolve ?? (() => ({}));
  return [
    ...operations.flatMap(placesOf),
    ...membersOf(event, resolve).map((found): Place => ({ operation: "event", part: "event", ...found })),
  ];
}

/** Replaces the values at a place. `change` returns the new value. */
export function changeAt(
  whole: unknown,
  path: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(whole);
  if (Array.isArray(whole)) return name === "*" ? whole.map((entry) => changeAt(entry, rest, change)) : whole;
  if (!isObject(whole) || !Object.hasOwn(whole, name)) return whole;
  const { [name]: member, ...others } = whole;
  const changed = changeAt(member, rest, change);
  return changed === undefined ? others : { ...whole, [name]: changed };
}
