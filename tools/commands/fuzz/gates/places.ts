/** Lists every place of a value in the document's requests, responses and events. */
import type { Operation, Schema } from "../../../../suites/core/contract/api-document.ts";
import { serviceApi } from "../../../../suites/core/contract/document.ts";
import { isObject } from "../../../../suites/core/json.ts";

export interface Place {
  /** The operation's id, or `event` for an event. */
  readonly operation: string;
  readonly part: "body" | "path" | "query" | "headers" | "answer" | "event";
  /** The member names that lead to the value. `*` is every entry of a list. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly isRequired: boolean;
}

type Found = Pick<Place, "path" | "schema" | "isRequired">;

/**
 * The members of a schema, including nested members, without undocumented and optional response members.
 */
function membersOf(given: unknown, path: readonly string[] = [], isRequired = true): readonly Found[] {
  const schema = serviceApi.resolve(given);
  const branches = [schema.allOf ?? []].flat();
  if (branches.length > 0) return branches.flatMap((branch) => membersOf(branch, path, isRequired));
  // The first alternative is the one that the reference server sends.
  if (Array.isArray(schema.anyOf)) return membersOf(schema.anyOf[0], path, isRequired);
  const here = path.length > 0 && schema.type !== undefined ? [{ path, schema, isRequired }] : [];
  const required = [schema.required ?? []].flat();
  const inside = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  const entries = schema.items === undefined ? [] : membersOf(schema.items, [...path, "*"], true);
  return [
    ...here.filter(({ schema: { type } }) => type !== "object"),
    ...inside.flatMap(([name, member]) => membersOf(member, [...path, name], required.includes(name))),
    ...entries,
  ];
}

function placesOf({ id, body, parameters, pointer, successes }: Operation): readonly Place[] {
  const answer = serviceApi.lookUp(
    `${pointer}/responses/${successes.at(-1)}/content/application~1json/schema`,
  );
  const ofBody = body?.types.includes("application/json") ? membersOf(body.schema) : [];
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
    ...membersOf(answer).map((found): Place => ({ operation: id, part: "answer", ...found })),
  ];
}

/** The places of the service's document. */
export function placesInDocument(): readonly Place[] {
  const event = serviceApi.lookUp("/components/schemas/Event");
  return [
    ...serviceApi.operations.flatMap(placesOf),
    ...membersOf(event).map((found): Place => ({ operation: "event", part: "event", ...found })),
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
