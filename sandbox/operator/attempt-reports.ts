import type { AttemptOutcome, LoggedAttempt, Parts } from "../../reference-server/parts.ts";

/** What became of a delivery attempt. */
export interface AttemptReport {
  readonly eventId: string;
  readonly type: string;
  readonly version: number | null;
  /** The integrator's own name for the delivery; null if the event is about none. */
  readonly externalRef: string | null;
  readonly url: string;
  readonly outcome: AttemptOutcome;
  /** Milliseconds from the request to the end of the answer. */
  readonly took: number;
  /** 1 for the first. */
  readonly attempt: number;
  /** Milliseconds until the next; undefined if none follows. */
  readonly nextIn: number | undefined;
  readonly isDelivered: boolean;
  /** Whether the answer closes the endpoint. */
  readonly closes: boolean;
  /** Whether it was sent beside the outbox, so that nothing follows from how it ended. */
  readonly isCopy: boolean;
}

/** From parts to parts: reports every attempt when it is over. */
export function withAttemptReports(report: (attempt: AttemptReport) => void): (parts: Parts) => Parts {
  return (parts) => ({
    ...parts,
    attemptLog: {
      async keep(all, logged) {
        report(reportOf(all, logged));
        await parts.attemptLog.keep(all, logged);
      },
    },
  });
}

function reportOf(parts: Parts, { dispatch, request, startedAt, outcome }: LoggedAttempt): AttemptReport {
  const now = parts.clock.of(dispatch, parts.clock.now());
  const isDelivered = "status" in outcome && parts.retryPolicy.isSuccess(outcome.status);
  const closes = "status" in outcome && parts.retryPolicy.closesEndpoint(outcome.status);
  const retryAt = parts.retryPolicy.retryAt(parts, dispatch.failures + 1, now);
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

/** Of an event as the server itself wrote it. */
function externalRefIn(body: string): string | null {
  const { data }: { data: { external_ref: string } | null } = JSON.parse(body);
  return data?.external_ref ?? null;
}
