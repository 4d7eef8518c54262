/** The values that the checks send and receive in a run, by their place in the OpenAPI document. */
import type { AnyReply } from "../../../../reference-server/contract/calls.ts";
import type { Dependencies } from "../../../../reference-server/dependencies.ts";
import type { AnyCheck } from "../../../../suites/server/check.ts";
import type { Mutate } from "../../../../suites/server/mutants/mutant.ts";
import { compose } from "../../../../suites/server/mutants/operators/compose.ts";
import { alterEnvelope } from "../../../../suites/server/mutants/operators/envelopes.ts";
import {
  type AnyCall,
  aroundOperation,
  type OperationName,
} from "../../../../suites/server/mutants/operators/operations.ts";
import { eventsOnMutant } from "../../../../suites/server/mutants/run-mutant.ts";
import type { Circumstances } from "./conditions.ts";
import { changeAt, type Place } from "./places.ts";

/** A value that was sent or received at a place. */
export interface Observation {
  readonly check: AnyCheck;
  readonly value: unknown;
  readonly circumstances: Circumstances;
}

/** The maximum number of kept values per check and place. Further values would be similar. */
const MAX_VALUES_PER_CHECK = 300;
const SECOND_MS = 1_000;

/** Records the values in one part of an operation's calls, and replaces them if requested. */
export function intercept(
  { part, operation }: Pick<Place, "part" | "operation">,
  transform: (whole: unknown, circumstances: Circumstances) => unknown,
): Mutate {
  let count = 0;
  const firstUse = new Map<string, number>();
  const circumstances = ({ now, tokenHash = "" }: { readonly now: number; readonly tokenHash?: string }) => {
    count += 1;
    const since = firstUse.get(tokenHash) ?? now;
    firstUse.set(tokenHash, since);
    return { count, tokenAgeS: (now - since) / SECOND_MS, hour: new Date(now).getUTCHours() };
  };
  if (part === "event") {
    return alterEnvelope((envelope, at) => {
      const seen = Object(transform(envelope, circumstances({ now: at })));
      return Object.fromEntries(Object.keys(envelope).map((name) => [name, seen[name]]));
    });
  }
  return (deps) => {
    const around = async (call: AnyCall, original: (changed?: AnyCall) => Promise<AnyReply>) => {
      const { now = deps.clock.now(), tokenHash = "" } = call;
      const at = circumstances({ now, tokenHash });
      if (part !== "answer") return original({ ...call, [part]: transform(call[part], at) });
      const reply = await original();
      return { ...reply, body: transform(reply.body, at) };
    };
    return aroundOperation(operationIn(deps, operation), around)(deps);
  };
}

function operationIn({ operations }: Dependencies, name: string): OperationName {
  const isOperation = (one: string): one is OperationName => Object.hasOwn(operations, one);
  if (!isOperation(name)) throw new Error(`the server has no operation ${name}`);
  return name;
}

/** Runs checks once on a conforming server and keeps the values. */
export async function observationsOf(
  places: readonly Place[],
  checks: readonly AnyCheck[],
  onStatus: (line: string) => void,
): Promise<ReadonlyMap<Place, readonly Observation[]>> {
  const observations = new Map<Place, Observation[]>(places.map((place) => [place, []]));
  let check: AnyCheck | undefined;
  let begun = 0;
  const addObservation = (place: Place, passage: Observation) => {
    const passages = observations.get(place) ?? [];
    if (passages.at(-MAX_VALUES_PER_CHECK)?.check !== passage.check) passages.push(passage);
  };
  const ofOnePart = Map.groupBy(places, ({ operation, part }) => `${operation} ${part}`);
  const listening = [...ofOnePart.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    return intercept(first, (whole, circumstances) => {
      for (const place of members) {
        changeAt(whole, place.path, (value) => {
          if (check !== undefined) addObservation(place, { check, value, circumstances });
          return value;
        });
      }
      return whole;
    });
  });
  const onBegin = (one: AnyCheck) => {
    check = one;
    begun += 1;
    onStatus(`${begun} of ${checks.length} checks`);
  };
  const unmutated = { fault: "none", mutate: compose(...listening) };
  for await (const _ of eventsOnMutant(unmutated, checks, { onBegin }));
  return observations;
}
