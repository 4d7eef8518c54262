/** The body of an event (specification, Envelope). */
import { formatInstant } from "../domain/instants.ts";
import type { EventKind } from "../domain/model.ts";

interface Envelope {
  id: string;
  type: EventKind;
  timestamp: string;
  /** The delivery as GET returns it; null for a test event. */
  data: object | null;
}

export interface Envelopes {
  make(id: string, kind: EventKind, at: number, data: object | null): Envelope;
  /** The text that is stored and sent. Retries send the same text. */
  encode(envelope: Envelope): string;
}

export const envelopes: Envelopes = {
  make: (id, type, at, data) => ({ id, type, timestamp: formatInstant(at), data }),
  encode: (envelope) => JSON.stringify(envelope),
};
