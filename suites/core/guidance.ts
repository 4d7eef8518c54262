/** Help with failed checks of a group, in addition to the clauses. */
interface Guidance {
  /** The consequences for a restaurant or an integrator if the clauses are violated. */
  readonly why: string;
  /** Usual causes of a failure. */
  readonly causes: readonly [string, ...string[]];
}

/** Guidance by group, which is the part of check ids before the dot. */
export type GuidanceByGroup = Readonly<Record<string, Guidance>>;
