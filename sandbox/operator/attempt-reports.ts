import type { AttemptOutcome, Dependencies, LoggedAttempt } from "../../reference-server/dependencies.ts";

export interface AttemptReport {
  readonly eventId: string;
  readonly type: string;
  readonly version: number | null;
  /** The delivery's external_ref; null for an event without a delivery. */
  readonly externalRef: string | null;
  readonly url: string;
  readonly outcome: AttemptOutcome;
  /** Milliseconds from the request to the end of the response. */
  readonly took: number;
  /** The attempt's number, starting at 1. */
  readonly attempt: number;
  /** Milliseconds until the next attempt; undefined if no attempt follows. */
  readonly nextIn: number | undefined;
  readonly isDelivered: boolean;
  /** True if the endpoint is closed because of the response. */
  readonly closes: boolean;
  /** True for a copy, whose result has no effect on the event. */
  readonly isCopy: boolean;
}

/** Dependencies that report every attempt when it ends. */
export function withAttemptReports(
  report: (attempt: AttemptReport) => void,
): (deps: Dependencies) => Dependencies {
  return (deps) => ({
    ...deps,
    attemptLog: {
      async keep(all, logged) {
        report(reportOf(all, logged));
        await deps.attemptLog.keep(all, logged);
      },
    },
  });
}

function reportOf(
  deps: Dependencies,
  { dispatch, request, startedAt, outcome }: LoggedAttempt,
): AttemptReport {
  const now = deps.clock.timeOf(dispatch, deps.clock.now());
  const isDelivered = "status" in outcome && deps.retryPolicy.isSuccess(outcome.status);
  const closes = "status" in outcome && deps.retryPolicy.closesEndpoint(outcome.status);
  const retryAt = deps.retryPolicy.retryAt(deps.limits, dispatch.failures + 1, now);
  return {
    eventId: dispatch.event_id,
    type: dispatch.type,
    version: dispatch.version,
    externalRef: externalRefIn(dispatch.body),
    url: request.url,
    outcome,
    took: now - startedAt,
    attempt: dispatch.failures + 1,
    nextIn: isDelivered || closes || retryAt === undefined ? undefined : retryAt - now,
    isDelivered,
    closes,
    isCopy: dispatch.leased_by === null,
  };
}

/** Reads the body of an event that this server wrote. */
function externalRefIn(body: string): string | null {
  const { data }: { data: { external_ref: string } | null } = JSON.parse(body);
  return data?.external_ref ?? null;
}
