/** Computes the duration of each check, and the checks that the run waited for, from recorded exchanges. */

/** When a check sent its first request and got its last answer, in ms since the epoch. */
export interface CheckSpan {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** The parts of an HTTP Archive in use: each entry is an exchange, and its page is the check that made it. */
export interface Archive {
  readonly log: {
    readonly entries: readonly {
      readonly pageref: string;
      readonly startedDateTime: string;
      /** ms */
      readonly time: number;
    }[];
  };
}

/** Of each check that sent something. */
export function spansOf({ log: { entries } }: Archive): readonly CheckSpan[] {
  const byCheck = Map.groupBy(entries, ({ pageref }) => pageref);
  return [...byCheck].map(([id, sent]) => ({
    id,
    from: Math.min(...sent.map(({ startedDateTime }) => Date.parse(startedDateTime))),
    to: Math.max(...sent.map(({ startedDateTime, time }) => Date.parse(startedDateTime) + time)),
  }));
}

/**
 * The checks that determine the run's duration, in order: the last one to end, before it the one whose end it started
 * after, and so on. A delay in any of them delays the run.
 */
export function criticalPath(spans: readonly CheckSpan[]): readonly CheckSpan[] {
  const path: CheckSpan[] = [];
  const latest = (among: readonly CheckSpan[]) => among.toSorted((one, other) => other.to - one.to)[0];
  for (let next = latest(spans); next !== undefined; ) {
    const { from } = next;
    path.unshift(next);
    next = latest(spans.filter((span) => span.to <= from && !path.includes(span)));
  }
  return path;
}
