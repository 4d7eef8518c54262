import type { Attempt } from "./attempt.ts";
import type { Reply } from "./http-client.ts";

/** One attempt and its result. */
export interface DeliveryRecord {
  readonly attempt: Attempt;
  readonly headers: Readonly<Record<string, string>>;
  /** The deliberate mistake. Undefined for a genuine event. */
  readonly violates: string | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly reply: Reply | undefined;
  /** The reason why no answer came. */
  readonly failure: string | undefined;
}

/** Records each exchange; each check has its own record. */
export type RecordDelivery = (delivered: DeliveryRecord) => void;

/** An attempt in words: its kind and its deliberate mistake. */
export const whatIs = ({ kind, id }: Attempt, violates: string | undefined): string =>
  `${kind}${violates === undefined ? "" : ` (${violates})`}${id === undefined ? "" : `, webhook-id ${id}`}`;
