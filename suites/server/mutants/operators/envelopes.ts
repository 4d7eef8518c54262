import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { Mutate } from "../mutant.ts";

type Envelopes = Dependencies["envelopes"];
type Envelope = ReturnType<Envelopes["make"]>;

export const alterEnvelope = (change: (envelope: Envelope, at: number) => object): Mutate =>
  withEnvelopes(({ make }) => ({
    make(id, kind, at, data) {
      const envelope = make(id, kind, at, data);
      return Object.assign(envelope, change(envelope, at));
    },
  }));

export const withEnvelopes =
  (change: (right: Envelopes) => Partial<Envelopes>) =>
  (deps: Dependencies): Dependencies => ({
    ...deps,
    envelopes: { ...deps.envelopes, ...change(deps.envelopes) },
  });

export type Data = Record<string, unknown>;

/** A server whose events show another delivery than GET. */
export const alterEventData = (change: (data: Data, envelope: Envelope) => Data): Mutate =>
  alterEnvelope((envelope) =>
    envelope.data === null ? {} : { data: change({ ...envelope.data }, envelope) },
  );
