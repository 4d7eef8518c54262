/** From what checks sent and when: how long each took, and which of them the run waited for. */

/** When a check sent its first request and got its last answer, in ms since the epoch. */
export interface CheckSpan {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** What is read of an HTTP Archive: each entry is an exchange, and its page the check that made it. */
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
 * The checks that the run's length is made of, in their order: the one that ended last, before it the one whose end it
 * began after, and so on. What one of them takes longer, the run takes longer.
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
