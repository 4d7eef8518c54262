import type { Exchange, ExchangeResponse } from "./exchange.ts";

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isSuccess = ({ status }: ExchangeResponse) => status >= 200 && status <= 299;
export const isRefusal = ({ status }: ExchangeResponse) => status >= 400;

/** The code of a refusal, where it has one. */
export function codeOf({ json }: ExchangeResponse): string | undefined {
  const error = isObject(json) ? json.error : undefined;
  return isObject(error) && typeof error.code === "string" ? error.code : undefined;
}

/** What is asked of answers to documented endpoints: what an unknown route answers is open (OPEN-212, OPEN-220). */
export type Question = (response: ExchangeResponse, exchange: Exchange) => boolean;
export const answered =
  (question: Question) =>
  (exchange: Exchange): boolean =>
    exchange.response !== undefined && !exchange.unknownRoute && question(exchange.response, exchange);

export type Fault = (response: ExchangeResponse, exchange: Exchange) => string | undefined;
export const faultOf =
  (fault: Fault) =>
  (exchange: Exchange): string | undefined =>
    exchange.response && fault(exchange.response, exchange);
