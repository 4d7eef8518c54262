/** What is sent of an event (specification, Envelope). */
import { formatInstant } from "../domain/instants.ts";
import type { EventKind } from "../domain/model.ts";

interface Envelope {
  id: string;
  type: EventKind;
  timestamp: string;
  /** The delivery as GET shows it; null for a trial. */
  data: object | null;
}

export interface Envelopes {
  make(id: string, kind: EventKind, at: number, data: object | null): Envelope;
  /** The text that is kept and sent, the same each time. */
  encode(envelope: Envelope): string;
}

export const envelopes: Envelopes = {
  make: (id, type, at, data) => ({ id, type, timestamp: formatInstant(at), data }),
  encode: (envelope) => JSON.stringify(envelope),
};
