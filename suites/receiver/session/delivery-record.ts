import type { Attempt } from "./attempt.ts";
import type { Reply } from "./http-client.ts";

/** An attempt and its result. */
export interface DeliveryRecord {
  readonly attempt: Attempt;
  readonly headers: Readonly<Record<string, string>>;
  /** The attempt's intentional fault. Undefined for a genuine event. */
  readonly violates: string | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly reply: Reply | undefined;
  /** Why there was no response. */
  readonly failure: string | undefined;
}

/** Records an exchange. Each check has a separate record. */
export type RecordDelivery = (delivered: DeliveryRecord) => void;

/** The type and intentional fault of an attempt. */
export const describeAttempt = ({ kind, id }: Attempt, violates: string | undefined): string =>
  `${kind}${violates === undefined ? "" : ` (${violates})`}${id === undefined ? "" : `, webhook-id ${id}`}`;
