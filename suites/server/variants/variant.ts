import type { OpenPoints } from "../../../openapi/generated/clauses.ts";
import type { DeclarationName } from "../../../openapi/generated/declarations.ts";
import type { Parts } from "../../../reference-server/parts.ts";
import type { ServerClaim } from "../../core/contract/claims.ts";
import type { Rewrite } from "./proxy.ts";

/** A server's choices at open points, each in words. */
export type Choices = Readonly<Partial<OpenPoints>>;

/** The reference server with other legal choices: certified like any server, and CONFORMANT. */
export interface Variant {
  /** Open points that it decides differently from the reference. */
  readonly points: Choices;
  /** Other differences, which no open point covers: freedoms of HTTP and of time. */
  readonly besides?: readonly string[];
  /** Checks of SHOULD clauses that such choices fail: warnings, which change no verdict. */
  readonly warnings?: readonly string[];
  /** The claims that it is certified for, if not all. */
  readonly claims?: readonly ServerClaim[];
  /** The declarations of things that it doesn't do. */
  readonly without?: readonly DeclarationName[];
  /** How long to wait for eventual effects that don't appear, ms. */
  readonly eventualTimeoutMs?: number;
  /** Ids of checks that it isn't tried with, as globs. */
  readonly leaves?: readonly string[];
  /** Choices inside the server. */
  readonly mutate?: (parts: Parts) => Parts;
  /** Choices in what it answers. */
  readonly rewrite?: Rewrite;
}
