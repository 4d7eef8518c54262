import type { Exchange, ExchangeResponse } from "../../../core/exchange.ts";

/**
 * A predicate on responses of documented operations, because responses of unknown paths are unspecified
 * (OPEN-212).
 */
type ResponsePredicate = (response: ExchangeResponse, exchange: Exchange) => boolean;
export const onResponse =
  (predicate: ResponsePredicate) =>
  (exchange: Exchange): boolean =>
    exchange.response !== undefined && !exchange.unknownRoute && predicate(exchange.response, exchange);

export type ResponseFault = (response: ExchangeResponse, exchange: Exchange) => string | undefined;
export const faultInResponse =
  (fault: ResponseFault) =>
  (exchange: Exchange): string | undefined =>
    exchange.response && fault(exchange.response, exchange);
