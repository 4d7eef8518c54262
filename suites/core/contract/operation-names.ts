import { allOperations, type OperationId, operationById } from "./document.ts";

/** An operation as the specification names it: `PATCH /v1/deliveries/{id}`. */
export function operationName(id: OperationId): string {
  const { method, path } = operationById(id);
  return `${method.toUpperCase()} ${path}`;
}

const names: ReadonlyMap<string, string> = new Map(allOperations.map(({ id }) => [id, operationName(id)]));
const ID = new RegExp(`(?<![\\w/.-])(?:${[...names.keys()].join("|")})(?![\\w/-])`, "g");

/** Text with the specification's names of operations instead of the suite's ids. */
export const withOperationNames = (text: string): string => text.replace(ID, (id) => names.get(id) ?? id);
