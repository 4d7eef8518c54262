import { randomUUID } from "node:crypto";
import { elementSets, elementsOf, type SetName } from "../../core/contract/element-sets.ts";
import { DEFAULT_KINDS } from "../../core/contract/event-kinds.ts";
import { brokenElements, type ElementMutants } from "../../core/element-mutants.ts";
import { forEachElement } from "../../core/for-each-element.ts";
import { alterDependencies, type ReceiverMutant } from "./mutant.ts";
import { holdingOf } from "./ordering.ts";
import { alsoMacs, hmac, skippingVerification } from "./signing.ts";

/** The elements of a set. If the set depends on the subscription, the elements in the mutants' subscription. */
export const elementsIn = (set: SetName): readonly string[] =>
  set === "listed-event-kinds" ? DEFAULT_KINDS : elementSets[set].elements;

type Part = (typeof PARTS)[number];
const PARTS = elementsOf("changed-parts-of-a-body");

/**
 * For each part of a body, the pattern that finds the part, and the values that the part has in signed bodies.
 */
const SIGNED: Readonly<Record<Part, readonly [found: RegExp, signed: readonly string[]]>> = {
  version: [/"version":\d+/, ['"version":41']],
  status: [/"status":"\w+"/, ['"status":"ASSIGNED"', '"status":"QUEUED"']],
  package_count: [/"package_count":\d+/, ['"package_count":2']],
  prepaid: [/"prepaid":true/, ['"prepaid":false']],
  type: [/"type":"delivery\.\w+"/, DEFAULT_KINDS.map((kind) => `"type":"${kind}"`)],
  notes: [/"notes":null/, ['"notes":"anlasilmazcasina"']],
};

/** Ignores one part of the body when it verifies the signature. */
const ignoringPart = (part: Part): ReceiverMutant => {
  const [found, signed] = SIGNED[part];
  return {
    fault: `a body whose ${part} was changed after signing is accepted`,
    caughtBy: ["tampering.body"],
    mutate: alterDependencies(({ texts }) => ({
      texts: (request) => [
        ...texts(request),
        ...signed.flatMap((text) =>
          texts({ ...request, body: Buffer.from(request.body.toString().replace(found, text)) }),
        ),
      ],
    })),
  };
};

export const elementReceivers = {
  ...forEachElement(
    DEFAULT_KINDS,
    (kind) => `refuses-${kind}`,
    (kind): ReceiverMutant => ({
      fault: `${kind} is refused`,
      caughtBy: ["kinds.default", "kinds.listed"],
      mutate: alterDependencies(() => ({ objection: ({ type }) => (type === kind ? 400 : undefined) })),
    }),
  ),
  ...forEachElement(
    DEFAULT_KINDS,
    (kind) => `trusts-${kind}`,
    (kind): ReceiverMutant => ({
      fault: `${kind} is accepted without verification`,
      caughtBy: ["tampering.any-kind"],
      mutate: skippingVerification((body) => body.includes(`"type":"${kind}"`)),
    }),
  ),
  ...forEachElement(
    DEFAULT_KINDS,
    (kind) => `repeats-${kind}`,
    (kind): ReceiverMutant => ({
      fault: `${kind} takes effect each time it is sent`,
      caughtBy: ["duplicates.each-kind"],
      mutate: alterDependencies(({ memory }) => ({
        memory: {
          ...memory,
          // Uses a random key, so that the receiver recognises no event of this type.
          key: ({ id }, { type }) => (type === kind ? `${id} ${randomUUID()}` : id),
        },
      })),
    }),
  ),
  ...forEachElement(
    DEFAULT_KINDS,
    (kind) => `overwrites-by-a-late-${kind}`,
    (kind): ReceiverMutant => ({
      fault: `${kind} is stored even if a higher version is stored`,
      caughtBy: ["order.late-of-each-kind"],
      mutate: holdingOf((type) => (type === kind ? (_, __, offered) => offered : undefined)),
    }),
  ),
  ...forEachElement(PARTS, (part) => `overlooks-a-changed-${part}` as const, ignoringPart),
  ...forEachElement(
    elementsOf("other-algorithms"),
    (algorithm) => `takes-hmac-${algorithm}`,
    (algorithm): ReceiverMutant => ({
      fault: `a digest by HMAC with ${algorithm} is accepted too`,
      caughtBy: ["signatures.other-algorithms"],
      mutate: alsoMacs((key, text) => [hmac(algorithm, key, text)]),
    }),
  ),
} satisfies Record<string, ReceiverMutant>;

/** For each clause about all elements of a set, the mutant that breaks the clause for one element. */
export const elementMutants: ElementMutants = {
  "RECV-1": (kind) => `refuses-${kind}`,
  "RECV-3": (kind) => `repeats-${kind}`,
  "RECV-16": (kind) => `trusts-${kind}`,
  "RECV-17": (part) => `overlooks-a-changed-${part}`,
  "RECV-23": (algorithm) => `takes-hmac-${algorithm}`,
  "RECV-36": (kind) => `overwrites-by-a-late-${kind}`,
  "RECV-43": (kind) => `refuses-${kind}`,
};

/** The elements for which a mutant breaks a check's clauses. */
export const elementsBrokenBy = brokenElements("receiver", elementMutants, elementsIn);
