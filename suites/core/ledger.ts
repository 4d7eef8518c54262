import { readFileSync } from "node:fs";
import type { ClauseId, OpenPointId } from "../../openapi/generated/clauses.ts";
import type { Claim, ClauseLevel, Subject } from "./claims.ts";

/** One normative statement of the specification. */
export interface Clause {
  readonly id: ClauseId;
  /** Key of the specification's part. */
  readonly part: string;
  /** Heading in the specification under which the statement stands. */
  readonly section: string;
  readonly subject: Subject;
  readonly level: ClauseLevel;
  /** The lowest of its subject's levels at which it can be verified. */
  readonly claim: Claim;
  readonly text: string;
  /** Why no check verifies it. */
  readonly excluded?: string;
}

/** Something that the specification leaves open. */
export interface OpenPoint {
  readonly id: OpenPointId;
  readonly merges?: readonly number[];
  readonly where: string;
  readonly text: string;
  readonly choices: readonly string[];
  readonly coping: string;
}

export interface Ledger {
  readonly parts: Readonly<Record<string, string>>;
  readonly clauses: readonly Clause[];
  readonly open_points: readonly OpenPoint[];
}

const parseLedger = (): Ledger =>
  JSON.parse(readFileSync(new URL("../../openapi/generated/clauses.json", import.meta.url), "utf8"));

let ledger: Ledger | undefined;

/** openapi/clauses.yaml, read once; a test holds that its form is right. */
export function readLedger(): Ledger {
  ledger ??= parseLedger();
  return ledger;
}
