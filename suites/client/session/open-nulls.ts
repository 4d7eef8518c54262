import { type OperationId, requestErrors, requestSchemaError } from "../../core/contract/document.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The object that a JSON pointer's last segment is a member of, and that segment. */
function holderOf(root: unknown, pointer: string): readonly [holder: unknown, name: string] {
  const names = pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = names.pop() ?? "";
  const holder = names.reduce<unknown>((here, name) => (isObject(here) ? here[name] : undefined), root);
  return [holder, last];
}

/**
 * A request's body without the members that are null where the document has another type: whether null may stand for a
 * field that may be left out is open (OPEN-124). A null in place of a required field is missing then.
 */
export function withoutOpenNulls(id: OperationId, body: unknown): unknown {
  const copy = structuredClone(body);
  for (const { instancePath } of requestErrors(id, body)) {
    const [holder, name] = holderOf(copy, instancePath);
    if (isObject(holder) && !Array.isArray(holder) && holder[name] === null) delete holder[name];
  }
  return copy;
}

/** What is wrong with a request's JSON body by the document, nulls that are open aside. */
export const bodyFault = (id: OperationId, body: unknown): string | undefined =>
  requestSchemaError(id, withoutOpenNulls(id, body));
