import { type OperationId, requestErrors } from "../../../core/contract/document.ts";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** The object that contains the member at a JSON pointer, and the member's name. */
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
 * A body without the members that are null although the schema doesn't allow null. Whether null means an
 * omitted field is unspecified (OPEN-124). A required field that is null counts as missing.
 */
export function withoutOpenNulls(id: OperationId, body: unknown): unknown {
  const copy = structuredClone(body);
  for (const { instancePath } of requestErrors(id, body)) {
    const [holder, name] = holderOf(copy, instancePath);
    if (isObject(holder) && !Array.isArray(holder) && holder[name] === null) delete holder[name];
  }
  return copy;
}
