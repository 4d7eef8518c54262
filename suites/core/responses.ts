import type { ExchangeResponse } from "./exchange.ts";
import { isObject } from "./json.ts";

type Status = Pick<ExchangeResponse, "status">;

export const isSuccess = ({ status }: Status): boolean => status >= 200 && status <= 299;
export const isRefusal = ({ status }: Status): boolean => status >= 400;

/** The error code of a response, if it has one. */
export function codeOf({ json }: Pick<ExchangeResponse, "json">): string | undefined {
  const error = isObject(json) ? json.error : undefined;
  return isObject(error) && typeof error.code === "string" ? error.code : undefined;
}
