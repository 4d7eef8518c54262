import type { Parts } from "../../../../reference-server/parts.ts";
import type { Mutate } from "../mutant.ts";

type Envelopes = Parts["envelopes"];
type Envelope = ReturnType<Envelopes["make"]>;

/** A server with other envelopes. */
export const filling = (change: (envelope: Envelope, at: number) => object): Mutate =>
  withEnvelopes(({ make }) => ({
    make(id, kind, at, data) {
      const envelope = make(id, kind, at, data);
      return Object.assign(envelope, change(envelope, at));
    },
  }));

export const withEnvelopes =
  (change: (right: Envelopes) => Partial<Envelopes>) =>
  (parts: Parts): Parts => ({ ...parts, envelopes: { ...parts.envelopes, ...change(parts.envelopes) } });

export type Data = Record<string, unknown>;

/** A server whose events show another delivery than GET. */
export const telling = (change: (data: Data, envelope: Envelope) => Data): Mutate =>
  filling((envelope) => (envelope.data === null ? {} : { data: change({ ...envelope.data }, envelope) }));
