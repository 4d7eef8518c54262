import type { AnsweredRequest } from "../../../sandbox/records/request-log.ts";

/** A request and its response in one line. */
export function requestLine({ method, path, status, code, tookMs }: AnsweredRequest): string {
  const error = code === null ? "" : ` ${code}`;
  return `${method} ${path}  ->  ${status}${error} in ${Math.round(tookMs)} ms`;
}
