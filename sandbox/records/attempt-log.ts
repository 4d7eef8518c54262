/** Logs delivery attempts with their responses, for the console. */
import type { AttemptLog } from "../../reference-server/dependencies.ts";
import { attemptRecords } from "./attempts.ts";

/** The number of bytes of a response body that are kept. */
const keptBytes = 4096;

export const attemptLog: AttemptLog = {
  async keep(deps, { dispatch, request, startedAt, outcome, answer }) {
    try {
      const integrator = await deps.records.integrators.findById(deps.database, dispatch.integrator_id);
      await attemptRecords.insert(deps.database, {
        id: deps.ids.uuid(),
        event_id: dispatch.event_id,
        webhook_id: dispatch.webhook_id,
        started_at: startedAt,
        ended_at: integrator === undefined ? startedAt : deps.clock.timeOf(integrator, deps.clock.now()),
        url: request.url,
        request_headers: JSON.stringify(request.headers),
        status: "status" in outcome ? outcome.status : null,
        fault: "status" in outcome ? null : outcome.fault,
        response_headers: answer?.headers === undefined ? null : JSON.stringify(answer.headers),
        response_body: answer?.body === undefined ? null : textOf(answer.body),
      });
    } catch (error) {
      deps.reportFault(error);
    }
  },
};

/** Converts any bytes to text that every database can store. */
function textOf(body: Buffer): string {
  return body.subarray(0, keptBytes).toString("utf8").replaceAll("\0", "\uFFFD");
}
