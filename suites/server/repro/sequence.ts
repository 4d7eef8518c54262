import type { Exchange } from "../../core/exchange.ts";
import type { TraceStep } from "./trace.ts";

/** All that a request says, in one text. */
export const sentText = (exchange: Exchange): string =>
  `${exchange.url} ${Object.values(exchange.requestHeaders).join(" ")} ${exchange.requestBody ?? ""}`;
/** When its answer had come, milliseconds since 1970. */
export const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs;

export const exchangesOf = (steps: readonly TraceStep[]) =>
  steps.flatMap((step) => ("exchange" in step ? [step.exchange] : []));
export const controlsOf = (steps: readonly TraceStep[]) =>
  steps.flatMap((step) => ("control" in step ? [step] : []));

/**
 * Neighbours of a sequence that were all under way at the same time, in one group: what began when one of them had been
 * answered may follow from that answer.
 */
export function groupsOf(steps: readonly TraceStep[]): readonly (readonly TraceStep[])[] {
  const groups: TraceStep[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    const group = groups.at(-1);
    // A time is cut to the millisecond: what begins in the one in which another ends comes after it.
    const isBeside = "exchange" in step && group?.every((one) => "exchange" in one) && step.at + 1 < end;
    if (isBeside) group.push(step);
    else groups.push([step]);
    const ends = "exchange" in step ? endOf(step.exchange) : step.at;
    end = isBeside ? Math.min(end, ends) : ends;
  }
  return groups;
}

/** The same request asked again and again, until something had come about: its last time stands for all. */
export function withoutPolling(steps: readonly TraceStep[]): readonly TraceStep[] {
  const asked = (step: TraceStep | undefined) =>
    step && "exchange" in step && step.exchange.method === "GET" ? sentText(step.exchange) : undefined;
  return steps.filter((step, at) => asked(step) === undefined || asked(step) !== asked(steps[at + 1]));
}

/** What a run does outside of its checks: it signs in, and links the stores that they share. */
const SET_UP: readonly string[] = ["obtainToken", "registerStore"];

/** Where a run's own set-up is what went wrong, it is the end of the sequence. */
export function withSetUp(trace: readonly TraceStep[], blamed: Exchange | undefined): readonly TraceStep[] {
  if (!blamed || !SET_UP.includes(blamed.operation) || exchangesOf(trace).includes(blamed)) return trace;
  const at = blamed.startedAt;
  return [...trace.filter((step) => step.at <= at), { exchange: blamed, at }];
}
