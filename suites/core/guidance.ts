/** What a person who meets a failed check of a group wants to know beyond the clause. */
export interface Guidance {
  /** What goes wrong in a restaurant, or at an integrator, where the group's clauses don't hold. */
  readonly why: string;
  /** What is usually behind a failure. */
  readonly causes: readonly [string, ...string[]];
}

/** Guidance by the group of the checks: what stands before the dot in their ids. */
export type GuidanceByGroup = Readonly<Record<string, Guidance>>;
