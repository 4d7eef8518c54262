import { type PassiveCheck, passiveCheck } from "./check.ts";
import { operation, responseFault } from "./target/document.ts";

const answered =
  (status: (n: number) => boolean) => (exchange: { response: { status: number } | undefined }) =>
    exchange.response !== undefined && status(exchange.response.status);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Looks at every exchange of a run, whatever it was sent for. */
export const passiveChecks: readonly PassiveCheck[] = [];
void [passiveCheck, operation, responseFault, answered, isObject];
