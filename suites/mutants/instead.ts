import { DomainError, type ErrorCode } from "../../reference-server/errors.ts";
import type { Parts } from "../../reference-server/parts.ts";

type Operations = Parts["operations"];
type Id = keyof Operations;

/** An operation that does something else with its call; it may fall back on the original. */
export const instead =
  <const Name extends Id>(
    name: Name,
    other: (
      call: Parameters<Operations[Name]>[0],
      original: Operations[Name],
      parts: Parts,
    ) => ReturnType<Operations[Name]>,
  ) =>
  (parts: Parts): Parts => {
    const original = parts.operations[name];
    const operation = (call: Parameters<Operations[Name]>[0]) => other(call, original, parts);
    return { ...parts, operations: { ...parts.operations, [name]: operation } };
  };

/** An answer of an operation. */
export const answer = <const Status extends number, Body>(status: Status, body: Body) => ({ status, body });

/** What the work gives, or what the fault gives where the work is refused with the code. */
export async function refusedWith<T>(
  code: ErrorCode,
  work: Promise<T>,
  fault: (refusal: DomainError) => Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DomainError && error.code === code) return fault(error);
    throw error;
  }
}

/** A copy without some of its members, though its type says that it has them. */
export function without<T extends object>(whole: T, ...members: readonly (keyof T)[]): T {
  const copy = { ...whole };
  for (const member of members) Reflect.deleteProperty(copy, member);
  return copy;
}
