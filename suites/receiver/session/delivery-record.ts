import type { Attempt } from "./attempt.ts";
import type { Reply } from "./http-client.ts";

/** One attempt and what came of it. */
export interface DeliveryRecord {
  readonly attempt: Attempt;
  readonly headers: Readonly<Record<string, string>>;
  /** The deliberate mistake. Undefined for a genuine event. */
  readonly violates: string | undefined;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly reply: Reply | undefined;
  /** Why no answer came. */
  readonly failure: string | undefined;
}

/** Keeps what was sent and came; each check has one of its own. */
export type RecordDelivery = (delivered: DeliveryRecord) => void;

/** An attempt in words: its kind, and what is wrong with it. */
export const whatIs = ({ kind, id }: Attempt, violates: string | undefined): string =>
  `${kind}${violates === undefined ? "" : ` (${violates})`}${id === undefined ? "" : `, webhook-id ${id}`}`;
