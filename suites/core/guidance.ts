/** What a person who meets a failed check of a group wants to know beyond the clause. */
export interface Lesson {
  /** What goes wrong in a restaurant, or at an integrator, where the group's clauses don't hold. */
  readonly why: string;
  /** What is usually behind a failure. */
  readonly causes: readonly [string, ...string[]];
}

/** Lessons by the group of the checks: what stands before the dot in their ids. */
export type Lessons = Readonly<Record<string, Lesson>>;
