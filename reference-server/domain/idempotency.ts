/** Recognizes a repeated creation (specification, Deliveries: `Idempotency-Key`). */
import { hash } from "node:crypto";

export interface Idempotency {
  /** The scope within which keys are unique: the integrator. Only mutants use `tokenHash`. */
  scope(integrator: { id: string }, tokenHash: string): string;
  /** Equal for bodies that are equal as JSON, regardless of white space and key order. */
  fingerprint(body: unknown): string;
}

export const idempotency: Idempotency = {
  scope: (integrator) => integrator.id,
  fingerprint: (body) => hash("sha256", canonical(body), "base64url"),
};

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join()}}`;
  }
  return JSON.stringify(value);
}
