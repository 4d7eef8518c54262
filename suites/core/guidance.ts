/** Help for a person with a failed check of a group, beyond the clause. */
export interface Guidance {
  /** The damage at a restaurant or an integrator if the group's clauses don't hold. */
  readonly why: string;
  /** Usual causes of a failure. */
  readonly causes: readonly [string, ...string[]];
}

/** Guidance by the group of the checks: the part of their ids before the dot. */
export type GuidanceByGroup = Readonly<Record<string, Guidance>>;
