import type { AttemptReport } from "../../../sandbox/operator/attempt-reports.ts";
import type { AnsweredRequest } from "../../../sandbox/records/request-log.ts";
import { attemptLine } from "./attempt-line.ts";

import type { ServeSettings } from "./settings.ts";

function requestLine({ method, path, status, code, tookMs }: AnsweredRequest): string {
  const error = code === null ? "" : ` ${code}`;
  return `${method} ${path}  ->  ${status}${error} in ${Math.round(tookMs)} ms`;
}

interface SandboxLog {
  request(request: AnsweredRequest): void;
  attempt(attempt: AttemptReport): void;
}

/** Prints requests and delivery attempts. Without --logs, it prints only attempts to forward events. */
export function sandboxLog(
  { logs, forwarding }: Pick<ServeSettings, "logs" | "forwarding">,
  print: (line: string) => void,
): SandboxLog {
  const urls = forwarding?.urls ?? [];
  const isNamed = logs !== "none" || urls.length > 1;
  return {
    request(request) {
      const isWanted = logs === "all" || (logs === "errors" && request.status >= 400);
      if (isWanted) print(requestLine(request));
    },
    attempt(attempt) {
      const isWanted = logs === "none" ? urls.includes(attempt.url) : logs === "all" || !attempt.isDelivered;
      if (isWanted) print(attemptLine(attempt, isNamed));
    },
  };
}
